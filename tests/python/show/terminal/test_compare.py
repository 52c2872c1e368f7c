"""The terminal: verdict first, no line wider than the screen, plain where it must be."""

import io
import re

import pytest
from comparisons import SLOW_LAUNCHES, SLOW_SAMPLES, row, sometimes
from records import HOSTILE, content, two_sided
from rich.console import Console

from assay.judging import Holm
from assay.model import Failure, Judgement, Settings, Side, Verdict
from assay.show.content import Content
from assay.show.terminal.compare import print_judgement
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


@pytest.mark.parametrize("width", [80, 160])
def test_what_is_sometimes_slower_and_what_is_single_is_told_at_every_width(width: int) -> None:
    alone = row(metric="cpu_time", single=True, verdict=Verdict.SLOWER)
    found = Judgement(
        comparisons=(sometimes(), alone), settings=Settings(), control=Holm(family=1, alpha=0.05)
    )
    out = io.StringIO()
    print_judgement(Console(file=out, width=width), found, only=((), ()), failures=())
    text = out.getvalue()
    assert re.search(r"sometimes slower \(?in about 1 of 5 launches, by 30 %", text)
    assert re.search(r"cpu_time .* \+0\.00 \.\. \+6\.0 % \(single\)  slower", text)
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("width", [100, 140])
def test_several_findings_stand_beneath_the_table(width: int) -> None:
    both = sometimes(SLOW_LAUNCHES, SLOW_SAMPLES, benchmark="a_name_that_is_longer_than_most")
    found = Judgement(comparisons=(both,), settings=Settings(), control=Holm(family=1, alpha=0.05))
    out = io.StringIO()
    print_judgement(Console(file=out, width=width), found, only=((), ()), failures=())
    text = out.getvalue()
    assert "most: sometimes slower in about 1 of 5 launches, by 30 %;" in text
    assert max(map(len, text.splitlines())) <= width


def of_many(*, every: bool) -> str:
    """2 of 60 changed, 40 are the same, the rest is undecided."""
    verdicts = [Verdict.SLOWER, Verdict.FASTER, *[Verdict.SAME] * 40, *[Verdict.UNDECIDED] * 18]
    rows = [row(benchmark=f"name{i}", verdict=one) for i, one in enumerate(verdicts)]
    found = Judgement(
        comparisons=tuple(rows), settings=Settings(), control=Holm(family=1, alpha=0.05)
    )
    out = io.StringIO()
    print_judgement(Console(file=out, width=120), found, only=((), ()), failures=(), every=every)
    return out.getvalue()


def test_of_many_what_changed_is_shown_and_the_rest_is_summed_up() -> None:
    text = of_many(every=False)
    assert set(re.findall(r"\bname\d+", text)) == {"name0", "name1"}
    assert "58 rows are not shown: 40 the same, 18 undecided (--all shows them)" in text


def test_all_of_them_are_shown_where_that_is_asked_for() -> None:
    text = of_many(every=True)
    assert len(set(re.findall(r"\bname\d+", text))) == 60
    assert "not shown" not in text
