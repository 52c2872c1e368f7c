"""Checks whether benchmarks that differ execute the same machine code on both sides.

    check = PlacementCheck(base, candidate, names, executor)
    check.of("BM_find", samples)        SameCode(same=True, why="same machine code")

Each side of a benchmark is run once more, under callgrind, before it is called changed. What a
build executes is kept, so that a later comparison with the same build need not run it again.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from assay.errors import InputError, MeasurementError
from assay.judge.placement import is_time_or_rate
from assay.judge.same_code import compare_footprints
from assay.measure.executor import Executor
from assay.measure.profile.identity.changed_code import ChangedCode
from assay.measure.profile.identity.footprint import Footprints
from assay.measure.profile.identity.kept import KeptFootprints
from assay.measure.profile.program.binary import Binary
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.target import Target
from assay.model import Comparison, Sample, Side
from assay.places import cache_folder
from assay.same_code import Footprint, SameCode
from assay.units import time_factor
from assay.workflows.common.matching import Match


class PlacementCheck:
    """Finds out whether base and candidate execute the same machine code in a benchmark,
    so that a difference in time comes from placement alone. Code that cannot be traced
    never counts as the same.
    """

    def __init__(self, base: Target, candidate: Target, found: Match, executor: Executor) -> None:
        self._targets = {Side.BASE: base, Side.CANDIDATE: candidate}
        self._names: dict[Side, Mapping[str, str]] = {
            Side.BASE: found.base,
            Side.CANDIDATE: found.candidate,
        }
        self._executor = executor
        self._made: KeptFootprints | None = None
        self._missing = ""

    def of(self, benchmark: str, samples: Sequence[Sample]) -> SameCode:
        """Whether both sides execute the same machine code in a benchmark.

        A side whose code is not known yet is run under callgrind; `samples` tell how many
        iterations its loops take, and how long.
        """
        made = self._footprints()
        if made is None:
            return SameCode(False, f"not compared: {self._missing}")
        iterations, loop_s = _iterations(samples), _loop_s(samples)
        found: list[Footprint] = []
        for side, target in self._targets.items():
            if not isinstance(target, GBenchTarget):
                return SameCode(False, "not compared: a command has no loop that could be traced")
            one = made.footprint(target, self._names[side][benchmark], iterations, loop_s)
            found.append(one)
            if one.refused:
                break
        if len(found) == 1:
            return SameCode(False, f"not compared: {found[0].refused}")
        return compare_footprints(found[0], found[1], iterations)

    def reaching_changed_code(self, benchmarks: Sequence[str]) -> frozenset[str]:
        """Benchmarks that may call functions which differ between both
        executables; none if unknown.

        This is good enough for an order of measuring, and not for a verdict.
        """
        base, candidate = self._targets[Side.BASE], self._targets[Side.CANDIDATE]
        if not (isinstance(base, GBenchTarget) and isinstance(candidate, GBenchTarget)):
            return frozenset()
        names = {self._names[Side.CANDIDATE][one]: one for one in benchmarks}
        try:
            with Binary(base.argv[0]) as ours, Binary(candidate.argv[0]) as theirs:
                found = ChangedCode(ours, theirs, self._executor).reached_by(names)
        # The executable is stripped, a script, or too large to be read in a few seconds.
        except InputError:
            return frozenset()
        return frozenset(names[one] for one in found)

    def _footprints(self) -> KeptFootprints | None:
        if self._made is None and not self._missing:
            try:
                made = Footprints(self._executor)
                self._made = KeptFootprints(made, cache_folder() / "footprints")
            except MeasurementError as error:
                self._missing = error.message
        return self._made


def has_changed_time(comparisons: Iterable[Comparison]) -> bool:
    """Whether a verdict, except on a single interval outside the family, calls a time changed."""
    return any(
        one.verdict.is_change and not one.single and is_time_or_rate(one.metric)
        for one in comparisons
    )


def _iterations(samples: Sequence[Sample]) -> int:
    """Iterations of one launch, over all its repetitions."""
    every = [
        one.iterations * max((len(values) for values in one.values.values()), default=1)
        for one in samples
    ]
    return int(median(every)) if every else 1


def _loop_s(samples: Sequence[Sample]) -> float:
    """Seconds that all iterations of one launch take together; 0 if not known."""
    every = [
        sum(one.values.get("real_time", ())) * one.iterations * time_factor(one.time_unit, "s")
        for one in samples
    ]
    return median(every) if every else 0.0
