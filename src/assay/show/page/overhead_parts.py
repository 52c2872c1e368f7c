"""What a report says about an overhead experiment before its charts, prepared for the template.

parts(content)     # {} if the content is a comparison of two builds or a run
"""

import re
from collections.abc import Sequence
from typing import Any

from assay.model import Settings
from assay.overheads import Overhead, Overheads
from assay.show.content import Content
from assay.show.rows.overhead import tables
from assay.show.words import format, overhead

_MOST_SENTENCES = 12  # at most so many benchmarks have a sentence each; all are in the table


def parts(content: Content) -> dict[str, Any]:
    """The sentences, tables and notes on an overhead experiment; {} for other content."""
    found, judgement = content.overheads, content.judgement
    if found is None or judgement is None:
        return {}
    benchmarks = _by_benchmark(found.against_undisturbed_host)
    left_out = len(benchmarks) - _MOST_SENTENCES
    sentences: list[dict[str, Any]] = [
        {"name": format.name(name), "clauses": _clauses(rows, judgement.settings)}
        for name, rows in list(benchmarks.items())[:_MOST_SENTENCES]
    ]
    bracketed = any("[" in clause.after for one in sentences for clause in one["clauses"])
    return {
        "sentences": sentences,
        "more": overhead.note_on_left_out(left_out) if left_out > 0 else "",
        "brackets": overhead.meaning_of_brackets(judgement.settings) if bracketed else "",
        "tables": tables(found),
        "proof": overhead.PROOF,
        "notes": overhead.notes(found.rows),
    }


def forest_names(found: Overheads | None) -> list[str]:
    """Names for the rows of the forest chart, without the benchmark if there is only one."""
    if found is None or len(found.benchmarks) > 1:
        return []
    return [overhead.two_conditions(row) for row in found.rows]


def _clauses(rows: Sequence[Overhead], settings: Settings) -> list[overhead.Clause]:
    """A sentence's parts, in which percent signs and brackets cannot be
    torn off at a line's end.
    """
    return [
        overhead.Clause(_with_no_break_spaces(before), condition, _with_no_break_spaces(after))
        for before, condition, after in overhead.clauses(rows, settings)
    ]


def _with_no_break_spaces(text: str) -> str:
    return re.sub(r" (?=%)|(?<=[\d,]) (?=[^\[]*\])", "\N{NO-BREAK SPACE}", text)


def _by_benchmark(rows: list[Overhead]) -> dict[str, list[Overhead]]:
    found: dict[str, list[Overhead]] = {}
    for row in rows:
        found.setdefault(row.comparison.benchmark, []).append(row)
    return found
