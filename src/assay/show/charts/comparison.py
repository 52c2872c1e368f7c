"""Charts of a comparison or a run: effects, distributions, rounds, host, percentiles.

    picture.svg(fill(forest(LIGHT), rows, params))

Each function returns a specification without data (see `parts`). The charts of sweeps and suites
are in `labs`.
"""

from assay.defaults import MARGIN
from assay.show.charts.parts import (
    Spec,
    chart,
    constant_channel,
    expr,
    field,
    percentile_channel,
    side_colour,
    side_scale,
    span,
    value_axis,
)
from assay.show.words.palette import Colours, verdict_scale

BINS = 72
ROW_HEIGHT = 21
# One row of data, for a mark that a chart has only once, such as the band of the margin.
_ONCE: Spec = {"data": {"values": [{}]}}
_WHOLE = "datum.value % 1 == 0 ? datum.value : ''"
_CHANGE = "datum.value == 0 ? '0' : format(datum.value, '+~%')"


def forest(colours: Colours) -> Spec:
    """Effects with their intervals, against the band of the margin; one row for each benchmark.

    rows: i, name, text, change, low, high, verdict. The axis is linear up to about `linear_to`
    and logarithmic beyond, so that 2 % and 300 % can both be read.
    """
    params = {"lo": -0.1, "hi": 0.1, "linear_to": 1.0, "ticks": [], "margin": MARGIN, "names": 200}
    axis = {"title": None, "labelExpr": _CHANGE, "values": expr("ticks"), "orient": "top"}
    scale = {"type": "symlog", "constant": expr("linear_to"), **span()}
    x: Spec = {"scale": scale, "axis": {**axis, "domain": False, "labelOverlap": "greedy"}}
    row = field("i", "ordinal", axis=None, scale={"paddingInner": 0.2, "paddingOuter": 0.2})
    verdict = field("verdict", "nominal", legend=None, scale=verdict_scale(colours))
    ends = {"x": field("low", **x), "x2": {"field": "high"}, "y": row, "color": verdict}
    name = {"type": "text", "align": "right", "x": -8, "limit": expr("names"), "baseline": "middle"}
    text = {"type": "text", "align": "left", "x": expr("width + 8"), "baseline": "middle"}
    return chart(
        colours,
        params,
        height={"step": ROW_HEIGHT},
        layer=[
            _band(colours, "x"),
            {
                **_ONCE,
                "mark": {"type": "rule", "color": colours.muted},
                "encoding": {"x": constant_channel("0")},
            },
            {"mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.45}, "encoding": ends},
            {
                "mark": {"type": "point", "filled": True, "size": 56, "opacity": 1},
                "encoding": {"x": field("change", **x), "y": row, "color": verdict},
            },
            {"mark": name, "encoding": {"y": row, "text": field("name", "nominal")}},
            {
                "mark": text,
                "encoding": {"y": row, "text": field("text", "nominal"), "color": verdict},
            },
        ],
    )


def distribution(colours: Colours) -> Spec:
    """How often each value was measured: bars upwards for the base, downwards for the candidate.

    rows: v, side. Values are counted for each pixel column. Those beyond `hi` are not drawn; the
    caption mentions them.
    """
    params = {"lo": 0.0, "hi": 1.0, "columns": BINS, "bottom": -1.0}
    step = "((hi - lo) / columns)"
    x = field("from", axis={"title": None, "grid": False, "tickCount": 6}, scale=span())
    share = field("up", axis=None, scale={"domain": [expr("bottom"), 1], "nice": False})
    return chart(
        colours,
        params,
        height=110,
        layer=[
            {
                "transform": [
                    {"filter": "datum.v >= lo && datum.v <= hi"},
                    {"calculate": f"lo + min(columns - 1, floor((datum.v - lo) / {step})) * {step}"}
                    | {"as": "from"},
                    {"aggregate": [{"op": "count", "as": "n"}], "groupby": ["from", "side"]},
                    {"joinaggregate": [{"op": "max", "field": "n", "as": "most"}]}
                    | {"groupby": ["side"]},
                    {"calculate": f"datum.from + {step}", "as": "to"},
                    {"calculate": "(datum.side == 'candidate' ? -1 : 1) * datum.n / datum.most"}
                    | {"as": "up"},
                ],
                "mark": {"type": "rect", "opacity": 0.85},
                "encoding": {
                    "x": x,
                    "x2": {"field": "to"},
                    "y": share,
                    "y2": {"datum": 0},
                    "color": side_colour(colours),
                },
            },
            {
                **_ONCE,
                "mark": {"type": "rule", "color": colours.line},
                "encoding": {"y": constant_channel("0")},
            },
        ],
    )


def launches(colours: Colours) -> Spec:
    """The time of each launch, in the order of launches. rows: n, v, side."""
    x = field("n", axis=_order_axis(), scale=_order_scale())
    y = field("v", axis=value_axis(), scale=span())
    shape = {
        "condition": {"test": "datum.side == 'base'", "value": "transparent"},
        **side_colour(colours),
    }
    return chart(
        colours,
        {"lo": 0.0, "hi": 1.0, "last": 1},
        height=120,
        layer=[
            {
                "mark": {"type": "line", "strokeWidth": 1, "opacity": 0.35, "clip": True},
                "encoding": {"x": x, "y": y, "color": side_colour(colours)},
            },
            {
                "mark": {"type": "point", "size": 26, "opacity": 1, "strokeWidth": 1.2}
                | {"clip": True},
                "encoding": {"x": x, "y": y, "color": side_colour(colours), "fill": shape},
            },
        ],
    )


def changes(colours: Colours) -> Spec:
    """The candidate against the base in each round, with the interval of the whole comparison.

    rows: n, change. Parameters: margin, low, high, change.
    """
    params = {"lo": -0.1, "hi": 0.1, "last": 1, "margin": MARGIN, "verdict": colours.same}
    params |= {"low": None, "high": None, "change": 0.0}
    axis = value_axis(labelExpr=_CHANGE)
    whole = {
        **_ONCE,
        "mark": {"type": "rect", "opacity": 0.25, "color": expr("verdict"), "clip": True},
    }
    return chart(
        colours,
        params,
        height=110,
        layer=[
            _band(colours, "y"),
            {**whole, "encoding": {"y": constant_channel("low"), "y2": constant_channel("high")}},
            {
                **_ONCE,
                "mark": {"type": "rule", "color": expr("verdict"), "clip": True},
                "encoding": {"y": constant_channel("change")},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 22, "opacity": 0.9}
                | {"clip": True, "color": colours.candidate},
                "encoding": {
                    "x": field("n", axis=_order_axis(), scale=_order_scale()),
                    "y": field("change", axis=axis, scale=span()),
                },
            },
        ],
    )


def host(colours: Colours) -> Spec:
    """CPU time stolen by the hypervisor (bars) and load of the host (line) at each launch. rows: n
    (number of the launch), steal, load.
    """
    x = field("n", axis=_order_axis(), scale=_order_scale())
    steal = {"domain": [0, expr("most_steal")], "nice": False}
    load = {"domain": [0, expr("most_load")], "nice": False}
    percent = value_axis(format="~%", tickCount=2)
    bars = {"type": "bar", "width": 3, "color": colours.undecided, "clip": True}
    line = {"type": "line", "strokeWidth": 1, "color": colours.muted}
    taken = field("steal", axis=percent, scale=steal, stack=None)
    return chart(
        colours,
        {"last": 1, "most_steal": 0.01, "most_load": 1.0},
        height=56,
        resolve={"scale": {"y": "independent"}},
        layer=[
            {"mark": bars, "encoding": {"x": x, "y": taken}},
            {"mark": line, "encoding": {"x": x, "y": field("load", axis=None, scale=load)}},
        ],
    )


def percentiles(colours: Colours) -> Spec:
    """The value below which a share p of all values lies, for each p; the axis is logarithmic in
    1-p, so that the slowest values are seen. rows: q (1-p), v, side.
    """
    x = percentile_channel(domain=[expr("least"), 1])
    y = field("v", axis=value_axis(), scale={"zero": True, "nice": True})
    mark = {"type": "line", "interpolate": "step-before", "strokeWidth": 1.6}
    dash = {"scale": {**side_scale(colours), "range": [[4, 3], [1, 0], [1, 0]]}, "legend": None}
    return chart(
        colours,
        {"least": 1e-4},
        height=150,
        mark=mark,
        encoding={
            "x": x,
            "y": y,
            "color": side_colour(colours),
            "strokeDash": field("side", "nominal", **dash),
        },
    )


def _band(colours: Colours, across: str) -> Spec:
    """A layer of a chart: the band between -margin and +margin, in which
    a change counts as none.
    """
    edges = {across: constant_channel("-margin"), f"{across}2": constant_channel("margin")}
    mark = {"type": "rect", "color": colours.faint, "clip": True}
    return {**_ONCE, "mark": mark, "encoding": edges}


def _order_axis() -> Spec:
    return {"title": None, "grid": False, "tickCount": 8, "labelExpr": _WHOLE}


def _order_scale() -> Spec:
    return {"domain": [0, expr("last + 1")], "nice": False, "padding": 0}
