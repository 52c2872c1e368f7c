"""The pages *Live*: the sessions that run on this machine, and one of them while it runs.

sessions_page(sessions)
live_page(session)            # its script asks for looks
look_data(look)               # what a look changes on the page
ended_page("20261123-145203-77", "20261123-...", "../compare/20261123-....html")
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from assay.live import LiveSession, Look, PastLook
from assay.model import Comparison, Level, Verdict
from assay.show.charts.spans import effect_axis
from assay.show.page.store.frame import LIVE, PageFrame, store_page
from assay.show.page.store.grid import Facet, Grid, GridColumn
from assay.show.rows.columns import Table, comparison_table, level_table
from assay.show.words import format
from assay.show.words import live as words
from assay.show.words.columns import ColumnKey
from assay.show.words.hints import hint
from assay.show.words.palette import SIGN
from assay.show.words.summary import ORDER, primary_metric

_FAILURES = 20
_LOOKS = 4_000  # the page draws at most so many earlier intervals, over all benchmarks
# The page draws at least so many earlier intervals of each benchmark, even if there are many.
_FEWEST_LOOKS = 4
# The columns that a phone does not show.
_LESS = {
    *(ColumnKey.BASE, ColumnKey.CANDIDATE, ColumnKey.INTERVAL, ColumnKey.ROUNDS, ColumnKey.CPU)
}
_WAITS = "not measured yet"
_TONES = {Verdict.SOMETIMES_SLOWER: "slower", Verdict.SOMETIMES_FASTER: "faster"}
_NONE = (
    "A session is shown here while its journal lies in this store: assay compare, run or gate "
    "where assay.toml is, or with --store. This page looks again by itself."
)


def sessions_page(sessions: Sequence[LiveSession]) -> bytes:
    """The HTML of the list of sessions that run on this machine."""
    running = sum(one.is_held for one in sessions)
    headline = f"{format.count(running, 'session')} {'runs' if running == 1 else 'run'} here now."
    grid = Grid(
        [
            GridColumn("name", "session", [words.title(one) for one in sessions], "name"),
            GridColumn("since", "since", [words.since(one) for one in sessions], "date"),
            GridColumn("state", "state", ["runs" if one.is_held else "ended" for one in sessions]),
        ],
        "sessions",
        href=[f"live/{one.name}.html" for one in sessions],
    )
    frame = PageFrame(LIVE, "Live", headline, served=True, lines=() if sessions else (_NONE,))
    return store_page(
        frame,
        "pages/list.html",
        {"grid": grid.data()},
        plain=grid.plain(),
        section="Sessions",
        chooser=False,
    )


def live_page(session: LiveSession) -> bytes:
    """The page of one session that is being measured or has just ended; its
    script fetches the rest.
    """
    title = words.title(session)
    since = words.since(session)
    lines = (f"Since {since}.",) if since else ()
    frame = PageFrame(
        LIVE, f"Live: {title}", title, served=True, lines=lines, root="../", kind="live"
    )
    empty = Grid([GridColumn("name", "benchmark", [], "name")], "benchmarks")
    return store_page(
        frame,
        "pages/live.html",
        {"live": f"{session.name}/events"},
        scripts=("live",),
        connect="'self'",
        plain=empty.plain(),
    )


def ended_page(name: str, run: str = "", href: str = "") -> bytes:
    """The page of a session that has ended. `run`: the run it became, with the address of its page;
    empty if not known.
    """
    frame = PageFrame(
        LIVE, "Live", f"The session {format.name(name)} has ended.", served=True, root="../"
    )
    return store_page(frame, "pages/ended.html", {}, run=run, href=href)


def look_data(look: Look) -> dict[str, Any]:
    """Everything on a running session's page that changes when the session is judged again."""
    metric = primary_metric(look.comparisons)
    shown = [one for one in look.comparisons if one.metric == metric]
    measured = {one.benchmark for one in shown} | {one.benchmark for one in look.levels}
    waiting = [name for name in look.planned.benchmarks if name not in measured]
    is_open = [name for name in measured if name not in look.settled]
    grid = _comparisons(look, shown, waiting) if look.two_sided else _levels(look.levels)
    return {
        "stage": words.stage(look),
        "done": look.done,
        "headline": words.headline(look, shown),
        "open": words.counts_by_state(look, is_open, waiting),
        "tally": _tally(shown),
        "grid": grid.data(),
        "failed": [
            f"{format.name(one.benchmark)}: {format.name(one.what, 300)}"
            for one in look.failures[-_FAILURES:]
        ],
        "last": look.stage.is_last,
        "href": _href(look),
    }


def _href(look: Look) -> str:
    """The address of the page of the run that a session became; empty if it is not stored."""
    if not look.run:
        return ""
    return f"../compare/{look.run}.html" if look.two_sided else f"../runs.html?q={look.run}"


def _tally(shown: Sequence[Comparison]) -> list[dict[str, Any]]:
    verdicts = [one.verdict for one in shown]
    counted = [(str(one), _verdict_class(one), verdicts.count(one)) for one in ORDER]
    return [{"verdict": word, "tone": tone, "count": n} for word, tone, n in counted if n]


def _verdict_class(verdict: Verdict) -> str:
    return _TONES.get(verdict, str(verdict))


def _levels(levels: Sequence[Level]) -> Grid:
    return Grid(_columns(level_table(levels), {}), "benchmarks")


def _columns(table: Table, kinds: Mapping[ColumnKey, str]) -> list[GridColumn]:
    """The columns of a report's table for a grid; `kinds` replaces the kind of some."""
    return [
        GridColumn(
            one.key,
            one.title,
            one.shown,
            kinds.get(one.key, one.kind),
            one.sort or None,
            is_less=one.key in _LESS,
        )
        for one in table.columns
    ]


def _comparisons(look: Look, shown: Sequence[Comparison], waiting: Sequence[str]) -> Grid:
    """The grid of all benchmarks that the session plans: measured ones, and those not yet."""
    rest = len(waiting)
    past = [_thinned_looks(look.past.get(one.benchmark, ()), len(shown)) for one in shown]
    table = [*_columns(comparison_table(shown), {ColumnKey.CHANGE: "change"}), _hints(shown)]
    columns = [
        *_with_waiting_benchmarks(_with_short_verdicts(table, shown), waiting),
        GridColumn(
            "narrowing", "by round", [*map(_narrowing_in_words, past), *[""] * rest], "narrowing"
        ),
    ]
    states = ["settled" if one.benchmark in look.settled else "undecided" for one in shown]
    verdicts = [str(one.verdict) for one in shown]
    facets = [
        Facet("state", "State", [*states, *[_WAITS] * rest], ("settled", "undecided", _WAITS)),
        Facet("verdict", "Verdict", [*verdicts, *[""] * rest], tuple(map(str, ORDER))),
    ]
    more = {
        "order": _order([*(one.benchmark for one in shown), *waiting], look.planned.benchmarks),
        "tone": [*(_verdict_class(one.verdict) for one in shown), *["undecided"] * rest],
        "bars": _bars(look, shown, rest),
        "past": [*(list(map(_cells_of_look, each)) for each in past), *[[]] * rest],
        "margin": look.planned.margin,
    }
    return Grid(columns, "benchmarks", facets, more=more)


def _hints(shown: Sequence[Comparison]) -> GridColumn:
    return GridColumn("more", "what would decide", [hint(one) for one in shown], is_less=True)


def _with_short_verdicts(
    table: Sequence[GridColumn], shown: Sequence[Comparison]
) -> list[GridColumn]:
    """The columns with each verdict in one word: another column says what would decide it."""
    verdicts = [f"{SIGN[one.verdict]} {format.verdict_word(one)}" for one in shown]
    return [replace(one, shown=verdicts) if one.kind == "verdict" else one for one in table]


def _order(names: Sequence[str], planned: Sequence[str]) -> list[int]:
    """The order of the rows: that in which the session plans its benchmarks, so that rows stay
    where they are while more benchmarks are measured.
    """
    places = {name: place for place, name in enumerate(planned)}
    return sorted(range(len(names)), key=lambda row: (places.get(names[row], len(planned)), row))


def _with_waiting_benchmarks(
    columns: Sequence[GridColumn], waiting: Sequence[str]
) -> list[GridColumn]:
    """The columns, with rows added for benchmarks without a round."""
    rest = len(waiting)
    fill: Mapping[str, list[str]] = {
        ColumnKey.BENCHMARK: [format.name(one) for one in waiting],
        ColumnKey.VERDICT: [_WAITS] * rest,
    }
    return [
        replace(
            one,
            shown=[*one.shown, *fill.get(one.key, [""] * rest)],
            sort=None if one.sort is None else [*one.sort, *[None] * rest],
        )
        for one in columns
    ]


def _bars(look: Look, shown: Sequence[Comparison], rest: int) -> dict[str, Any]:
    ends = [end for one in shown for end in (one.low, one.high, one.change) if end is not None]
    margin = look.planned.margin
    gap = [None] * rest
    return {
        "axis": {**effect_axis([min(end, 9.0) for end in ends], margin), "margin": margin},
        "low": [*(one.change if one.low is None else one.low for one in shown), *gap],
        "high": [*(one.change if one.high is None else one.high for one in shown), *gap],
        "change": [*(one.change for one in shown), *gap],
    }


def _thinned_looks(past: Sequence[PastLook], rows: int) -> list[PastLook]:
    """Some of a benchmark's earlier intervals, to keep the page small;
    the latest is always kept.
    """
    most = max(_FEWEST_LOOKS, _LOOKS // max(1, rows))
    step = -(-len(past) // most) or 1
    return list(past[::-step][::-1])


def _cells_of_look(one: PastLook) -> list[Any]:
    interval = format.interval(one.low, one.high)
    return [one.rounds, one.low, one.high, one.change, format.change(one.change), interval]


def _narrowing_in_words(past: Sequence[PastLook]) -> str:
    """The first and the latest interval in words, for readers who cannot see the picture."""
    if not past:
        return ""
    ends = past if len(past) == 1 else (past[0], past[-1])
    told = [
        f"{format.interval(one.low, one.high)} after {format.count(one.rounds, 'round')}"
        for one in ends
    ]
    return ", then ".join(told)
