"""Facts about where and how each side was built and measured, for pages that show them."""

from collections.abc import Sequence
from typing import Any

from assay.model import Record
from assay.show.words.facts import flat

_CONTEXT = (
    "executable",
    "library_version",
    "library_build_type",
    "num_cpus",
    "mhz_per_cpu",
    "cpu_scaling_enabled",
    "aslr_enabled",
    "caches",
    "host_name",
    "date",
)
_FACTS = ("host", "build", "git", "clock", "allocations", "tool", "seed", "design", "linking")


def facts_of(record: Record) -> dict[str, str]:
    """The facts of a record, as text."""
    return flat({**side_facts(record, None), **record.facts.libmicro})


def sides_of(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """The facts of each side, from its own record, or from its part of the one record."""
    if len(records) == 2:
        return {
            side: side_facts(record, None)
            for side, record in zip(("base", "candidate"), records, strict=True)
        }
    return {side: side_facts(records[0], side) for side in ("base", "candidate") if records}


def side_facts(record: Record, side: str | None) -> dict[str, Any]:
    """The facts of one side of a record; `side` is None for a record without sides."""
    own, inner = record.facts.side(side or "")
    context = {**record.context, **own}
    facts = {**record.facts.written, **inner.written}
    return {
        **{key: context[key] for key in _CONTEXT if key in context},
        **{key: facts[key] for key in _FACTS if key in facts},
    }
