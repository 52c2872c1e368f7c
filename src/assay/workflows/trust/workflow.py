"""`assay trust`: how far verdicts can be believed here, tried with copies and known slowdowns.

result = trust(TrustPlan("build/bench", budget_s=300), runtime)
result.trust.tries[0].wrong
"""

from pathlib import Path

import msgspec

from assay.interrupts import stoppable_measuring
from assay.scratch import scratch_folder
from assay.trust import Placement, Trust
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.matching import Filters, match
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.targets import TargetContext, resolve
from assay.workflows.trust.plan import TrustPlan
from assay.workflows.trust.session import TrustSession
from assay.workflows.trust.sides import ProgramAndCopy

_NOT_RELINKED = (
    "only what Assay builds itself can be linked anew (`assay trust .`, where an assay.toml is)"
)


class TrustResult(msgspec.Struct, frozen=True):
    """The result of `assay trust`, and the signal that cut it short, if one did."""

    trust: Trust
    interrupted_by: int | None


def trust(plan: TrustPlan, runtime: Runtime) -> TrustResult:
    """Do what `plan` says. Raises `AssayError`; an interrupt ends measuring only."""
    revisions = Revisions(plan.revisions, runtime.watcher.announce)
    context = TargetContext(runtime.executor, plan.measuring.timeout_s, revisions)
    target = resolve(plan.target, context)
    with scratch_folder() as folder:
        links, placement = _links(plan, revisions)
        sides = ProgramAndCopy.of(target, runtime.executor, folder, links)
        every = sides.program.benchmarks("")
        names = match(every, every, _filters(plan, revisions)).names
        # One lock of the machine for all comparisons, so that no budget is spent on waiting for
        # other measurements in between.
        with stoppable_measuring() as stop, runtime.measuring():
            session = TrustSession(plan, sides, names, runtime, folder)
            session.run()
    return TrustResult(
        session.answer(placement, interrupted=stop.interrupted_by is not None), stop.interrupted_by
    )


def _links(plan: TrustPlan, revisions: Revisions) -> tuple[tuple[Path, ...], Placement]:
    """The program linked several times in random orders, and how many
    links there are or why none.
    """
    program = revisions.programs.get(plan.target)
    if program is None:
        return (), Placement(why_not=_NOT_RELINKED)
    links = program.placements
    if len(links) > 1:
        return links, Placement(links=len(links))
    return (), Placement(why_not=str(program.placement().get("not_linked", "nobody asked for it")))


def _filters(plan: TrustPlan, revisions: Revisions) -> Filters:
    """The filter asked for, else the suite's."""
    suites = [one.suite.filter for one in revisions.programs.values()]
    return Filters(plan.filter or next(iter(suites), ""))
