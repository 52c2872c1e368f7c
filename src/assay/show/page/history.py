"""A history as one HTML file; `frame` says what all pages have in common.

    history_page(told) -> bytes

It shows changes first, then the present level of each benchmark, then runs as pictures.
"""

import re
import time

from assay.history import HistoryReport, Trend
from assay.show.history_picture import MOST, picture
from assay.show.page.frame import rendered
from assay.show.words import format
from assay.show.words.history import alert_lines, changes, headline, meaning_of_columns

# At most so many pictures on the page, each with the histories of several benchmarks.
_MOST_PICTURES = 10
_TITLES = ("benchmark", "metric", "host", "runs", "now", "interval", "latest", "changes")
# Matches style attributes, which are removed from pictures: the page's Content-Security-Policy
# permits style elements of the page only.
_STYLE = re.compile(r' style="[^"]*"')


def history_page(told: HistoryReport) -> bytes:
    """The HTML page on these histories, with their alerts."""
    parts = [told.trends[start : start + MOST] for start in range(0, len(told.trends), MOST)]
    return rendered(
        "history.html",
        ("report.css",),
        (),
        headline=headline(told.alerts),
        alerts=[alert_lines(one) for one in told.alerts],
        titles=_TITLES,
        rows=[_row(one) for one in told.trends],
        pictures=[_svg_without_style_attributes(one) for one in parts[:_MOST_PICTURES]],
        left_out=sum(len(one) for one in parts[_MOST_PICTURES:]),
        unreadable=[format.visible(one.problem) for one in told.unreadable],
        how=meaning_of_columns(told.trends),
    )


def _row(trend: Trend) -> list[str]:
    series, now = trend.series, trend.history.now
    return [
        format.name(series.benchmark),
        format.name(series.metric),
        format.name(trend.host),
        str(len(trend.points)),
        format.quantity(now.level, series.unit),
        format.quantity_interval(now.low, now.high, series.unit),
        time.strftime("%Y-%m-%d", time.gmtime(trend.points[-1].time_s)),
        changes(trend.history),
    ]


def _svg_without_style_attributes(trends: tuple[Trend, ...]) -> str:
    return _STYLE.sub("", picture(trends, ".svg").decode())
