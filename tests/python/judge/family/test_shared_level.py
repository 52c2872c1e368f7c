"""How the error level of a judgement is shared: seen by the intervals that each share makes."""

import numpy as np
import pytest
from judging import rounds_from, rounds_of, settings

from assay.judge.family.family import Family, FamilyScope
from assay.judge.look import judge_benchmark
from assay.judge.paired import interleaved
from assay.judge.unpaired import sequential
from assay.judge.verdict import judge
from assay.model import Comparison, Design, Pair, Verdict

ROUNDS = 40


def pair(seed: int = 1, effect: float = 0.0, metric: str = "real_time") -> Pair:
    d = effect + 0.01 * np.random.default_rng(seed).standard_normal(ROUNDS)
    sides = 100.0 * np.exp(-d / 2), 100.0 * np.exp(d / 2)
    base, candidate = (side[:, None].tolist() for side in sides)
    return rounds_of(base, candidate, f"B{seed}", metric)


def ends(one: Comparison) -> tuple[float, float]:
    assert one.low is not None
    assert one.high is not None
    return one.low, one.high


def alone(alpha: float) -> tuple[float, float]:
    """The interval of one pair that has the whole level."""
    return ends(judge([pair()], settings(alpha=alpha)).comparisons[0])


def test_beside_counts_that_should_repeat_rounds_have_half_of_it() -> None:
    asked = FamilyScope(repeatable=("instructions",))
    (one,) = judge([pair()], settings(alpha=0.05), asked=asked).comparisons
    assert ends(one) == alone(0.025)


def test_a_family_shares_it_whether_all_of_it_is_there_or_not() -> None:
    (one,) = judge([pair()], settings(), asked=FamilyScope(family=20)).comparisons
    assert ends(one) == alone(0.05 / 20)
    five = judge([pair(seed) for seed in range(1, 6)], settings(margin=0.5))
    more = judge([pair(seed) for seed in range(1, 6)], settings(margin=0.5),
                 asked=FamilyScope(family=2))  # fmt: skip
    assert more.comparisons == five.comparisons, "a family is never smaller than what is there"


def test_changes_found_elsewhere_free_their_share() -> None:
    asked = FamilyScope(family=20)
    (one,) = judge_benchmark([pair()], settings(), asked=asked, changed=10)
    assert ends(one) == alone(0.05 / 10)


def test_a_change_frees_its_share_for_the_others() -> None:
    """Of two comparisons one changed: the other ends with the whole level."""
    both = judge([pair(), pair(2, effect=0.5)], settings()).comparisons
    assert both[1].verdict is Verdict.SLOWER
    assert ends(both[0]) == alone(0.05)


def test_a_metric_that_is_not_asked_has_an_interval_by_itself() -> None:
    asked = FamilyScope(metrics=("cpu_time",))
    time, cpu = judge([pair(), pair(2, metric="cpu_time")], settings(), asked=asked).comparisons
    assert (time.single, cpu.single) == (True, False)
    assert Family([pair(), pair(2, metric="cpu_time")], settings(), None, asked).family == 1
    assert ends(time)[1] - ends(time)[0] < alone(0.05)[1] - alone(0.05)[0]  # nothing else is asked


def test_pairs_judged_in_parts_are_judged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [Pair(one.base, one.candidate, Design.SEQUENTIAL) for one in map(pair, range(11, 16))]
    pairs = [*map(pair, range(1, 6)), *files, rounds_from(np.zeros(30), "other length")]
    whole = judge(pairs, settings())
    monkeypatch.setattr(interleaved, "CHUNK", 2)
    monkeypatch.setattr(sequential, "_CELLS", 2 * ROUNDS * ROUNDS)
    assert judge(pairs, settings()) == whole
    assert [one.benchmark for one in whole.comparisons] == [one.benchmark for one in pairs]
