"""Floors in the cache: whole, where the cache is, and refused with a reason."""

import hashlib
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
    path = floor_cache.save_floor(OLD, "key")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        floor_cache.save_floor(NEW, "key")
    assert floor_cache.load_floor("key") == OLD
    assert list(path.parent.iterdir()) == [path]


def test_a_cache_that_cannot_be_made_is_an_error_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(InputError, match=r"file/assay/floors: cannot be made: .*XDG_CACHE_HOME"):
        floor_cache.save_floor(NEW, "key")


def test_the_cache_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "assay"
    assert floor_cache.save_floor(NEW, "key").parent == cache_folder() / "floors"


HOST = {"name": "box", "cpu_model": "a CPU", "cpus": 2, "kernel": "6.1", "memory_bytes": 2**34}


def test_a_key_is_of_the_host_the_benchmarks_and_unusual_metrics() -> None:
    key = floor_cache.floor_key_of(HOST, ["a", "b"])
    assert len(key) == 24
    same = [
        floor_cache.floor_key_of({**HOST, "load": 3}, ["b", "a", "a"]),
        floor_cache.floor_key_of(HOST, ["a", "b"], ["real_time"]),
        floor_cache.floor_key_of(HOST, ["a", "b"], ("real_time", "real_time")),
    ]
    assert same == [key] * 3
    others = [
        *(floor_cache.floor_key_of({**HOST, name: "x"}, ["a", "b"]) for name in HOST),
        *(floor_cache.floor_key_of({**HOST, name: None}, ["a", "b"]) for name in HOST),
        floor_cache.floor_key_of(HOST, ["a"]),
        floor_cache.floor_key_of(HOST, ["a", "b"], ["cpu_time"]),
        floor_cache.floor_key_of(HOST, ["a", "b"], ["cpu_time", "real_time"]),
        floor_cache.floor_key_of(HOST, ["a", "b", "cpu_time"]),
    ]
    assert len({key, *others}) == 1 + len(others)


def test_keys_stay_as_they_are_so_that_old_floors_are_found() -> None:
    """Those of `real_time` alone do not name it."""
    words = ["box", "a CPU", "2", "6.1", str(2**34), "a", "b"]
    for metrics, more in (
        (["real_time"], []),
        (["cpu_time", "allocs"], ["", "allocs", "cpu_time"]),
    ):
        kept = hashlib.sha256("\0".join([*words, *more]).encode()).hexdigest()[:24]
        assert floor_cache.floor_key_of(HOST, ["b", "a"], metrics) == kept


def test_a_floor_that_cannot_be_read_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert floor_cache.load_floor("key") is None
    path = floor_cache.save_floor(OLD, "key")
    assert path == tmp_path / "assay" / "floors" / "key.json"
    path.write_text("{}")
    assert floor_cache.load_floor("key") is None


def test_where_to_put_a_cache_that_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "assay").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(InputError) as refused:
        floor_cache.save_floor(OLD, "key")
    assert str(refused.value) == (
        f"{tmp_path}/assay/floors: cannot be made: Not a directory; set XDG_CACHE_HOME to a folder "
        "that can be written"
    )
