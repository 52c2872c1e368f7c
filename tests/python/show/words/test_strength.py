"""The sentences on what would have been caught, and on what is left open."""

import msgspec
import pytest
from comparisons import row

from assay.judge.family.strength import strength, with_missing_time
from assay.judging import Holm, Shortage
from assay.model import Comparison, Judgement, Settings, Strength, Verdict
from assay.show.words.strength import sentences


def judged(*comparisons: Comparison) -> Judgement:
    settings = Settings(margin=0.02)
    found = strength(comparisons, settings.margin)
    return Judgement(
        comparisons=comparisons,
        settings=settings,
        control=Holm(family=1, alpha=0.05),
        strength=found,
    )


def same(half: float) -> Comparison:
    return row(change=0.0, low=-half, high=half, verdict=Verdict.SAME)


def open_(high: float, **more: float) -> Comparison:
    return row(change=0.0, low=-0.05, high=high, **more)


def test_a_gate_says_what_it_would_have_caught() -> None:
    both = judged(same(0.0058), same(0.0202))
    first = sentences(both, gated=True)[0]
    assert first == (
        "This gate would have caught a slowdown of 7.56 % in every benchmark, of 3.55 % in half of "
        "them."
    )
    assert sentences(both, gated=False)[0] == first.replace("gate", "comparison")


def test_with_exact_counts_beside_it_still_speaks_of_benchmarks() -> None:
    count = row(metric="CallsToAlloc", unit="", change=0.0, low=0.0, high=0.0, verdict=Verdict.SAME)
    with_counts = judged(same(0.0058), same(0.0202), count, count, count)
    assert sentences(with_counts, gated=True)[0] == (
        "This gate would have caught a slowdown of 7.56 % in every benchmark, of 3.55 % in half of "
        "them."
    )
    none = row(low=None, high=None)
    assert (
        "1 of 2 benchmarks has no interval."
        in sentences(judged(none, same(0.01), count), gated=True)[0]
    )


def test_what_has_no_interval_is_said() -> None:
    none = row(low=None, high=None)
    assert sentences(judged(same(0.0058), same(0.0058), none), gated=True)[0] == (
        "This gate would have caught a slowdown of 3.55 % in half of the benchmarks; "
        "1 of 3 benchmarks has no interval."
    )
    assert sentences(judged(none, none), gated=True)[0] == (
        "This gate would have caught no slowdown; 2 of 2 benchmarks have no interval."
    )


def test_93_undecided_are_followed_by_what_they_can_be_at_worst() -> None:
    many = judged(*[open_(0.08)] * 80, *[open_(0.37)] * 13, same(0.001))
    assert sentences(many, gated=False)[1] == (
        "Of the 93 undecided with an interval none is slower by more than 37 %, "
        "80 of them by no more than 8 %."
    )
    assert sentences(judged(open_(0.37)), gated=False)[1] == (
        "The undecided one is not slower by more than 37 %."
    )
    assert sentences(judged(open_(15.2)), gated=False)[1] == (
        "The undecided one is not slower by more than 16 times."
    )


def test_undecided_by_what_they_lack() -> None:
    near = row(change=0.021, low=0.0, high=0.04)
    many = judged(open_(0.05), near, near, open_(0.06, noise=0.2), row(low=None, high=None))
    assert sentences(many, gated=False)[-1] == (
        "Undecided for want of time: 2, of precision (effect near the margin): 2, "
        "of a quiet host: 1."
    )


@pytest.mark.parametrize("comparisons", [(), (row(single=True),)])
def test_nothing_judged_nothing_said(comparisons: tuple[Comparison, ...]) -> None:
    assert sentences(judged(*comparisons), gated=True) == []


def test_what_a_budget_did_not_pay_for_is_counted_with_the_budget_that_would_do() -> None:
    """Of each benchmark once, however many of its metrics lack an interval."""
    short = {"low": None, "high": None, "verdict": Verdict.UNDECIDED, "rounds": 3}
    without = [
        row(benchmark=name, metric=metric, rounds_wanted=21, round_s=0.5, **short)
        for name in ("A", "B")
        for metric in ("real_time", "items_per_second")
    ]
    found = strength(without, 0.02)
    both = msgspec.structs.replace(
        judged(*without), strength=with_missing_time(found, [*without, same(0.01)])
    )
    said = "Not looked at long enough: 4; a budget larger by 18 s would do."
    assert said in sentences(both, gated=False)
    assert with_missing_time(strength([same(0.01)], 0.02), [same(0.01)]).missing_s is None


KNOWN = Strength(every=0.1, half=0.04, unjudged=0, undecided=0, worst=None, judged=4, metrics=1)
CAUGHT = (
    "This gate would have caught a slowdown of 10 % in every benchmark, of 4 % in half of them."
)


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({}, [CAUGHT]),
        (
            {"half": None},
            ["This gate would have caught a slowdown of 10 % in every benchmark."],
        ),
        (
            {"half": 0.1001, "metrics": 2},
            ["This gate would have caught a slowdown of 10 % in every comparison."],
        ),
        (
            {"every": 9.0, "half": 8.99},
            [
                "This gate would have caught a slowdown of 10 times in every benchmark, of 899 % "
                "in half of them."
            ],
        ),
        ({"every": None, "half": None}, []),
        ({"worst": -0.1, "undecided": 1}, [CAUGHT, "The undecided one is not slower."]),
        ({"worst": 0.0, "undecided": 1}, [CAUGHT, "The undecided one is not slower."]),
        (
            {"worst": 0.2, "undecided": 2_000, "most": 1_900, "most_within": 0.05},
            [
                CAUGHT,
                "Of the 2,000 undecided with an interval none is slower by more than 20 %, 1,900 "
                "of them by no more than 5 %.",
            ],
        ),
        (
            {"worst": 0.0, "undecided": 2, "most": 1, "most_within": 0.0},
            [CAUGHT, "Of the 2 undecided with an interval none is slower."],
        ),
        (
            {"lacking": {Shortage.QUIET_HOST: 2_000}},
            [CAUGHT, "Undecided for want of a quiet host: 2,000."],
        ),
        (
            {"every": None, "unjudged": 1_000, "judged": 1_001, "missing_s": 0.4},
            [
                "This gate would have caught a slowdown of 4 % in half of the benchmarks; 1,000 of "
                "1,001 benchmarks have no interval.",
                "Not looked at long enough: 1,000; a budget larger by 1 s would do.",
            ],
        ),
    ],
)
def test_every_sentence_has_its_condition(changes: dict[str, object], lines: list[str]) -> None:
    one = msgspec.structs.replace(judged(), strength=msgspec.structs.replace(KNOWN, **changes))
    assert sentences(one, gated=True) == lines


def test_a_judgement_without_strength_and_one_of_another_kind() -> None:
    assert sentences(msgspec.structs.replace(judged(), strength=None), gated=True) == []
    one = msgspec.structs.replace(judged(), strength=KNOWN)
    assert sentences(one, gated=False, what="experiment", each="condition") == [
        "This experiment would have caught a slowdown of 10 % in every condition, of 4 % in half "
        "of them."
    ]
