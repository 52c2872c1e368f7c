"""What is known of where and how each side was made, for the pages that show it."""

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
_FACTS = ("host", "build", "git", "clock", "allocations", "tool", "seed", "design")


def facts_of(record: Record) -> dict[str, str]:
    """What is known of where and how a record was made, as text."""
    return flat({**side_facts(record, None), **record.facts.libmicro})


def sides_of(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """The facts of each side: of its own record, or of its half of the one record."""
    if len(records) == 2:
        return {
            side: side_facts(record, None)
            for side, record in zip(("base", "candidate"), records, strict=True)
        }
    return {side: side_facts(records[0], side) for side in ("base", "candidate") if records}


def side_facts(record: Record, side: str | None) -> dict[str, Any]:
    """Of one side of a record, or of a record that has none (None)."""
    own, inner = record.facts.side(side or "")
    context = {**record.context, **own}
    facts = {**record.facts.written, **inner.written}
    return {
        **{key: context[key] for key in _CONTEXT if key in context},
        **{key: facts[key] for key in _FACTS if key in facts},
    }
