"""Every function whose instructions changed, as rows of a table.

function_rows(work, code)[0].amounts    of the whole loop, and of the function's own instructions
"""

from collections.abc import Iterator
from fractions import Fraction

from assay.findings import Claim, Difference, StageName, WhyFinding
from assay.judge.attribution.work_findings import work_difference
from assay.machine_code import FunctionCode, MachineCode
from assay.work import ExactWork, OwnChange

# Functions with a row each; the remaining functions are summed up in a last row. How much a page
# shows: a round number that no decision names.
_ROWS = 40


def function_rows(work: ExactWork, code: MachineCode | None) -> Iterator[WhyFinding]:
    """A row for each of the largest changes, also if not worth naming; then one for the rest."""
    loop = work.loop
    changes = sorted(loop.changes, key=lambda one: -abs(one.amount))
    hows = {one.name: _how_code_differs(one) for one in code.functions} if code else {}
    for one in changes[:_ROWS]:
        own = Difference("instruction", one.base, one.candidate - one.base, loop.iterations)
        amounts = (work_difference(loop, one.amount), own)
        how = hows.get(one.function, "inlined" if one.own else "")
        yield WhyFinding(StageName.WORK, Claim.FUNCTION, one.function, amounts, how=how)
    if rest := changes[_ROWS:]:
        yield _row_for_rest(work, rest)


def _row_for_rest(work: ExactWork, some: list[OwnChange]) -> WhyFinding:
    amount = sum((one.amount for one in some), Fraction(0))
    amounts = (work_difference(work.loop, amount),)
    return WhyFinding(StageName.WORK, Claim.REST, amounts=amounts, others=len(some))


def _how_code_differs(one: FunctionCode) -> str:
    return "same, moved" if one.is_unchanged and one.moved else one.how
