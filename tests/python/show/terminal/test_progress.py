"""Progress on standard error: one line that moves on a terminal, plain lines elsewhere."""

import io
import re

import pytest
from records import content, two_sided
from rich.console import Console

from assay.model import Failure
from assay.progress import RunProgress
from assay.show.terminal.progress import TerminalProgress

STATE = RunProgress(benchmarks=3, settled=1, failed=0, rounds=7, elapsed_s=1.0, left_s=61.0)


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_moves_on_a_terminal_and_stays_within_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.show.terminal.progress._REDRAW_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    screen = _Screen()
    judgement = content(two_sided({"\u6f22\u5b57" * 60: 1.1}, 3)).judgement
    assert judgement is not None
    with TerminalProgress(Console(file=screen, width=60)) as progress:
        progress.round_done(STATE, judgement.comparisons)
    lines = [line for line in re.split(r"\r\x1b\[2K", screen.getvalue()) if line]
    assert lines[0].startswith("1 of 3 settled, 7 rounds, at most 1 min 01 s left")
    assert len(lines[0]) < 60
    assert screen.getvalue().endswith("\r\x1b[2K")  # nothing of it stays behind


def test_why_says_what_it_does_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.show.terminal.progress._LINE_EVERY_S", 0.0)
    out = io.StringIO()
    with TerminalProgress(Console(file=out, width=80)) as progress:
        progress.asking("BM_copy", "sampling time", 1, 3)
    assert out.getvalue() == "sampling time: BM_copy (2 of 3)\n"


def test_what_takes_seconds_is_shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    screen = _Screen()
    with TerminalProgress(Console(file=screen, width=60)) as progress:
        progress.asking("BM_copy", "counting instructions", 0, 3)
    assert "counting instructions: BM_copy (1 of 3)" in screen.getvalue()


def test_progress_is_plain_lines_elsewhere_even_when_colour_is_forced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assay.show.terminal.progress._LINE_EVERY_S", 0.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = io.StringIO()
    with TerminalProgress(Console(file=out, width=80)) as progress:
        progress.round_done(STATE, ())
        progress.failed(Failure(benchmark="x", what="crashed"))
    assert "\r" not in out.getvalue()
    assert "failed: x: crashed" in out.getvalue()


def test_a_log_gets_each_failure_on_one_line() -> None:
    out = io.StringIO()
    with TerminalProgress(Console(file=out, width=80)) as progress:
        progress.failed(Failure(benchmark="cmd:program", what="no end " * 30 + "of it"))
    assert len(out.getvalue().splitlines()) == 1


def test_what_is_announced_stays_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    screen = _Screen()
    with TerminalProgress(Console(file=screen, width=60)) as progress:
        progress.announce("15 rounds need about 40 s; --budget is 10 s\x1b[2J")
    assert "15 rounds need about 40 s; --budget is 10 s\\x1b[2J\n" in screen.getvalue()
