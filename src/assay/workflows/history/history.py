"""What a store says about benchmarks over time: their trends, and alerts about changes.

told = history(Path(".assay"), TrendQuery("^BM_copy"))
told = with_confirmations(told, Path(".assay"))     # after alerts were measured again
"""

from pathlib import Path

import msgspec
from msgspec.structs import asdict, replace

from assay.encoding import json_bytes
from assay.history import Alert, HistoryReport, Trend
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import Folder
from assay.units import TIME_UNITS_NS
from assay.workflows.history.alerting import alerts_of_trends
from assay.workflows.history.trends import TrendQuery, trends
from assay.workflows.store import Tell, catalogue_of, no_progress


def history(root: Path, asked: TrendQuery, tell: Tell = no_progress) -> HistoryReport:
    """Trends and alerts of a store. `InputError` without a store, `NoBenchmarksError` for none."""
    folder = Folder.opened(root)
    with catalogue_of(folder, tell) as catalogue:
        found = tuple(trends(catalogue, asked))
        unreadable = tuple(row for row in catalogue.runs() if row.problem)
    return with_confirmations(HistoryReport(found, (), unreadable), root)


def with_confirmations(told: HistoryReport, root: Path) -> HistoryReport:
    """The report with its alerts made anew, from the confirmations that the store has by now."""
    known = Confirmations(Folder.opened(root)).all()
    return replace(told, alerts=alerts_of_trends(told.trends, known))


def document(told: HistoryReport) -> bytes:
    """The whole report as JSON, for programs."""
    content = {
        "series": [_series(trend) for trend in told.trends],
        "alerts": [_alert(alert) for alert in told.alerts],
        "unreadable": [row.run for row in told.unreadable],
    }
    return msgspec.json.format(json_bytes(content), indent=2) + b"\n"


def _series(trend: Trend) -> dict[str, object]:
    unit = "ns" if trend.series.unit in TIME_UNITS_NS else trend.series.unit
    return {
        "benchmark": trend.series.benchmark,
        "metric": trend.series.metric,
        "unit": unit,
        "host": trend.host,
        "points": [asdict(point) for point in trend.points],
        "now": msgspec.to_builtins(trend.history.now),
        "lacking": trend.history.lacking,
        "segments": msgspec.to_builtins(trend.history.segments),
        "changes": msgspec.to_builtins(trend.history.changes),
        "drifts": trend.history.drifts,
        "false_candidates_a_year": trend.history.false_candidates_a_year,
    }


def _alert(alert: Alert) -> dict[str, object]:
    return {
        "state": str(alert.state),
        "certainty": alert.certainty,
        "before": alert.between.before,
        "after": alert.between.after,
        "changes": [
            {
                "benchmark": one.trend.series.benchmark,
                "metric": one.trend.series.metric,
                "host": one.trend.host,
                "change": one.change.ratio - 1,
                "low": one.change.low - 1,
                "high": one.change.high - 1,
                "confirmation": msgspec.to_builtins(one.confirmation),
            }
            for one in alert.changed
        ],
    }
