"""The stage of memory: allocations and frees in the loop, by function; page faults and peak.

stage = MemoryStage(sides)
stage.explain(Explained("BM_append"), ("BM_append", "BM_append")).memory.allocations.told[0]
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from assay.explained import Explained
from assay.judge.attribution.exact_deltas import changes_by_function, is_steady
from assay.lacks import Lack, lacking
from assay.measure.profile.traced.allocation_sites import by_function
from assay.measure.profile.traced.loops import LoopLibrary, LoopRun
from assay.model import Side
from assay.resources import Counts, Memory
from assay.workflows.why.compared import ComparedLoops
from assay.workflows.why.loop_rounds import FEW, MANY, LoopRounds, gauges
from assay.workflows.why.stage import StageError, WhySides

# Of one side: counts of allocations, and counts of frees, each with one entry for every launch.
_Runs = tuple[list[Counts], list[Counts]]


class MemoryStage:
    """The stage that counts allocations and frees by function.

    Raises `MeasurementError` if Assay's preload library is not built.
    """

    name = "memory"

    def __init__(self, sides: WhySides) -> None:
        self._sides = sides
        self._rounds = LoopRounds(sides, LoopLibrary(sides.executor))

    def explain(self, found: Explained, names: tuple[str, str]) -> Explained:
        """Add allocations, page faults and the peak to `found` (see `Stage`)."""
        both = self._rounds.same_loop(names, FEW)
        base, candidate = self._counts_of_both_sides(both)
        if not all(is_steady(base[part], candidate[part]) for part in (0, 1)):
            both = self._rounds.same_loop(names, MANY)
            base, candidate = self._counts_of_both_sides(both)
        allocations, frees = (
            changes_by_function(base[part], candidate[part], both.iterations) for part in (0, 1)
        )
        faults = gauges(self._rounds.plain(names), ("minor_faults", "major_faults"))
        measured = (*gauges(both, ("peak",)), *faults)
        notes = tuple(_notes(base[0][0], candidate[0][0]))
        return replace(found, memory=Memory(allocations, frees, measured, notes))

    def _counts_of_both_sides(self, both: ComparedLoops) -> tuple[_Runs, _Runs]:
        for side, runs in ((Side.BASE, both.base), (Side.CANDIDATE, both.candidate)):
            if not runs[0].file.is_counted:
                raise StageError("it has a malloc of its own, which is not seen", side)
        return self._runs(both.base, both.iterations), self._runs(both.candidate, both.iterations)

    def _runs(self, runs: Sequence[LoopRun], iterations: int) -> _Runs:
        found = by_function([run.loop(iterations) for run in runs], self._sides.executor)
        return [one for one, _ in found], [one for _, one in found]


def _notes(base: Counts, candidate: Counts) -> Iterator[str]:
    """Notes on functions without names or lines, and why they have none."""
    for side, counts in (("base", base), ("candidate", candidate)):
        own = [spot for spot in counts if spot.function]
        if own and all(spot.function.startswith("0x") for spot in own):
            yield lacking(side, Lack.NAMES, "its functions have no names, link it without -s")
        elif own and not any(spot.place.line for spot in own):
            yield lacking(side, Lack.LINES, "build it with -g for lines")
