"""Judges all pairs of one judgement together, each by the method that fits its numbers."""

from collections import Counter
from collections.abc import Collection, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.judge.effects import FindingsBesideCentre, Floats, PairGroup, Rows
from assay.judge.estimate import summary_method
from assay.judge.family import comparisons, exact_counts, multiplicity, repeatable_counts
from assay.judge.judgeable import reason_unjudgeable_pair
from assay.judge.paired import interleaved
from assay.judge.paired.suite_autocorrelation import shared_autocorrelation
from assay.judge.share import BY_ITSELF, COUNTS, IN_FAMILY, REPEATABLE
from assay.judge.unpaired import sequential
from assay.model import Comparison, Design, Floor, Pair, Settings
from assay.remarks import RemarkName
from assay.units import metric as lookup

Shape = tuple[object, ...]


class FamilyScope(msgspec.Struct, frozen=True):
    """Which metrics a judgement is about, and how many comparisons share its error level."""

    # Metrics judged in the family, the others being judged by themselves; None: all metrics.
    metrics: Collection[str] | None = None
    family: int | None = None  # comparisons that share alpha; None: as many as there are
    # Metrics whose counts should repeat in every launch (decision 39).
    repeatable: Collection[str] = ()


class Family:
    """All pairs of one judgement: constant counts are compared at once, all others by intervals.

    The error level of each follows from Holm's steps (decision 4) and from how alpha is divided
    (decision 28). What cannot be judged becomes a comparison without a verdict.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        settings: Settings,
        floor: Floor | None = None,
        asked: FamilyScope = FamilyScope(),  # noqa: B008 (immutable)
    ) -> None:
        self._settings, self._asked = settings, asked
        self._repeatable = sum(pair.metric in asked.repeatable for pair in pairs)
        kept = REPEATABLE if asked.repeatable else 0.0
        self._alpha = (1.0 - kept) * settings.alpha  # alpha of comparisons judged by rounds
        self._done: dict[int, Comparison] = {}
        shapes, constant = self._sorted_pairs(pairs)
        judged = {shape: places for shape, places in shapes.items() if shape[0]}
        alone = {shape: places for shape, places in shapes.items() if not shape[0]}
        self._groups = self._pairs_by_shape(judged, pairs, floor)
        self._single = self._pairs_by_shape(alone, pairs, floor)
        self.autocorrelation = self._estimate_autocorrelation()
        there = sum(len(places) for _, places in self._groups)
        self.family = max(there, asked.family or 0, self._repeatable)
        self._settle_counts(pairs, constant)
        self._low: Floats = np.full(there, np.nan)
        self._high: Floats = np.full(there, np.nan)
        self._level = self._alpha / max(1, self.family)
        self._beside = [
            b for group, _ in self._groups for b in self._findings_besides_centre(group)
        ]

    def _sorted_pairs(self, pairs: Sequence[Pair]) -> tuple[dict[Shape, list[int]], list[int]]:
        """Indices of pairs to judge, by design and number of launches, and of constant counts.

        Pairs of which no ratio can be made get their comparison here.
        """
        shapes: dict[Shape, list[int]] = {}
        constant = []
        counted = {name: lookup(name).is_count for name in {pair.base.metric for pair in pairs}}
        for place, pair in enumerate(pairs):
            why_not = reason_unjudgeable_pair(pair)
            is_number = why_not in (None, RemarkName.ZEROS)
            if is_number and self._is_settled_by_repetition(place, pair):
                continue
            if (
                is_number
                and counted[pair.base.metric]
                and exact_counts.constant_counts(pair) is not None
            ):
                constant.append(place)
            elif why_not is not None:
                is_single = not self._is_judged(pair)
                self._done[place] = comparisons.unjudged_comparison(pair, why_not, single=is_single)
            else:
                shape = self._is_judged(pair), *_shape_of_pair(pair)
                shapes.setdefault(shape, []).append(place)
        return shapes, constant

    def _is_settled_by_repetition(self, place: int, pair: Pair) -> bool:
        """Compare the pair if it is of a count that every launch repeats; return whether it is."""
        if pair.metric not in self._asked.repeatable:
            return False
        found = repeatable_counts.repeated_count(pair, self._settings.margin)
        if found is not None:
            size = max(self._repeatable, self._asked.family or 0)
            level = REPEATABLE * self._settings.alpha / size
            self._done[place] = comparisons.repeated_comparison(pair, found, self._settings, level)
        return found is not None

    def _is_judged(self, pair: Pair) -> bool:
        return self._asked.metrics is None or pair.metric in self._asked.metrics

    def _pairs_by_shape(
        self, shapes: dict[Shape, list[int]], pairs: Sequence[Pair], floor: Floor | None
    ) -> list[tuple[PairGroup, list[int]]]:
        return [
            (_group_of_pairs(shape, [pairs[i] for i in chunk], floor), chunk)
            for shape, places in shapes.items()
            for chunk in _chunks_of_group(places, shape)
        ]

    def _estimate_autocorrelation(self) -> float | None:
        """Estimate the autocorrelation of rounds over all judged pairs (decision 27).

        It is used for the pairs whose session did not store an autocorrelation.
        """
        judged = [
            group for group, _ in self._groups if isinstance(group, interleaved.InterleavedPairs)
        ]
        names = {pair.base.benchmark for group in judged for pair in group.pairs}
        autocorrelation = shared_autocorrelation([group.ratios for group in judged], len(names))
        if autocorrelation is not None:
            for group, _ in (*self._groups, *self._single):
                if isinstance(group, interleaved.InterleavedPairs):
                    group.use_suite_autocorrelation(autocorrelation)
        return autocorrelation

    def _settle_counts(self, pairs: Sequence[Pair], constant: Sequence[int]) -> None:
        """Compare counts that do not vary, at their shares of the part of alpha kept for counts.

        Each benchmark divides its share among its own counts. So a look at one benchmark, which
        does not know what others count, gives the same as the judgement of all (decision 6).
        """
        kinds = Counter(pairs[place].benchmark for place in constant)
        part = COUNTS * self._settings.alpha / max(1, self.family, len(kinds))
        for place in constant:
            pair, count = pairs[place], exact_counts.constant_counts(pairs[place])
            assert count is not None
            level = part / kinds[pair.benchmark]
            self._done[place] = comparisons.exact_comparison(pair, count, self._settings, level)

    def _findings_besides_centre(self, group: PairGroup) -> list[FindingsBesideCentre]:
        """What is found of each pair besides its centre, at the level that all comparisons started
        with: so no finding comes late or is taken back because others changed meanwhile."""
        return group.beside(self._settings.margin, self._alpha / max(1, self.family))

    def settle(self, changed_elsewhere: int = 0) -> None:
        """Make the intervals of all pairs by Holm's steps.

        `changed_elsewhere` comparisons of the family, not among these pairs, had changed before.
        """
        size = self.family - changed_elsewhere
        multiplicity.step_down(len(self._low), size, self._alpha, self.found_at)

    def found_at(self, level: float, waiting: Rows) -> NDArray[np.bool_]:
        """Make the intervals of the rows `waiting` at `level`; return which are found changed."""
        self._level = level
        start = 0
        for group, places in self._groups:
            inside = waiting[(waiting >= start) & (waiting < start + len(places))]
            if inside.size:
                ends = group.interval(inside - start, level)
                self._low[inside], self._high[inside] = ends
            start += len(places)
        margin = self._settings.margin
        low, high = self._low[waiting], self._high[waiting]
        beside = np.array(
            [bool(self._beside[row].findings) for row in waiting.tolist()], dtype=bool
        )
        return np.asarray((low > margin) | (high < -margin) | beside)

    def comparisons(self) -> tuple[Comparison, ...]:
        """One comparison a pair, in the order the pairs were given."""
        start = 0
        for group, places in self._groups:
            stop = start + len(places)
            ends = self._low[start:stop], self._high[start:stop]
            rules = comparisons.IntervalRules(self._settings.margin, self._level, single=False)
            made = comparisons.comparisons(group, ends, self._beside[start:stop], rules)
            self._done.update(zip(places, made, strict=True))
            start = stop
        for group, places in self._single:
            self._done.update(zip(places, self._single_comparisons(group), strict=True))
        return tuple(
            self._with_note_if_it_varies(self._done[place]) for place in range(len(self._done))
        )

    def _with_note_if_it_varies(self, one: Comparison) -> Comparison:
        """The comparison, with a note where a count should repeat and does not."""
        varies = (
            one.metric in self._asked.repeatable and one.method not in repeatable_counts.METHODS
        )
        notes = (RemarkName.COUNT_VARIES, *one.notes)
        return msgspec.structs.replace(one, notes=notes) if varies else one

    def _single_comparisons(self, group: PairGroup) -> list[Comparison]:
        """Comparisons outside the family: each interval at the whole of alpha."""
        alpha = self._settings.alpha
        ends = group.interval(np.arange(len(group.pairs)), alpha)
        rules = comparisons.IntervalRules(self._settings.margin, alpha, single=True)
        return comparisons.comparisons(
            group, ends, group.beside(self._settings.margin, alpha), rules
        )


def _group_of_pairs(shape: Shape, pairs: list[Pair], floor: Floor | None) -> PairGroup:
    if shape[1] is Design.SEQUENTIAL:
        return sequential.SequentialPairs(pairs, floor)
    return interleaved.InterleavedPairs(pairs, IN_FAMILY if shape[0] else BY_ITSELF)


def _chunks_of_group(places: list[int], shape: Shape) -> list[list[int]]:
    size = interleaved.CHUNK
    if shape[1] is Design.SEQUENTIAL and isinstance(shape[2], int) and isinstance(shape[3], int):
        size = sequential.pairs_at_a_time(shape[2], shape[3])
    return [places[start : start + size] for start in range(0, len(places), size)]


def _shape_of_pair(pair: Pair) -> Shape:
    if pair.design is Design.SEQUENTIAL:
        return (pair.design, *sequential.independent_values(pair), summary_method(pair.base.metric))
    return (pair.design, len(pair.base.launches), summary_method(pair.base.metric))
