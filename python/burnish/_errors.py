"""Errors and warnings. Every error of the library is an Error; those of files are instances of Python's own errors
as well."""

import errno
import re

from ._burnish import Error


class NotFoundError(Error, FileNotFoundError):
    """A file or folder does not exist."""

    errno = errno.ENOENT


class AccessError(Error, PermissionError):
    """A file may not be read or written."""

    errno = errno.EACCES


class FolderError(Error, IsADirectoryError):
    """A file was expected, but there is a folder."""

    errno = errno.EISDIR


class SystemFailure(Error, OSError):
    """A system call failed: the disk is full, a device was removed."""


class DenoiseWarning(UserWarning):
    """There is a doubt about the result of denoise."""


def in_python(text):
    """A message of the library in terms of Python: options, --like-this or `like-this`, are keywords there."""
    return re.sub(r"--([a-z][a-z0-9-]*)|`([a-z-]+)`", lambda found: (found[1] or found[2]).replace("-", "_"), text)
