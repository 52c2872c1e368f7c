"""The page *What changed*: every change, the most certain first, and what was said about it."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from assay.defaults import MARGIN
from assay.show.charts.spans import effect_axis
from assay.show.page.store.frame import PageFrame, store_page
from assay.show.page.store.grid import Facet, Grid, GridColumn
from assay.show.page.store.why import href
from assay.show.words import format
from assay.show.words import survey as words
from assay.survey import FoundChange, Survey, TriageState

_ALERTS = 8  # at most so many alerts are listed above the table of changes


def changed_page(survey: Survey, *, served: bool) -> bytes:
    """The HTML of the page *What changed*."""
    grid = _grid(survey.found, served)
    groups = _groups(survey.found)
    headline, lines = words.headline(survey), words.lines(survey)
    return store_page(
        PageFrame("index.html", "What changed", headline, served, lines),
        "pages/changed.html",
        {"grid": grid.data()},
        plain=grid.plain(),
        alerts=[_alert(number, groups[number]) for number in islice(groups, _ALERTS)],
        more_alerts=max(0, len(groups) - _ALERTS),
        states=[str(state) for state in TriageState],
    )


def _groups(found: Sequence[FoundChange]) -> dict[int, list[FoundChange]]:
    """Number of an alert -> the changes in it, which one commit can explain.

    Large alerts come first.
    """
    groups: dict[int, list[FoundChange]] = {}
    for one in found:
        groups.setdefault(one.alert, []).append(one)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def _alert(number: int, members: Sequence[FoundChange]) -> dict[str, Any]:
    return {
        "number": f"place {number}",
        "text": words.alert(members),
        "bisect": words.bisect(members[0]),
    }


def _grid(found: Sequence[FoundChange], served: bool) -> Grid:
    changes = [one.change for one in found]
    ends = [end - 1 for one in changes for end in (one.low, one.high)]
    bars = {
        "axis": {**effect_axis([min(end, 9.0) for end in ends], MARGIN), "margin": 0.0},
        "low": [one.low - 1 for one in changes],
        "high": [one.high - 1 for one in changes],
        "change": [one.ratio - 1 for one in changes],
    }
    why = [href(one.why_question) if one.is_worse else "" for one in found]
    more: dict[str, Any] = {
        "tone": [words.direction(one) for one in found],
        "bars": bars,
        "why": why,
    }
    return Grid(
        columns=_columns(found),
        noun="changes",
        facets=_facets(found),
        href=[f"benchmark/{one.watched.page}.html" for one in found],
        more={**more, "keys": [one.key for one in found]} if served else more,
    )


def _columns(found: Sequence[FoundChange]) -> list[GridColumn]:
    keys = [one.watched.key for one in found]
    sizes = [one.change.ratio - 1 for one in found]
    sure = [one.change.certainty for one in found]
    levels = [one.watched.kept.history.now.level for one in found]
    rows = {
        "place": [f"place {one.alert}" for one in found],
        "between": [words.revisions_between(one) for one in found],
        "interval": [words.interval(one.change.low, one.change.high) for one in found],
    }
    after = [one.after.time_s for one in found]
    return [
        GridColumn("name", "benchmark", [format.name(one.benchmark) for one in keys], "name"),
        GridColumn("change", "change", [words.size(one) for one in found], "change", sizes),
        GridColumn("interval", "interval", rows["interval"], "number", is_less=True),
        GridColumn("sure", "sure to", [words.certainty(one) for one in sure], "number", sure, True),
        GridColumn(
            "now", "now", [words.level(one.watched) for one in found], "number", levels, True
        ),
        GridColumn("between", "between", rows["between"], "commits", is_less=True),
        GridColumn("when", "when", [words.date(one) for one in after], "date", after, True),
        GridColumn("place", "place", rows["place"], sort=[one.alert for one in found], is_off=True),
        GridColumn("metric", "metric", [format.name(one.metric) for one in keys], is_less=True),
        GridColumn("host", "host", [format.name(one.host) for one in keys], is_off=True),
        GridColumn("state", "state", [words.state(one) for one in found], is_less=True),
        GridColumn("triage", "triage", [words.triage(one.triage) for one in found]),
    ]


def _facets(found: Sequence[FoundChange]) -> list[Facet]:
    said = [str(one.triage.state) if one.triage else "not looked at" for one in found]
    return [
        Facet("way", "Way", [words.direction(one) for one in found]),
        Facet("state", "State", [words.state(one) for one in found]),
        Facet("triage", "Triage", said),
        Facet("metric", "Metric", [format.name(one.watched.key.metric) for one in found]),
        Facet("host", "Host", [format.name(one.watched.key.host) for one in found]),
        Facet("alert", "Place", [f"place {one.alert}" for one in found]),
    ]
