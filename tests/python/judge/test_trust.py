"""What verdicts were worth, given what was true."""

import pytest

from assay.judge.trust import (
    judged_tries,
    margin_for,
    median_and_largest,
    median_by_benchmark,
    share_with_interval,
    was_slowed,
)
from assay.model import Verdict
from assay.trust import Injection, TryVerdict, VerdictOutcome


def told(verdict: Verdict, name: str = "BM_a", seed: int = 1, **changes: object) -> TryVerdict:
    values = {"benchmark": name, "seed": seed, "verdict": verdict, "change": 0.05, "rounds": 30}
    return TryVerdict(**{**values, "low": 0.03, "high": 0.07, "added": 0.05, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [  # Clopper and Pearson, as scipy.stats.binomtest(count, of).proportion_ci() has them
        (19, 20, 0.751267, 0.998735),
        (0, 20, 0.0, 0.168433),
        (20, 20, 0.831567, 1.0),
        (173, 173, 0.978902, 1.0),
        (3, 7, 0.098988, 0.815948),
    ],
)
def test_a_share_has_an_exact_interval(count: int, of: int, low: float, high: float) -> None:
    found = share_with_interval(count, of)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


def test_of_nothing_everything_is_possible() -> None:
    assert (share_with_interval(0, 0).low, share_with_interval(0, 0).high) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("injected", "margin", "asked_at"),
    [
        (0.0, 0.02, 0.02),
        (0.02, 0.02, 0.005),
        (0.05, 0.02, 0.02),
        (0.1, 0.02, 0.02),
        (0.02, 0.001, 0.001),
        (0.02, 0.0, 0.0),
        (0.1, 0.05, 0.025),
    ],
)
def test_no_slowdown_is_asked_for_next_to_the_margin(
    injected: float, margin: float, asked_at: float
) -> None:
    assert margin_for(injected, margin) == pytest.approx(asked_at)


@pytest.mark.parametrize(
    ("verdict", "of_copy", "of_slowed"),
    [
        (Verdict.SAME, VerdictOutcome.RIGHT, VerdictOutcome.WRONG),
        (Verdict.SLOWER, VerdictOutcome.WRONG, VerdictOutcome.RIGHT),
        (Verdict.SOMETIMES_SLOWER, VerdictOutcome.WRONG, VerdictOutcome.RIGHT),
        (Verdict.FASTER, VerdictOutcome.WRONG, VerdictOutcome.WRONG),
        (Verdict.SOMETIMES_FASTER, VerdictOutcome.WRONG, VerdictOutcome.WRONG),
        (Verdict.DIFFERENT, VerdictOutcome.WRONG, VerdictOutcome.OPEN),
        (Verdict.UNDECIDED, VerdictOutcome.OPEN, VerdictOutcome.OPEN),
    ],
)
def test_what_a_verdict_is_worth(
    verdict: Verdict, of_copy: VerdictOutcome, of_slowed: VerdictOutcome
) -> None:
    one = told(verdict)
    assert judged_tries([one], injected=0.0, margin=0.02).told[0].answer is of_copy
    assert judged_tries([one], injected=0.05, margin=0.02).told[0].answer is of_slowed


def test_what_was_not_slowed_as_asked_does_not_count() -> None:
    every = [
        told(Verdict.SLOWER),
        told(Verdict.SAME, "BM_b", added=0.0),
        told(Verdict.SAME, "BM_c", added=None),
        told(Verdict.SLOWER, "BM_d", added=0.2),  # another program had the CPU meanwhile
    ]
    found = judged_tries(every, injected=0.05, margin=0.02)
    assert (found.right.count, found.right.of, found.wrong.count) == (2, 2, 0)
    assert found.injection is not None
    assert found.injection.not_slowed == ("BM_b", "BM_c")
    assert (found.injection.least, found.injection.most) == (0.05, 0.2)


def test_a_slowdown_that_reached_nothing_is_known_by_nothing() -> None:
    found = judged_tries([told(Verdict.SAME, added=None)], injected=0.05, margin=0.02)
    assert found.injection is None
    assert found.right.of == 0


def test_suites_and_intervals_are_counted() -> None:
    every = [
        told(Verdict.SAME, "BM_a", 1, low=-0.01, high=0.01),
        told(Verdict.SLOWER, "BM_b", 1),
        told(Verdict.SAME, "BM_a", 2, low=-0.01, high=0.01),
        told(Verdict.UNDECIDED, "BM_b", 2, low=None, high=None),
    ]
    found = judged_tries(every, injected=0.0, margin=0.02)
    assert (found.comparisons, found.wrong_suites.count, found.wrong_suites.of) == (2, 1, 2)
    assert (found.covered.count, found.covered.of) == (2, 3)


def test_a_launch_that_lost_the_cpu_weighs_no_more() -> None:
    assert median_by_benchmark({"BM_a": [0.05, 0.051, 0.9], "BM_b": []}) == {"BM_a": 0.051}


def test_a_spread_names_the_worst() -> None:
    found = median_and_largest({"BM_a": 0.01, "BM_b": 0.05, "BM_c": 0.02})
    assert found is not None
    assert (found.median, found.most, found.worst, found.benchmarks) == (0.02, 0.05, "BM_b", 3)
    assert median_and_largest({}) is None


def test_three_quarters_of_what_was_asked_for_are_enough() -> None:
    assert was_slowed(0.375, 0.5)
    assert not was_slowed(0.374, 0.5)
    assert not was_slowed(None, 0.5)


def test_the_injection_is_what_was_added_and_seen() -> None:
    every = [
        told(Verdict.SLOWER, added=0.05, change=0.06),
        told(Verdict.SLOWER, "BM_b", added=0.07, change=0.08),
        told(Verdict.SLOWER, "BM_c", added=0.08, change=None),
        told(Verdict.SAME, "BM_d", added=0.01, change=0.5),
        told(Verdict.SAME, "BM_d", seed=2, added=0.01, change=0.5),
    ]
    found = judged_tries(every, injected=0.05, margin=0.02)
    assert found.injection == Injection(
        least=0.05, median=0.07, most=0.08, seen=0.07, not_slowed=("BM_d",)
    )
    unseen = judged_tries([told(Verdict.SLOWER, change=None)], injected=0.05, margin=0.02)
    assert unseen.injection is not None
    assert unseen.injection.seen is None
    assert judged_tries(every, injected=0.0, margin=0.02).injection is None


def test_an_interval_holds_the_truth_up_to_its_ends() -> None:
    ends = ((0.05, 0.07), (0.03, 0.05), (0.051, 0.07), (0.03, 0.049), (None, 0.07), (0.03, None))
    every = [told(Verdict.SLOWER, low=low, high=high) for low, high in ends]
    found = judged_tries(every, injected=0.05, margin=0.02)
    assert (found.covered.count, found.covered.of) == (2, 4)
    assert (found.open.count, found.wrong.count, found.right.count) == (0, 0, 6)
    assert (found.injected, found.margin, found.comparisons) == (0.05, 0.02, 1)
