"""The page *Hosts*: what disturbs measuring on each class of host, and its floor over time."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from assay.history import Conditions
from assay.show.page.store.frame import PageFrame, store_page
from assay.show.page.store.grid import Facet, Grid, GridColumn
from assay.show.words import format
from assay.show.words import survey as words
from assay.survey import Survey

_NOTES = 12  # at most so many different notes are shown of a host, the most frequent first
_FEWEST = 2  # with fewer runs there is no picture over time
_DIGITS = 6
_WHAT = {
    "floor": "Floor: what A against A may differ by, after the rounds that the comparison had.",
    "spread": "How far launches of one run lie apart: half their quartile distance, of the median.",
}


def hosts_page(survey: Survey, *, served: bool) -> bytes:
    """The HTML of the page *Hosts*."""
    by_host: dict[str, list[Conditions]] = {}
    for one in survey.conditions:
        by_host.setdefault(one.host, []).append(one)
    notes: dict[str, list[str]] = {}
    for note in survey.notes:
        notes.setdefault(note.run, []).append(note.text)
    grid = _grid(survey.conditions[::-1], notes)
    hosts = [_host(name, runs, notes) for name, runs in by_host.items()]
    floors = [one for host in hosts for one in host["charts"]]
    for number, one in enumerate(floors):
        one["id"] = number
    headline = f"{format.count(len(hosts), 'class')} of host."
    return store_page(
        PageFrame("hosts.html", "Hosts", headline, served),
        "pages/hosts.html",
        {"grid": grid.data(), "floors": [one["data"] for one in floors]},
        scripts=("history",),
        plain=grid.plain(),
        hosts=hosts,
    )


def _host(name: str, runs: Sequence[Conditions], notes: dict[str, list[str]]) -> dict[str, Any]:
    said = Counter(text for one in runs for text in dict.fromkeys(notes.get(one.run, ())))
    return {
        "name": format.name(name),
        "runs": f"{format.count(len(runs), 'run')} since {words.date(runs[0].time_s)}.",
        "disturbs": "; ".join(line for line in _disturbances(runs) if line),
        "notes": [
            {"text": format.name(text, 300), "runs": format.count(count, "run")}
            for text, count in said.most_common(_NOTES)
        ],
        "more_notes": max(0, len(said) - _NOTES),
        "charts": [one for what in _WHAT if (one := _chart(name, runs, what))],
    }


def _disturbances(runs: Sequence[Conditions]) -> list[str]:
    """What is known to affect times on a class of host, such as its governor and steal."""
    steal = [one.most_steal for one in runs if one.most_steal is not None]
    load = [f"{x:.2g}" for x in sorted(one.load for one in runs if one.load is not None)]
    failed = sum(one.failures for one in runs)
    return [
        _latest_value("kernel", [one.kernel for one in runs]),
        _latest_value("governor", [one.governor for one in runs]),
        _latest_value("virtualisation", [one.virtualisation for one in runs]),
        f"the hypervisor took up to {format.percent(max(steal))} of CPU time" if steal else "",
        f"load {' to '.join(dict.fromkeys((load[0], load[-1])))}" if load else "",
        f"{format.count(failed, 'launch')} failed" if failed else "",
    ]


def _latest_value(what: str, texts: Sequence[str]) -> str:
    """The latest of `texts`, and, if they differ, how many different ones there are."""
    known = list(dict.fromkeys(text for text in texts if text))
    if not known:
        return ""
    now = format.name(known[-1], 60)
    return f"{what} {now}" if len(known) == 1 else f"{what} {now}, {len(known)} since the first run"


def _chart(host: str, runs: Sequence[Conditions], what: str) -> dict[str, Any] | None:
    """A chart of one quantity over the runs, in percent, in the form that `history.js` draws."""
    found = [(one, value) for one in runs if (value := getattr(one, what)) is not None]
    if len(found) < _FEWEST:
        return None
    values = [float(f"{100 * value:.{_DIGITS}g}") for _, value in found]
    data = {
        "host": format.name(host),
        "unit": "%",
        **dict.fromkeys(("value", "low", "high"), values),
        "time": [int(one.time_s) for one, _ in found],
        "launches": [0] * len(found),
        "run": [one.run for one, _ in found],
        "revision": [""] * len(found),
        "segments": [],
        "changes": [],
    }
    return {"what": what, "text": _WHAT[what], "data": data}


def _grid(rows: Sequence[Conditions], notes: dict[str, list[str]]) -> Grid:
    def percents(key: str, what: str, title: str, *, is_less: bool = False) -> GridColumn:
        some = [getattr(one, what) for one in rows]
        shown = ["" if one is None else format.percent(one) for one in some]
        return GridColumn(key, title, shown, "number", some, is_less)

    loads = [one.load for one in rows]
    counts = [len(notes.get(one.run, ())) for one in rows]
    columns = [
        GridColumn("run", "run", [one.run for one in rows], "name"),
        GridColumn("measured", "measured", [words.date(one.time_s) for one in rows], "date"),
        percents("floor", "floor", "floor"),
        percents("spread", "spread", "spread"),
        percents("steal", "most_steal", "most steal", is_less=True),
        GridColumn(
            "load", "load", ["" if x is None else f"{x:.2g}" for x in loads], "number", loads, True
        ),
        GridColumn("notes", "notes", [str(one) for one in counts], "number", counts, True),
        GridColumn("kernel", "kernel", [format.name(one.kernel, 60) for one in rows], is_less=True),
        GridColumn("host", "host", [format.name(one.host) for one in rows], is_less=True),
    ]
    facets = [
        Facet("host", "Host", [format.name(one.host) for one in rows]),
        Facet("kernel", "Kernel", [format.name(one.kernel, 60) for one in rows]),
    ]
    return Grid(columns, "runs", facets)
