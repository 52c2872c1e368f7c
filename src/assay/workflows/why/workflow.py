"""assay why: run both sides under callgrind and say which function's own change explains it.

result = why(WhyPlan("old/bench", "new/bench"), runtime)
result.explained[0].told[0].function
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from assay.errors import LaunchError, UsageError
from assay.judge.attribution.attribution import attribute, worth_telling, worth_telling_setup
from assay.measure.profile.callgrind import Callgrind, Runs
from assay.measure.profile.own_code import written_in
from assay.measure.targets.gbench import GBenchTarget
from assay.model import Failure, Side
from assay.progress import State
from assay.work import Explained, Profile
from assay.workflows.common.interrupts import Interrupted, stopping
from assay.workflows.common.matching import Filters, Match, match
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.targets import RUN, TargetContext, is_recorded, resolve

_MIN_TIME_S = 0.05  # under callgrind: some million instructions, a tenth of a second
_LONGEST_ITERATION_S = 1.0  # for a longer one, its first has to do
_TEN_TIMES = 11.0  # the engine takes 10 times the iterations when less than a tenth has passed


@dataclass(frozen=True)
class WhyPlan:
    """What to explain."""

    base: str
    candidate: str
    filter: str = ""
    timeout_s: float = 600.0


@dataclass(frozen=True)
class WhyResult:
    """What was found, in the benchmarks' order."""

    explained: tuple[Explained, ...]
    failures: tuple[Failure, ...]
    only_base: tuple[str, ...]
    only_candidate: tuple[str, ...]
    interrupted_by: int | None = None


def why(plan: WhyPlan, runtime: Runtime) -> WhyResult:
    """Raises `AssayError`; an interrupt ends measuring only."""
    context = TargetContext(runtime.executor, plan.timeout_s)
    base, candidate = _executable(plan.base, context), _executable(plan.candidate, context)
    length = max(len(base.argv[0]), len(candidate.argv[0]))  # a longer name shifts the stack
    sides = base.named_as_long_as(length), candidate.named_as_long_as(length)
    found = match(sides[0].benchmarks(""), sides[1].benchmarks(""), Filters(plan.filter))
    session = _Session(Callgrind(runtime.executor), sides, runtime)
    with stopping() as stop, suppress(Interrupted):
        session.explain_all(found)
    return WhyResult(
        tuple(session.explained),
        tuple(session.failures),
        found.only_base,
        found.only_candidate,
        stop.interrupted_by,
    )


def _executable(written: str, context: TargetContext) -> GBenchTarget:
    """Raises `UsageError` for what cannot be run under callgrind."""
    if is_recorded(written) or written.startswith(RUN):
        raise UsageError(
            "holds results, and why they differ is not among them",
            where=written,
            hint="name the two executables",
        )
    if written.startswith("cmd:"):
        raise UsageError(
            "why reads the loop of a Google Benchmark executable, which a command has not",
            where=written,
            hint="name two such executables",
        )
    target = resolve(written, context)
    if not isinstance(target, GBenchTarget) or not _is_elf(target.argv[0]):
        raise UsageError(
            "is a script: callgrind counts the instructions of executables",
            where=written,
            hint="name the executable that it starts",
        )
    return target


def _is_elf(path: str) -> bool:
    with Path(path).open("rb") as file:
        return file.read(4) == b"\x7fELF"


class _SideError(Exception):
    """One side did not do what was asked."""

    def __init__(self, side: Side, what: str) -> None:
        self.side, self.what = side, what
        super().__init__(what)


class _Session:
    """Explains one benchmark after the other."""

    def __init__(
        self, callgrind: Callgrind, sides: tuple[GBenchTarget, GBenchTarget], runtime: Runtime
    ) -> None:
        self._callgrind = callgrind
        self._sides = sides
        self._runtime = runtime
        self._start_s = runtime.clock.now_s()
        self.explained: list[Explained] = []
        self.failures: list[Failure] = []

    def explain_all(self, found: Match) -> None:
        for done, name in enumerate(found.names):
            self._runtime.watcher.preparing(name, done, len(found.names))
            try:
                both = self._profiles((found.base[name], found.candidate[name]))
                self.explained.append(_explained(name, both, self._sides[0].argv[0]))
            except _SideError as error:
                failure = Failure(benchmark=name, what=error.what, side=error.side)
                self.failures.append(failure)
                self._runtime.watcher.failed(failure)
            self._runtime.watcher.round_done(self._state(len(found.names), done + 1), ())

    def _state(self, benchmarks: int, done: int) -> State:
        elapsed_s = self._runtime.clock.now_s() - self._start_s
        return State(benchmarks, done, len(self.failures), done, elapsed_s, float("inf"))

    def _profiles(self, names: tuple[str, str]) -> tuple[Profile, Profile]:
        """Of the largest number of iterations that both sides did."""
        with self._both(names, _MIN_TIME_S) as (base, candidate):
            slowest_s = max(base.slowest_s, candidate.slowest_s)
            enough = _common(base, candidate) > 1 or _fixed(base, candidate)
            if enough or slowest_s > _LONGEST_ITERATION_S:
                return _read(base, candidate)
        with self._both(names, _TEN_TIMES * slowest_s) as (base, candidate):
            return _read(base, candidate)

    @contextmanager
    def _both(self, names: tuple[str, str], min_time_s: float) -> Iterator[tuple[Runs, Runs]]:
        with (
            self._runs(Side.BASE, names[0], min_time_s) as base,
            self._runs(Side.CANDIDATE, names[1], min_time_s) as candidate,
        ):
            yield base, candidate

    @contextmanager
    def _runs(self, side: Side, name: str, min_time_s: float) -> Iterator[Runs]:
        target = self._sides[side is Side.CANDIDATE]
        try:
            with self._callgrind.runs(target, name, min_time_s) as runs:
                yield runs
        except LaunchError as error:
            raise _SideError(side, error.message) from None


def _common(base: Runs, candidate: Runs) -> int:
    return max(set(base.counts) & set(candidate.counts), default=0)


def _fixed(base: Runs, candidate: Runs) -> bool:
    """The benchmark itself says how many iterations it does."""
    return base.counts == candidate.counts and base.counts[0] > 1


def _read(base: Runs, candidate: Runs) -> tuple[Profile, Profile]:
    iterations = _common(base, candidate)
    if not iterations:
        raise _SideError(
            Side.CANDIDATE,
            f"it does {_listed(candidate)} iterations and the base {_listed(base)}: "
            "work can only be compared for the same number",
        )
    return base.profile(iterations), candidate.profile(iterations)


def _listed(runs: Runs) -> str:
    return ", ".join(map(str, runs.counts))


def _explained(name: str, both: tuple[Profile, Profile], binary: str) -> Explained:
    base, candidate = both
    known = written_in(binary, candidate.functions() - base.functions())
    loop = attribute(base.loop, candidate.loop, known)
    setup = attribute(base.setup, candidate.setup, known)
    notes = _notes(base, candidate, loop.iterations)
    return Explained(name, loop, setup, worth_telling(loop), worth_telling_setup(setup), notes)


def _notes(base: Profile, candidate: Profile, iterations: int) -> tuple[str, ...]:
    """What is missing, and why."""
    found = []
    if iterations == 1:
        found.append("one iteration, the first, was counted: it is too long for more")
    sides = [("base", base), ("candidate", candidate)]
    found += [note for side, profile in sides for note in _missing(side, profile)]
    return tuple(found)


def _missing(side: str, profile: Profile) -> Iterator[str]:
    own = [key for key in profile.loop.costs if key[0].own]
    if own and all(node.function.startswith("0x") for node, _ in own):
        yield f"the {side} is stripped: its functions have no names, link it without -s"
    elif own and not any(place.line for _, place in own):
        yield f"the {side} has no debug information: build it with -g for lines and inlined code"
