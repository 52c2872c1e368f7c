"""What a history shows, in sentences."""

import time
from collections.abc import Sequence

from assay.history import Alert, History, Point, SeriesChange, Trend
from assay.show.words import format

_SHOWN = 5  # an alert names at most so many benchmarks
_WAYS = {True: "worse", False: "better", None: "changed"}
_STATES = {
    "candidate": "not measured again yet: assay history --confirm",
    "placement": "both revisions execute the same machine code, placed elsewhere",
    "undecided": "paired rounds of both revisions could not tell",
    "not reproduced": "not reproduced by paired rounds of both revisions",
}


def headline(alerts: Sequence[Alert]) -> str:
    """The first line: what is known to have changed, and what is not confirmed yet."""
    states = [str(alert.state) for alert in alerts]
    confirmed, waiting = states.count("confirmed"), states.count("candidate")
    parts = [
        f"{format.count(confirmed, 'change')} confirmed" if confirmed else "No confirmed change"
    ]
    if waiting:
        parts.append(f"{format.count(waiting, 'candidate')} to be measured again")
    return "; ".join(parts) + "."


def changes(history: History) -> str:
    """How many changes there are, such as '2', 'none' or '1, drifts'.

    With too few runs to find any it is how many there are of those needed: '4 of 6 runs'.
    """
    if history.lacking and not history.changes:
        return f"{history.runs} of {format.count(history.runs + history.lacking, 'run')}"
    number = str(len(history.changes) or "none")
    return f"{number}, drifts" if history.drifts else number


def alert_lines(alert: Alert) -> list[str]:
    """One line for the alert, then one for each of its first few benchmarks."""
    first = alert.changed[0]
    way = _WAYS[first.is_worse] if len({one.is_worse for one in alert.changed}) == 1 else "changed"
    benchmarks = format.count(len(alert.changed), "benchmark")
    lines = [f"{benchmarks} {way} {_where(alert)}; {_certainty(alert)}"]
    lines += [_change(one) for one in alert.changed[:_SHOWN]]
    if len(alert.changed) > _SHOWN:
        lines.append(f"and {len(alert.changed) - _SHOWN} more")
    if alert.between.before != alert.between.after and alert.between.can_be_built:
        lines.append(
            f"which commit: assay bisect {alert.between.before[:10]} {alert.between.after[:10]}"
        )
    return lines


def meaning_of_columns(trends: Sequence[Trend]) -> str:
    """What the columns "now" and "changes" in the table of histories mean."""
    rate = trends[0].history.false_candidates_a_year
    return (
        "now: the level at the newest run, with an interval that holds it in 95 of 100 cases; "
        f"of {format.count(round(1 / rate), 'benchmark')} that never change, about 1 a year "
        "becomes a candidate"
    )


def _where(alert: Alert) -> str:
    """The revisions between which a change lies; without revisions, the runs."""
    between = alert.between
    if not (between.before and between.after):
        first = alert.changed[0]
        before, after = (
            first.trend.last_point_before(first.change),
            first.trend.first_point_after(first.change),
        )
        return f"between {_run(before)} and {_run(after)}"
    if between.before == between.after:
        return f"at {_short(between.before)}, between two runs of one revision"
    return f"after {_short(between.before)}, at {_short(between.after)} at the latest"


def _run(point: Point) -> str:
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime(point.time_s))
    return f"run {format.name(point.run, 60)} ({date})"


def _certainty(alert: Alert) -> str:
    state = str(alert.state)
    if state == "confirmed":
        return "confirmed by paired rounds"
    if state == "placement":
        return f"no change of yours: {_STATES[state]}"
    if state == "candidate" and not alert.between.can_be_built:
        return "a candidate; it cannot be measured again without two committed revisions"
    return f"a candidate, {_STATES[state]}"


def _change(one: SeriesChange) -> str:
    change = one.change
    text = f"{format.name(one.trend.series.benchmark)}: {format.change(change.ratio - 1)}"
    text += f" {format.interval(change.low - 1, change.high - 1)} between runs"
    text += f", from {_run(one.trend.points[change.split])} on"
    found = one.confirmation
    if found:
        text += f"; {format.change(found.change)} {format.interval(found.low, found.high)}"
        text += f" in {found.rounds} paired rounds"
    return text


def _short(revision: str) -> str:
    commit, dash, rest = revision.partition("-")
    return commit[:10] + dash + rest
