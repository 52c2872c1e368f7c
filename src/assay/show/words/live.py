"""Texts for the page of a running session."""

from collections.abc import Sequence

from assay.live import LiveSession, LiveStage, Look
from assay.model import Comparison
from assay.show.words import format
from assay.show.words.summary import headline as verdicts

_NAMED = 8  # a line names at most so many benchmarks
_STAGES = {
    LiveStage.STORING: "Measuring has ended; its run is being stored.",
    LiveStage.STORED: "It has ended, and is stored.",
    LiveStage.ENDED: "It has ended, and this store has no run of it.",
    LiveStage.KILLED: "It was killed. The next assay that uses this store keeps what it had "
    "measured.",
}


def title(session: LiveSession) -> str:
    """What a session is measuring, such as 'Comparing git:v1.0 with git:v1.1'."""
    names = [format.name(one, 80) for one in session.targets.values()]
    verb = "Comparing" if session.kind == "compare" else "Measuring"
    return f"{verb} {' with '.join(names)}" if names else f"{verb} …"


def since(session: LiveSession) -> str:
    """When a session began, to the second; empty if that is not known."""
    return format.visible(session.since[:19].replace("T", " ")) + " UTC" if session.since else ""


def headline(look: Look, shown: Sequence[Comparison]) -> str:
    """The verdicts so far; `shown` are the comparisons of the headline's metric."""
    if not look.is_judged:
        return "This kind of session is judged when it has ended."
    if not look.two_sided:
        so_far = "" if look.stage.is_last else " so far"
        return f"{format.count(len(look.levels), 'benchmark')} measured{so_far}."
    return verdicts(shown) if shown else "No round of both sides is there yet."


def stage(look: Look) -> str:
    """What the session is doing, and how far it is."""
    if look.stage is not LiveStage.MEASURING:
        return _STAGES[look.stage]
    if not look.rounds:
        return "Trial launches find how much work a launch shall do."
    return f"Measuring: {format.count(look.rounds, 'round')} in {_spent(look)}."


def _spent(look: Look) -> str:
    spent, planned = format.duration(look.spent_s), look.planned
    if planned.limit_s is not None:
        return f"{spent} of at most {format.duration(planned.limit_s)}"
    if planned.rounds is not None:
        return f"{spent}, at most {planned.rounds:,} of each benchmark"
    return spent


def counts_by_state(look: Look, open_names: Sequence[str], waiting: Sequence[str]) -> str:
    """How many benchmarks are settled, and which are not measured yet."""
    if not look.comparisons:
        return _waiting(waiting)
    settled = format.count(len(look.settled), "benchmark")
    verb = "is" if len(look.settled) == 1 else "are"
    least = format.count(look.planned.fewest, "round")
    told = f" {least} are the least for an interval." if look.planned.fewest else ""
    what = "undecided" if look.stage.is_last else "undecided so far"
    text = f"{settled} {verb} settled, {len(open_names):,} {what}.{told}"
    return f"{text} {_waiting(waiting)}".rstrip()


def _waiting(names: Sequence[str]) -> str:
    if not names:
        return ""
    some = ", ".join(format.name(one, 60) for one in names[:_NAMED])
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"Not measured yet: {some}{more}."
