"""What is said of a pair beside its centre, and when it may be called the same."""

import math

import numpy as np
import pytest
from judging import Floats, rounds_from, rounds_of, settings
from msgspec.structs import astuple, replace

from assay.judge.family.family import FamilyScope
from assay.judge.paired.beside import BetsBesideCentre
from assay.judge.paired.tails import least_rounds_to_calm
from assay.judge.share import COUNTS, FAILED_LAUNCHES, IN_FAMILY
from assay.judge.verdict import judge
from assay.model import Comparison, Pair, Verdict

LEVEL, MARGIN = 0.05, 0.02


def ratios(share: float, rounds: int = 80, noise: float = 0.01) -> Floats:
    rng = np.random.default_rng(11)
    slow = rng.random(rounds) < share
    return np.asarray(noise * rng.standard_normal(rounds) + slow * math.log(1.3))


def pair_of(d: Floats, metric: str = "real_time") -> Pair:
    base, candidate = 100.0 * np.exp(-d / 2), 100.0 * np.exp(d / 2)
    return rounds_of([(x,) for x in base], [(x,) for x in candidate], metric=metric)


def beside(d: Floats, metric: str = "real_time") -> BetsBesideCentre:
    return BetsBesideCentre([pair_of(d, metric)], d[None, :], 0.0, MARGIN)


def test_all_questions_together_cost_one_level() -> None:
    assert sum(astuple(IN_FAMILY)) + COUNTS + FAILED_LAUNCHES == pytest.approx(1.0)


def test_slow_launches_of_a_time_are_worse_and_of_a_rate_better() -> None:
    d = ratios(0.3)
    time, rate = (
        beside(d, name).findings_of_pair(0, LEVEL, 0.0)
        for name in ("real_time", "items_per_second")
    )
    assert [one.verdict for one in time.findings] == [Verdict.SOMETIMES_SLOWER]
    assert [one.verdict for one in rate.findings] in ([], [Verdict.SOMETIMES_FASTER])
    flipped = beside(-d, "items_per_second").findings_of_pair(0, LEVEL, 0.0)
    assert [one.verdict for one in flipped.findings] == [Verdict.SOMETIMES_SLOWER]


def test_a_metric_without_a_better_side_is_asked_nothing_else() -> None:
    found = beside(ratios(0.3), "my_counter").findings_of_pair(0, LEVEL, 0.0)
    assert found.findings == ()
    assert found.calm


def test_a_smaller_level_finds_less() -> None:
    asked = beside(ratios(0.3))
    assert asked.findings_of_pair(0, LEVEL, 0.0).findings
    assert not asked.findings_of_pair(0, 1e-200, 0.0).findings


def test_slow_launches_are_not_called_the_same_even_where_they_are_not_found() -> None:
    one = in_a_suite(ratios(0.2), family=10**9)
    assert one.verdict is Verdict.UNDECIDED


def test_same_takes_as_many_rounds_as_it_takes_to_be_calm() -> None:
    d = ratios(0.0, noise=1e-4)
    early, late = (in_a_suite(d[:n], family=1) for n in (least_rounds_to_calm() - 2, 80))
    assert early.low is not None
    assert early.high is not None
    assert -MARGIN < early.low < early.high < MARGIN
    assert early.verdict is Verdict.UNDECIDED
    assert early.rounds_needed is not None
    assert early.rounds_needed >= 1
    assert late.verdict is Verdict.SAME


def test_a_finding_fails_what_the_centre_would_pass() -> None:
    slow = np.where(np.arange(120) % 5 == 4, math.log(1.3), 0.0)
    one = in_a_suite(ratios(0.0, rounds=120, noise=0.003) + slow, family=1)
    assert one.verdict is Verdict.SOMETIMES_SLOWER
    assert one.low is not None
    assert one.high is not None
    assert -MARGIN < one.low < one.high < MARGIN


def test_a_finding_frees_its_share_for_the_rest() -> None:
    """Holm's step counts it as found, as it counts a centre that moved."""
    quiet = [rounds_from(ratios(0.0), f"B{i}") for i in range(4)]
    slow = rounds_from(ratios(0.25), "slow")
    with_slow = judge([*quiet, slow], settings()).comparisons
    without = judge([*quiet, rounds_from(ratios(0.0), "fifth")], settings()).comparisons
    assert with_slow[4].verdict is Verdict.SOMETIMES_SLOWER
    assert with_slow[0].low is not None
    assert without[0].low is not None
    assert with_slow[0].low > without[0].low


def test_a_single_comparison_has_an_interval_and_nothing_else() -> None:
    made = judge([pair_of(ratios(0.3))], settings(), asked=FamilyScope(("cpu_time",))).comparisons[
        0
    ]
    assert made.single
    assert made.findings == ()


def in_a_suite(d: Floats, family: int) -> Comparison:
    pair = replace(pair_of(d), autocorrelations=(0.0,) * len(d))
    return judge([pair], settings(), asked=FamilyScope(None, family)).comparisons[0]


def test_samples_that_change_as_their_centre_does_are_no_finding_beside_it() -> None:
    """A build of half the time has faster slow samples too: that is not "sometimes faster"."""
    rng = np.random.default_rng(8)
    base = rng.normal(100.0, 1.0, (40, 15))
    pair = rounds_of(base.tolist(), (base / 2).tolist())
    (one,) = judge([pair], settings()).comparisons
    assert one.verdict is Verdict.FASTER
    assert not one.findings
