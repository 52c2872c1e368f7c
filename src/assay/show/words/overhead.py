"""What conditions cost, in sentences for the page of an experiment and for the terminal.

    headline(found)   'exec under bpftrace and auditd, against undisturbed: 68 rounds'
    sentence(rows, settings)
        'exec costs 5.0 % more under bpftrace [2.9, 6.9] and 9.3 % more under auditd [6.0, 12.7].'

A sentence is made of clauses, so that a page can separate the name of a condition from the text
around it: a name may be in a script that is written from right to left.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from assay.model import Comparison, Design, Settings, Verdict
from assay.overheads import Overhead, Overheads
from assay.remarks import DroppedRounds, Remark
from assay.show.words import explain, format, hints, remarks
from assay.show.words.columns import ColumnKey

# What a report of an experiment calls the two sides of a comparison, and a row of its table.
CALLED: Mapping[str, str] = {
    "base": "reference",
    "candidate": "condition",
    "benchmark": "comparison",
}
DESIGNS: Mapping[Design, str] = {
    **explain.DESIGNS,
    Design.INTERLEAVED: (
        "All conditions were measured in rounds: one launch under each, next to each other in "
        "time, in an order drawn anew, and the undisturbed one is among them. What the host did "
        "to one it mostly did to the others, so the ratio of two launches of a round says more "
        "than either time."
    ),
}
MEANINGS: Mapping[Verdict, str] = {
    **explain.MEANINGS,
    Verdict.SOMETIMES_SLOWER: (
        "sometimes slower: what is usual is not slower, but a share of the launches or of the "
        "samples inside a launch is."
    ),
}
# The columns of both tables and their titles: conditions against the undisturbed one, and against
# each other. A terminal has the second with less room.
AGAINST: Mapping[ColumnKey, str] = {
    ColumnKey.CONDITION: "condition",
    ColumnKey.BENCHMARK: "benchmark",
    ColumnKey.BASE: "undisturbed",
    ColumnKey.CANDIDATE: "with it",
    ColumnKey.CHANGE: "overhead",
    ColumnKey.INTERVAL: "interval",
    ColumnKey.VERDICT: "verdict",
    ColumnKey.EVENTS: "events",
    ColumnKey.LOST: "lost",
}
EACH_OTHER: Mapping[ColumnKey, str] = {
    ColumnKey.CONDITION: "condition",
    ColumnKey.REFERENCE: "reference",
    ColumnKey.BENCHMARK: "benchmark",
    ColumnKey.BASE: "reference takes",
    ColumnKey.CANDIDATE: "condition takes",
    ColumnKey.CHANGE: "change",
    ColumnKey.INTERVAL: "interval",
    ColumnKey.VERDICT: "verdict",
}
EACH_OTHER_IN_BRIEF: Mapping[ColumnKey, str] = {
    ColumnKey.CONDITION: "against each other",
    ColumnKey.BENCHMARK: "benchmark",
    ColumnKey.BASE: "this",
    ColumnKey.CANDIDATE: "that",
    ColumnKey.CHANGE: "change",
    ColumnKey.INTERVAL: "interval",
    ColumnKey.VERDICT: "verdict",
}
EACH_OTHER_TITLE = "Against each other"
PROOF = "events: what the proof of a condition counted in the whole run. lost: what it had to drop."
_UNDISTURBED = "undisturbed"  # the usual name of the condition in which nothing is done
_LONGEST = 50  # longer names of conditions lose characters in the middle
_MOST_NAMES = 6  # a headline with more conditions tells their number instead of names
_SOMETIMES = {Verdict.SOMETIMES_SLOWER: "more", Verdict.SOMETIMES_FASTER: "less"}


class Clause(NamedTuple):
    """A piece of a sentence around the name of one condition: 'costs 5.5 % more under ',
    'bpftrace', ' [1.2, 16.8], '.
    """

    before: str
    condition: str
    after: str


class _ClauseParts(msgspec.Struct, frozen=True):
    """A statement on one condition before it becomes part of a sentence: verb, amount,
    and interval in brackets.
    """

    verb: str
    what: str
    in_brackets: str


def headline(found: Overheads) -> str:
    """What was measured: the benchmarks, the conditions and how often."""
    if not found.rows:
        return "Nothing could be compared."
    others = [condition(one) for one in found.conditions if one != found.undisturbed]
    under = (
        names_in_words(others)
        if len(others) <= _MOST_NAMES
        else format.count(len(others), "condition")
    )
    against = f"against {condition(found.undisturbed)}"
    rounds = format.count(found.rounds, "round")
    return f"{measured_benchmarks(found)} under {under}, {against}: {rounds}"


def against_title(found: Overheads) -> str:
    """A table's title: 'Against undisturbed', with the plan's name of that condition if another."""
    name = "" if found.undisturbed == _UNDISTURBED else f" ({condition(found.undisturbed)})"
    return f"Against {_UNDISTURBED}{name}"


def measured_benchmarks(found: Overheads) -> str:
    """The benchmark's name, or the number of benchmarks."""
    names = found.benchmarks
    return format.name(names[0], 60) if len(names) == 1 else format.count(len(names), "benchmark")


def certainty(settings: Settings) -> str:
    """The confidence of the intervals, such as '99 % intervals'."""
    return f"{format.percent(1 - settings.alpha)} intervals"


def meaning_of_brackets(settings: Settings) -> str:
    """What the numbers in brackets in a sentence mean: they are intervals."""
    return f"In brackets: {certainty(settings)}, which hold all together."


def note_on_left_out(left_out: int) -> str:
    """A note on the benchmarks that have a row in the table, but no sentence above it."""
    benchmarks = format.count(left_out, "more benchmark")
    return f"{benchmarks} {'is' if left_out == 1 else 'are'} in the table below."


def sentence(rows: Sequence[Overhead], settings: Settings) -> str:
    """What each condition costs one benchmark, as a sentence."""
    said = "".join("".join(one) for one in clauses(rows, settings))
    return f"{format.name(rows[0].comparison.benchmark, 60)} {said}"


def clauses(rows: Sequence[Overhead], settings: Settings) -> list[Clause]:
    """What each condition costs one benchmark, in clauses; a repeated verb is said once."""
    said = [_clause_parts(row.comparison, settings.margin) for row in rows]
    verbs = ["", *(one.verb for one in said)]
    return [
        Clause(
            f"{'' if one.verb == before else f'{one.verb} '}{one.what} under ",
            condition(row.condition),
            f"{f' {one.in_brackets}' if one.in_brackets else ''}{_separator(place, len(rows))}",
        )
        for place, (row, one, before) in enumerate(zip(rows, said, verbs[:-1], strict=True))
    ]


def condition(name: str) -> str:
    """A condition's name, without characters that could harm a terminal
    or page, cut if too long.
    """
    return format.name(name, _LONGEST)


def two_conditions(row: Overhead) -> str:
    """A title for the comparison of two conditions, such as 'auditd against bpftrace'."""
    return f"{condition(row.condition)} against {condition(row.reference)}"


def event_count(events: int | None) -> str:
    """How many events a proof counted; a dash if it counts none."""
    return "-" if events is None else f"{events:,}"


def names_in_words(names: Sequence[str]) -> str:
    """A list of names in words, such as 'bpftrace, auditd and strace'."""
    return "".join(f"{name}{_separator(i, len(names), '')}" for i, name in enumerate(names))


def notes(rows: Sequence[Overhead]) -> list[str]:
    """Each note once, with the comparisons that have it; its number of rounds can be a range."""
    numbers: dict[str, list[int]] = {}
    about: dict[str, list[str]] = {}
    several = len({row.comparison.benchmark for row in rows}) > 1
    for row in rows:
        for note in row.comparison.notes:
            number, rest = _split_count(note)
            numbers.setdefault(rest, []).extend(number)
            about.setdefault(rest, []).append(_title(row, several=several))
    return [_note_with_subjects(rest, numbers[rest], about[rest], len(rows)) for rest in about]


def _clause_parts(one: Comparison, margin: float) -> _ClauseParts:
    if one.verdict is Verdict.UNDECIDED:
        return _undecided_clause(one)
    if one.verdict is Verdict.SAME:
        return _ClauseParts("costs", f"the same within {format.percent(margin)}", "")
    hint = hints.hint(one)
    if more := _SOMETIMES.get(one.verdict):
        return _ClauseParts("costs", f"sometimes {more}", f"({hint})" if hint else "")
    verb = "takes" if one.change > 1.0 else "costs"
    return _ClauseParts(verb, _size_in_words(one.change), _interval(one))


def _undecided_clause(one: Comparison) -> _ClauseParts:
    """What a sentence says of an undecided cost: its interval, or what is missing for one."""
    if one.low is None or one.high is None:
        return _ClauseParts("has", "no interval yet", f"({hints.hint(one)})")
    return _ClauseParts(
        "is", "undecided", f"(between {_size_in_words(one.low)} and {_size_in_words(one.high)})"
    )


def _size_in_words(change: float) -> str:
    """A relative change in words: '5.5 % more', '12.0 % less', or '3.4 times as long'
    where percent would mislead.
    """
    if change > 1.0:
        return f"{_times(change)} times as long"
    return f"{format.points(abs(change))} % {'less' if change < 0 else 'more'}"


def _times(change: float, digits: int = 1) -> str:
    """1 + change, as '3.4' for 2.4; at most `digits` decimals, one from 10, none from 100."""
    times = 1 + change
    if times >= 1e15:
        return f"{times:.3g}"
    most = 2 - (abs(times) >= 9.995) - (abs(times) >= 99.95)
    return f"{times:,.{min(digits, most)}f}"


def _interval(one: Comparison) -> str:
    """The interval of a cost, in the unit in which it is written (percent more,
    percent less, or times).
    """
    if one.low is None or one.high is None:
        return ""
    if one.low == one.high:
        return "(exact)"
    if one.change > 1.0:
        return f"[{_times(one.low, 2)}, {_times(one.high, 2)}]"
    if one.change < 0:
        return f"[{format.points(-one.high)}, {format.points(-one.low)}]"
    return f"[{format.points(one.low)}, {format.points(one.high)}]"


def _separator(place: int, of: int, end: str = ".") -> str:
    """What follows an item of a list: ', ', or ' and ' before the last, or `end` after it."""
    if place == of - 1:
        return end
    if place < of - 2:
        return ", "
    return " and " if of == 2 or not end else ", and "


def _split_count(note: Remark) -> tuple[list[int], str]:
    """The number of rounds with which a note begins, apart from its text, so that notes that differ
    only in the number are printed once.
    """
    if isinstance(note, DroppedRounds):
        return [note.rounds], remarks.DROPPED
    return [], remarks.remark(note)


def _title(row: Overhead, *, several: bool) -> str:
    benchmark = f"{format.name(row.comparison.benchmark, 40)}, " if several else ""
    return f"{benchmark}{two_conditions(row)}"


def _note_with_subjects(rest: str, numbers: Sequence[int], about: Sequence[str], of: int) -> str:
    every = f"in each of the {format.count(of, 'comparison')}"
    where = every if len(about) == of > 1 else ", ".join(about)
    return f"{_rounds(numbers)}{rest} ({where})"


def _rounds(numbers: Sequence[int]) -> str:
    """Such as '3 rounds ' or '3 to 5 rounds '; empty for a note that counts none."""
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    rounds = format.count(high, "round")
    return f"{rounds} " if low == high else f"{low} to {rounds} "
