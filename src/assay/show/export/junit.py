"""A comparison as JUnit XML, which many CI systems read.

Each benchmark is a test case in the class of its metric. Slower and sometimes slower are failures;
a benchmark that could not be measured is an error; undecided is skipped, with what would decide it.
Single intervals, which no gate asks about, never fail and are never skipped.
"""

from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from assay.model import Comparison, Failure, Judgement, Verdict
from assay.outside_text import without_commands
from assay.show.words import format, hints, strength, summary
from assay.show.words.failed_launches import sentence

_FAILURES = (Verdict.SLOWER, Verdict.SOMETIMES_SLOWER)


def junit(judgement: Judgement, *, failures: Sequence[Failure], gated: bool = False) -> str:
    """The comparison as a JUnit document, with a newline at its end."""
    comparisons = judgement.comparisons
    failing = [one for one in judgement.failed_launches if one.more_often]
    counts = {
        "tests": str(len(comparisons) + len(failing) + len(failures)),
        "failures": str(sum(_failed(one) for one in comparisons) + len(failing)),
        "errors": str(len(failures)),
        "skipped": str(sum(_undecided(one) for one in comparisons)),
    }
    root = Element("testsuites", {"name": "assay", **counts})
    suite = SubElement(root, "testsuite", {"name": "assay compare", **counts})
    for one in comparisons:
        _outcome(_case(suite, one.metric, one.benchmark), one)
    for fails in failing:
        case = _case(suite, "launches", fails.benchmark)
        SubElement(case, "failure", type="fails more often", message=sentence(fails))
    for failure in failures:
        _error(suite, failure)
    SubElement(suite, "system-out").text = _summary_text(judgement, gated=gated)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return without_commands(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n')


def _case(suite: Element, kind: str, name: str) -> Element:
    """A test case with the whole name, because CI systems follow test cases by name."""
    return SubElement(suite, "testcase", classname=format.visible(kind), name=format.visible(name))


def _outcome(case: Element, one: Comparison) -> None:
    if _failed(one):
        SubElement(case, "failure", type="slower", message=_sentence(one))
    elif _undecided(one):
        SubElement(case, "skipped", message=_sentence(one))
    else:
        SubElement(case, "system-out").text = _sentence(one)


def _error(suite: Element, failure: Failure) -> None:
    case = _case(suite, "measuring", failure.benchmark or failure.target or "target")
    side = f"{failure.side}: " if failure.side else ""
    message = side + format.visible(failure.what)
    SubElement(case, "error", type="not measured", message=message)


def _failed(one: Comparison) -> bool:
    return one.verdict in _FAILURES and not one.single


def _undecided(one: Comparison) -> bool:
    return one.verdict is Verdict.UNDECIDED and not one.single


def _sentence(one: Comparison) -> str:
    """The message on one benchmark: 'sometimes slower: in about 1 of 5 launches, by 30 %; ...'."""
    hint = hints.hint(one)
    if one.findings:
        return f"{format.verdict_word(one)}: {hint}; {_numbers(one)}"
    return f"{format.verdict_word(one)}: {_numbers(one)}" + (f"; {hint}" if hint else "")


def _numbers(one: Comparison) -> str:
    base, candidate = format.amounts(one)
    change, interval = format.change(one.change), format.interval_of(one)
    return f"{base} to {candidate}, {change} (interval {interval})"


def _summary_text(judgement: Judgement, *, gated: bool) -> str:
    lines = [
        summary.headline(judgement.comparisons),
        *strength.sentences(judgement, gated=gated),
        *summary.how_judged(judgement),
    ]
    return "\n".join(format.visible(line) for line in lines)
