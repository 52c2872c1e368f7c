"""`assay demo`, with the executables that are installed: what a newcomer sees first."""

import io
import os
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from conftest import NATIVE, SteppingClock
from recording import coloured, drawn
from rich.console import Console
from rich.text import Text

from assay.cli import invoke
from assay.cli.common import compare_output, runtime
from assay.cli.common.exit_codes import DONE, NOT_MEASURED
from assay.show.words import format

pytestmark = pytest.mark.xdist_group("demo")  # one run serves all

# Reallocations of CopyElement/N: one for each parameter copied, and none once room is reserved.
REALLOCATIONS = {"2": ("2", "0"), "16": ("16", "0"), "256": ("256", "0")}
BENCHMARKS = {
    f"{name}/{size}"
    for name in ("CopyElement", "NewElement", "AddParam", "ElementToString")
    for size in (0, 2, 16, 256)
}


class Told(NamedTuple):
    """What it said, and where it wrote its page."""

    terminal: Console  # the table
    output: str  # the lines around it
    place: Path

    @property
    def table(self) -> str:
        assert isinstance(self.terminal.file, io.StringIO)
        return Text.from_ansi(self.terminal.file.getvalue()).plain


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """It ran once, in an empty folder, where a budget is a number of rounds, however slow the
    machine. The recording for the README is made by the clock, as a reader's run is."""
    terminal, output, errors = coloured(), io.StringIO(), io.StringIO()
    place = tmp_path_factory.mktemp("demo")
    with (
        pytest.MonkeyPatch.context() as patched,
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        patched.setenv("XDG_STATE_HOME", str(place / "state"))
        if "ASSAY_PICTURES_IN" not in os.environ:
            patched.setattr(runtime, "MonotonicClock", SteppingClock)
        patched.chdir(place)
        kept = format.record_line
        home = str(place / "state")
        patched.setattr(format, "record_line", lambda *a: kept(*a).replace(home, "~/.local/state"))
        patched.setattr(compare_output, "output_console", lambda: terminal)
        terminal.print("$ assay demo\n", style="bold")
        assert invoke(["demo", "--budget", "40s", "--quiet"]) == DONE
        assert not errors.getvalue()
        terminal.print(output.getvalue().splitlines()[-1])
    return Told(terminal, output.getvalue(), place)


def test_it_compares_the_builds_and_writes_the_page(told: Told) -> None:
    assert told.output.startswith("$ assay compare ")
    rows = [line.split() for line in told.table.splitlines()]
    times = {row[0] for row in rows if len(row) > 4 and row[2] in ("ns", "us", "ms")}
    # A benchmark that a busy machine leaves undecided is measured on, and the last are not begun.
    missing = re.search(r"(\d+) of 16 benchmarks (?:was|were) not begun", told.table + told.output)
    assert times <= BENCHMARKS
    assert len(times) + int(missing[1] if missing else 0) == len(BENCHMARKS)
    assert told.output.endswith("report: assay-demo.html\n")
    page = (told.place / "assay-demo.html").read_text()
    assert "CopyElement/256" in page
    assert "</html>" in page[-200:]


def test_reallocations_are_counted_exactly(
    told: Told, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By themselves: among times, a benchmark ends when its time is clear, on a busy machine
    before its counts are known to be exact."""
    executables = told.output.split()[3:5]
    chosen = ("--filter", "CopyElement/(2|16|256)$", "--metric", "CallsToRealloc")
    assert invoke(["compare", *executables, *chosen, "--rounds", "30", "--quiet"]) == DONE
    found = re.findall(
        r"^CopyElement/(\d+) +([\d,]+) +([\d,]+) +-100\.0 % +exact +fewer +\d+$",
        capsys.readouterr().out,
        re.M,
    )
    assert {size: (base, candidate) for size, base, candidate in found} == REALLOCATIONS


def test_a_recording_of_the_terminal(told: Told, tmp_path: Path) -> None:
    """With ASSAY_PICTURES_IN=docs/images that of the README is made anew."""
    picture = Path(os.environ.get("ASSAY_PICTURES_IN", tmp_path)) / "demo.svg"
    picture.write_text(drawn(told.terminal, "assay demo") + "\n")
    shown = "".join(ElementTree.fromstring(picture.read_bytes()).itertext())
    for word in ("assay\xa0demo", "CopyElement/256", "assay-demo.html"):
        assert word in shown
    assert re.findall(r"https?://[^\"]+", picture.read_text()) == ["http://www.w3.org/2000/svg"]
    assert "/tmp" not in shown
    assert picture.stat().st_size < 100_000


def test_without_its_executables_it_says_what_to_install(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("assay.measure.executor.folder_of_native_programs", lambda: place)
    assert invoke(["demo"]) == NOT_MEASURED
    said = capsys.readouterr()
    assert not said.out
    assert said.err == (
        f"error: {place}: the demo is not part of this installation; "
        "run `./dev setup` in a clone of Assay and use its .venv/bin/assay\n"
    )


def test_executables_that_cannot_start_say_why_before_anything_is_shown(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("copy_element_naive", "copy_element_reserved"):
        (place / name).write_text("#!/bin/sh\nexit 3\n")
        (place / name).chmod(0o755)
    monkeypatch.setattr("assay.measure.executor.folder_of_native_programs", lambda: place)
    monkeypatch.setenv("ASSAY_LIBEXEC", str(NATIVE / "libexec" / "assay"))
    assert invoke(["demo"]) == NOT_MEASURED
    said = capsys.readouterr()
    assert not said.out
    assert f"{place}/copy_element_naive: listing its benchmarks failed" in said.err
