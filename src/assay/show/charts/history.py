"""The chart of a history: runs as points, levels as lines, changes as vertical lines."""

from assay.show.charts.parts import Spec, chart, field, value_axis
from assay.show.words.palette import Colours


def history(colours: Colours) -> Spec:
    """The history of several series: one panel for each, with points, levels and changes.

    "run": n, v, low, high. "level": n, end, v, low, high. "change": n, text. `n` counts the
    runs of a series. All values of one series have the same unit.
    """
    x = field("n", axis={"title": "runs", "grid": False, "tickMinStep": 1}, scale={"nice": False})
    y = field("v", axis=value_axis(), scale={"zero": False})
    band = {"x": x, "x2": {"field": "end"}, "y": field("low"), "y2": {"field": "high"}}
    layers = [
        _layer_of_kind("level", {"type": "rect", "color": colours.line, "opacity": 0.6}, band),
        _layer_of_kind(
            "run",
            {"type": "rule", "color": colours.muted, "opacity": 0.35},
            {"x": x, "y": field("low"), "y2": {"field": "high"}},
        ),
        _layer_of_kind(
            "run",
            {"type": "point", "filled": True, "size": 14, "color": colours.muted},
            {"x": x, "y": y},
        ),
        _layer_of_kind(
            "level",
            {"type": "rule", "color": colours.ink, "strokeWidth": 1.6},
            {"x": x, "x2": {"field": "end"}, "y": y},
        ),
        _layer_of_kind("change", _dashed_rule(colours), {"x": x}),
        _layer_of_kind(
            "change",
            {"type": "text", "align": "left", "dx": 4, "baseline": "bottom", "color": colours.ink},
            {"x": x, "y": {"value": 0}, "text": {"field": "text"}},
        ),
    ]
    whole = chart(
        colours,
        {},
        facet={
            "row": field(
                "series",
                "nominal",
                header={
                    "title": None,
                    "labelOrient": "top",
                    "labelAnchor": "start",
                    "labelAngle": 0,
                },
                sort=None,
            )
        },
        spec={"width": 640, "height": 110, "layer": layers},
        resolve={"scale": {"y": "independent", "x": "shared"}},
    )
    del whole["width"]  # each panel has a width of its own
    return whole


def _layer_of_kind(kind: str, mark: Spec, encoding: Spec) -> Spec:
    return {
        "transform": [{"filter": f"datum.kind === '{kind}'"}],
        "mark": mark,
        "encoding": encoding,
    }


def _dashed_rule(colours: Colours) -> Spec:
    return {"type": "rule", "color": colours.ink, "strokeDash": [4, 3]}
