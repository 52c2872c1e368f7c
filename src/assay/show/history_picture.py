"""Draws a history as a picture: picture(trends, ".svg")."""

from collections.abc import Iterator, Sequence
from typing import Any

from assay.errors import UsageError
from assay.history import Trend
from assay.show.charts import picture as pictures
from assay.show.charts.history import history
from assay.show.charts.parts import fill
from assay.show.words import format
from assay.show.words.palette import LIGHT

MOST = 12  # at most so many series in one picture, as more could not be read
_SUBTITLE = "points: runs, with the quartiles of their launches; lines: levels, with intervals"


def picture(trends: Sequence[Trend], suffix: str) -> bytes:
    """The content of an SVG or PNG file. Raises `UsageError`."""
    if suffix not in (".svg", ".png"):
        raise UsageError(
            "is no picture", where=f"-o {suffix}", hint="end it in .html, .svg or .png"
        )
    if len(trends) > MOST:
        what = f"{len(trends)} series do not fit into one picture"
        raise UsageError(what, where="history", hint=f"choose at most {MOST}: assay history RE")
    rows = [row for trend in trends for row in _rows(trend)]
    filled = pictures.titled(fill(history(LIGHT), rows), "History", _SUBTITLE, LIGHT.paper)
    return pictures.svg(filled) if suffix == ".svg" else pictures.png(filled)


def _rows(trend: Trend) -> Iterator[dict[str, Any]]:
    largest = max(point.value for point in trend.points)
    size, unit = format.shown_unit(largest, trend.series.unit)
    name = f"{format.name(trend.series.benchmark)} ({unit}), {format.name(trend.host)} "
    for n, point in enumerate(trend.points, 1):
        yield {"kind": "run", "series": name, "n": n, **_scaled(point, "value", size)}
    for segment in trend.history.segments:
        ends = {"n": segment.first + 0.5, "end": segment.last + 1.5}
        yield {"kind": "level", "series": name, **ends, **_scaled(segment, "level", size)}
    for change in trend.history.changes:
        text = f"{format.change(change.ratio - 1)} "
        yield {"kind": "change", "series": name, "n": change.split + 0.5, "text": text}


def _scaled(one: Any, value: str, size: float) -> dict[str, float]:
    return {
        "v": getattr(one, value) / size,
        "low": one.low / size,
        "high": one.high / size,
    }
