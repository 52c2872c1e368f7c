"""What Assay says of data that stay the same has not changed: `said.py` says how it is asked.

A change that is meant is shown by `git diff` after `.venv/bin/python tests/contract/said.py`.
"""

import json
import math
from pathlib import Path

import pytest
from said import ASKED, SAID, Asked, make_data, said

TOLERANCE = 1e-12  # numpy's sums differ between processors in the last bits


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("said")
    make_data(folder)
    return folder


@pytest.mark.parametrize("asked", ASKED, ids=[asked.name for asked in ASKED])
def test_it_says_what_it_said(asked: Asked, made: Path) -> None:
    for name, text in said(asked, made):
        before = (SAID / name).read_text()
        if name.endswith(".json"):
            assert list(_differences(json.loads(before), json.loads(text), "")) == []
        else:
            assert text == before, name


def test_nothing_is_kept_that_is_not_asked() -> None:
    names = {asked.name for asked in ASKED}
    assert {path.stem for path in SAID.iterdir()} == names


def test_a_difference_is_seen() -> None:
    assert list(_differences({"a": [1.0, "x"]}, {"a": [1.0 + 1e-13, "x"]}, "")) == []
    assert list(_differences({"a": [1.0, "x"]}, {"a": [1.0 + 1e-11, "x"]}, "")) == ["/a/0"]
    assert list(_differences({"a": [1.0, "x"]}, {"a": [1.0, "y"], "b": 1}, "")) == ["", "/a/1"]
    assert list(_differences([1], [1, 2], "")) == [""]


def _differences(before: object, now: object, where: str):  # type: ignore[no-untyped-def]
    """Where two documents differ by more than the last bits of a figure."""
    if isinstance(before, dict) and isinstance(now, dict):
        if before.keys() != now.keys():
            yield where
        for key in before.keys() & now.keys():
            yield from _differences(before[key], now[key], f"{where}/{key}")
    elif isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            yield where
        for place, (one, other) in enumerate(zip(before, now, strict=False)):
            yield from _differences(one, other, f"{where}/{place}")
    elif isinstance(before, float) and isinstance(now, float):
        if not math.isclose(before, now, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            yield where
    elif before != now:
        yield where
