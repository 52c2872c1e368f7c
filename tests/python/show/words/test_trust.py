"""What `assay trust` found, to the last character."""

import msgspec
import pytest
from tried_out import trusted

from assay.model import Verdict
from assay.show.words import trust as words
from assay.trust import (
    CountedShare,
    Injection,
    Placement,
    Spread,
    Tries,
    Trust,
    TryVerdict,
    VerdictOutcome,
)

TITLES = ("compared with", "suites", "margin", "should be", "was", "wrong", "undecided")
TOLD_TITLES = ("benchmark", "slowed by", "change", "interval", "verdict", "rounds")
NONE = CountedShare(0, 0, 0.0, 1.0)
RIGHT, WRONG, OPEN = VerdictOutcome.RIGHT, VerdictOutcome.WRONG, VerdictOutcome.OPEN


def of(count: int, out_of: int) -> CountedShare:
    return CountedShare(count, out_of, 0.254, 0.976)


def tried(**given: object) -> Tries:
    """Comparisons with a copy, of which nothing is known but what is given."""
    plain = Tries(
        injected=0.0,
        margin=0.02,
        comparisons=1_200,
        told=(),
        right=NONE,
        wrong=NONE,
        open=NONE,
        wrong_suites=NONE,
        covered=NONE,
    )
    return msgspec.structs.replace(plain, **given)


def verdict(answer: VerdictOutcome, benchmark: str = "BM_a", **given: object) -> TryVerdict:
    plain = TryVerdict(
        benchmark=benchmark,
        seed=1,
        verdict=Verdict.SLOWER,
        change=0.051,
        low=0.03,
        high=0.07,
        rounds=30,
        answer=answer,
    )
    return msgspec.structs.replace(plain, **given)


def spread(benchmarks: int = 1, most: float = 0.03) -> Spread:
    return Spread(median=0.01, most=most, worst="BM_a", benchmarks=benchmarks)


def silent(**changes: object) -> Trust:
    """A result on which there is as little to say as can be."""
    bare = trusted(tries=(), slowdowns=(), floor=None, placement=Placement(why_not="no linker"))
    return msgspec.structs.replace(bare, **changes)


NO_FLOOR = "The floor of this host is not known: there were too few rounds."
NO_PLACEMENT = "What placement does to its times is not known: no linker."


def said(**changes: object) -> list[str]:
    """What is said besides that nothing is known of the floor and of placement."""
    sentences = list(words.sentences(silent(**changes)))
    assert sentences[-2:] == [NO_FLOOR, NO_PLACEMENT]
    return sentences[:-2]


@pytest.mark.parametrize(
    ("tries", "headline"),
    [
        ((), "Nothing can be said yet: no comparison with a copy came to an end."),
        (
            (tried(injected=0.05, wrong=of(1, 9)),),
            "Nothing can be said yet: no comparison with a copy came to an end.",
        ),
        ((tried(),), "Nothing can be said yet: no comparison with a copy came to an end."),
        (
            (tried(wrong=of(1, 9), right=of(8, 9)),),
            "1 of 9 verdicts on a copy of the program called it changed, which it is not.",
        ),
        (
            (tried(wrong=of(0, 9), right=of(0, 9)),),
            "Nothing can be said yet: none of 9 verdicts on a copy of the program was decided in "
            "the time there was.",
        ),
        (
            (tried(injected=0.05, wrong=of(1, 9)), tried(wrong=of(0, 9), right=of(1, 9))),
            "None of 9 verdicts on a copy of the program called it changed; 1 called it the same.",
        ),
    ],
)
def test_the_headline_is_about_the_copy(tries: tuple[Tries, ...], headline: str) -> None:
    assert words.headline(trusted(tries=tries)) == headline


def test_a_row_for_the_copy_and_for_each_slowdown() -> None:
    counted = {"right": of(18, 20), "wrong": of(0, 20), "open": of(2, 20)}
    shares = ("18 of 20 (25 .. 98 %)", "0 of 20 (25 .. 98 %)", "2 of 20")
    assert words.row(tried(**counted)) == ("its copy", "1,200", "2 %", "same", *shares)
    slowed = tried(injected=0.05, margin=0.025, **counted)
    assert words.row(slowed) == ("itself, 5 % slower", "1,200", "2.5 %", "slower", *shares)
    assert words.TITLES == TITLES
    assert len(TITLES) == len(words.row(slowed))


def test_no_interval_is_shown_of_a_share_of_nothing() -> None:
    assert words.share(NONE) == "0 of 0"
    assert words.share(of(0, 1)) == "0 of 1 (25 .. 98 %)"
    assert words.share(of(0, 1), with_interval=False) == "0 of 1"


@pytest.mark.parametrize(
    ("one", "injected", "cells"),
    [
        (verdict(RIGHT), 0.0, ("BM_a", "-", "+5.1 %", "+3.0 .. +7.0 %", "slower", "30")),
        (
            verdict(RIGHT, added=0.02),
            0.0,
            ("BM_a", "-", "+5.1 %", "+3.0 .. +7.0 %", "slower", "30"),
        ),
        (
            verdict(RIGHT, added=0.05, change=None, low=None),
            0.05,
            ("BM_a", "+5.0 %", "-", "-", "slower", "30"),
        ),
        (verdict(RIGHT), 0.05, ("BM_a", "-", "+5.1 %", "+3.0 .. +7.0 %", "slower", "30")),
    ],
)
def test_a_row_for_each_verdict(one: TryVerdict, injected: float, cells: tuple[str, ...]) -> None:
    assert words.cells_of_verdict(one, injected) == cells
    assert words.TOLD_TITLES == TOLD_TITLES
    assert len(TOLD_TITLES) == len(cells)


BOTH_SIDES = (
    "both sides execute the same machine code, which a comparison would find and then call no "
    "difference a change: here times alone decided, as they do where code did change"
)


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        (
            {"how": "", "benchmarks": 1, "looked_at": 1},
            [
                "1 of 1 benchmark in 4 min 59 s of 5 min 00 s, seed 7; a share's interval holds "
                "the true one with 95 % confidence",
                BOTH_SIDES,
            ],
        ),
        (
            {"benchmarks": 3_000, "looked_at": 1_500, "notes": ("a note", "another")},
            [
                "1,500 of 3,000 benchmarks in 4 min 59 s of 5 min 00 s, seed 7; a share's interval "
                "holds the true one with 95 % confidence",
                "slowdowns are made by a delay",
                BOTH_SIDES,
                "a note",
                "another",
            ],
        ),
    ],
)
def test_how_it_was_obtained(changes: dict[str, object], lines: list[str]) -> None:
    assert list(words.how_obtained(silent(**changes))) == lines


def test_slowdowns_next_to_the_margin_are_looked_for_with_a_smaller_one() -> None:
    tries = (
        tried(margin=0.01),
        tried(injected=0.01, margin=0.005),
        tried(injected=0.02, margin=0.0199),
        tried(injected=0.05, margin=0.02),
    )
    assert list(words.how_obtained(silent(tries=tries)))[3:] == [
        "a slowdown of 1 %, 2 % is asked for with a smaller margin: at 2 % one next to it is "
        "called slower by no comparison"
    ]
    assert len(list(words.how_obtained(silent(tries=(*tries[:1], *tries[3:]))))) == 3


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({}, []),
        (
            {"tries": (tried(injected=0.05),), "slowdowns": (0.05,)},
            ["5 % slower: no benchmark was reached by the delay."],
        ),
        (
            {"why_not_slowed": "it is linked statically", "slowdowns": (0.05,)},
            ["Nothing is known of what would be found: it is linked statically."],
        ),
        (
            {"tries": (tried(),), "slowdowns": (0.05,)},
            ["There was no time for every slowdown: give more with --budget."],
        ),
        (
            {"benchmarks": 2_000, "looked_at": 1},
            ["1 of 2,000 benchmarks was looked at, drawn by lot; a larger --budget looks at more."],
        ),
        (
            {"benchmarks": 2_000, "looked_at": 1_999},
            [
                "1,999 of 2,000 benchmarks were looked at, drawn by lot; a larger --budget looks "
                "at more."
            ],
        ),
    ],
)
def test_what_is_missing(changes: dict[str, object], lines: list[str]) -> None:
    assert said(**changes) == lines


def test_wrong_and_undecided_verdicts_are_told_with_their_benchmarks() -> None:
    copy = tried(
        wrong_suites=of(1, 20),
        told=(
            verdict(RIGHT, "BM_right"),
            verdict(WRONG, "BM_wrong"),
            verdict(OPEN, "BM_open"),
            verdict(OPEN, "BM_few", low=None, rounds=1),
            verdict(OPEN, "BM_fewer", high=None, rounds=0),
        ),
    )
    slowed = tried(
        injected=0.05,
        injection=Injection(least=0.05, median=0.05, most=0.05, seen=None),
        told=(
            verdict(WRONG, "BM_s", verdict=Verdict.SAME),
            *(verdict(OPEN, f"BM_{number}") for number in range(6)),
            verdict(OPEN, "BM_0", low=-0.01),
        ),
    )
    checked = "5 % slower, checked: the delays were 5.00 to 5.00 % of what ran."
    assert said(tries=(copy, slowed), alpha=0.05) == [
        "Promised is that at most 5 % of suites have any false verdict; here it was 1 of 20 "
        "(25 .. 98 %).",
        "Wrong, with a copy: BM_wrong (slower, +3.0 .. +7.0 %).",
        "Wrong, 5 % slower: BM_s (same, +3.0 .. +7.0 %).",
        "Undecided, with a copy: BM_open (+3.0 .. +7.0 %), BM_few (1 round, too few), "
        "BM_fewer (0 rounds, too few).",
        "Undecided, 5 % slower: BM_0 (-1.0 .. +7.0 %), BM_1 (+3.0 .. +7.0 %), "
        "BM_2 (+3.0 .. +7.0 %), BM_3 (+3.0 .. +7.0 %), BM_4 (+3.0 .. +7.0 %) and 1 more.",
        checked,
    ]
    assert said(tries=(tried(injected=0.05, injection=slowed.injection),)) == [checked]


def test_a_long_name_of_a_benchmark_loses_its_middle() -> None:
    long = "b" * 41
    cut = "b" * 19 + "…" + "b" * 20
    seen = Injection(least=0.05, median=0.05, most=0.05, seen=None, not_slowed=(long,))
    tries = tried(injected=0.05, injection=seen, told=(verdict(WRONG, long),))
    assert said(tries=(tries,)) == [
        f"Wrong, 5 % slower: {cut} (slower, +3.0 .. +7.0 %).",
        "5 % slower, checked: the delays were 5.00 to 5.00 % of what ran; it did not reach, and so "
        f"does not count, {cut}.",
    ]


@pytest.mark.parametrize(
    ("seen", "line"),
    [
        (
            Injection(least=0.0301, median=0.04, most=0.05, seen=None),
            "4 % slower, checked: the delays were 3.01 to 5.00 % of what ran.",
        ),
        (
            Injection(least=0.0301, median=0.04, most=0.051, seen=0.042),
            "4 % slower, checked: the delays were 3.01 to 5.10 % of what ran (more than was asked "
            "for where other programs had the CPU meanwhile), and the times reported changed by "
            "+4.2 % in the median.",
        ),
        (
            Injection(least=0.04, median=0.04, most=0.04, seen=None, not_slowed=tuple("abcdefg")),
            "4 % slower, checked: the delays were 4.00 to 4.00 % of what ran; it did not reach, "
            "and so does not count, a, b, c, d, e and 2 more.",
        ),
    ],
)
def test_how_large_slowdowns_were(seen: Injection, line: str) -> None:
    assert said(tries=(tried(injected=0.04, injection=seen),)) == [line]


def test_intervals_that_hold_what_is_true_are_counted_over_all_tries() -> None:
    tries = (
        tried(covered=of(1_100, 1_200)),
        tried(injected=0.05, covered=of(8, 10)),
    )
    assert said(tries=tries)[-1] == "1,108 of 1,210 intervals hold what is true."


@pytest.mark.parametrize(
    ("floor", "rounds", "line"),
    [
        (None, 0, NO_FLOOR),
        (spread(), 1, "The floor: after 1 round noise reaches 3 % (BM_a)."),
        (
            spread(2, most=0.9999),
            24,
            "The floor: after 24 rounds noise reaches 100 % (BM_a), in half of the benchmarks 1 %.",
        ),
        (
            msgspec.structs.replace(spread(most=1.0), worst="b" * 61),
            24,
            f"The floor: after 24 rounds noise reaches more than 100 % ({'b' * 29}…{'b' * 30}).",
        ),
    ],
)
def test_the_floor(floor: Spread | None, rounds: int, line: str) -> None:
    trust = silent(floor=floor, floor_rounds=rounds)
    assert list(words.sentences(trust)) == [line, NO_PLACEMENT]


@pytest.mark.parametrize(
    ("placement", "line"),
    [
        (Placement(why_not="no linker"), NO_PLACEMENT),
        (
            Placement(links=1),
            "What placement does to its times is not known: there were too few rounds.",
        ),
        (
            Placement(links=8, spread=spread()),
            "Placement: two links of the same code, functions in random orders, differ by 3 % in "
            "BM_a (standard deviations, of 8 links).",
        ),
        (
            Placement(links=8, spread=msgspec.structs.replace(spread(2), worst="b" * 61)),
            "Placement: two links of the same code, functions in random orders, differ by 3 % in "
            f"{'b' * 29}…{'b' * 30} and by 1 % in the median of 2 (standard deviations, of 8 "
            "links).",
        ),
    ],
)
def test_what_placement_does(placement: Placement, line: str) -> None:
    assert list(words.sentences(silent(placement=placement))) == [NO_FLOOR, line]
