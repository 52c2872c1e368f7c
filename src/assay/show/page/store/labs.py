"""The page *Labs*: what each lab has measured, with links to its runs."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from assay.history import Crashes, Lab, RunRow
from assay.show.page.store.frame import LABS, PageFrame, store_page
from assay.show.page.store.grid import Facet, Grid, GridColumn
from assay.show.words import format
from assay.show.words import survey as words
from assay.survey import Survey

OS_SHEET = "os.html"  # the page that shows runs of the OS lab (system calls) side by side
# At most so many crash checks (an index killed, then checked) are listed, the newest.
_MOST_CRASHES = 100
_TITLES = {
    Lab.OVERHEAD: ("Overhead", "What a tracer, or anything else around a program, costs it"),
    Lab.INDEX: ("Index", "Throughput over time, latencies, and who is fastest at which mix"),
    Lab.CRASH: ("Crash", "What an index has lost after it was killed"),
    Lab.OS: ("OS", "System calls and functions of the C library"),
    Lab.SUITE: ("Suites", "Which member of a group to take, and where"),
}
_COMMANDS = {
    Lab.OVERHEAD: "assay overhead PLAN.toml",
    Lab.INDEX: "assay index --sweep PLAN.toml",
    Lab.CRASH: "assay index --crash 100 PLUGIN --json crash.json; assay runs import crash.json",
    Lab.OS: "assay os all",
    Lab.SUITE: "assay suite primitives",
}
_COUNTED = {
    "kills": "kills",
    "acknowledged": "acknowledged",
    "in_flight": "in flight",
    "happened": "of them done",
    "lost": "lost",
    "torn": "torn",
    "not_verified": "not opened again",
}


def labs_page(survey: Survey, *, served: bool) -> bytes:
    """The HTML of the page *Labs*."""
    rows = [one for one in reversed(survey.runs) if one.lab and not one.problem]
    grid = _grid(rows)
    return store_page(
        PageFrame(LABS, "Labs", _headline(rows), served),
        "pages/labs.html",
        {"grid": grid.data()},
        plain=grid.plain(),
        labs=[_lab(lab, [one for one in rows if one.lab is lab]) for lab in Lab],
        crashes=[_crash(one) for one in survey.crashes[: -_MOST_CRASHES - 1 : -1]],
        counted=list(_COUNTED.values()),
    )


def href(row: RunRow) -> str:
    """The address of the page of one run that a lab measured."""
    return f"lab/{row.run}.html"


def _headline(rows: Sequence[RunRow]) -> str:
    if not rows:
        return "No lab has a run in this store yet."
    counts = Counter(one.lab for one in rows)
    told = [f"{_TITLES[lab][0]} {counts[lab]:,}" for lab in Lab if counts[lab]]
    return f"{format.count(len(rows), 'run')}: {', '.join(told)}."


def _lab(lab: Lab, rows: Sequence[RunRow]) -> dict[str, Any]:
    """What the page says of one lab: its newest run, or the command that makes the first run."""
    title, text = _TITLES[lab]
    newest = [
        {"href": href(one), "what": format.name(one.target, 60), "date": words.date(one.time_s)}
        for one in rows[:1]
    ]
    return {
        "title": title,
        "text": text,
        "newest": newest,
        "command": _COMMANDS[lab],
        "sheet": OS_SHEET if lab is Lab.OS and rows else "",
    }


def _crash(one: Crashes) -> dict[str, Any]:
    counts = [one.values.get(metric) for metric in _COUNTED]
    return {
        "href": f"lab/{one.run}.html",
        "plugin": format.name(one.plugin, 60),
        "date": words.date(one.time_s),
        "counts": ["-" if count is None else f"{count:,.0f}" for count in counts],
        "has_lost": bool(one.values.get("lost") or one.values.get("torn")),
        "reopen": format.quantity(one.values.get("real_time", 0.0), "ns"),
        "host": format.name(one.host),
    }


def _grid(rows: Sequence[RunRow]) -> Grid:
    labs = [_TITLES[one.lab][0] if one.lab else "" for one in rows]
    counts = [one.benchmarks for one in rows]
    columns = [
        GridColumn("run", "run", [one.run for one in rows], "name"),
        GridColumn("lab", "lab", labs),
        GridColumn("measured", "measured", [words.date(one.time_s) for one in rows], "date"),
        GridColumn("what", "what", [format.name(one.target, 60) for one in rows]),
        GridColumn("rows", "benchmarks", [f"{one:,}" for one in counts], "number", counts, True),
        GridColumn("host", "host", [format.name(one.host) for one in rows], is_less=True),
    ]
    facets = [
        Facet("lab", "Lab", labs),
        Facet("host", "Host", [format.name(one.host) for one in rows]),
    ]
    return Grid(columns, "runs", facets, [href(one) for one in rows])
