"""The pages *Benchmarks* (all histories in short) and *Compare* (all runs, to choose two)."""

from collections.abc import Mapping, Sequence

from assay.history import RunRow
from assay.show.page.store.frame import PageFrame, store_page
from assay.show.page.store.grid import Facet, Grid, GridColumn
from assay.show.words import format
from assay.show.words import history as words_of_history
from assay.show.words import survey as words
from assay.survey import SeriesOnHost, Survey

_OFFERED = 200  # a field for a run suggests at most so many names


def benchmarks_page(survey: Survey, *, served: bool) -> bytes:
    """The HTML of the page *Benchmarks*."""
    grid = _benchmarks(survey.watched)
    count = format.count(len({one.key.benchmark for one in survey.watched}), "benchmark")
    runs = format.count(sum(not one.problem for one in survey.runs), "run")
    return store_page(
        PageFrame("benchmarks.html", "Benchmarks", f"{count} in {runs}.", served),
        "pages/list.html",
        {"grid": grid.data()},
        plain=grid.plain(),
        section="Histories",
        chooser=False,
    )


def _benchmarks(watched: Sequence[SeriesOnHost]) -> Grid:
    keys = [one.key for one in watched]
    histories = [one.kept.history for one in watched]
    levels = [one.now.level for one in histories]
    latest = [one.kept.latest_s for one in watched]
    columns = [
        GridColumn("name", "benchmark", [format.name(one.benchmark) for one in keys], "name"),
        GridColumn("trend", "trend", [one.kept.line for one in watched], "line"),
        GridColumn("now", "now", [words.level(one) for one in watched], "number", levels),
        GridColumn(
            "interval",
            "interval",
            [words.level_interval(one) for one in watched],
            "number",
            None,
            True,
        ),
        GridColumn(
            "changes",
            "changes",
            [words_of_history.changes(one) for one in histories],
            "number",
            [len(one.changes) for one in histories],
        ),
        GridColumn(
            "runs",
            "runs",
            [f"{one.runs:,}" for one in histories],
            "number",
            [one.runs for one in histories],
            True,
        ),
        GridColumn("latest", "latest", [words.date(one) for one in latest], "date", latest, True),
        GridColumn("metric", "metric", [format.name(one.metric) for one in keys], is_less=True),
        GridColumn("host", "host", [format.name(one.host) for one in keys], is_less=True),
    ]
    facets = [
        Facet("changed", "Changed", ["yes" if one.changes else "no" for one in histories]),
        Facet("metric", "Metric", [format.name(one.metric) for one in keys]),
        Facet("host", "Host", [format.name(one.host) for one in keys]),
    ]
    return Grid(columns, "histories", facets, [f"benchmark/{one.page}.html" for one in watched])


def runs_page(
    survey: Survey, *, served: bool, chosen: tuple[str, str] = ("", ""), problem: str = ""
) -> bytes:
    """The page *Compare*. `chosen`: the base and candidate that were entered.

    `problem`: why these two cannot be compared.
    """
    rows = [one for one in reversed(survey.runs) if not one.problem]
    alone = [one.run for one in rows if one.kind != "compare"]
    if not any(chosen) and len(alone) > 1:
        chosen = alone[1], alone[0]
    grid = _runs(rows, survey.labels, served)
    return store_page(
        PageFrame(
            "runs.html", "Compare", "Compare any two runs." if served else "Comparisons.", served
        ),
        "pages/list.html",
        {"grid": grid.data()},
        plain=grid.plain(),
        section="Runs",
        chooser=served,
        base=format.visible(chosen[0]),
        candidate=format.visible(chosen[1]),
        problem=problem,
        names=[*sorted(survey.labels), *(one.run for one in rows[:_OFFERED])],
    )


def _runs(rows: Sequence[RunRow], labels: Mapping[str, str], served: bool) -> Grid:
    named: dict[str, list[str]] = {}
    for label, run in labels.items():
        named.setdefault(run, []).append(label)
    columns = [
        GridColumn("run", "run", [one.run for one in rows], "name"),
        GridColumn("label", "label", [", ".join(named.get(one.run, ())) for one in rows]),
        GridColumn("measured", "measured", [words.date(one.time_s) for one in rows], "date"),
        GridColumn("kind", "kind", [format.name(one.kind) for one in rows], is_less=True),
        GridColumn("revision", "revision", [_revision(one.revision) for one in rows], "commits"),
        GridColumn(
            "benchmarks",
            "benchmarks",
            [f"{one.benchmarks:,}" for one in rows],
            "number",
            [one.benchmarks for one in rows],
            True,
        ),
        GridColumn("what", "what", [format.name(one.target, 60) for one in rows], is_less=True),
        GridColumn("host", "host", [format.name(one.host) for one in rows], is_less=True),
    ]
    facets = [
        Facet("kind", "Kind", [format.name(one.kind) for one in rows]),
        Facet("host", "Host", [format.name(one.host) for one in rows]),
    ]
    return Grid(columns, "runs", facets, _links(rows, served))


def _links(rows: Sequence[RunRow], served: bool) -> list[str]:
    """For each run the link to a page: of a comparison to its own page, of another run to a
    comparison with the run before it. Empty if there is no such page.
    """
    links, newer = [], dict[tuple[str, str], int]()
    for place, one in enumerate(rows):  # the newest comes first
        links.append(f"compare/{one.run}.html" if one.kind == "compare" else "")
        if one.kind == "compare" or not served:
            continue
        series = (one.host, one.suite)
        if series in newer:
            after = newer[series]
            links[after] = f"compare.html?base={one.run}&candidate={rows[after].run}"
        newer[series] = place
    return links


def _revision(text: str) -> str:
    return format.visible(text) if ".." in text else words.revision(text)
