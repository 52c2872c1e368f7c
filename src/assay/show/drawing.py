"""Makes a report in the format that a file's suffix asks for: page, picture, Markdown, JUnit."""

from typing import Any

import msgspec

from assay.encoding import utf8
from assay.errors import UsageError
from assay.model import Comparison, Level
from assay.show.charts import axes, comparison, labs
from assay.show.charts.parts import Spec, fill
from assay.show.charts.picture import titled
from assay.show.content import Content, Curve
from assay.show.rows import sweep
from assay.show.rows.columns import order_of_headline_rows
from assay.show.rows.suite import chart_rows
from assay.show.words import format, overhead, summary
from assay.show.words.palette import DARK, LIGHT, Colours

_THEMES = {"light": LIGHT, "dark": DARK}
_KINDS = ("forest", "distribution", "launches", "changes", "host", "percentiles", "decision")
_SWEEP = ("threads", "latencies", "over_time")
_SWEPT = {
    "threads": "operations a second against threads; median of launches, least to most",
    "latencies": "percentiles of all operations of the mix, all launches together",
    "over_time": "operations a second, in the first launch",
}
_TAKE = "the fastest; a lead below 5 % changes nothing"
_Row = tuple[int, Comparison | Level]


class Picture(msgspec.Struct, frozen=True):
    """Which chart of a report to draw as a picture, for which benchmark, in which colours."""

    chart: str = "forest"
    benchmark: str = ""
    theme: str = "light"


def draw(content: Content, suffix: str, picture: Picture) -> bytes:
    """A report as the bytes of a file; the file's suffix names the format."""
    if suffix == ".html":
        from assay.show.page.report import page

        return page(content)
    if suffix in (".svg", ".png"):
        from assay.show.charts import picture as pictures

        spec = specification(content, picture)
        return pictures.svg(spec) if suffix == ".svg" else pictures.png(spec)
    return _text(content, suffix)


def specification(content: Content, picture: Picture) -> Spec:
    """The chart asked for, with its data. Raises `UsageError` if it cannot be drawn."""
    if picture.chart not in (*_KINDS, *_SWEEP) or picture.theme not in _THEMES:
        raise UsageError(
            "not a chart or theme",
            where=f"--chart {picture.chart} --theme {picture.theme}",
            hint=f"charts are {', '.join((*_KINDS, *_SWEEP))}; themes light and dark",
        )
    colours = _THEMES[picture.theme]
    if picture.chart == "forest":
        return titled(_forest(content, colours), *_heading(content), colours.paper)
    if picture.chart == "decision":
        return titled(_decision(content, colours), "Which to take", _TAKE, colours.paper)
    if picture.chart in _SWEEP:
        return _chart_of_sweep(content, picture.chart, colours)
    row = _row(content, picture.benchmark)
    spec = _chart_of_row(content, picture.chart, row, colours)
    if not spec["datasets"]["rows"]:
        raise UsageError("there is nothing to draw", where=f"--chart {picture.chart}")
    name = format.name(row[1].benchmark, 90)
    return titled(spec, name, _caption(content, picture.chart, row), colours.paper)


def _text(content: Content, suffix: str) -> bytes:
    if content.judgement is None:
        raise UsageError("a run by itself is drawn as .html, .svg or .png only", where=suffix)
    if suffix == ".xml":
        from assay.show.export.junit import junit

        return utf8(junit(content.judgement, failures=content.failures))
    from assay.show.export.markdown import markdown

    only = (content.only_base, content.only_candidate)
    return utf8(markdown(content.judgement, only=only, failures=content.failures))


def _heading(content: Content) -> tuple[str, str]:
    assert content.judgement is not None
    comparisons = content.judgement.comparisons
    margin = format.percent(content.judgement.settings.margin)
    metric = format.name(summary.primary_metric(comparisons), 40)
    told = overhead.headline(content.overheads) if content.overheads else ""
    caption = f"change of {metric}, with interval; band: margin {margin}"
    return told or summary.headline(comparisons), caption


def _forest(content: Content, colours: Colours) -> Spec:
    if content.judgement is None:
        raise UsageError("a run by itself has no effects", hint="--chart distribution")
    comparisons = content.judgement.comparisons
    margin = content.judgement.settings.margin
    data = axes.forest_rows(comparisons, order_of_headline_rows(comparisons), margin)
    params = {**data["params"], "names": 300}
    return fill(comparison.forest(colours), data["rows"], params, width=520)


def _decision(content: Content, colours: Colours) -> Spec:
    rows = chart_rows(content.choices)
    if not rows:
        raise UsageError(
            "no two members of a group to choose among",
            where="--chart decision",
            hint="draw a record of `assay suite`",
        )
    columns = len({row["where"] for row in rows})
    return fill(labs.decision(colours), rows, width=130 * columns)


def _chart_of_sweep(content: Content, kind: str, colours: Colours) -> Spec:
    """A chart of the sweep's first setting; --filter can choose another one."""
    for figure in sweep.figures(content):
        if figure.chart == kind:
            spec = fill(getattr(labs, kind)(colours), figure.rows, width=560)
            return titled(spec, figure.title, _SWEPT[kind], colours.paper)
    raise UsageError(
        "nothing of a sweep to draw",
        where=f"--chart {kind}",
        hint="draw a record of `assay index --sweep`",
    )


def _row(content: Content, benchmark: str) -> _Row:
    """The index and the comparison (or level) of the benchmark asked for; without a name, of the
    most important one. Raises `UsageError`.
    """
    if content.judgement is None:
        found: list[_Row] = list(enumerate(content.levels))
    else:
        comparisons = content.judgement.comparisons
        found = [(i, comparisons[i]) for i in order_of_headline_rows(comparisons)]
    for place, one in found:
        if not benchmark or one.benchmark == benchmark:
            return place, one
    raise UsageError("no such benchmark", where=f"--benchmark {benchmark}")


def _chart_of_row(content: Content, kind: str, row: _Row, colours: Colours) -> Spec:
    axis = _axis(content, row[0])
    metric = getattr(row[1], "metric", "real_time")
    rows, params = _ROWS[kind](content, row[1], metric, axis)
    return fill(getattr(comparison, kind)(colours), rows, {**axis, **params}, width=620)


def _axis(content: Content, place: int) -> dict[str, Any]:
    if content.judgement is None:
        columns = axes.level_axes(content, content.levels)
    else:
        columns = axes.comparison_axes(content, content.judgement.comparisons)
    return {key: column[place] for key, column in columns.items()}


def _caption(content: Content, kind: str, row: _Row) -> str:
    unit = _axis(content, row[0])["unit"]
    called = overhead.CALLED if content.overheads else {}
    base, candidate = called.get("base", "base"), called.get("candidate", "candidate")
    sides = f"grey {base}, dark {candidate}" if content.two_sided else ""
    words = {
        "distribution": f"how often each value was measured, {unit}; {sides}",
        "launches": f"each launch in time order, {unit}; {sides}",
        "changes": f"{candidate} against {base}, round by round; band: interval",
        "host": "CPU taken by the hypervisor (bars) and load (line), round by round",
        "percentiles": f"percentiles; dashed {base}; {sides}",
    }
    return words[kind].rstrip("; ")


_Drawn = tuple[list[dict[str, Any]], dict[str, Any]]
_Measured = Comparison | Level


def _distribution(content: Content, one: _Measured, metric: str, axis: dict[str, Any]) -> _Drawn:
    rows = [
        {"v": value / axis["divisor"], "side": str(sample.side or "measured")}
        for sample in content.samples
        if sample.benchmark == one.benchmark
        for value in sample.values.get(metric, ())
    ]
    return rows, {"bottom": -1 if content.two_sided else 0}


def _launches(content: Content, one: _Measured, metric: str, axis: dict[str, Any]) -> _Drawn:
    rows = [
        {
            "n": _round_number(sample),
            "v": estimate / axis["divisor"],
            "side": str(sample.side or "measured"),
        }
        for sample, estimate in zip(content.samples, content.estimates[metric], strict=True)
        if sample.benchmark == one.benchmark and estimate == estimate
    ]
    return rows, {"lo": axis["launch_lo"], "hi": axis["launch_hi"], "last": _last_round(rows)}


def _changes(content: Content, one: _Measured, metric: str, axis: dict[str, Any]) -> _Drawn:
    assert isinstance(one, Comparison)
    assert content.judgement is not None
    rows = [
        {"n": _round_number(sample), "change": change}
        for sample, change in zip(content.samples, content.changes[metric], strict=True)
        if sample.benchmark == one.benchmark and change == change
    ]
    params = {"low": one.low or one.change, "high": one.high or one.change, "change": one.change}
    axis_here = {"lo": axis["change_lo"], "hi": axis["change_hi"], "last": _last_round(rows)}
    margin = content.judgement.settings.margin
    return rows, {**params, **axis_here, "margin": margin}


def _host(content: Content, one: _Measured, metric: str, axis: dict[str, Any]) -> _Drawn:
    rows = [
        {"n": _round_number(sample), "steal": sample.steal, "load": sample.load}
        for sample in content.samples
        if sample.benchmark == one.benchmark and sample.load is not None
    ]
    most_steal = max([0.01, *(float(row["steal"] or 0.0) for row in rows)])
    most_load = max([1.0, *(float(row["load"] or 0.0) for row in rows)])
    return rows, {"last": _last_round(rows), "most_steal": most_steal, "most_load": most_load}


def _percentiles(content: Content, one: _Measured, metric: str, axis: dict[str, Any]) -> _Drawn:
    curves = [curve for curve in content.curves if curve.benchmark == one.benchmark]
    rows = [row for curve in curves[:2] for row in _points(curve)]
    return rows, {"least": max(1e-6, min((row["q"] for row in rows), default=1e-4))}


def _points(curve: Curve) -> list[dict[str, Any]]:
    points = zip(curve.above, curve.values, strict=True)
    return [{"q": above, "v": value, "side": curve.side} for above, value in points]


def _round_number(sample: Any) -> int:
    return int(sample.launch if sample.round is None else sample.round) + 1


def _last_round(rows: list[dict[str, Any]]) -> int:
    return max((row["n"] for row in rows), default=1)


_ROWS = {
    "distribution": _distribution,
    "launches": _launches,
    "changes": _changes,
    "host": _host,
    "percentiles": _percentiles,
}
