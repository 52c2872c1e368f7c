"""A comparison as JUnit XML, for CI systems that know nothing else.

A benchmark is a test case in the class of its metric: slower is a failure, one that
could not be measured an error, undecided is skipped with what would decide it.
"""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from assay.model import Comparison, Failure, Judgement, Verdict
from assay.show import format, summary


def junit(judgement: Judgement, *, failures: Sequence[Failure]) -> str:
    """The whole document, ending in a newline."""
    comparisons = judgement.comparisons
    slower = sum(one.verdict is Verdict.SLOWER for one in comparisons)
    undecided = sum(one.verdict is Verdict.UNDECIDED for one in comparisons)
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
        f"<system-out>{escape(_told(judgement))}</system-out>",
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(one: Comparison) -> str:
    opened = f"<testcase classname={_attribute(one.metric)} name={_attribute(one.benchmark)}"
    inside = _outcome(one)
    return f"{opened}>{inside}</testcase>" if inside else f"{opened}/>"


def _outcome(one: Comparison) -> str:
    if one.verdict is Verdict.SLOWER:
        message = quoteattr(f"{format.verdict_word(one)}: {_numbers(one)}")
        return f'<failure type="slower" message={message}/>'
    if one.verdict is Verdict.UNDECIDED:
        hint = summary.undecided_hint(one)
        return f"<skipped message={quoteattr(f'undecided: {_numbers(one)}; {hint}')}/>"
    return f"<system-out>{escape(f'{format.verdict_word(one)}: {_numbers(one)}')}</system-out>"


def _numbers(one: Comparison) -> str:
    base, candidate = (format.quantity(v, one.unit) for v in (one.base, one.candidate))
    change, interval = format.change(one.change), format.interval(one.low, one.high)
    return f"{base} to {candidate}, {change} (interval {interval})"


def _error(failure: Failure) -> str:
    name = failure.benchmark or failure.target or "target"
    side = f"{failure.side}: " if failure.side else ""
    message = quoteattr(side + format.visible(failure.what))
    return (
        f'<testcase classname="measuring" name={_attribute(name)}>'
        f'<error type="not measured" message={message}/></testcase>'
    )


def _told(judgement: Judgement) -> str:
    lines = [summary.headline(judgement.comparisons), *summary.how_judged(judgement)]
    return "\n".join(format.visible(line) for line in lines)


def _attribute(name: str) -> str:
    """A name whole: CI systems follow a test case by it from run to run."""
    return quoteattr(format.visible(name))
