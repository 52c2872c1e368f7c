"""Proof that a condition was in force: the events it left while a launch ran.

    counting = EventCounting(Proof(lines="^exec"), readers)
    counting.begin()
    ...
    counting.end().events

A tracer that attached to nothing costs nothing: without proof its overhead would
read as "none". So a measurement whose condition shows no event is rejected.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from assay.errors import InputError

_QUIET_S = 0.1  # seconds without a new event after which all are taken to have arrived
_WITHIN_S = 1.0  # seconds to wait at most for events to arrive
_LOOK_S = 0.025  # seconds between two counts


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a plan proves that a condition was in force: by exactly one of `lines`, `counter` and
    `state`."""

    # A regular expression for the background program's output, or for `file`. Its matches are
    # counted; if it has a group, the numbers that the group matches are added up.
    lines: str = ""
    file: str = ""  # a file in which `lines` are counted; empty: the background program's output
    counter: str = ""  # a command that prints a number; its increase is counted
    state: str = ""  # a command run as the target is run, under the condition; it prints a number
    lost: str = ""  # a pattern like `lines`, for lines that report lost events
    lost_counter: str = ""  # a command that prints how many events were lost so far


class EventCount(msgspec.Struct, frozen=True):
    """Events counted as proof of a condition; `lost` is None where lost events are not counted."""

    events: int
    lost: int | None = None


class ProofReaders(msgspec.Struct, frozen=True):
    """How to read the events that prove a condition to be in force: from the background program's
    output, from a file, or from a command."""

    output: Callable[[], str]  # what the background program printed
    # The path of a file that the plan names, with its variables filled in.
    path: Callable[[str], Path]
    number: Callable[[str], int]  # runs a command; returns the number that it prints
    # Runs a command under the same condition as the target; returns the number that it prints.
    number_inside: Callable[[str], int]


class EventCounting:
    """Counts the events that prove a condition, between `begin` and `end`."""

    def __init__(self, proof: Proof, readers: ProofReaders) -> None:
        self._proof, self._readers = proof, readers
        self._before = EventCount(0)

    def begin(self) -> None:
        self._before = self._events_so_far()

    def end(self) -> EventCount:
        """Events since `begin`, read once no more arrive."""
        now = self._count_once_stable()
        lost = None if now.lost is None else now.lost - (self._before.lost or 0)
        return EventCount(now.events - self._before.events, lost)

    def _count_once_stable(self) -> EventCount:
        """Read again until the count stays the same for a while, because tracers write late."""
        now, changed_s = self._events_so_far(), time.monotonic()
        deadline_s = changed_s + _WITHIN_S
        waits = bool(self._proof.lines)
        while waits and time.monotonic() < min(deadline_s, changed_s + _QUIET_S):
            time.sleep(_LOOK_S)
            before, now = now, self._events_so_far()
            if now != before:
                changed_s = time.monotonic()
        return now

    def _events_so_far(self) -> EventCount:
        """All events so far."""
        proof = self._proof
        if proof.state:
            return EventCount(0, self._lost_events(""))
        if proof.counter:
            return EventCount(self._readers.number(proof.counter), self._lost_events(""))
        text = self._text_to_count_in()
        return EventCount(_matches(proof.lines, text), self._lost_events(text))

    def printed_state(self) -> int:
        """The number that the command `state` prints; it is added to the events."""
        return self._readers.number_inside(self._proof.state) if self._proof.state else 0

    def _lost_events(self, text: str) -> int | None:
        """How many events were lost so far; None: that is not counted."""
        if self._proof.lost_counter:
            return self._readers.number(self._proof.lost_counter)
        if not self._proof.lost:
            return None
        return _matches(self._proof.lost, text or self._readers.output())

    def _text_to_count_in(self) -> str:
        """The text in which lines are counted: of a file, or the background program's output."""
        if not self._proof.file:
            return self._readers.output()
        try:
            return self._readers.path(self._proof.file).read_text(errors="replace")
        except OSError:
            return ""


def check_proof(proof: Proof, where: str) -> None:
    """Raise `InputError` for a proof in a plan that counts nothing, or cannot be counted."""
    if sum(map(bool, (proof.lines, proof.counter, proof.state))) != 1:
        raise InputError("a proof counts one of `lines`, `counter` and `state`", where=where)
    for pattern in (proof.lines, proof.lost):
        if pattern_groups(pattern, where) > 1:
            raise InputError(f"{pattern!r} has more than one group", where=where)


def _matches(pattern: str, text: str) -> int:
    """How often `pattern` matches; if it has a group, the sum of the numbers the group matched."""
    expression = re.compile(pattern, re.MULTILINE)
    found = expression.findall(text)
    return sum(map(int, found)) if expression.groups else len(found)


def pattern_groups(pattern: str, where: str) -> int:
    """How many groups `pattern` has. Raises `InputError` if it is not a regular expression."""
    try:
        return re.compile(pattern).groups
    except re.error as error:
        what = f"{pattern!r} is not a regular expression: {error}"
        raise InputError(what, where=where) from None
