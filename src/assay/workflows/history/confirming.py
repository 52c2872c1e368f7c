"""Alerts measured again: paired rounds of the two revisions, before anybody is told.

    plan = ConfirmPlan(store, level_of(told))
    for alert in to_confirm(told): confirm(alert, plan, runtime)

The rounds are those of `assay compare git:BEFORE git:AFTER --margin 0`: is there a change at all?
They are kept in the store like it. The level is strict (`confirmation_level`), so that even of a
thousand series watched for a year hardly one false alert is told; 80 rounds are enough for
it (decision 33).
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.history import Alert, Changed, Confirmation, State, Told
from assay.judge.history.alerts import confirmation_level
from assay.model import Comparison, Settings, Verdict
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import Folder
from assay.workflows.common.matching import Filters
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare.workflow import compare

ROUNDS = 80  # of each benchmark, at most
_BUDGET_S = 30.0  # for each benchmark of an alert
_LEAST_OF_SIZE = 0.5  # a history shows what it finds somewhat larger than it is, not twice as large


@dataclass(frozen=True)
class ConfirmPlan:
    """How to measure, and how strictly to judge."""

    store: Path
    level: float  # chance that rounds without a change confirm one
    measuring: Measuring = field(default_factory=Measuring)


def level_of(told: Told) -> float:
    """The level at which a candidate is confirmed: the more series are watched, the stricter."""
    return confirmation_level(len(told.trends))


def to_confirm(told: Told) -> list[Alert]:
    """What is not known yet of revisions that can be built."""
    return [
        alert
        for alert in told.alerts
        if alert.state in (State.CANDIDATE, State.UNDECIDED) and alert.between.can_be_built
    ]


def confirm(alert: Alert, plan: ConfirmPlan, runtime: Runtime) -> int | None:
    """Measure and keep what came of it; returns the signal that ended it early: then nothing is.

    Raises `AssayError`.
    """
    measuring = replace(plan.measuring, rounds=plan.measuring.rounds or ROUNDS)
    if measuring.budget_s is None:
        measuring = replace(measuring, budget_s=_BUDGET_S * len(alert.changed))
    names = "|".join(sorted({re.escape(one.trend.series.benchmark) for one in alert.changed}))
    result = compare(
        ComparePlan(
            base=f"git:{alert.between.before}",
            candidate=f"git:{alert.between.after}",
            measuring=measuring,
            settings=Settings(margin=0.0, alpha=plan.level),
            filters=Filters(f"^({names})$"),
            metrics=tuple(sorted({one.trend.series.metric for one in alert.changed})),
            keep=Destination(store=plan.store, kind="compare"),
        ),
        runtime,
    )
    if result.interrupted_by is not None:
        return result.interrupted_by  # too few rounds would pass for "not reproduced"
    found = {(one.benchmark, one.metric): one for one in result.judgement.comparisons}
    kept = Confirmations(Folder.opened(plan.store))
    for one in alert.changed:
        comparison = found.get((one.trend.series.benchmark, one.trend.series.metric))
        if comparison:
            kept.keep(_confirmation(one, comparison, measuring.rounds or ROUNDS))
    return None


def _confirmation(one: Changed, found: Comparison, asked: int) -> Confirmation:
    benchmark, metric, host = one.trend.name
    return Confirmation(
        benchmark=benchmark,
        metric=metric,
        host=host,
        before=one.trend.before(one.change).revision,
        after=one.trend.after(one.change).revision,
        state=str(state_of(one.change.ratio, found, asked)),
        change=found.change,
        low=found.low,
        high=found.high,
        rounds=found.rounds,
    )


def state_of(ratio: float, found: Comparison, asked: int) -> State:
    """Confirmed: the rounds show a change of the candidate's direction, and it may be as large.

    A change of which the rounds rule out half is not the one that the history shows: any two
    builds differ a little by where their code lies, and an unchanged function beside a changed
    one passed for a confirmed slowdown by that. Undecided: there was no time for the rounds asked
    for, and what the history showed is still within their interval, or there is none. Placement:
    the times differ, and both revisions execute the same machine code.
    """
    if found.verdict is Verdict.PLACEMENT:
        return State.PLACEMENT
    if found.low is None or found.high is None:
        return State.UNDECIDED
    size = ratio - 1
    nearest, farthest = (found.low, found.high) if size > 0 else (-found.high, -found.low)
    if nearest > 0 and farthest >= _LEAST_OF_SIZE * abs(size):
        return State.CONFIRMED
    is_possible = found.low <= size <= found.high
    return State.UNDECIDED if found.rounds < asked and is_possible else State.NOT_REPRODUCED
