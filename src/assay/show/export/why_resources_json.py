"""Memory and system calls of one benchmark, as JSON for programs.

Counts and bytes are of all `iterations` together, and `changes` add up to `whole` exactly.
"""

from typing import Any

from assay.explained import Explained
from assay.resources import Amount, Deltas, FunctionChange, Gauge, SpotChange


def parts(one: Explained) -> dict[str, Any]:
    """Memory and system calls of the JSON document, each only if its stage answered."""
    found: dict[str, Any] = {}
    if one.memory is not None:
        found["memory"] = {
            "allocations": _deltas(one.memory.allocations),
            "frees": _deltas(one.memory.frees),
            "gauges": [_gauge(each) for each in one.memory.gauges],
            "notes": list(one.memory.notes),
        }
    if one.syscalls is not None:
        found["syscalls"] = {
            "calls": _deltas(one.syscalls.calls),
            "tool": one.syscalls.tool,
            "gauges": [_gauge(each) for each in one.syscalls.gauges],
            "notes": list(one.syscalls.notes),
        }
    return found


def _deltas(found: Deltas) -> dict[str, Any]:
    return {
        "iterations": found.iterations,
        "base": _amount(found.base),
        "candidate": _amount(found.candidate),
        "whole": _amount(found.whole),
        "unexplained": _amount(found.unexplained),
        "named": [one.function for one in found.told],
        "changes": [_change(one) for one in found.changes],
        "moved": [{"function": new, "before": old} for old, new in found.moved],
    }


def _change(one: FunctionChange) -> dict[str, Any]:
    return {
        "function": one.function,
        "amount": _amount(one.amount),
        "base": _amount(one.base),
        "candidate": _amount(one.candidate),
        "varies": one.varies,
        "places": [_place(place) for place in one.places],
    }


def _place(one: SpotChange) -> dict[str, Any]:
    return {
        "what": one.spot.what,
        "via": one.spot.via,
        "caller": one.spot.caller,
        "file": one.spot.place.file,
        "line": one.spot.place.line,
        "base": _amount(one.base),
        "candidate": _amount(one.candidate),
    }


def _amount(amount: Amount) -> dict[str, int]:
    return {"count": amount.times, "bytes": amount.size}


def _gauge(one: Gauge) -> dict[str, Any]:
    return {
        "name": one.name,
        "base": list(one.base),
        "candidate": list(one.candidate),
        "changed": one.is_changed,
    }
