"""Errors and warnings are Python's own, in words of Python."""

import contextlib
import os

import numpy as np
import pytest

import burnish


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.ply") as raised:
        burnish.read(tmp_path / "missing.ply")
    assert isinstance(raised.value, burnish.Error) and isinstance(raised.value, ValueError)
    assert raised.value.errno == 2
    with pytest.raises(FileNotFoundError):
        burnish.write(tmp_path / "no" / "folder.ply", [[0, 0, 0]])
    with pytest.raises(FileNotFoundError):
        burnish.denoise(tmp_path / "missing.ply")


@contextlib.contextmanager
def without_rights():
    """Root may read everything: here it is somebody else for a while."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_folders_and_permissions(tmp_path):
    with pytest.raises(IsADirectoryError):
        burnish.read(tmp_path)
    secret = tmp_path / "secret.xyz"
    secret.write_text("0 0 0\n")
    secret.chmod(0)
    tmp_path.chmod(0o555)
    with without_rights():
        with pytest.raises(PermissionError, match="secret.xyz") as raised:
            burnish.read(secret)
        with pytest.raises(PermissionError):
            burnish.write(tmp_path / "new.ply", [[0, 0, 0]])
    assert isinstance(raised.value, burnish.Error)
    assert not (tmp_path / "new.ply").exists()


def test_other_errors_are_errors_as_before(tmp_path):
    (tmp_path / "bad.ply").write_text("ply\nnonsense\n")
    with pytest.raises(burnish.Error) as raised:
        burnish.read(tmp_path / "bad.ply")
    assert not isinstance(raised.value, OSError)


def test_messages_have_keywords_not_options(noisy):
    with pytest.raises(burnish.Error, match="^noise_level:") as raised:
        burnish.denoise(noisy, "glr", noise_level="much")
    assert "--" not in str(raised.value)
    with pytest.raises(burnish.Error, match="above 0; omit the option"):
        burnish.denoise(noisy, noise=0)


def test_warnings_are_warnings():
    volume = np.random.default_rng(1).uniform(size=(3000, 3))
    with pytest.warns(burnish.DenoiseWarning):
        result = burnish.denoise(volume)
    assert result.warnings and not any("--" in text for text in result.warnings)
