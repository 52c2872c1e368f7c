"""The chart runtime's place in the cache; bundling it is left out here."""

import os
from pathlib import Path

import pytest

from assay.show.page import vega
from assay.show.page.vega import ChartRuntime

MADE = ChartRuntime("packed", "hash")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one whenever the runtime is made."""
    times: list[int] = []

    def make() -> ChartRuntime:
        times.append(1)
        return MADE

    monkeypatch.setattr(vega, "_make", make)
    return times


def test_it_is_made_once(made: list[int], tmp_path: Path) -> None:
    assert [vega.runtime(tmp_path / "new"), vega.runtime(tmp_path / "new")] == [MADE, MADE]
    assert len(made) == 1


def test_a_full_cache_costs_time_only(
    made: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert [vega.runtime(tmp_path), vega.runtime(tmp_path)] == [MADE, MADE]
    assert len(made) == 2
    assert not list(tmp_path.iterdir()), "part of a file was left"
