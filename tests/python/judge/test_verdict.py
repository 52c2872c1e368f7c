"""What must hold of any judgement, whatever the numbers."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from judging import NOISES, files_of, rounds_from, rounds_of, settings
from msgspec.structs import replace

from assay.judge.family.family import FamilyScope
from assay.judge.verdict import judge
from assay.judging import Holm
from assay.model import Comparison, Design, Pair, Series, Verdict
from assay.remarks import RemarkName

MIRROR = {Verdict.SLOWER: Verdict.FASTER, Verdict.FASTER: Verdict.SLOWER}
seeds = st.integers(0, 10_000)
effects = st.sampled_from([0.0, 0.005, 0.03, 0.1, -0.04, -0.2])
noises = st.sampled_from(sorted(NOISES))


def pair_of(seed: int, effect: float, noise: str, rounds: int = 40, name: str = "B") -> Pair:
    d = 0.01 * NOISES[noise](np.random.default_rng(seed), (1, rounds))[0] + effect
    return rounds_from(d, name)


def file_pair(seed: int, effect: float, name: str = "B", metric: str = "real_time") -> Pair:
    rng = np.random.default_rng(seed)
    times = 100.0 * np.exp(0.02 * rng.standard_normal((2, 10)))
    return files_of(times[0], times[1] * np.exp(effect), name, metric)


def only(pair: Pair, margin: float = 0.02) -> Comparison:
    return judge([pair], settings(margin)).comparisons[0]


def swapped(pair: Pair) -> Pair:
    return Pair(pair.candidate, pair.base, pair.design, tuple(not b for b in pair.base_first))


def scaled(pair: Pair, factor: float) -> Pair:
    def times(series: Series) -> Series:
        launches = tuple(tuple(factor * v for v in launch) for launch in series.launches)
        return Series(series.benchmark, series.metric, series.unit, launches)

    return Pair(times(pair.base), times(pair.candidate), pair.design, pair.base_first)


def numbers(one: Comparison) -> list[float]:
    return [one.change, one.low or 0.0, one.high or 0.0]


@pytest.mark.parametrize("make", [pair_of, lambda s, e, _: file_pair(s, 4 * e)])
@given(seed=seeds, effect=effects, noise=noises)
@examples(max_examples=40, deadline=None)
def test_swapping_sides_mirrors_the_verdict(
    make: object, seed: int, effect: float, noise: str
) -> None:
    pair = make(seed, effect, noise)  # type: ignore[operator]
    there, back = only(pair), only(swapped(pair))
    assert (there.low is None) == (back.low is None)
    if there.low is not None and there.high is not None:
        assert back.low == pytest.approx(1 / (1 + there.high) - 1, abs=1e-6)
        assert back.high == pytest.approx(1 / (1 + there.low) - 1, abs=1e-6)
        on_an_edge = min(abs(abs(end) - 0.02) for end in numbers(there)[1:]) < 1e-3
        assert on_an_edge or back.verdict is MIRROR.get(there.verdict, there.verdict)


@pytest.mark.parametrize("make", [pair_of, lambda s, e, _: file_pair(s, 4 * e)])
@given(seed=seeds, effect=effects, noise=noises, power=st.integers(-9, 9))
@examples(max_examples=40, deadline=None)
def test_scaling_units_changes_nothing(
    make: object, seed: int, effect: float, noise: str, power: int
) -> None:
    pair = make(seed, effect, noise)  # type: ignore[operator]
    plain, other = only(pair), only(scaled(pair, 10.0**power))
    assert numbers(other) == pytest.approx(numbers(plain), abs=1e-6)
    assert other.verdict is plain.verdict or min(abs(abs(n) - 0.02) for n in numbers(plain)) < 1e-5
    assert other.base == pytest.approx(plain.base * 10.0**power)


@given(order=st.permutations(range(6)), seed=seeds)
@examples(max_examples=25, deadline=None)
def test_order_of_rows_changes_nothing(order: list[int], seed: int) -> None:
    pairs = [pair_of(seed + i, 0.01 * i, "normal", 20 + 5 * (i % 2), f"B{i}") for i in range(4)]
    pairs += [file_pair(seed + i, 0.2 * i, f"F{i}") for i in range(2)]
    straight = judge(pairs, settings()).comparisons
    shuffled = judge([pairs[i] for i in order], settings()).comparisons
    assert [straight[i] for i in order] == list(shuffled)


@given(seed=seeds, effect=effects, noise=noises)
@example(seed=38, effect=0.0, noise="two modes, kept with 0.9, 5 sigma apart")
@examples(max_examples=25, deadline=None)
def test_an_unrelated_benchmark_changes_no_effect(seed: int, effect: float, noise: str) -> None:
    """But where rounds contradict an earlier verdict: the effect told is then an end of the
    interval, and others make that wider."""
    pair, other = pair_of(seed, effect, noise), pair_of(seed + 1, 0.0, noise, 33, "other")
    alone, accompanied = only(pair), judge([pair, other], settings()).comparisons[0]
    if alone.change not in (alone.low, alone.high):
        assert accompanied.change == pytest.approx(alone.change, abs=1e-6)
    if alone.low is not None and accompanied.low is not None:
        assert accompanied.low <= alone.low + 1e-9


@given(seed=seeds, effect=effects, noise=noises, margin=st.sampled_from([0.0, 0.005, 0.02, 0.1]))
@examples(max_examples=60, deadline=None)
def test_intervals_agree_with_verdicts_and_estimates(
    seed: int, effect: float, noise: str, margin: float
) -> None:
    one = only(pair_of(seed, effect, noise), margin)
    assert one.change == pytest.approx(one.candidate / one.base - 1, abs=1e-9)
    if one.low is None or one.high is None:
        assert one.verdict is Verdict.UNDECIDED
        return
    assert one.low <= one.change <= one.high
    assert (one.low > margin) == (one.verdict is Verdict.SLOWER)
    assert (one.high < -margin) == (one.verdict is Verdict.FASTER)
    inside = -margin < one.low and one.high < margin
    beside = {Verdict.SAME, Verdict.UNDECIDED, Verdict.SOMETIMES_SLOWER, Verdict.SOMETIMES_FASTER}
    assert one.verdict in beside if inside else one.verdict is not Verdict.SAME
    assert bool(one.findings) or one.verdict not in {*beside} - {Verdict.SAME, Verdict.UNDECIDED}


def test_an_interval_inside_the_margin_of_quiet_rounds_is_the_same() -> None:
    """Only slow launches or too few rounds keep such a pair from being called the same."""
    made = [only(pair_of(seed, 0.0, "normal", 120)) for seed in range(20)]
    inside = [one for one in made if one.low and one.high and -0.02 < one.low < one.high < 0.02]
    assert len(inside) >= 18
    assert sum(one.verdict is Verdict.SAME for one in inside) >= 0.9 * len(inside)


def without_autocorrelation(pair: Pair) -> Pair:
    """The pair, of a session in which rounds were known not to echo."""
    return replace(pair, autocorrelations=(0.0,) * len(pair.base.launches))


def test_holm_frees_the_share_of_what_is_found() -> None:
    hard = without_autocorrelation(pair_of(1, 0.012, "normal", 60, "hard"))
    clear = [without_autocorrelation(pair_of(i, 0.5, "normal", 40, f"clear{i}")) for i in range(30)]
    calm = [without_autocorrelation(pair_of(i, 0.0, "normal", 40, f"calm{i}")) for i in range(30)]
    beside_clear = judge([hard, *clear], settings()).comparisons[0]
    beside_calm = judge([hard, *calm], settings()).comparisons[0]
    assert beside_clear.low is not None
    assert beside_calm.low is not None
    assert beside_clear.low == only(hard).low
    assert beside_calm.low < beside_clear.low


def test_more_of_a_rate_is_faster_and_more_of_a_stranger_is_different() -> None:
    d = np.full((2, 30), 0.3) + 0.01 * np.random.default_rng(1).standard_normal((2, 30))
    for metric, up, down in (
        ("items_per_second", Verdict.FASTER, Verdict.SLOWER),
        ("my_counter", Verdict.DIFFERENT, Verdict.DIFFERENT),
        ("real_time", Verdict.SLOWER, Verdict.FASTER),
    ):
        one = [(100.0 + i % 3,) for i in range(30)]
        other = [(v * float(np.exp(x)),) for (v,), x in zip(one, d[0], strict=True)]
        assert only(rounds_of(one, other, metric=metric)).verdict is up
        assert only(rounds_of(other, one, metric=metric)).verdict is down


def test_a_duet_is_judged_as_rounds_are() -> None:
    pair = pair_of(1, 0.1, "normal")
    duet = Pair(pair.base, pair.candidate, Design.DUET, pair.base_first)
    assert numbers(only(duet)) == numbers(only(pair))
    assert only(duet).design is Design.DUET


def test_zero_times_are_not_judged_and_say_so() -> None:
    for pair in (
        rounds_of([(0.0,)] * 20, [(1.0,)] * 20),
        files_of([0.0] * 10, [0.0] * 10),
        files_of([1.0, 0.0], [3.0, 3.0]),
    ):
        one = only(pair)
        assert one.verdict is Verdict.UNDECIDED
        assert (one.low, one.high) == (None, None)
        assert np.isfinite(one.change)
        assert one.notes == (RemarkName.ZEROS,)


ODD = [float("nan"), float("inf"), -1.0, 1e308, 5e-324, 0.0]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("metric", ["real_time", "net_heap_growth", "items_per_second", "mine"])
@pytest.mark.parametrize("bad", ODD)
def test_odd_numbers_are_one_row_without_a_verdict_and_the_others_are_judged(
    bad: float, metric: str
) -> None:
    """A counter of -16 on both sides once ended the comparison of everything else."""
    good, few = pair_of(3, 0.3, "normal"), [(1.0, 2.0), (1.1, 2.1)] * 10
    for other in [*ODD, 3.0]:
        sides = [(bad, 2.0), *few], [(other, other), *few]
        rounds = rounds_of(*sides, "odd", metric)
        files = files_of(*(np.array(side).ravel() for side in sides), "odd", metric)
        for odd in (rounds, files):
            two = judge([odd, good], settings(0.05), asked=FamilyScope(("real_time", metric)))
            assert two.comparisons[1].verdict is Verdict.SLOWER
            one = two.comparisons[0]
            assert (one.verdict, one.low, one.high) == (Verdict.UNDECIDED, None, None)
            assert np.isfinite([one.base, one.candidate, one.change]).all()
            assert one.notes, "nothing says why it has no verdict"


def test_the_median_of_the_largest_numbers_there_are_is_a_number() -> None:
    one = only(files_of([float("nan")] * 2, [1e308, 1e308]))
    assert np.isfinite([one.base, one.candidate, one.change]).all()


@pytest.mark.filterwarnings("error")
@given(data=st.data())
@examples(max_examples=150, deadline=None)
def test_no_numbers_at_all_make_judging_fail(data: st.DataObject) -> None:
    numbers = st.one_of(st.sampled_from(ODD), st.floats(), st.floats(0.5, 2.0))
    count = data.draw(st.integers(1, 24))
    side = st.lists(st.tuples(numbers, numbers), min_size=count, max_size=count)
    metric = data.draw(st.sampled_from(["real_time", "allocs", "bytes", "p99", "x_per_second"]))
    values = data.draw(side), data.draw(side)
    files = files_of(*(np.array(one).ravel() for one in values), "B", metric)
    for pair in (rounds_of(*values, "B", metric), files):
        one = only(pair)
        assert np.isfinite([one.base, one.candidate, one.change]).all()


def test_nothing_at_all_is_judged_too() -> None:
    assert judge([], settings()).comparisons == ()
    one = only(rounds_of([], []))
    assert (one.verdict, one.rounds) == (Verdict.UNDECIDED, 0)


def test_control_and_discoveries_are_told() -> None:
    pairs = [pair_of(1, 0.3, "normal", name="changed"), pair_of(2, 0.0, "normal", name="calm")]
    made = judge(pairs, settings())
    assert made.control == Holm(family=2, alpha=0.05)
    assert made.discoveries == (("changed", "real_time"),)


@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
def test_too_few_rounds_give_a_change_and_no_interval(rounds: int) -> None:
    one = only(pair_of(1, 0.7, "normal", rounds))
    assert one.change == pytest.approx(np.expm1(0.7), rel=0.1)
    assert (one.low, one.high, one.verdict) == (None, None, Verdict.UNDECIDED)
    assert one.lean is Verdict.SLOWER
    assert one.rounds_needed is not None
    assert one.rounds_wanted is not None
    assert one.rounds_needed == one.rounds_wanted - rounds
    assert one.rounds_wanted <= 20
