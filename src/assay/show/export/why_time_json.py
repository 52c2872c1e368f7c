"""Where a benchmark spends more time, as JSON for programs.

Times are whole femtoseconds of one iteration; `changes` and `unexplained` add up exactly to the
amount of `whole`. Stacks are folded: the functions from the outermost, then how often the stack was
seen.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict

from assay.stacks import Stack
from assay.timed import TimeChange, Timed, TimeInterval


def time_document(time: Timed) -> dict[str, Any]:
    """The time stage's answer for one benchmark."""
    return {
        "event": time.event,
        "rounds": time.rounds,
        "alpha": time.alpha,
        "clock": "wall" if time.has_waiting else "cpu",
        "base_fs": time.base,
        "candidate_fs": time.candidate,
        "whole_fs": _span(time.whole),
        "unexplained_fs": time.unexplained,
        "named": [one.function for one in time.told],
        "changes": [_change(one) for one in time.changes],
        "waiting": _change(time.waiting),
        "moved": [asdict(one) for one in time.moved],
        "stacks": {"base": _stacks(time.stacks.base), "candidate": _stacks(time.stacks.candidate)},
        "notes": list(time.notes),
    }


def _change(one: TimeChange) -> dict[str, Any]:
    return {
        "function": one.function,
        "own": one.own,
        "base_fs": _span(one.base),
        "candidate_fs": _span(one.candidate),
        "change_fs": _span(one.change),
        "below": [asdict(part) for part in one.below],
        "instructions": list(one.instructions) if one.instructions else None,
        "same_instructions": one.same_work,
    }


def _span(span: TimeInterval) -> dict[str, int | None]:
    return asdict(span)


def _stacks(stacks: Mapping[Stack, int]) -> list[dict[str, Any]]:
    return [{"stack": list(stack), "samples": count} for stack, count in sorted(stacks.items())]
