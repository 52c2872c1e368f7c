"""Floors in the cache: whole, where the cache is, and refused with a reason."""

from pathlib import Path

import pytest

from assay import files
from assay.errors import InputError
from assay.model import Floor
from assay.places import cache_folder
from assay.record import floor_cache

OLD = Floor(effect=0.01, drift=0.1, rounds=20, benchmarks=1, source="old")
NEW = Floor(effect=0.02, drift=0.1, rounds=20, benchmarks=1, source="new")


def test_a_floor_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = floor_cache.save(OLD, "key")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        floor_cache.save(NEW, "key")
    assert floor_cache.load("key") == OLD
    assert list(path.parent.iterdir()) == [path]


def test_a_cache_that_cannot_be_made_is_an_error_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(InputError, match=r"file/assay/floors: cannot be made: .*XDG_CACHE_HOME"):
        floor_cache.save(NEW, "key")


def test_the_cache_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "assay"
    assert floor_cache.save(NEW, "key").parent == cache_folder() / "floors"
