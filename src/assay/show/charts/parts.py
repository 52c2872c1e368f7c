"""What all charts share: their look, and how data is put into them.

A chart is a Vega-Lite specification without data, as a plain dictionary. It has a data set called
`rows`, parameters with example values, and no size. `fill` adds data, values and size; in a page
templates/js/charts.js does the same. Dictionaries are used because importing Altair costs more than
drawing a page; tests check each one against Altair's schema (docs/decisions/0010).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.show.words.palette import Colours

Spec = dict[str, Any]
Row = Mapping[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def chart(colours: Colours, params: Mapping[str, Any], **body: Any) -> Spec:
    """A specification with this `body`; `params` are example values of parameters."""
    return {
        "$schema": SCHEMA,
        "config": config(colours),
        "data": {"name": "rows"},
        "params": [{"name": name, "value": value} for name, value in params.items()],
        "width": 640,
        **body,
    }


def fill(
    spec: Spec,
    rows: Sequence[Row],
    params: Mapping[str, Any] | None = None,
    **body: Any,
) -> Spec:
    """A copy of `spec` with data and parameter values; `body` can set its size."""
    given = params or {}
    return {
        **spec,
        **body,
        "datasets": {"rows": [dict(row) for row in rows]},
        "params": [
            {**one, "value": given.get(one["name"], one.get("value"))} for one in spec["params"]
        ],
    }


def config(colours: Colours) -> Spec:
    """The look of all charts: thin lines, small grey labels, no frame."""
    words = {"labelColor": colours.muted, "titleColor": colours.muted}
    sizes = {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal"}
    lines = {"gridColor": colours.line, "domainColor": colours.line, "tickColor": colours.line}
    return {
        "font": FONT,
        "background": "transparent",
        "padding": 2,
        "view": {"stroke": None},
        "axis": {**words, **sizes, **lines, "gridWidth": 0.5, "labelPadding": 4, "tickSize": 3},
        "header": {**words, "labelFontSize": 11},
        "legend": {**words, **sizes, "symbolSize": 60},
        "title": {
            "color": colours.ink,
            "subtitleColor": colours.muted,
            "fontSize": 14,
            "subtitleFontSize": 11,
            "anchor": "start",
            "frame": "bounds",
            "limit": 900,
            "offset": 10,
        },
        "text": {"color": colours.ink, "fontSize": 11},
    }


def expr(text: str) -> dict[str, str]:
    """A value that Vega computes from parameters."""
    return {"expr": text}


def constant_channel(text: str) -> Spec:
    """Encodes the same value for every row: `text` is a formula over the chart's parameters."""
    return {"datum": expr(text), "type": "quantitative"}


def field(name: str, kind: str = "quantitative", **more: Any) -> Spec:
    """An encoding channel that shows a field of the rows."""
    return {"field": name, "type": kind, **more}


def side_scale(colours: Colours) -> dict[str, list[str]]:
    """The colour scale of the sides; a one-sided run ("measured") has the candidate's colour."""
    return {
        "domain": ["base", "candidate", "measured"],
        "range": [colours.base, colours.candidate, colours.candidate],
    }


def side_colour(colours: Colours) -> Spec:
    """Colour by side, without a legend, because captions name the sides."""
    return field("side", "nominal", scale=side_scale(colours), legend=None)


def value_axis(**more: Any) -> Spec:
    """An axis of measured values.

    Its labels take equal room in all charts, so that charts below each other line up.
    """
    return {
        "title": None,
        "grid": True,
        "tickCount": 4,
        "minExtent": 46,
        "maxExtent": 46,
        "domain": False,
        "ticks": False,
        **more,
    }


def percentile_channel(**domain: Any) -> Spec:
    """The axis of percentiles p: the field `q` is 1-p, and its log scale stretches the tail."""
    label = "datum.value >= 1 ? '0 %' : format(100 * (1 - datum.value), '.7~g') + ' %'"
    return field(
        "q",
        scale={"type": "log", "reverse": True, **domain},
        axis={"title": None, "labelExpr": label, "grid": True, "labelOverlap": "greedy"}
        | {"values": [1, 0.5, 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6]},
    )


def span() -> Spec:
    """A scale from the parameter `lo` to the parameter `hi`, neither
    rounded nor starting at zero.
    """
    return {"domain": [expr("lo"), expr("hi")], "zero": False, "nice": False}
