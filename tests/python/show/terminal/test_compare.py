"""The terminal: verdict first, no line wider than the screen, plain where it must be."""

import io
import re

import pytest
from comparisons import SLOW_LAUNCHES, SLOW_SAMPLES, row, sometimes
from records import HOSTILE, content, two_sided
from rich.console import Console

from assay.model import Failure, Judgement, Settings, Side, Verdict
from assay.progress import State
from assay.show.content import Content
from assay.show.terminal.compare import print_judgement
from assay.show.terminal.console import output_console, print_failures
from assay.show.terminal.progress import TerminalProgress
from assay.show.terminal.text_table import Cell, Column, print_table
from assay.show.words import format

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def judgement(shown: Content) -> Judgement:
    assert shown.judgement is not None
    return shown.judgement


def printed(shown: Content, width: int, *, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(
        file=out, width=width, highlight=False, force_terminal=colour, no_color=not colour
    )
    failures = [Failure(benchmark="<b>bold</b>[red]", what="hung\x1b[2J", side=Side.BASE)]
    print_judgement(console, judgement(shown), only=((), ("new",)), failures=failures)
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 72, 80, 89, 90, 100, 139, 140, 160, 200])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    lines = printed(content(), width).splitlines()
    assert max(map(len, lines)) <= width


def test_the_verdict_is_the_first_line() -> None:
    assert printed(content(), 100).startswith("Of 4 benchmarks 1 is slower, 1 is faster")


@pytest.mark.parametrize("width", [60, 100, 200])
def test_numbers_are_those_of_the_judgement(width: int) -> None:
    text = printed(content(), width)
    for one in judgement(content()).comparisons:
        if one.metric == "real_time":
            line = next(line for line in text.splitlines() if line.startswith(one.benchmark))
            assert format.change(one.change) in line
            assert format.interval(one.low, one.high) in line


def test_the_undecided_say_what_would_decide_them_at_every_width() -> None:
    for width in (60, 100, 160):
        assert re.search(r"leans \w+|within reach|more round", printed(content(), width))


def test_without_colour_there_are_no_escapes_and_with_it_the_words_are_the_same() -> None:
    plain, coloured = printed(content(), 100), printed(content(), 100, colour=True)
    assert "\x1b" not in plain
    assert "\x1b" in coloured
    assert ESCAPES.sub("", coloured) == plain


def test_hostile_names_cannot_steer_the_terminal() -> None:
    text = printed(content(two_sided(dict.fromkeys(HOSTILE, 1.1), 8)), 100)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\x1b[31mred" in text
    assert "<b>bold</b>[red]" in text


STATE = State(benchmarks=3, settled=1, failed=0, rounds=7, elapsed_s=1.0, left_s=61.0)


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_moves_on_a_terminal_and_stays_within_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.show.terminal.progress._REDRAW_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    screen = _Screen()
    wide = judgement(content(two_sided({"\u6f22\u5b57" * 60: 1.1}, 3))).comparisons
    with TerminalProgress(Console(file=screen, width=60)) as progress:
        progress.round_done(STATE, wide)
    lines = [line for line in re.split(r"\r\x1b\[2K", screen.getvalue()) if line]
    assert lines[0].startswith("1 of 3 settled, 7 rounds, at most 1 min 01 s left")
    assert len(lines[0]) < 60
    assert screen.getvalue().endswith("\r\x1b[2K")  # nothing of it stays behind


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


def test_a_pipe_gets_messages_and_names_in_one_piece(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")  # what a terminal elsewhere exported
    console = output_console()
    what = f"/a/folder{'/deeper' * 20}/program has a malloc of its own"
    print_failures(console, [Failure(benchmark="cmd:program", what=what)])
    name = f"BM_{'long' * 50}"
    print_table(console, [Column("benchmark"), Column("time")], [[Cell(name), Cell("1 ns")]])
    told, _, row = capsys.readouterr().out.splitlines()
    assert told == f"failed cmd:program: {what}"
    assert row == f"{name}  1 ns"


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


@pytest.mark.parametrize("width", [80, 160])
def test_what_is_sometimes_slower_and_what_is_single_is_told_at_every_width(width: int) -> None:
    alone = row(metric="cpu_time", single=True, verdict=Verdict.SLOWER)
    found = Judgement(comparisons=(sometimes(), alone), settings=Settings(), control="")
    out = io.StringIO()
    print_judgement(Console(file=out, width=width), found, only=((), ()), failures=())
    text = out.getvalue()
    assert re.search(r"sometimes slower \(?in about 1 of 5 launches, by 30 %", text)
    assert re.search(r"cpu_time .* \+0\.00 \.\. \+6\.0 % \(single\)  slower", text)
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("width", [100, 140])
def test_several_findings_stand_beneath_the_table(width: int) -> None:
    both = sometimes(SLOW_LAUNCHES, SLOW_SAMPLES, benchmark="a_name_that_is_longer_than_most")
    found = Judgement(comparisons=(both,), settings=Settings(), control="")
    out = io.StringIO()
    print_judgement(Console(file=out, width=width), found, only=((), ()), failures=())
    text = out.getvalue()
    assert "most: sometimes slower in about 1 of 5 launches, by 30 %;" in text
    assert max(map(len, text.splitlines())) <= width
