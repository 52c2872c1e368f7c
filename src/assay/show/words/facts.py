"""Facts about hosts and builds as rows, marking where the two sides differ."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from assay.show.words import format

_LONGEST = 400
_DEEPEST = 8  # objects nested more deeply than this are shown as JSON
_WORDS = {
    "cpu_model": "CPU",
    "cpus": "CPUs",
    "num_cpus": "CPUs",
    "mhz_per_cpu": "MHz",
    "smt": "SMT",
    "aslr": "ASLR",
    "os": "OS",
}


class Fact(msgspec.Struct, frozen=True):
    """One fact, such as the CPU's model, of base and candidate.

    `differs`: both have it, but not the same.
    """

    name: str
    base: str
    candidate: str
    differs: bool


def rows(sides: Mapping[str, Mapping[str, Any]]) -> list[Fact]:
    """Every fact that either side has; those that differ come first."""
    base, candidate = (flat(sides.get(side, {})) for side in ("base", "candidate"))
    if "candidate" not in sides:
        return [Fact(name, value, "", False) for name, value in base.items()]
    names = list(dict.fromkeys([*base, *candidate]))
    facts = [_fact(name, base.get(name, ""), candidate.get(name, "")) for name in names]
    return sorted(facts, key=lambda fact: not fact.differs)


def _fact(name: str, base: str, candidate: str) -> Fact:
    return Fact(name, base or "-", candidate or "-", bool(base and candidate and base != candidate))


def flat(facts: Mapping[str, Any], prefix: str = "", depth: int = 0) -> dict[str, str]:
    """Facts as one level of names and texts: nested objects are flattened,
    and names put into words.
    """
    found: dict[str, str] = {}
    for key, value in facts.items():
        named = f"{prefix}{_WORDS.get(key, key.replace('_', ' '))}"
        if isinstance(value, Mapping) and depth < _DEEPEST:
            found |= flat(value, f"{named}: ", depth + 1)
        elif value not in (None, "", [], ()):
            found[format.name(named)] = _text(key, value)
    return found


class _Cache(msgspec.Struct):
    """A cache of the CPU, with the fields that Google Benchmark's context gives."""

    level: int
    size: Annotated[int, Meta(ge=0, le=2**62)] = 0
    type: str = ""


def _text(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if key.endswith("_bytes") and isinstance(value, int | float) and abs(value) < 2**63:
        return format.quantity(float(value), "B")
    if key == "caches" and (caches := _caches(value)):
        return caches
    if isinstance(value, list | tuple):
        return format.name(", ".join(str(one) for one in value), _LONGEST)
    return format.name(str(value), _LONGEST)


def _caches(value: Any) -> str:
    """The CPU's caches in one line; empty if the value does not describe caches."""
    try:
        caches = msgspec.convert(value, list[_Cache])
    except msgspec.ValidationError:
        return ""
    return ", ".join(_cache(one) for one in caches)


def _cache(one: _Cache) -> str:
    kind = {"Data": "d", "Instruction": "i"}.get(one.type, "")
    return f"L{one.level}{kind} {format.quantity(float(one.size), 'B')}"
