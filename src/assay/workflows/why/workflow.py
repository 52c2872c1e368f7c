"""`assay why`: asks each stage for each benchmark which function explains its change.

result = why(WhyPlan("old/bench", "new/bench"), runtime)
result.explained[0].work.told[0].function
"""

from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from assay.errors import MeasurementError
from assay.explained import Explained, Unanswered
from assay.interrupts import Interrupted, stoppable_measuring
from assay.model import Failure
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.matching import Filters, Match, match
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.targets import TargetContext
from assay.workflows.why.caveats import caveats
from assay.workflows.why.code import CodeStage
from assay.workflows.why.exact_work import ExactWorkStage
from assay.workflows.why.memory import MemoryStage
from assay.workflows.why.plan import WhyPlan, WhyResult
from assay.workflows.why.stage import CutShort, Stage, StageError, WhySides
from assay.workflows.why.syscalls import SyscallStage
from assay.workflows.why.targets import explainable_both
from assay.workflows.why.time import TimeStage

# The stages of `assay why` in the order in which they run and are printed, the cheapest and most
# certain first.
_MADE: dict[str, Callable[[WhySides], Stage]] = {
    "work": ExactWorkStage,
    "time": TimeStage,
    "memory": MemoryStage,
    "syscalls": SyscallStage,
    "code": CodeStage,
}
_DOES = {  # What progress shows while a stage runs.
    "work": "counting instructions",
    "time": "sampling time",
    "memory": "counting allocations",
    "syscalls": "tracing system calls",
    "code": "comparing code",
}
_FOLLOWS = ("code",)  # stages that cannot run alone, because they explain what another stage found


def why(plan: WhyPlan, runtime: Runtime) -> WhyResult:
    """Explain the changes between two targets. `AssayError`; an interrupt ends the measuring."""
    revisions = Revisions(plan.revisions, runtime.watcher.announce)
    context = TargetContext(runtime.executor, plan.timeout_s, revisions, plan.store)
    sides = WhySides(*explainable_both(plan.base, plan.candidate, context), runtime)
    found = match(sides.base.benchmarks(""), sides.candidate.benchmarks(""), Filters(plan.filter))
    session = _Session(plan, sides)
    with stoppable_measuring() as stop, suppress(Interrupted), runtime.measuring():
        session.explain_all(found)
    return WhyResult(
        tuple(session.explained),
        tuple(session.failures),
        found.only_base,
        found.only_candidate,
        tuple(session.unavailable),
        stop.interrupted_by,
        session.cut_short,
    )


class _Session:
    """Asks every stage about one benchmark after another, and collects answers and failures."""

    def __init__(self, plan: WhyPlan, sides: WhySides) -> None:
        self._runtime = sides.runtime
        self.explained: list[Explained] = []
        self.failures: list[Failure] = []
        self.unavailable: list[Unanswered] = []
        self.cut_short: str | None = None
        self._stages = self._stages_that_can_run(plan, sides)
        self._caveats = caveats(sides)

    def _stages_that_can_run(self, plan: WhyPlan, sides: WhySides) -> list[Stage]:
        """The stages that can run here. Raises `MeasurementError` if none can."""
        made = []
        for name, make in _MADE.items():
            if name in plan.stages:
                try:
                    made.append(make(sides))
                except MeasurementError as error:
                    self.unavailable.append(Unanswered(name, error.message))
        if all(one.name in _FOLLOWS for one in made):
            said = "; ".join(one.why for one in self.unavailable)
            raise MeasurementError(said or "code looks at what another stage found to run")
        return made

    def explain_all(self, found: Match) -> None:
        for done, name in enumerate(found.names):
            names = found.base[name], found.candidate[name]
            try:
                self._explain(name, names, (done, len(found.names)))
            except Interrupted:
                self.cut_short = name
                raise

    def _explain(self, name: str, names: tuple[str, str], place: tuple[int, int]) -> None:
        found = Explained(name, caveats=self._caveats.told)
        try:
            for stage in self._stages:
                self._runtime.watcher.asking(name, _DOES[stage.name], *place)
                found = _ask_stage(stage, found, names)
        except CutShort as short:
            found = short.found
            raise
        finally:  # also after an interrupt: what earlier stages found is kept
            self._keep(found)

    def _keep(self, found: Explained) -> None:
        if found.is_answered:
            has_names = self._caveats.has_names
            self.explained.append(found if has_names else found.without_names())
            return
        reasons = dict.fromkeys((one.why, one.side) for one in found.unanswered)
        for why, side in reasons:  # stages with the same reason are told once
            failure = Failure(benchmark=found.benchmark, what=why, side=side)
            self.failures.append(failure)
            self._runtime.watcher.failed(failure)


def _ask_stage(stage: Stage, found: Explained, names: tuple[str, str]) -> Explained:
    try:
        return stage.explain(found, names)
    except StageError as error:
        missing = Unanswered(stage.name, error.what, error.side)
        return replace(found, unanswered=(*found.unanswered, missing))
