"""A comparison as JUnit XML, for CI systems that know nothing else.

A benchmark is a test case in the class of its metric: slower is a failure, also when only
sometimes; one that could not be measured is an error, undecided is skipped with what would
decide it. Single intervals, which no gate asks, never fail and are never skipped.
"""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from assay.model import Comparison, Failure, Judgement, Verdict
from assay.show.words import format, hints, strength, summary

_FAILURES = (Verdict.SLOWER, Verdict.SOMETIMES_SLOWER)


def junit(judgement: Judgement, *, failures: Sequence[Failure], gated: bool = False) -> str:
    """The whole document, ending in a newline."""
    comparisons = judgement.comparisons
    slower = sum(_failed(one) for one in comparisons)
    undecided = sum(_undecided(one) for one in comparisons)
    counts = (
        f'tests="{len(comparisons) + len(failures)}" failures="{slower}" '
        f'errors="{len(failures)}" skipped="{undecided}"'
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="assay" {counts}>',
        f'<testsuite name="assay compare" {counts}>',
        *(_case(one) for one in comparisons),
        *(_error(one) for one in failures),
        f"<system-out>{escape(_told(judgement, gated=gated))}</system-out>",
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(one: Comparison) -> str:
    opened = f"<testcase classname={_attribute(one.metric)} name={_attribute(one.benchmark)}"
    inside = _outcome(one)
    return f"{opened}>{inside}</testcase>" if inside else f"{opened}/>"


def _outcome(one: Comparison) -> str:
    if _failed(one):
        return f'<failure type="slower" message={quoteattr(_sentence(one))}/>'
    if _undecided(one):
        return f"<skipped message={quoteattr(_sentence(one))}/>"
    return f"<system-out>{escape(_sentence(one))}</system-out>"


def _failed(one: Comparison) -> bool:
    return one.verdict in _FAILURES and not one.single


def _undecided(one: Comparison) -> bool:
    return one.verdict is Verdict.UNDECIDED and not one.single


def _sentence(one: Comparison) -> str:
    """'sometimes slower: in about 1 of 5 launches, by 30 %; 10 ns to 10 ns, ...'."""
    hint = hints.hint(one)
    if one.findings:
        return f"{format.verdict_word(one)}: {hint}; {_numbers(one)}"
    return f"{format.verdict_word(one)}: {_numbers(one)}" + (f"; {hint}" if hint else "")


def _numbers(one: Comparison) -> str:
    base, candidate = (format.quantity(v, one.unit) for v in (one.base, one.candidate))
    change, interval = format.change(one.change), format.interval_of(one)
    return f"{base} to {candidate}, {change} (interval {interval})"


def _error(failure: Failure) -> str:
    name = failure.benchmark or failure.target or "target"
    side = f"{failure.side}: " if failure.side else ""
    message = quoteattr(side + format.visible(failure.what))
    return (
        f'<testcase classname="measuring" name={_attribute(name)}>'
        f'<error type="not measured" message={message}/></testcase>'
    )


def _told(judgement: Judgement, *, gated: bool) -> str:
    lines = [
        summary.headline(judgement.comparisons),
        *strength.sentences(judgement, gated=gated),
        *summary.how_judged(judgement),
    ]
    return "\n".join(format.visible(line) for line in lines)


def _attribute(name: str) -> str:
    """A name whole: CI systems follow a test case by it from run to run."""
    return quoteattr(format.visible(name))
