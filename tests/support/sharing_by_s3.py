"""What tests of histories in object stores share: stores, what verbs print, objects put by hand."""

from pathlib import Path

import pytest
from stores import Step, filled

from assay.cli import invoke
from assay.record.store.remotes.opened import opened_remote
from assay.record.store.store import Store


def store(name: str = "a", runs: int = 3) -> Store:
    return filled(Path(name), {"b1": Step()}, runs=runs)


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """What `assay runs` printed; an error must be one line."""
    capsys.readouterr()
    assert invoke(["runs", *words]) == code, capsys.readouterr().err
    captured = capsys.readouterr()
    assert "secret" not in captured.out + captured.err
    assert code == 0 or len(captured.err.splitlines()) == 1
    return captured.err if code else captured.out


def put(place: str, files: dict[str, bytes]) -> list[str]:
    with opened_remote(place, Path.cwd(), print) as remote:
        return list(remote.put(files.items()))
