"""What a survey of a store shows, in the same words on every page."""

import time
from collections import Counter
from collections.abc import Sequence

from assay.history import AlertState
from assay.plurals import count
from assay.show.words import format
from assay.survey import FoundChange, SeriesOnHost, Survey, Triage

_ALMOST = 0.999999  # a higher probability of a change is shown as "> 99.9999 %"
WAYS = {True: "worse", False: "better", None: "changed"}
_ABOUT = {
    AlertState.CANDIDATE: "candidate",
    AlertState.CONFIRMED: "confirmed",
    AlertState.NOT_REPRODUCED: "not reproduced",
    AlertState.PLACEMENT: "placement only",
    AlertState.UNDECIDED: "undecided",
}


def headline(survey: Survey) -> str:
    """How many of the watched histories changed."""
    watched = len({_history_of(one) for one in survey.watched})
    changed = len({_history_of(one.watched) for one in survey.found})
    if not watched:
        return "No run is in this store yet."
    verb = "have" if changed > 1 else "has"
    return f"Of {count(watched, 'history')} {f'{changed:,}' if changed else 'none'} {verb} changed."


def _history_of(one: SeriesOnHost) -> tuple[str, str, str]:
    """What makes a history; runs of other units are further series of the same one."""
    return one.key.benchmark, one.key.metric, one.key.host


def lines(survey: Survey) -> tuple[str, ...]:
    """How many changes of level there are, how many are confirmed, and how the others can be."""
    if not survey.found:
        return ()
    states = Counter(one.state for one in survey.found)
    told = [f"{count:,} {_state_in_words(state, count)}" for state, count in states.most_common()]
    text = f"{format.count(len(survey.found), 'change')}: {', '.join(told)}."
    if states[AlertState.CANDIDATE]:
        text += " A candidate is measured again, in rounds, by: assay history --confirm"
    return (text,)


def _state_in_words(state: AlertState, count: int) -> str:
    return "candidates" if state is AlertState.CANDIDATE and count > 1 else _ABOUT[state]


def state(one: FoundChange) -> str:
    return _ABOUT[one.state]


def direction(one: FoundChange) -> str:
    return WAYS[one.is_worse]


def certainty(value: float) -> str:
    """A probability in percent, such as '99.5 %', never rounded up to 100."""
    if value >= _ALMOST:
        return "> 99.9999 %"
    digits = 1
    while digits < 4 and round(100 * value, digits) >= 100 - 10.0**-digits:
        digits += 1
    return f"{int(100 * value * 10**digits) / 10**digits:.{digits}f} %"


def interval(low: float, high: float) -> str:
    """The interval of a ratio, shown as a change."""
    return format.interval(low - 1, high - 1)


def level(one: SeriesOnHost) -> str:
    """The present level of a history, with its unit."""
    return format.quantity(one.kept.history.now.level, one.key.unit)


def level_interval(one: SeriesOnHost) -> str:
    now = one.kept.history.now
    return format.quantity_interval(now.low, now.high, one.key.unit)


def revisions_between(one: FoundChange) -> str:
    """The two revisions between which a change lies; without revisions, the runs."""
    if one.before.revision and one.after.revision:
        return f"{revision(one.before.revision)}..{revision(one.after.revision)}"
    return f"{one.before.run[:15]}..{one.after.run[:15]}"


def revision(text: str) -> str:
    """The first characters of a hash, as git shows them; the mark "-dirty" is kept."""
    commit, dash, rest = format.visible(text).partition("-")
    return commit[:10] + dash + rest[:20]


def date(seconds: float) -> str:
    """A date in UTC."""
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def triage(said: Triage | None) -> str:
    if said is None:
        return ""
    return f"{said.state} {format.name(said.note, 60)}".rstrip()


def bisect(one: FoundChange) -> str:
    """The command that finds the commit of a change; empty if there is nothing to search."""
    before, after = one.before.revision, one.after.revision
    if not before or not after or before == after or "-dirty" in before + after:
        return ""
    return f"assay bisect {revision(before)} {revision(after)}"


def alert(members: Sequence[FoundChange]) -> str:
    """One line for the changes that one commit can explain."""
    ways = Counter(direction(one) for one in members)
    told = ", ".join(f"{count:,} {word}" for word, count in ways.most_common())
    first = max(members, key=lambda one: abs(one.change.ratio - 1))
    name = format.name(first.watched.key.benchmark, 60)
    place = f"{revisions_between(first)} ({date(first.after.time_s)})"
    return f"{told} between {place}, as {name} {size(first)}"


def size(one: FoundChange) -> str:
    return format.change(one.change.ratio - 1)
