"""What can go wrong. Every error of the library is an Error; those of files are Python's own errors as well."""

import errno
import re

from ._burnish import Error


class NotFoundError(Error, FileNotFoundError):
    """A file or folder is not there."""

    errno = errno.ENOENT


class AccessError(Error, PermissionError):
    """A file may not be read or written."""

    errno = errno.EACCES


class FolderError(Error, IsADirectoryError):
    """A folder is where a file was expected."""

    errno = errno.EISDIR


class SystemFailure(Error, OSError):
    """The operating system could not do it: the disk is full, a device is gone."""


class DenoiseWarning(UserWarning):
    """Something speaks against using the result of denoise as it is."""


def in_python(text):
    """A message of the library in words of Python: options, --like-this or `like-this`, are keywords there."""
    return re.sub(r"--([a-z][a-z0-9-]*)|`([a-z-]+)`", lambda found: (found[1] or found[2]).replace("-", "_"), text)
