"""From an effect and its interval to a comparison: every field, of groups made by hand."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from judging import series, settings
from msgspec.structs import replace

from assay.judge.effects import Effects, FindingsBesideCentre, Floats, RoundsNeeded, Rows
from assay.judge.family.comparisons import (
    IntervalRules,
    comparisons,
    exact_comparison,
    repeated_comparison,
    unjudged_comparison,
)
from assay.judge.family.exact_counts import ExactCount
from assay.judge.family.repeatable_counts import RepeatedCount
from assay.judging import MethodName
from assay.model import Comparison, Design, Finding, Pair, Verdict
from assay.remarks import Remark, RemarkName

NAN = math.nan
LAUNCHES = Finding(of="launches", verdict=Verdict.SOMETIMES_SLOWER, share=0.2, size=0.3)
SCATTER = Finding(of="scatter", verdict=Verdict.DIFFERENT, share=1.0, size=4.0)
AT_50 = (RoundsNeeded(70.0), RoundsNeeded(above=30.0), RoundsNeeded(below=50.0))
NEVER = (RoundsNeeded(),) * 3


def pair(metric: str = "real_time", launches: int = 5, design: Design = Design.INTERLEAVED) -> Pair:
    sides = series([(1.0,)] * launches, metric=metric), series([(1.0,)] * launches, metric=metric)
    return Pair(*sides, design)


class Made:
    """A group of one pair, or of several alike."""

    def __init__(
        self,
        levels: Sequence[tuple[float, float, float]],
        needed: tuple[RoundsNeeded, ...] = AT_50,
        p_value: float = 0.25,
        noise: float = 0.125,
        fewest: int | None = 12,
        metric: str = "real_time",
    ) -> None:
        self.pairs = [pair(metric) for _ in levels]
        base, candidate, change = np.array(levels).T
        p_values = np.full(len(levels), p_value)
        self.effects = Effects(base, candidate, change, p_values, 5, MethodName.ROUNDS)
        self._needed, self._noise, self._fewest = needed, noise, fewest

    def interval(self, rows: Rows, alpha: float) -> tuple[Floats, Floats]:
        raise NotImplementedError

    def beside(self, margin: float, level: float) -> list[FindingsBesideCentre]:
        raise NotImplementedError

    def notes(self, row: int) -> tuple[Remark, ...]:
        return (RemarkName.TWO_GROUPS,) * row

    def needed(self, margin: float, level: float) -> list[tuple[RoundsNeeded, ...]]:
        return [self._needed] * len(self.pairs)

    def noise(self) -> list[float]:
        return [self._noise] * len(self.pairs)

    def placement_sd(self, row: int) -> float | None:
        return 0.5 * row if row else None

    def fewest(self, level: float) -> int | None:
        return self._fewest


def made(
    group: Made,
    *ends: tuple[float, float],
    beside: FindingsBesideCentre = FindingsBesideCentre(),  # noqa: B008 (immutable)
) -> list[Comparison]:
    low, high = np.array(ends).T
    rules = IntervalRules(0.25, 0.05, single=False)
    return comparisons(group, (low, high), [beside] * len(ends), rules)


def one(change: float, low: float, high: float, **more: object) -> Comparison:
    """One row by its change and interval."""
    beside = more.pop("beside", FindingsBesideCentre())
    group = Made([(100.0, 100.0 * (1.0 + change), change)], **more)  # type: ignore[arg-type]
    (found,) = made(group, (low, high), beside=beside)  # type: ignore[arg-type]
    return found


def test_an_undecided_comparison_says_all_that_is_known() -> None:
    group = Made([(100.0, 150.0, 0.5), (64.0, 80.0, 0.25)])
    first, second = made(group, (0.125, 0.875), (0.0, 0.5))
    assert first == Comparison(
        benchmark="B",
        metric="real_time",
        unit="ns",
        base=100.0,
        candidate=150.0,
        change=0.5,
        low=0.125,
        high=0.875,
        verdict=Verdict.UNDECIDED,
        rounds=5,
        design=Design.INTERLEAVED,
        method=MethodName.ROUNDS,
        p_value=0.25,
        lean=Verdict.SLOWER,
        rounds_needed=50,
        findable=0.625,
        noise=0.125,
    )
    assert (second.base, second.candidate, second.lean) == (64.0, 80.0, Verdict.SAME)
    assert (second.notes, second.placement_sd) == ((RemarkName.TWO_GROUPS,), 0.5)


def test_a_decided_comparison_leans_nowhere_and_needs_nothing() -> None:
    found = one(0.5, 0.375, 0.625)
    assert (found.verdict, found.lean, found.rounds_needed) == (Verdict.SLOWER, None, None)
    assert (found.findable, found.rounds_wanted) == (0.375, None)
    assert one(0.5, 0.375, 0.625, metric="items_per_second").verdict is Verdict.FASTER


def test_without_an_interval_it_says_how_many_rounds_one_takes() -> None:
    found = one(0.5, NAN, NAN, p_value=NAN, noise=NAN)
    assert (found.low, found.high, found.p_value, found.noise) == (None, None, None, None)
    assert (found.findable, found.rounds_wanted, found.rounds_needed) == (None, 12, 7)
    assert (found.verdict, found.lean, found.change) == (Verdict.UNDECIDED, Verdict.SLOWER, 0.5)
    assert one(0.5, NAN, NAN, fewest=5).rounds_needed == 1
    assert one(0.5, NAN, NAN, fewest=7).rounds_needed == 2
    assert one(0.5, NAN, NAN, fewest=None).rounds_needed is None


@pytest.mark.parametrize(
    ("needed", "calm", "expected"),
    [
        (AT_50, 60.0, 50),  # a change does not wait until all is calm
        ((RoundsNeeded(inside=40.0),) * 3, 60.0, 60),
        ((RoundsNeeded(inside=40.0),) * 3, 20.0, 40),
        ((RoundsNeeded(above=7.25, below=9.0),) * 3, 0.0, 8),
        ((RoundsNeeded(above=0.0),) * 3, 0.0, 1),
        ((RoundsNeeded(above=99_999.0),) * 3, 0.0, 99_999),
        ((RoundsNeeded(above=100_000.0),) * 3, 0.0, None),
        (NEVER, 0.0, None),
    ],
)
def test_the_rounds_it_needs_are_those_of_the_nearest_verdict_at_the_middle_forecast(
    needed: tuple[RoundsNeeded, ...], calm: float, expected: int | None
) -> None:
    beside = FindingsBesideCentre(rounds_to_calm=calm)
    assert one(0.25, 0.0, 0.5, needed=needed, beside=beside).rounds_needed == expected


def test_the_same_takes_that_nothing_else_was_found_and_a_change_does_not() -> None:
    loud, found = FindingsBesideCentre(calm=False), FindingsBesideCentre((LAUNCHES,))
    assert one(0.0, -0.125, 0.125).verdict is Verdict.SAME
    assert one(0.0, -0.125, 0.125, beside=loud).verdict is Verdict.UNDECIDED
    assert one(0.0, -0.125, 0.125, beside=found).verdict is Verdict.SOMETIMES_SLOWER
    assert one(0.25, 0.0, 0.5, beside=found).verdict is Verdict.SOMETIMES_SLOWER
    slower = one(0.5, 0.375, 0.625, beside=replace(found, calm=False))
    assert (slower.verdict, slower.findings) == (Verdict.SLOWER, (LAUNCHES,))


def test_scatter_is_a_finding_only_where_the_centre_got_better() -> None:
    beside = FindingsBesideCentre(scatter=SCATTER)
    faster = one(-0.5, -0.625, -0.375, beside=beside)
    assert (faster.verdict, faster.findings) == (Verdict.DIFFERENT, (SCATTER,))
    both = one(-0.5, -0.625, -0.375, beside=replace(beside, findings=(LAUNCHES,)))
    assert (both.verdict, both.findings) == (Verdict.SOMETIMES_SLOWER, (LAUNCHES, SCATTER))
    for change, low, high, verdict in (
        (0.5, 0.375, 0.625, Verdict.SLOWER),
        (0.0, -0.125, 0.125, Verdict.SAME),
    ):
        other = one(change, low, high, beside=beside)
        assert (other.verdict, other.findings) == (verdict, ())


def test_an_interval_is_stretched_to_its_estimate_where_the_verdict_stays() -> None:
    above, below = one(0.75, 0.375, 0.625), one(0.3125, 0.375, 0.625)
    assert (above.low, above.high, above.change) == (0.375, 0.75, 0.75)
    assert (below.low, below.high, below.change) == (0.3125, 0.625, 0.3125)


@pytest.mark.parametrize(("change", "moved"), [(0.5, 0.125), (-0.5, -0.125)])
def test_else_the_estimate_is_moved_into_it_and_both_sides_with_it(
    change: float, moved: float
) -> None:
    found = one(change, -0.125, 0.125)
    assert (found.verdict, found.low, found.high) == (Verdict.SAME, -0.125, 0.125)
    assert found.change == moved
    assert found.candidate / found.base == pytest.approx(1.0 + moved)
    assert found.base * found.candidate == pytest.approx(100.0 * 100.0 * (1.0 + change))


LEVEL = 2.0**-9  # ten launches of a count that never varied, five of one that should repeat


def counts(launches: int, design: Design = Design.INTERLEAVED) -> Pair:
    return pair("CallsToAlloc", launches, design)


def test_an_exact_count_is_its_own_interval_after_enough_launches() -> None:
    count = ExactCount(4.0, 6.0, 0.5, is_from_none=False)
    found = exact_comparison(counts(10), count, settings(0.25), LEVEL)
    assert (found.base, found.candidate, found.change) == (4.0, 6.0, 0.5)
    assert (found.low, found.high, found.verdict) == (0.5, 0.5, Verdict.SLOWER)
    assert (found.method, found.rounds, found.notes) == (MethodName.EXACT, 10, ())
    early = exact_comparison(counts(9), count, settings(0.25), LEVEL)
    assert (early.low, early.verdict, early.lean) == (None, Verdict.UNDECIDED, Verdict.SLOWER)
    assert (early.method, early.rounds) == (MethodName.EXACT_SO_FAR, 9)
    assert (early.rounds_wanted, early.rounds_needed) == (10, 1)
    file = exact_comparison(counts(7, Design.SEQUENTIAL), count, settings(0.25), LEVEL)
    assert (file.rounds_wanted, file.rounds_needed) == (10, None)


def test_an_exact_count_just_at_the_margin_is_the_same() -> None:
    count = ExactCount(4.0, 5.0, 0.25, is_from_none=False)
    assert exact_comparison(counts(10), count, settings(0.25), LEVEL).verdict is Verdict.SAME
    none = ExactCount(0.0, 5.0, 2.0, is_from_none=True)
    noted = exact_comparison(counts(10), none, settings(0.25), LEVEL)
    assert noted.notes == (RemarkName.FROM_NONE,)


def repeated(low: float, high: float) -> RepeatedCount:
    return RepeatedCount(4.0, 6.0, 0.5, low, high, MethodName.NEARLY_REPEATED)


def test_a_repeated_count_is_the_same_at_once_and_changed_after_enough_launches() -> None:
    found = repeated_comparison(counts(5), repeated(0.375, 0.625), settings(0.25), LEVEL)
    assert (found.low, found.high, found.verdict) == (0.375, 0.625, Verdict.SLOWER)
    assert (found.base, found.candidate, found.change) == (4.0, 6.0, 0.5)
    assert (found.method, found.rounds) == (MethodName.NEARLY_REPEATED, 5)
    early = repeated_comparison(counts(4), repeated(0.375, 0.625), settings(0.25), LEVEL)
    assert (early.low, early.verdict, early.lean) == (None, Verdict.UNDECIDED, Verdict.SLOWER)
    assert (early.method, early.rounds) == (MethodName.REPEATED_SO_FAR, 4)
    assert (early.rounds_wanted, early.rounds_needed) == (5, 1)
    file = repeated_comparison(
        counts(3, Design.SEQUENTIAL), repeated(0.375, 0.625), settings(0.25), LEVEL
    )
    assert file.rounds_needed is None
    for ends in ((-0.125, 0.125), (0.25, 0.25)):
        same = repeated_comparison(counts(1), repeated(*ends), settings(0.25), LEVEL)
        assert (same.low, same.high, same.verdict) == (*ends, Verdict.SAME)


def unjudged(base: Sequence[float], candidate: Sequence[float]) -> Comparison:
    sides = series([base]), series([candidate, candidate])
    return unjudged_comparison(Pair(*sides, Design.SEQUENTIAL), RemarkName.ZEROS)


def test_of_what_cannot_be_judged_the_medians_are_told() -> None:
    found = unjudged([1.0, 4.0, math.inf, 8.0], [6.0, NAN])
    assert (found.base, found.candidate, found.change) == (4.0, 6.0, 0.5)
    assert (found.verdict, found.low, found.high) == (Verdict.UNDECIDED, None, None)
    assert (found.method, found.notes) == (MethodName.NOT_JUDGED, (RemarkName.ZEROS,))
    assert (found.rounds, found.single) == (1, False)
    assert unjudged_comparison(counts(1), RemarkName.ZEROS, single=True).single


def test_numbers_of_any_size_have_a_finite_change() -> None:
    assert unjudged([math.inf], [NAN]).base == 0.0
    largest = unjudged([1.7e308, 1.6e308], [1.7e308, 1.7e308])
    assert (largest.base, largest.candidate) == (1.7e308, 1.7e308)
    assert unjudged([5e-324], [1e308]).change == 0.0
