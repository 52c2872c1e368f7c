"""The pairs of one judgement: sorted by how they are judged, then settled together."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.judge import compose, counts, files, multiplicity, past, rounds
from assay.judge.effects import Floats, Group, Rows
from assay.judge.estimate import rule
from assay.model import Comparison, Design, Floor, Pair, Settings
from assay.units import metric as lookup

Shape = tuple[object, ...]


class Suite:
    """Intervals for every pair that needs statistics; the rest is settled at once."""

    def __init__(
        self,
        pairs: Sequence[Pair],
        settings: Settings,
        floor: Floor | None,
        echo: float | None = None,
    ) -> None:
        self._settings = settings
        self._done: dict[int, Comparison] = {}
        self._groups = [
            _group(shape, [pairs[i] for i in chunk], floor, chunk)
            for shape, places in self._by_shape(pairs).items()
            for chunk in _chunks(places, shape)
        ]
        self.echo = self._shared_echo() if echo is None else echo
        if self.echo is not None:
            for group in self._in_rounds():
                group.expect(self.echo)
        self.family = sum(len(places) for _, places in self._groups)
        self._low: Floats = np.full(self.family, np.nan)
        self._high: Floats = np.full(self.family, np.nan)
        self._level = settings.alpha / max(1, self.family)

    def _by_shape(self, pairs: Sequence[Pair]) -> dict[Shape, list[int]]:
        """Settle what needs no statistics; gather the rest by shape."""
        shapes: dict[Shape, list[int]] = {}
        counted = {name: lookup(name).counted for name in {pair.base.metric for pair in pairs}}
        for place, pair in enumerate(pairs):
            positive = _check(pair)
            count = counts.constant(pair) if counted[pair.base.metric] else None
            if count is not None:
                self._done[place] = compose.exact(pair, count, self._settings)
            elif not positive:
                self._done[place] = compose.unjudged(pair)
            else:
                shapes.setdefault(_shape(pair), []).append(place)
        return shapes

    def _in_rounds(self) -> list[rounds.Rounds]:
        return [group for group, _ in self._groups if isinstance(group, rounds.Rounds)]

    def _shared_echo(self) -> float | None:
        groups = self._in_rounds()
        names = {pair.base.benchmark for group in groups for pair in group.pairs}
        return past.shared_echo([group.ratios for group in groups], len(names))

    def settle(self) -> None:
        """Make the intervals by Holm's steps."""
        multiplicity.step_down(self.family, self._settings.alpha, self.found_at)

    def found_at(self, level: float, waiting: Rows) -> NDArray[np.bool_]:
        """Make the intervals of `waiting` at `level`; say which are found changed."""
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
        return np.asarray((low > margin) | (high < -margin))

    def comparisons(self) -> tuple[Comparison, ...]:
        """One comparison a pair, in the order the pairs were given."""
        start = 0
        for group, places in self._groups:
            stop = start + len(places)
            ends = self._low[start:stop], self._high[start:stop]
            made = compose.comparisons(group, ends, self._settings.margin, self._level)
            self._done.update(zip(places, made, strict=True))
            start = stop
        return tuple(self._done[place] for place in range(len(self._done)))


def _group(
    shape: Shape, pairs: list[Pair], floor: Floor | None, places: list[int]
) -> tuple[Group, list[int]]:
    if shape[0] is Design.SEQUENTIAL:
        return files.Files(pairs, floor), places
    return rounds.Rounds(pairs), places


def _chunks(places: list[int], shape: Shape) -> list[list[int]]:
    size = rounds.CHUNK
    if isinstance(shape[1], int) and isinstance(shape[2], int):
        size = files.chunk(shape[1], shape[2])
    return [places[start : start + size] for start in range(0, len(places), size)]


def _shape(pair: Pair) -> Shape:
    if pair.design is Design.SEQUENTIAL:
        return (pair.design, *files.units(pair), rule(pair.base.metric))
    return (pair.design, len(pair.base.launches), rule(pair.base.metric))


def _check(pair: Pair) -> bool:
    """Whether all is positive. Numbers that are no measurement are refused by name."""
    lowest = math.inf
    for series in (pair.base, pair.candidate):
        for launch in series.launches:
            least = min(launch)
            if not (least >= 0.0 and sum(launch) < math.inf):
                raise InputError(
                    f"{series.metric} of {series.benchmark!r} is negative or not a number",
                    hint="measure it again or leave it out with --filter",
                )
            lowest = min(lowest, least)
    return 0.0 < lowest < math.inf
