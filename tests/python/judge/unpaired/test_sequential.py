"""One side measured after the other: never more is claimed than such data supports."""

import numpy as np
import pytest
from judging import files_of, rounds_from, series, settings

from assay.judge.unpaired.sequential import SequentialPairs, independent_values, pairs_at_a_time
from assay.judge.verdict import judge
from assay.judging import Drift, Holm, OneAfterTheOther
from assay.model import Comparison, Design, Floor, Pair, Verdict
from assay.remarks import TooFewRepetitions


def only(pair: Pair, floor: Floor | None = None, margin: float = 0.02) -> Comparison:
    return judge([pair], settings(margin), floor=floor).comparisons[0]


def repetitions(seed: int, factor: float = 1.0, n: int = 10, spread: float = 0.01) -> list[float]:
    rng = np.random.default_rng(seed)
    return list(100.0 * factor * np.exp(spread * rng.standard_normal(n)))


def test_single_rows_give_the_exact_change_and_no_interval() -> None:
    one = only(files_of([50.0], [25.0]))
    assert (one.base, one.candidate, one.change) == (50.0, 25.0, -0.5)
    assert (one.low, one.high, one.verdict) == (None, None, Verdict.UNDECIDED)
    assert one.p_value is None
    assert one.rounds == 1


@pytest.mark.parametrize(("n", "known"), [(2, False), (4, False), (5, True), (10, True)])
def test_an_interval_needs_five_repetitions(n: int, known: bool) -> None:
    one = only(files_of(repetitions(1, n=n), repetitions(2, n=10)))
    assert (one.low is not None) == known
    assert one.rounds == n


def test_a_shift_within_the_hosts_drift_is_undecided() -> None:
    one = only(files_of(repetitions(1), repetitions(2, 1.10)))
    assert one.verdict is Verdict.UNDECIDED
    assert one.lean is Verdict.SLOWER
    assert one.rounds_needed is None
    assert one.method == OneAfterTheOther(Drift(0.12))


def test_a_shift_far_beyond_drift_is_claimed() -> None:
    assert only(files_of(repetitions(1), repetitions(2, 2.0))).verdict is Verdict.SLOWER
    assert only(files_of(repetitions(1, 2.0), repetitions(2))).verdict is Verdict.FASTER


def test_a_known_floor_replaces_the_assumption() -> None:
    floor = Floor(effect=0.01, drift=0.03, rounds=40, benchmarks=20, source="A/A of today")
    one = only(files_of(repetitions(1), repetitions(2, 1.10)), floor)
    assert one.verdict is Verdict.SLOWER
    assert one.method == OneAfterTheOther(Drift(0.03, "A/A of today"))


def test_drift_alone_raises_no_alarm_however_many_repetitions() -> None:
    """The second half of an hour ran 11 % slower: a U test is sure, and wrong."""
    pairs = [files_of(repetitions(i, n=30), repetitions(100 + i, 1.11, n=30)) for i in range(20)]
    verdicts = {one.verdict for one in judge(pairs, settings()).comparisons}
    assert verdicts == {Verdict.UNDECIDED}


def test_ten_thousand_comparisons_are_not_claimed_by_ten_repetitions_alone() -> None:
    """Where ranks cannot reach the level, the interval grows beyond the whole range."""
    pair = files_of(repetitions(1), repetitions(2, 2.0), "changed")
    calm = [files_of(repetitions(i), repetitions(50 + i), f"B{i}") for i in range(40)] * 200
    alone, in_company = only(pair), judge([pair, *calm], settings()).comparisons[0]
    assert alone.low is not None
    assert in_company.low is not None
    nearest = min(pair.candidate.launches[0]) / max(pair.base.launches[0]) / 1.12 - 1
    assert in_company.low < nearest - 1e-6 < alone.low
    assert in_company.verdict is Verdict.SLOWER


def test_launches_are_the_units_where_there_are_enough() -> None:
    launches = [(v, 1.5 * v, 2.0 * v) for v in repetitions(1, n=8)]
    slow = [(2 * a, 2 * b, 2 * c) for a, b, c in launches]
    one = only(Pair(series(launches), series(slow), Design.SEQUENTIAL))
    assert one.rounds == 8
    assert one.change == pytest.approx(1.0)
    assert one.verdict is Verdict.SLOWER


def test_sides_may_differ_in_number() -> None:
    one = only(files_of(repetitions(1, n=6), repetitions(2, 3.0, n=25)))
    assert one.rounds == 6
    assert one.verdict is Verdict.SLOWER
    assert one.p_value is not None
    assert one.p_value < 1e-4


def test_a_million_repetitions_are_joined_into_blocks_of_neighbours() -> None:
    rng = np.random.default_rng(5)
    many = tuple((100 * rng.lognormal(0, 0.01, 1_000_000)).tolist())
    few = tuple((200 * rng.lognormal(0, 0.01, 1_000)).tolist())
    one = only(files_of(many, few))
    assert one.verdict is Verdict.SLOWER
    assert one.change == pytest.approx(1.0, abs=0.01)


def test_the_promise_for_two_files_names_its_condition() -> None:
    one = files_of([100.0] * 8, [101.0] * 8)
    assert judge([one], settings()).control == Holm(family=1, alpha=0.05, drift=Drift(0.12))
    floor = Floor(effect=0.01, drift=0.2, rounds=24, benchmarks=1, source="A against A")
    known = judge([one], settings(), floor=floor).control
    assert known == Holm(family=1, alpha=0.05, drift=Drift(0.2, "A against A"))
    in_rounds = judge([rounds_from(np.zeros(30))], settings()).control
    assert in_rounds == Holm(family=1, alpha=0.05)


BASE, CANDIDATE = [100.0, 101.0, 102.5, 103.0, 104.0], [200.0, 211.0, 222.0, 230.0, 244.0]


def group(base: list[float], candidate: list[float]) -> SequentialPairs:
    return SequentialPairs([files_of(base, candidate)], None)


def test_five_of_five_leave_out_two_of_25_ratios_on_each_side() -> None:
    """Of 252 orders four leave out as many: 1.6 %. Drift of 12 % is added at both ends."""
    ratios = sorted(new / old for new in CANDIDATE for old in BASE)
    (low,), (high,) = group(BASE, CANDIDATE).interval(np.array([0]), 0.05)
    assert low == pytest.approx(ratios[2] / 1.12 - 1)
    assert high == pytest.approx(ratios[-3] * 1.12 - 1)


def test_beyond_what_ranks_can_reach_the_range_grows_as_a_normal_intervals_would() -> None:
    """Of 252 orders one has all on one side, at 2.654 deviations; 0.005 % lie beyond 3.891."""
    ratios = sorted(new / old for new in CANDIDATE for old in BASE)
    (low,), (high,) = group(BASE, CANDIDATE).interval(np.array([0]), 1e-4)
    wider = (ratios[-1] / ratios[0]) ** ((3.8906 / 2.6543 - 1) / 2)
    assert low == pytest.approx(ratios[0] / wider / 1.12 - 1, rel=1e-3)
    assert high == pytest.approx(ratios[-1] * wider * 1.12 - 1, rel=1e-3)
    (low,), (high,) = group(BASE, CANDIDATE).interval(np.array([0]), 2 / 252 + 1e-12)
    assert low == pytest.approx(ratios[0] / 1.12 - 1)


def test_chances_are_of_a_change_beyond_the_drift() -> None:
    assert group(BASE, CANDIDATE).effects.p_value[0] == pytest.approx(2 / 252)
    assert group(CANDIDATE, BASE).effects.p_value[0] == pytest.approx(2 / 252)
    assert group(BASE, [110.0] * 5).effects.p_value[0] == 1.0


def test_a_change_as_large_as_the_drift_is_none_beyond_it() -> None:
    floor = Floor(effect=0.01, drift=1.0, rounds=40, benchmarks=1, source="")
    for ends in ((1.0, 2.0), (2.0, 1.0)):
        base, candidate = ([end] * 5 for end in ends)
        made = SequentialPairs([files_of(base, candidate)], floor)
        assert made.effects.p_value[0] == 1.0


def test_the_change_is_that_of_the_medians() -> None:
    effects = group(BASE, CANDIDATE).effects
    assert (effects.base[0], effects.candidate[0]) == (102.5, 222.0)
    assert effects.change[0] == pytest.approx(119.5 / 102.5)
    assert effects.rounds == 5


def test_an_interval_holds_its_estimate() -> None:
    """Medians of both sides may lie outside the middle of all ratios."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        made = group(*(rng.lognormal(0.0, 2.0, 6).tolist() for _ in "ab"))
        (low,), (high,) = made.interval(np.array([0]), 0.9)
        assert low <= made.effects.change[0] <= high


def test_too_few_repetitions_are_noted() -> None:
    assert group([1.0] * 4, [1.0] * 9).notes(0) == (TooFewRepetitions(4, 5),)
    assert group([1.0] * 5, [1.0] * 9).notes(0) == ()


def test_of_few_launches_every_repetition_counts() -> None:
    base = series([(1.0, 2.0), (3.0, 4.0), (9.0, 9.0)])
    pair = Pair(base, series([(5.0,)] * 6), Design.SEQUENTIAL)
    assert independent_values(pair) == (6, 6)
    assert SequentialPairs([pair], None).effects.base[0] == 3.5
    five = Pair(series([(float(n), 99.0, 99.0) for n in range(1, 6)]), base, Design.SEQUENTIAL)
    assert independent_values(five) == (5, 6)
    assert SequentialPairs([five], None).effects.base[0] == 3.0


def test_two_hundred_values_are_taken_as_they_are_and_more_as_medians_of_neighbours() -> None:
    few, many = [float(n) for n in range(1, 201)], [float(n) for n in range(1, 402)]
    assert independent_values(files_of(few, many)) == (200, 200)
    effects = group(few, many).effects
    assert (effects.base[0], effects.rounds) == (100.5, 200)
    assert effects.candidate[0] == pytest.approx(201.0, abs=1.0)
    assert group([*few, 201.0], few).effects.rounds == 200


def test_a_chunk_of_pairs_has_at_most_four_million_ratios() -> None:
    assert pairs_at_a_time(200, 200) == 100
    assert pairs_at_a_time(200, 201) == 99
    assert pairs_at_a_time(4000, 4000) == 1
    assert pairs_at_a_time(0, 5) == pairs_at_a_time(1, 1) == 4_000_000
