"""`assay demo`, with the executables that are installed: what a newcomer sees first."""

import re
from pathlib import Path

import pytest
from conftest import SteppingClock

from assay.cli import invoke
from assay.cli.common import runtime
from assay.cli.common.exit_codes import DONE, NOT_MEASURED

# Reallocations of CopyElement/N: one for each parameter copied, and none once room is reserved.
REALLOCATIONS = {"2": ("2", "0"), "16": ("16", "0"), "256": ("256", "0")}
BENCHMARKS = {
    f"{name}/{size}"
    for name in ("CopyElement", "NewElement", "AddParam", "ElementToString")
    for size in (0, 2, 16, 256)
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, where a budget is a number of rounds, however slow the machine."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(runtime, "MonotonicClock", SteppingClock)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_compares_the_builds_and_writes_the_page(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["demo", "--budget", "40s", "--quiet"]) == DONE
    said = capsys.readouterr()
    assert said.out.startswith("$ assay compare ")
    assert not said.err
    rows = [line.split() for line in said.out.splitlines()]
    times = {row[0] for row in rows if len(row) > 4 and row[2] in ("ns", "us", "ms")}
    assert times == BENCHMARKS
    assert said.out.endswith("report: assay-demo.html\n")
    page = (place / "assay-demo.html").read_text()
    assert "CopyElement/256" in page
    assert "</html>" in page[-200:]


def test_reallocations_are_counted_exactly(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    invoke(["demo", "--budget", "40s", "--quiet"])
    found = re.findall(
        r"^(\w+)/(\d+) +CallsToRealloc +([\d,]+) +([\d,]+) +-100\.0 % +exact +fewer +\d+$",
        capsys.readouterr().out,
        re.M,
    )
    assert {name for name, *_ in found} == {"CopyElement"}
    assert {size: (base, candidate) for _, size, base, candidate in found} == REALLOCATIONS


def test_without_its_executables_it_says_what_to_install(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("assay.measure.executor.libexec", lambda: place)
    assert invoke(["demo"]) == NOT_MEASURED
    said = capsys.readouterr()
    assert not said.out
    assert said.err == (
        f"error: {place}: the demo's executables are not installed; "
        "install libbenchmark-dev, then `pip install .` in Assay's repository again\n"
    )
