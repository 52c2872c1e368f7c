"""Alerts measured again: paired rounds of the two revisions, before anybody is told.

    for alert in to_confirm(told): confirm(alert, ConfirmPlan(...), runtime)

The rounds are those of `assay compare git:BEFORE git:AFTER`, and are kept in the store like it.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from assay.model import Comparison, Verdict
from assay.record.store.confirmations import Confirmation, Confirmations
from assay.workflows.common.matching import Filters
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare.workflow import compare
from assay.workflows.history.alerting import Alert, Changed, State
from assay.workflows.history.history import Told


@dataclass(frozen=True)
class ConfirmPlan:
    """How to measure."""

    store: Path
    measuring: Measuring = field(default_factory=Measuring)


def to_confirm(told: Told) -> list[Alert]:
    """Candidates whose revisions can be built."""
    return [
        alert
        for alert in told.alerts
        if alert.state is State.CANDIDATE and alert.between.can_be_built
    ]


def confirm(alert: Alert, plan: ConfirmPlan, told: Told, runtime: Runtime) -> bool:
    """Measure and keep what came of it; False: interrupted. Raises `AssayError`."""
    names = "|".join(sorted({re.escape(one.trend.series.benchmark) for one in alert.changed}))
    result = compare(
        ComparePlan(
            base=f"git:{alert.between.before}",
            candidate=f"git:{alert.between.after}",
            measuring=plan.measuring,
            filters=Filters(f"^({names})$"),
            metrics=tuple(sorted({one.trend.series.metric for one in alert.changed})),
            keep=Destination(store=plan.store, kind="compare"),
        ),
        runtime,
    )
    found = {(one.benchmark, one.metric): one for one in result.judgement.comparisons}
    kept = Confirmations(told.folder)
    for one in alert.changed:
        comparison = found.get((one.trend.series.benchmark, one.trend.series.metric))
        if comparison:
            kept.keep(_confirmation(one, comparison))
    return result.interrupted_by is None


def _confirmation(one: Changed, found: Comparison) -> Confirmation:
    benchmark, metric, host = one.trend.name
    return Confirmation(
        benchmark=benchmark,
        metric=metric,
        host=host,
        before=one.trend.before(one.change).revision,
        after=one.trend.after(one.change).revision,
        state=str(_state(one, found)),
        change=found.change,
        low=found.low,
        high=found.high,
        rounds=found.rounds,
    )


def _state(one: Changed, found: Comparison) -> State:
    """Confirmed: the rounds show a change of the same direction."""
    if found.verdict is Verdict.UNDECIDED:
        return State.UNDECIDED
    is_same_way = (found.change > 0) == (one.change.ratio > 1)
    is_change = found.verdict not in (Verdict.SAME, Verdict.UNDECIDED)
    return State.CONFIRMED if is_change and is_same_way else State.NOT_REPRODUCED
