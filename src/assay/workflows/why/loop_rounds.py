"""Launches both sides several times in turns, watching their loops.

rounds = LoopRounds(sides, library)
base, candidate, iterations = rounds.same_loop(names, rounds=2)
gauges(rounds.plain(names), ("minor_faults",))
"""

from collections.abc import Callable, Sequence
from functools import partial

from assay.errors import LaunchError
from assay.judge.attribution.exact_deltas import compare_quantity
from assay.measure.profile.traced.loops import LoopLibrary, LoopRun, largest_common_iterations
from assay.measure.targets.engine_log import LONGEST_ITERATION_S, MORE_THAN_TENFOLD
from assay.measure.targets.gbench import GBenchTarget
from assay.model import Side
from assay.resources import Gauge
from assay.workflows.why.compared import ComparedLoops
from assay.workflows.why.stage import Explainable, StageError, WhySides

MIN_TIME_S = 0.05
FEW = 2  # launches of each side, to see whether a count is the same in every launch
MANY = 6  # launches of each side, where a count turned out to differ between launches
_SLOW_S = 3.0  # seconds; if a launch takes longer, two launches of each side must be enough
_PEAK = "peak"

Run = Callable[[GBenchTarget, str, float], LoopRun]


class LoopRounds:
    """Makes launches of two executables in turns, in which the benchmark's loop is watched."""

    def __init__(self, sides: WhySides, library: LoopLibrary) -> None:
        self._sides = sides
        self._library = library

    def same_loop(
        self, names: tuple[str, str], rounds: int, run: Run | None = None
    ) -> ComparedLoops:
        """Launches of both sides with a loop that ran equally often on both.

        `run` makes one launch. Raises `StageError`.
        """
        run = run or self._library.run
        found = self._rounds(names, rounds, MIN_TIME_S, run)
        both = [*found.base, *found.candidate]
        slowest_s = max(one.first_s for one in both)
        if found.iterations <= 1 and _may_do_more(both) and 0 < slowest_s <= LONGEST_ITERATION_S:
            found = self._rounds(names, rounds, MORE_THAN_TENFOLD * slowest_s, run)
        if not found.iterations:
            raise StageError(
                f"it does {_counts_text(found.candidate[0])} iterations and the base "
                f"{_counts_text(found.base[0])}: only the same number can be compared",
                Side.CANDIDATE,
            )
        return found

    def plain(self, names: tuple[str, str], rounds: int = 4) -> ComparedLoops:
        """Launches in which only the loop is watched, for values that depend on its duration.

        Two stages use these launches, which are made only once.
        """
        known = self._sides.plain_loops
        if names not in known:
            known[names] = self.same_loop(names, rounds, partial(self._library.run, sites=False))
        return known[names]

    def _rounds(
        self, names: tuple[str, str], rounds: int, min_time_s: float, run: Run
    ) -> ComparedLoops:
        runs: tuple[list[LoopRun], list[LoopRun]] = ([], [])
        for number in range(rounds):
            for index in (0, 1) if number % 2 == 0 else (1, 0):
                side, target = self._sides.both()[index]
                runs[index].append(_launch_one_side(side, target, names[index], min_time_s, run))
            if number and max(one[-1].wall_s for one in runs) > _SLOW_S:
                break
        return ComparedLoops(*runs, largest_common_iterations([*runs[0], *runs[1]]))


def gauges(found: ComparedLoops, wanted: Sequence[str]) -> list[Gauge]:
    """A comparison of each quantity in `wanted`, such as page faults, that
    both sides have values of.
    """
    return [
        compare_quantity(name, ours, theirs)
        for name in wanted
        if (ours := _values(found.base, found.iterations, name))
        and (theirs := _values(found.candidate, found.iterations, name))
    ]


def _values(runs: Sequence[LoopRun], iterations: int, name: str) -> list[float]:
    loops = [run.loop(iterations) for run in runs]
    if name == _PEAK:  # the peak is a value of the whole loop, and not divided by iterations
        return [float(loop.peak) for loop in loops]
    if not all(name in loop.counts for loop in loops):
        return []
    return [loop.counts[name] / iterations for loop in loops]


def _launch_one_side(
    side: Side, target: Explainable, name: str, min_time_s: float, run: Run
) -> LoopRun:
    if not isinstance(target, GBenchTarget):
        raise StageError("a command has no loop that could be watched")
    try:
        return run(target, name, min_time_s)
    except LaunchError as error:
        raise StageError(error.message, side) from None


def _may_do_more(runs: Sequence[LoopRun]) -> bool:
    """Whether a longer run would do more iterations: not if the benchmark fixes their number."""
    return len({run.counts for run in runs}) > 1 or runs[0].counts[0] == 1


def _counts_text(run: LoopRun) -> str:
    return ", ".join(map(str, run.counts))
