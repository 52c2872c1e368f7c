"""Copying that ends early says what has arrived, and the next one goes on with the rest."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from stores import Step, filled

from assay import files
from assay.errors import InputError
from assay.record.store.folder import Folder
from assay.record.store.remotes.folder_remote import FolderRemote
from assay.workflows.sharing import pulled, pushed

NOW_S = 2e9


def tell(*_: int) -> None:
    """Nobody looks."""


def full_after(place: Callable[..., None], allowed: set[str]) -> Callable[..., None]:
    """A disk that has room for these files."""

    def placed(data: bytes, path: Path, put: Callable[[Path, Path], None]) -> None:
        if path.suffix == ".parquet" and path.stem not in allowed:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        place(data, path, put)

    return placed


@pytest.mark.parametrize("verb", ["push", "pull"])
@pytest.mark.parametrize("fit", [0, 2, 10])
def test_what_arrived_before_a_full_disk_is_said(
    verb: str, fit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    runs = filled(source, {"b1": Step()}, runs=12).folder.runs()
    target.mkdir()

    def copied() -> int:
        if verb == "push":
            return pushed(source, FolderRemote(target), NOW_S, tell).runs
        return pulled(target, FolderRemote(source), NOW_S, tell).runs

    with monkeypatch.context() as full:
        full.setattr(files, "_place", full_after(files._place, set(runs[:fit])))
        with pytest.raises(InputError) as told:
            copied()
    assert "cannot be written: No space left on device" in told.value.message
    said = {0: "none of 12 runs", 2: "2 of 12 runs", 10: "10 of 12 runs"}[fit]
    assert f"; {said} arrived before" in told.value.message
    assert ("and 2 more" in told.value.message) == (fit == 10)
    for run in runs[: min(fit, 8)]:
        assert run in told.value.message
    assert Folder.opened(target).runs() == runs[:fit]
    assert copied() == 12 - fit
    assert Folder.opened(target).runs() == runs
