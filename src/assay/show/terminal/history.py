"""Prints trends as a table, and below it the changes, grouped by what one commit can explain."""

import time
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from assay.history import HistoryReport, Trend
from assay.show.terminal.console import output_console
from assay.show.terminal.text_table import TextCell, TextColumn, print_table
from assay.show.words import format
from assay.show.words.columns import TITLES, ColumnKey
from assay.show.words.history import alert_lines, changes, headline, meaning_of_columns
from assay.show.words.sparkline import sparkline

_STYLES = {True: "bold red", False: "bold blue", None: "bold"}


def print_history(told: HistoryReport) -> None:
    """Print trends, then alerts (changes that one commit can explain), then unreadable runs."""
    console = output_console()
    console.print(Text(headline(told.alerts), "bold"))
    _print_trends(console, told.trends)
    for number, alert in enumerate(told.alerts, 1):
        first, *more = alert_lines(alert)
        style = _STYLES[alert.changed[0].is_worse] if alert.state == "confirmed" else ""
        console.print(Text(f"{number}. {first}", style))
        for line in more:
            console.print(Text(f"   {line}"))
    for row in told.unreadable:
        console.print(Text(f"cannot be read: {format.visible(row.problem)}", "yellow"))
    console.print(Text(meaning_of_columns(told.trends), "dim"))


def _print_trends(console: Console, trends: Sequence[Trend]) -> None:
    hosts = {trend.host for trend in trends}
    metrics = {trend.series.metric for trend in trends}
    more = [ColumnKey.METRIC] * (len(metrics) > 1) + [ColumnKey.HOST] * (len(hosts) > 1)
    columns = [
        TextColumn("benchmark"),
        *(TextColumn(TITLES[key]) for key in more),
        TextColumn("runs", right=True),
        TextColumn("trend"),
        TextColumn("now", right=True),
        TextColumn("interval", right=True),
        TextColumn("latest"),
        TextColumn("changes", right=True),
    ]
    print_table(console, columns, [_cells(trend, more) for trend in trends])


def _cells(trend: Trend, more: Sequence[ColumnKey]) -> list[TextCell]:
    unit, now = trend.series.unit, trend.history.now
    extra = {ColumnKey.METRIC: trend.series.metric, ColumnKey.HOST: format.name(trend.host)}
    return [
        TextCell(format.name(trend.series.benchmark)),
        *(TextCell(extra[key]) for key in more),
        TextCell(str(len(trend.points))),
        TextCell(sparkline([point.value for point in trend.points])),
        TextCell(format.quantity(now.level, unit)),
        TextCell(format.quantity_interval(now.low, now.high, unit)),
        TextCell(time.strftime("%Y-%m-%d", time.gmtime(trend.points[-1].time_s))),
        TextCell(changes(trend.history)),
    ]
