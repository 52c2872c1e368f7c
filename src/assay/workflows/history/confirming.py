"""Measures alerts again, in paired rounds of the two revisions, before anybody is told.

    plan = ConfirmPlan(store, level_of(told))
    for alert in to_confirm(told): confirm(alert, plan, runtime)

The rounds are those of `assay compare git:BEFORE git:AFTER --margin 0`, which asks whether there is
any change, and they are stored in the same way. The level is strict (`confirmation_level`): of a
thousand series watched for a year hardly one false alert is told. 80 rounds are enough for that
(decision 33).
"""

import re
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.history import Alert, AlertState, Confirmation, HistoryReport, SeriesChange
from assay.judge.history.alerts import confirmation_level
from assay.model import Comparison, Settings, Verdict
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import Folder
from assay.workflows.common.matching import Filters
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare.workflow import compare

ROUNDS = 80  # each benchmark of an alert gets at most so many rounds
_BUDGET_S = 30.0  # seconds of measuring for each benchmark of an alert
# A change is confirmed only if its rounds permit at least this share of its size in the history,
# where sizes tend to be somewhat too large.
_LEAST_OF_SIZE = 0.5


class ConfirmPlan(msgspec.Struct, frozen=True):
    """How to measure the alerts of a history again, and how strictly to judge them."""

    store: Path
    level: float  # probability of a false alarm: that a change which is none gets confirmed
    measuring: Measuring = msgspec.field(default_factory=Measuring)


def level_of(told: HistoryReport) -> float:
    """The permitted probability of confirming a change that is none; it is the smaller the
    more series are watched.
    """
    return confirmation_level(len(told.trends))


def to_confirm(told: HistoryReport) -> list[Alert]:
    """Alerts that are neither confirmed nor refuted yet, and whose two revisions can be built."""
    return [
        alert
        for alert in told.alerts
        if alert.state in (AlertState.CANDIDATE, AlertState.UNDECIDED)
        and alert.between.can_be_built
    ]


def confirm(alert: Alert, plan: ConfirmPlan, runtime: Runtime) -> int | None:
    """Measure the two revisions of an alert in rounds, and keep the result in the store.

    Returns the number of the signal that ended it early, if one did; then nothing is kept.
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
        # Judged by the few rounds made, a real change could count as not reproduced.
        return result.interrupted_by
    found = {(one.benchmark, one.metric): one for one in result.judgement.comparisons}
    kept = Confirmations(Folder.opened(plan.store))
    for one in alert.changed:
        comparison = found.get((one.trend.series.benchmark, one.trend.series.metric))
        if comparison:
            kept.keep(_confirmation(one, comparison, measuring.rounds or ROUNDS))
    return None


def _confirmation(one: SeriesChange, found: Comparison, asked: int) -> Confirmation:
    benchmark, metric, host = one.trend.name
    return Confirmation(
        benchmark=benchmark,
        metric=metric,
        host=host,
        before=one.trend.last_point_before(one.change).revision,
        after=one.trend.first_point_after(one.change).revision,
        state=str(state_of(one.change.ratio, found, asked)),
        change=found.change,
        low=found.low,
        high=found.high,
        rounds=found.rounds,
    )


def state_of(ratio: float, found: Comparison, asked: int) -> AlertState:
    """What rounds say of a change of level that, in the history, is by the factor `ratio`.

    Confirmed: their interval shows a change in the same direction, and permits one of at least half
    the size. The size matters because two builds always differ a little by where their code lies;
    an unchanged function beside a changed one once counted as a confirmed slowdown because of that.
    Undecided: there was not enough time for the rounds asked for, and the history's change is
    within their interval; or there is no interval. Placement: the times differ, but both revisions
    execute the same machine code.
    """
    if found.verdict is Verdict.PLACEMENT:
        return AlertState.PLACEMENT
    if found.low is None or found.high is None:
        return AlertState.UNDECIDED
    size = ratio - 1
    nearest, farthest = (found.low, found.high) if size > 0 else (-found.high, -found.low)
    if nearest > 0 and farthest >= _LEAST_OF_SIZE * abs(size):
        return AlertState.CONFIRMED
    is_possible = found.low <= size <= found.high
    return (
        AlertState.UNDECIDED if found.rounds < asked and is_possible else AlertState.NOT_REPRODUCED
    )
