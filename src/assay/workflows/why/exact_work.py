"""The stage of exact work: instructions in the loop by function, counted under callgrind.

stage = ExactWorkStage(sides)
stage.explain(Explained("BM_append"), ("BM_append", "BM_append")).work.told[0].function
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import takewhile

from msgspec.structs import replace

from assay.errors import LaunchError
from assay.explained import Explained
from assay.judge.attribution.attribution import attribute, changes_to_name, setup_changes_to_name
from assay.judge.attribution.call_tree import call_stacks
from assay.judge.attribution.repeated import named_by_both_counts, names_a_function
from assay.judge.attribution.simulated import simulated_changes
from assay.lacks import Lack, lacking
from assay.measure.profile.exact.callgrind import Callgrind, LoopRuns
from assay.measure.profile.exact.whole_process import whole_process
from assay.measure.profile.program.own_code import names_in_file
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.engine_log import LONGEST_ITERATION_S, MORE_THAN_TENFOLD
from assay.measure.targets.gbench import GBenchTarget
from assay.model import Side
from assay.work import ExactWork, Profile
from assay.workflows.why.stage import Explainable, StageError, WhySides

# Seconds that a benchmark runs under callgrind: enough for some million instructions.
_MIN_TIME_S = 0.05


class ExactWorkStage:
    """The stage that counts instructions by function, running both sides under callgrind.

    Raises `MeasurementError` without valgrind.
    """

    name = "work"

    def __init__(self, sides: WhySides) -> None:
        self._callgrind = Callgrind(sides.executor)
        self._sides = sides

    def explain(self, found: Explained, names: tuple[str, str]) -> Explained:
        """Add instructions by function to `found`; a difference must show in a second count too."""
        work = self._counted(names)
        if names_a_function(work):
            work = named_by_both_counts(work, self._counted(names))
        return replace(found, work=work)

    def _counted(self, names: tuple[str, str]) -> ExactWork:
        both = self._profiles(names)
        base, candidate = both
        ours, theirs = base.functions(), candidate.functions()
        known = names_in_file(self._sides.base.argv[0], theirs - ours)
        known |= names_in_file(self._sides.candidate.argv[0], ours - theirs)
        is_command = isinstance(self._sides.base, CommandTarget)
        return exact_work_of(both, known, has_loop=not is_command)

    def _profiles(self, names: tuple[str, str]) -> tuple[Profile, Profile]:
        """Instructions counted on both sides, in the largest loop that both ran
        after equal earlier loops.
        """
        ours, theirs = self._sides.base, self._sides.candidate
        if isinstance(ours, CommandTarget) and isinstance(theirs, CommandTarget):
            return self._profile_of_command(Side.BASE, ours), self._profile_of_command(
                Side.CANDIDATE, theirs
            )
        with self._both(names, _MIN_TIME_S) as (base, candidate):
            slowest_s = max(base.slowest_s, candidate.slowest_s)
            enough = _largest_common_loop(base, candidate) > 1 or _fixes_iterations(base, candidate)
            if enough or slowest_s > LONGEST_ITERATION_S:
                return _read(base, candidate)
        with self._both(names, MORE_THAN_TENFOLD * slowest_s) as (base, candidate):
            return _read(base, candidate)

    def _profile_of_command(self, side: Side, target: CommandTarget) -> Profile:
        try:
            return whole_process(target, self._callgrind.valgrind)
        except LaunchError as error:
            raise StageError(error.message, side) from None

    @contextmanager
    def _both(
        self, names: tuple[str, str], min_time_s: float
    ) -> Iterator[tuple[LoopRuns, LoopRuns]]:
        (base, theirs), (candidate, ours) = self._sides.both()
        with (
            self._runs(base, theirs, names[0], min_time_s) as before,
            self._runs(candidate, ours, names[1], min_time_s) as after,
        ):
            yield before, after

    @contextmanager
    def _runs(
        self, side: Side, target: Explainable, name: str, min_time_s: float
    ) -> Iterator[LoopRuns]:
        if not isinstance(target, GBenchTarget):
            raise StageError("a command has no loop whose instructions could be counted")
        try:
            with self._callgrind.runs(target, name, min_time_s) as runs:
                yield runs
        except LaunchError as error:
            raise StageError(error.message, side) from None


def _largest_common_loop(base: LoopRuns, candidate: LoopRuns) -> int:
    """The most iterations of a loop that both sides ran, where all loops before it were equal too:
    earlier loops affect memory and caches.
    """
    pairs = zip(base.counts, candidate.counts, strict=False)
    same = takewhile(lambda pair: pair[0] == pair[1], pairs)
    return max((count for count, _ in same), default=0)


def _fixes_iterations(base: LoopRuns, candidate: LoopRuns) -> bool:
    """Whether the benchmark itself fixes how many iterations it runs."""
    return base.counts == candidate.counts and base.counts[0] > 1


def _read(base: LoopRuns, candidate: LoopRuns) -> tuple[Profile, Profile]:
    iterations = _largest_common_loop(base, candidate)
    if not iterations:
        raise StageError(
            f"it does {_counts_text(candidate)} iterations and the base {_counts_text(base)}: "
            "work can only be compared for the same number",
            Side.CANDIDATE,
        )
    return base.profile(iterations), candidate.profile(iterations)


def _counts_text(runs: LoopRuns) -> str:
    return ", ".join(map(str, runs.counts))


def exact_work_of(
    both: tuple[Profile, Profile], known: Collection[str], *, has_loop: bool = True
) -> ExactWork:
    """What to report of the instructions counted on both sides.

    `known` are the functions that both executables have, even if they did not run.
    """
    base, candidate = both
    loop = attribute(base.loop, candidate.loop, known)
    setup = attribute(base.setup, candidate.setup, known)
    notes = _notes(base, candidate, loop.iterations if has_loop else 0)
    told = changes_to_name(loop), setup_changes_to_name(setup)
    of_caches = simulated_changes(base, candidate, known)
    renamed = {one.into: one.function for one in loop.moved if one.how == "renamed"}
    stacks = call_stacks(base.loop, candidate.loop, renamed)
    return ExactWork(loop, setup, *told, notes, of_caches, both, stacks)


def _notes(base: Profile, candidate: Profile, iterations: int) -> tuple[str, ...]:
    """Notes on what was not or hardly counted. `iterations` is 0 for a command."""
    found = []
    if not iterations:
        found.append("a command: an iteration is one run of its process, start and end included")
    if iterations == 1:
        found.append("one iteration, the first, was counted: it is too long for more")
    sides = [("base", base), ("candidate", candidate)]
    found += [note for side, profile in sides for note in _notes_on_missing(side, profile)]
    return tuple(found)


def _notes_on_missing(side: str, profile: Profile) -> Iterator[str]:
    own = [key for key in profile.loop.costs if key[0].own]
    if own and all(node.function.startswith("0x") for node, _ in own):
        yield lacking(side, Lack.NAMES, "its functions have no names, link it without -s")
    elif own and not any(place.line for _, place in own):
        yield lacking(side, Lack.LINES, "build it with -g for lines and inlined code")
