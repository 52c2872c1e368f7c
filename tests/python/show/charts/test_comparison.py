"""Every chart is valid Vega-Lite, becomes SVG and PNG offline, and treats names as text."""

import json
from collections.abc import Callable

import altair
import pytest
from experiments import shown as experiment_content
from records import HOSTILE, content, two_sided, with_latencies

from assay.errors import UsageError
from assay.show.charts import comparison, history, labs, picture
from assay.show.charts.parts import Spec, fill
from assay.show.drawing import Picture, draw, specification
from assay.show.words.palette import DARK, LIGHT, PAGE, Colours

Maker = Callable[[Colours], Spec]
_SIDES = [
    {"side": side, "n": n, "v": 1.0 + n, "t": n} for side in ("base", "candidate") for n in (1, 2)
]
ROWS: dict[Maker, list[dict[str, object]]] = {
    comparison.forest: [
        {"i": 0, "name": "a", "text": "+5 %", "change": 0.05, "low": 0.04, "high": 0.06}
        | {"verdict": "slower"}
    ],
    comparison.distribution: _SIDES,
    comparison.launches: _SIDES,
    comparison.changes: [{"n": 1, "change": 0.05}, {"n": 2, "change": 0.06}],
    comparison.host: [{"n": 1, "steal": 0.01, "load": 1.0}],
    comparison.percentiles: [{"q": q, "v": 1 / q, "side": "base"} for q in (1.0, 0.1, 0.01)],
    history.history: [
        *(
            {"kind": "run", "series": "a", "n": n, "v": 9.0 + n, "low": 9.0, "high": 12.0}
            for n in (1, 2)
        ),
        {"kind": "level", "series": "a", "n": 0.5, "end": 2.5, "v": 10.0, "low": 9.5, "high": 10.5},
        {"kind": "change", "series": "a", "n": 1.5, "text": "+5 %"},
    ],
    labs.throughput: _SIDES,
    labs.threads: [
        {"threads": n, "v": 10.0 * n, "low": 9.0 * n, "high": 11.0 * n, "series": s}
        for n in (1, 2, 4)
        for s in ("map", "btree")
    ],
    labs.latencies: [{"q": q, "v": 1 / q, "series": s} for q in (1.0, 0.1) for s in ("a", "b")],
    labs.over_time: [{"t": t, "v": 5.0 + t, "series": s} for t in (1, 2) for s in ("a", "b")],
    labs.decision: [
        {"where": w, "place": int(w), "case": c, "winner": "map", "text": "map"}
        for w in "12"
        for c in "xy"
    ],
}
EVERY = pytest.mark.parametrize("make", ROWS, ids=lambda make: make.__name__)


@EVERY
@pytest.mark.parametrize("colours", [LIGHT, DARK, PAGE], ids=["light", "dark", "page"])
def test_specifications_keep_to_altairs_schema(make: Maker, colours: Colours) -> None:
    altair.Chart.from_dict(fill(make(colours), ROWS[make]))


@EVERY
def test_charts_become_svg_and_png(make: Maker) -> None:
    spec = fill(make(LIGHT), ROWS[make])
    assert picture.svg(spec).startswith(b"<svg")
    assert picture.png(spec).startswith(b"\x89PNG")


@EVERY
def test_the_same_chart_twice_is_the_same_bytes(make: Maker) -> None:
    spec = fill(make(LIGHT), ROWS[make])
    assert picture.svg(spec) == picture.svg(spec)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_a_verdict_has_its_colour(colours: Colours) -> None:
    drawn = json.dumps(comparison.forest(colours))
    assert all(one in drawn for one in (colours.slower, colours.faster, colours.same))


@pytest.mark.parametrize("kind", ["forest", "distribution", "launches", "changes", "host"])
def test_a_picture_of_each_kind_can_be_drawn_of_a_comparison(kind: str) -> None:
    assert draw(content(), ".svg", Picture(kind)).startswith(b"<svg")


def test_percentiles_can_be_drawn_where_they_were_recorded() -> None:
    shown = content(with_latencies(two_sided({"A": 1.1}, rounds=4)))
    assert b"99.9 %" in draw(shown, ".svg", Picture("percentiles"))


def test_hostile_names_are_text_in_svg() -> None:
    shown = content(two_sided(dict.fromkeys(HOSTILE, 1.1), 12))
    for name in HOSTILE:
        made = draw(shown, ".svg", Picture("distribution", benchmark=name)).decode()
        assert "<script" not in made
        assert "<img" not in made
        assert "\u202e" not in made


def test_what_cannot_be_drawn_is_refused_by_name() -> None:
    for asked in (Picture("pie"), Picture("launches", "Nobody"), Picture("percentiles")):
        with pytest.raises(UsageError):
            specification(content(), asked)


@pytest.mark.parametrize("chart", ["forest", "distribution", "changes"])
def test_pictures_of_an_experiment_speak_of_reference_and_condition(chart: str) -> None:
    told = json.dumps(specification(experiment_content(), Picture(chart))["title"])
    assert "base" not in told
    assert "candidate" not in told
    assert ("exec under bpftrace" if chart == "forest" else "condition") in told
