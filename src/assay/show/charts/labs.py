"""Charts of sweeps and suites. The rows hold all values; nothing is computed here."""

from assay.show.charts.parts import Spec, chart, field, percentile_channel, side_colour, value_axis
from assay.show.words.palette import CATEGORIES, Colours

_LINE = {"type": "line", "strokeWidth": 1.6}
_POWERS = [2**power for power in range(11)]
_SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "stroke"]


def throughput(colours: Colours) -> Spec:
    """Throughput over time for each side. rows: t (seconds), v, side."""
    return _against_time(colours, side_colour(colours), "step-after", height=120)


def threads(colours: Colours) -> Spec:
    """Throughput by number of threads, with intervals. rows: threads, v, low, high, series."""
    x = field(
        "threads",
        scale={"type": "log", "base": 2, "nice": False},
        axis={"title": "threads", "grid": False, "format": "~d", "values": _POWERS},
    )
    y = field("v", axis=value_axis(format="~s"), scale={"zero": True})
    series = _series()
    shape = field("series", "nominal", scale={"range": _SHAPES}, legend=None)
    return chart(
        colours,
        {},
        height=240,
        layer=[
            {"mark": _LINE, "encoding": {"x": x, "y": y, "color": series}},
            {
                "mark": {"type": "rule", "opacity": 0.6},
                "encoding": {"x": x, "y": field("low"), "y2": {"field": "high"}, "color": series},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 44, "opacity": 1},
                "encoding": {"x": x, "y": y, "color": series, "shape": shape},
            },
        ],
    )


def latencies(colours: Colours) -> Spec:
    """Percentiles of several series, on a log axis of 1-p. rows: q (1-p), v, series."""
    x = percentile_channel(domainMax=1)
    y = field("v", axis=value_axis(format="~s"), scale={"type": "log", "nice": True})
    mark = {**_LINE, "interpolate": "step-before"}
    encoding = {"x": x, "y": y, "color": _series()}
    return chart(colours, {}, height=240, mark=mark, encoding=encoding)


def over_time(colours: Colours) -> Spec:
    """Throughput of several series over time. rows: t (end of a window, in seconds), v, series."""
    return _against_time(colours, _series(), "step-before", height=200)


def _against_time(colours: Colours, colour: Spec, interpolate: str, *, height: int) -> Spec:
    """Lines over time, one for each value of the field that is shown by colour."""
    x = field("t", axis={"title": "seconds", "grid": False})
    y = field("v", axis=value_axis(format="~s"), scale={"zero": True})
    mark = {**_LINE, "interpolate": interpolate}
    encoding = {"x": x, "y": y, "color": colour}
    return chart(colours, {}, height=height, mark=mark, encoding=encoding)


def _series() -> Spec:
    return field("series", "nominal", scale={"range": list(CATEGORIES)}, title=None)


def decision(colours: Colours) -> Spec:
    """Which member of a group to take at which size, or for which kind of thread safety.

    rows: where (the size or kind), place (the order of `where`), case, winner, text.
    """
    bare = {"title": None, "domain": False, "ticks": False}
    across = {**bare, "orient": "top", "labelAngle": 0, "labelLimit": 140}
    x = field("where", "ordinal", sort={"field": "place", "op": "min"}, axis=across)
    y = field("case", "nominal", sort=None, axis={**bare, "labelLimit": 300})
    winner = field("winner", "nominal", scale={"range": list(CATEGORIES)}, title="take")
    return chart(
        colours,
        {},
        height={"step": 24},
        layer=[
            {
                "mark": {"type": "rect", "opacity": 0.55, "stroke": colours.paper},
                "encoding": {"x": x, "y": y, "color": winner},
            },
            {"mark": "text", "encoding": {"x": x, "y": y, "text": field("text", "nominal")}},
        ],
    )
