"""What the page of a running session says, at every stage of it."""

from collections.abc import Sequence

import pytest
from comparisons import row

from assay.live import LiveSession, LiveStage, Look
from assay.model import Level
from assay.planned import Planned
from assay.show.words import live as words

MEASURING, STORED = LiveStage.MEASURING, LiveStage.STORED


def session(
    *targets: str, kind: str = "compare", since: str = "2026-07-01T12:30:59.123456+00:00"
) -> LiveSession:
    named = {str(number): target for number, target in enumerate(targets)}
    return LiveSession(name="1", kind=kind, since=since, targets=named, is_held=True)


def levels(number: int) -> tuple[Level, ...]:
    return (Level(benchmark="B", unit="ns", real=1.0, cpu=None, spread=None, launches=1),) * number


@pytest.mark.parametrize(
    ("one", "title"),
    [
        (session("git:v1.0", "git:v1.1"), "Comparing git:v1.0 with git:v1.1"),
        (session("build/bench", kind="run"), "Measuring build/bench"),
        (session(), "Comparing …"),
        (session(kind="run"), "Measuring …"),
        (session("t" * 81), f"Comparing {'t' * 39}…{'t' * 40}"),
    ],
)
def test_the_title_has_what_is_measured(one: LiveSession, title: str) -> None:
    assert words.title(one) == title


@pytest.mark.parametrize(
    ("since", "text"),
    [
        ("2026-07-01T12:30:59.123456+00:00", "2026-07-01 12:30:59 UTC"),
        ("2026\x1b", "2026\\x1b UTC"),
        ("", ""),
    ],
)
def test_when_it_began(since: str, text: str) -> None:
    assert words.since(session(since=since)) == text


@pytest.mark.parametrize(
    ("look", "headline"),
    [
        (
            Look(stage=MEASURING, is_judged=False),
            "This kind of session is judged when it has ended.",
        ),
        (Look(stage=MEASURING), "No round of both sides is there yet."),
        (Look(stage=MEASURING, two_sided=False, levels=levels(1)), "1 benchmark measured so far."),
        (Look(stage=STORED, two_sided=False, levels=levels(2)), "2 benchmarks measured."),
    ],
)
def test_the_headline_where_there_are_no_verdicts(look: Look, headline: str) -> None:
    assert words.headline(look, ()) == headline


def test_the_headline_counts_verdicts_once_there_are_some() -> None:
    headline = words.headline(Look(stage=MEASURING), [row()])
    assert headline == "Of 1 benchmark 1 is undecided (real_time)."


@pytest.mark.parametrize(
    ("look", "text"),
    [
        (Look(stage=LiveStage.STORING), "Measuring has ended; its run is being stored."),
        (Look(stage=STORED), "It has ended, and is stored."),
        (Look(stage=LiveStage.ENDED), "It has ended, and this store has no run of it."),
        (
            Look(stage=LiveStage.KILLED, rounds=9),
            "It was killed. The next assay that uses this store keeps what it had measured.",
        ),
        (Look(stage=MEASURING), "Trial launches find how much work a launch shall do."),
        (Look(stage=MEASURING, rounds=1, spent_s=61.0), "Measuring: 1 round in 1 min 01 s."),
        (
            Look(stage=MEASURING, rounds=1_200, spent_s=61.0, planned=Planned(rounds=2_000)),
            "Measuring: 1,200 rounds in 1 min 01 s, at most 2,000 of each benchmark.",
        ),
        (
            Look(stage=MEASURING, rounds=2, spent_s=9.0, planned=Planned(rounds=9, limit_s=80.0)),
            "Measuring: 2 rounds in 9 s of at most 1 min 20 s.",
        ),
        (
            Look(stage=MEASURING, rounds=2, spent_s=9.0, planned=Planned(rounds=0)),
            "Measuring: 2 rounds in 9 s, at most 0 of each benchmark.",
        ),
    ],
)
def test_what_it_is_doing(look: Look, text: str) -> None:
    assert words.stage(look) == text


def counted(stage: LiveStage, settled: int, fewest: int = 0) -> Look:
    names = frozenset(str(number) for number in range(settled))
    planned = Planned(fewest=fewest)
    return Look(stage=stage, planned=planned, comparisons=(row(),), settled=names)


@pytest.mark.parametrize(
    ("look", "undecided", "waiting", "text"),
    [
        (Look(stage=MEASURING), ["B"], [], ""),
        (Look(stage=MEASURING), ["B"], ["C"], "Not measured yet: C."),
        (
            counted(MEASURING, 0),
            ["B"] * 1_200,
            [],
            "0 benchmarks are settled, 1,200 undecided so far.",
        ),
        (
            counted(MEASURING, 1, fewest=12),
            ["B"],
            ["C", "D"],
            "1 benchmark is settled, 1 undecided so far. 12 rounds are the least for an interval. "
            "Not measured yet: C, D.",
        ),
        (counted(STORED, 2), [], [], "2 benchmarks are settled, 0 undecided."),
    ],
)
def test_how_many_are_settled(
    look: Look, undecided: Sequence[str], waiting: Sequence[str], text: str
) -> None:
    assert words.counts_by_state(look, undecided, waiting) == text


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("abcdefgh", "a, b, c, d, e, f, g, h"),
        ("abcdefghi", "a, b, c, d, e, f, g, h and 1 more"),
        (["x"] * 1_208, "x, x, x, x, x, x, x, x and 1,200 more"),
        (["n" * 61], f"{'n' * 29}…{'n' * 30}"),
    ],
)
def test_only_the_first_that_wait_are_named(names: Sequence[str], text: str) -> None:
    told = words.counts_by_state(Look(stage=MEASURING), [], names)
    assert told == f"Not measured yet: {text}."
