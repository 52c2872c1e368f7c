"""A report as one HTML file: no network, no scripts of others, equal bytes for equal content.

    page(content) -> bytes

The page holds its data packed (`embed`), draws its table and charts itself, and names in its
Content-Security-Policy, by hash, the scripts and styles that may run. The verdict, the table, the
method and the hosts are plain HTML, which can be read without scripts.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict

from assay.model import Verdict
from assay.show.charts import axes, comparison, labs
from assay.show.charts.parts import Spec
from assay.show.content import Content
from assay.show.page import overhead_parts
from assay.show.page.embed import packed_floats, packed_json, script_json
from assay.show.page.frame import PageNavigation, rendered
from assay.show.page.raw import Raw, raw_samples
from assay.show.page.vega import runtime
from assay.show.page.why_parts import parts, pictures
from assay.show.rows import suite, sweep
from assay.show.rows.columns import Table, comparison_table, level_table, order_of_headline_rows
from assay.show.words import explain, facts, format, overhead, strength, summary
from assay.show.words.palette import PAGE

_SCRIPTS = (
    *("unpack", "theme", "address", "model", "effect", "table", "tables", "figures"),
    *("charts", "detail", "export"),
)
# These scripts are in the page only if it has explanations by `assay why`.
_WHY_SCRIPTS = ("flame", "explained")
# Kept apart in the page, as it is only read when somebody opens a row of the table.
_DETAILS = ("launches", "axes", "curves", "series")
_PLAIN_ROWS = 500  # at most so many rows in the table for readers without scripts
_WIDEST_NAME = 2_000  # in plain HTML, longer names lose characters in the middle


def page(
    content: Content,
    around: PageNavigation | None = None,
    why: Callable[[str], str] | None = None,
) -> bytes:
    """The report on `content`; `around` is the navigation if it is one of many pages.

    `why` returns for a benchmark the address of the page that says why it is slower.
    """
    table = _table(content)
    names = _names(content)
    samples = raw_samples(content, names)
    index = {**_script_data(content, table, names, samples), "why": _why(content, why)}
    details = {key: index.pop(key) for key in _DETAILS}
    vega, is_elsewhere = runtime(), bool(around and around.runtime)
    return rendered(
        "report.html",
        _styles(content, is_one_of_many=around is not None),
        (*_SCRIPTS, *(_WHY_SCRIPTS if content.explained else ()), "main"),
        vega.hash,
        around=around,
        connect="'self'" if is_elsewhere else "",
        vega="" if is_elsewhere else vega.packed,
        vega_at=f"{around.root}{around.runtime}" if around and is_elsewhere else "",
        specs=script_json(specs()),
        index=packed_json(index),
        details=packed_json(details),
        floats=packed_floats(samples.floats),
        plain=_plain_table(table),
        explained=[parts(one, number) for number, one in enumerate(content.explained)],
        pictures=packed_json([pictures(one.evidence) for one in content.explained]),
        **_words(content, samples),
    )


def _styles(content: Content, *, is_one_of_many: bool) -> tuple[str, ...]:
    why = ("why.css",) if content.explained else ()
    pages = ("pages/pages.css",) if is_one_of_many else ()
    return "report.css", *why, *pages


def specs() -> dict[str, Spec]:
    """The specification of every chart of the page, in the page's colours."""
    page_charts = (
        comparison.forest,
        comparison.distribution,
        comparison.launches,
        comparison.changes,
    )
    more = (comparison.host, comparison.percentiles, labs.throughput, labs.decision)
    sweeps = (labs.threads, labs.latencies, labs.over_time)
    return {make.__name__: make(PAGE) for make in (*page_charts, *more, *sweeps)}


def _script_data(
    content: Content, table: Table, names: dict[str, int], samples: Raw
) -> dict[str, Any]:
    """The data that the page's scripts draw from, except for the arrays of floats."""
    index: dict[str, Any] = {
        "names": [format.visible(name) for name in names],
        "table": table,
        "results": content.document,
        "launches": samples.launches,
        "every": samples.every,
        "curves": [axes.shown_curve(curve) for curve in content.curves],
        "series": _series(content),
        "decisions": [one["rows"] for one in _decisions(content)],
        "sweep": [asdict(figure) for figure in sweep.figures(content)],
        **({"called": overhead.CALLED} if content.overheads else {}),
    }
    if content.judgement is None:
        levels = content.levels
        return {**index, "axes": axes.level_axes(content, levels), "metrics": ["real_time"]}
    comparisons = content.judgement.comparisons
    margin = content.judgement.settings.margin
    order, called = (
        order_of_headline_rows(comparisons),
        overhead_parts.forest_names(content.overheads),
    )
    return {
        **index,
        "axes": axes.comparison_axes(content, comparisons),
        "metrics": list(dict.fromkeys(one.metric for one in comparisons)),
        "main": summary.primary_metric(comparisons),
        "forest": axes.forest_rows(comparisons, order, margin, called),
    }


def _why(content: Content, why: Callable[[str], str] | None) -> list[str] | None:
    """For each row the address of the page that says why it is slower; "" if it is not slower."""
    if why is None or content.judgement is None:
        return None
    slower = Verdict.SLOWER, Verdict.SOMETIMES_SLOWER
    rows = content.judgement.comparisons
    return [why(one.benchmark) if one.verdict in slower else "" for one in rows]


def _decisions(content: Content) -> list[dict[str, Any]]:
    """For each group of a suite: the rows of the chart on which member
    to take, and of the table.
    """
    return [
        {
            "group": format.name(group),
            "rows": suite.chart_rows(made),
            "table": suite.table_rows(made),
        }
        for group, made in suite.groups_of(content.choices).items()
    ]


def _series(content: Content) -> list[dict[str, Any]]:
    return [
        {"launch": place, "name": format.name(name), **one, **_whole_windows(one)}
        for place, sample in enumerate(content.samples)
        for name, one in sample.series.items()
        # Instructions are counted by number of iterations, so that they are no values over time.
        if name != "instructions"
    ]


def _whole_windows(series: dict[str, Any]) -> dict[str, list[float]]:
    windows = sweep.whole_windows(series["t"], series["v"])
    return {"t": [end_s for end_s, _ in windows], "v": [rate for _, rate in windows]}


def _names(content: Content) -> dict[str, int]:
    rows = content.judgement.comparisons if content.judgement else content.levels
    every = [*(one.benchmark for one in rows), *(one.benchmark for one in content.samples)]
    return {name: place for place, name in enumerate(dict.fromkeys(every))}


def _table(content: Content) -> Table:
    if content.judgement is None:
        return level_table(content.levels)
    called = overhead.CALLED if content.overheads else {}
    return comparison_table(content.judgement.comparisons, called)


def _plain_table(table: Table) -> dict[str, Any]:
    """The most important rows as a table for readers without scripts."""
    order = table.order[:_PLAIN_ROWS]
    return {
        "titles": [column.title for column in table.columns],
        "rows": [[column.shown[i] for column in table.columns] for i in order],
        "left_out": len(table.order) - len(order),
    }


def _words(content: Content, samples: Raw) -> dict[str, Any]:
    """All text of the page. The keys are the names that the template uses."""
    return {
        "title": _title(content),
        "headline": _headline(content),
        "targets": _targets(content),
        "strength": _sentences_on_detectable_change(content),
        "tally": _tally(content),
        "overhead": overhead_parts.parts(content),
        **_how_judged(content),
        "facts": facts.rows(content.sides),
        "sweep": [figure.title for figure in sweep.figures(content)],
        "matrix": sweep.matrix(content.sweep),
        "decisions": _decisions(content),
        "decision_titles": suite.TITLES,
        "failures": [_failure(one) for one in content.failures],
        "only": {
            "base": [format.name(one) for one in content.only_base],
            "candidate": [format.name(one) for one in content.only_candidate],
        },
        "unavailable": [format.name(one, 400) for one in content.unavailable],
        "interrupted": content.interrupted,
        "every": samples.every,
        "total": samples.total,
        "left_out": [format.name(one) for one in samples.left_out],
        "two_sided": content.two_sided,
        "two_hosts": "candidate" in content.sides,
        "settings": _settings(content),
    }


def _targets(content: Content) -> dict[str, str]:
    """The targets that were measured; for an overhead experiment also its conditions."""
    targets = content.document.get("targets", {})
    shown = {side: format.visible(str(name)) for side, name in targets.items()}
    if content.overheads:
        names = map(overhead.condition, content.overheads.conditions)
        shown["conditions"] = ", ".join(names)
    return shown


def _title(content: Content) -> str:
    if content.overheads:
        return "Overhead"
    return "Comparison" if content.judgement else "Run"


def _how_judged(content: Content) -> dict[str, list[str]]:
    """How the comparison or overhead experiment was judged, and what its verdicts mean."""
    judgement = content.judgement
    if judgement is None:
        return {"how": [], "meanings": []}
    designs = overhead.DESIGNS if content.overheads else explain.DESIGNS
    told = overhead.MEANINGS if content.overheads else explain.MEANINGS
    return {
        "how": explain.paragraphs(judgement, designs),
        "meanings": explain.meanings(judgement, told),
    }


def _headline(content: Content) -> str:
    if content.overheads:
        return overhead.headline(content.overheads)
    if content.judgement is None:
        return f"{format.count(len(content.levels), 'benchmark')} measured."
    return summary.headline(content.judgement.comparisons)


def _sentences_on_detectable_change(content: Content) -> list[str]:
    if content.judgement is None:
        return []
    judgement, gated = content.judgement, content.gated
    if content.overheads:
        return strength.sentences(judgement, gated=gated, what="experiment", each="comparison")
    return strength.sentences(judgement, gated=gated)


def _settings(content: Content) -> list[str]:
    if content.judgement is None:
        return []
    settings = content.judgement.settings
    return [
        f"margin {format.percent(settings.margin)}",
        f"{format.percent(settings.alpha)} chance of any false verdict",
    ]


def _tally(content: Content) -> list[dict[str, Any]]:
    """How many benchmarks have each verdict, counted in one metric, usually real_time."""
    if content.judgement is None or content.overheads:
        return []  # the report of an experiment has a sentence for each condition instead
    comparisons = content.judgement.comparisons
    main = summary.primary_metric(comparisons)
    verdicts = [one.verdict for one in comparisons if one.metric == main]
    counted = [(verdict, verdicts.count(verdict)) for verdict in summary.ORDER]
    return [{"verdict": str(verdict), "count": count} for verdict, count in counted if count]


def _failure(failure: Any) -> dict[str, str]:
    return {
        "name": format.name(failure.benchmark or failure.target),
        "side": str(failure.side or ""),
        "what": format.name(failure.what, _WIDEST_NAME),
    }
