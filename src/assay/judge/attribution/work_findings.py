"""Which findings about the counted instructions of functions are shown, and in which order.

findings_on_work(work, time_differs=False, most=5).head.claim        Claim.DIFFERS
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from assay.findings import ELSEWHERE, Cause, Claim, Difference, StageFindings, StageName, WhyFinding
from assay.work import Attribution, ChangeReason, ExactWork, MovedCost, OwnChange

# Both are how much a reader is shown, and round numbers that no decision names.
_CAUSES = 3  # causes named of one function; the others are summed up
_NEXT_TO_NOTHING = 200  # less than an instruction in so many iterations is not told
_UNIT = "instruction"


def findings_on_work(work: ExactWork, *, time_differs: bool, most: int | None) -> StageFindings:
    """Findings on the whole change in instructions, and on misses, moved work and set-up.

    The latter explain no instruction of the loop by themselves.
    """
    lines = (
        *_findings_on_misses(work, most),
        *_findings_on_moved_work(work.loop),
        *_findings_on_setup(work),
    )
    whole = work.loop.whole if work.told else 0
    head = _whole_change_finding(work, time_differs=time_differs)
    return StageFindings(StageName.WORK, head, lines, work.notes, (whole > 0) - (whole < 0))


def work_difference(found: Attribution, amount: int | Fraction, unit: str = _UNIT) -> Difference:
    """A part of the difference in instructions or events, beside the base's total."""
    return Difference(unit, found.base, amount, found.iterations)


def function_finding(found: Attribution, one: OwnChange) -> WhyFinding:
    """How many more instructions a function executes by its own change, and where."""
    amounts, why = (work_difference(found, one.amount),), _causes(one, found.iterations)
    return WhyFinding(StageName.WORK, Claim.FUNCTION, one.function, amounts, why)


def rest_finding(work: ExactWork, named: set[str]) -> WhyFinding | None:
    """The change in instructions of all functions that are not `named`, as one sum.

    None where that sum is next to nothing.
    """
    found = work.loop
    if not work.told:
        return None if _is_small(found) else _unnamed_change_finding(found)
    told = [one for one in work.told if one.function in named]
    left = found.whole - sum((one.amount for one in told), Fraction(0))
    others = len(work.told) - len(told)
    if not others and abs(left) * _NEXT_TO_NOTHING < found.iterations:
        return None
    return WhyFinding(
        StageName.WORK,
        Claim.REST,
        amounts=(_instruction_amount(left, found.iterations),),
        others=others,
    )


def cause(why: ChangeReason, found: Attribution) -> Cause:
    """One reason of a function's change in the loop."""
    return _cause(why, found.iterations)


def _causes(one: OwnChange, iterations: int) -> tuple[Cause, ...]:
    """The largest causes of a function's change, and the sum of the others."""
    rest = sum((why.amount for why in one.reasons[_CAUSES:]), Fraction(0))
    more = (Cause(ELSEWHERE, amounts=(_instruction_amount(rest, iterations),)),) if rest else ()
    return (*(_cause(why, iterations) for why in one.reasons[:_CAUSES]), *more)


def _unnamed_change_finding(found: Attribution) -> WhyFinding | None:
    """The largest change, if it is not named because only library calls of that function differ."""
    for one in found.changes[:1]:
        if one.own and one.differs_in_libraries_only:
            return replace(function_finding(found, one), claim=Claim.UNNAMED)
    return None


def _cause(why: ChangeReason, iterations: int) -> Cause:
    before, now = why.counts
    calls = Difference("call", before, now - before, iterations)
    return Cause(
        why.kind, why.callee, why.place, (_instruction_amount(why.amount, iterations),), calls=calls
    )


def _is_small(found: Attribution) -> bool:
    """Whether the loop's instructions changed by less than a thousandth.

    Other addresses in memory alone can cause so much.
    """
    return abs(found.whole) * 1000 < found.base


def _whole_change_finding(work: ExactWork, *, time_differs: bool) -> WhyFinding:
    found = work.loop
    claim = Claim.DIFFERS
    has_misses = any(one.told for one in work.simulated)
    if found.whole == 0 and not work.told:
        same = Claim.OTHER_TIME if time_differs else Claim.SAME
        claim = Claim.OTHER_MISSES if has_misses else same
    elif not work.told and not has_misses and _is_small(found):
        claim = Claim.SMALL
    return WhyFinding(StageName.WORK, claim, amounts=(work_difference(found, found.whole),))


def _findings_on_misses(work: ExactWork, most: int | None) -> Iterator[WhyFinding]:
    """What a simulated processor does worse or better with the loop's instructions.

    Functions whose instructions changed by more are left out: more work brings more misses.
    """
    known = {one.function: abs(one.amount) for one in work.told}
    for one in work.simulated:
        told = [
            each for each in one.told if one.worth * abs(each.amount) > known.get(each.function, 0)
        ]
        for each in told[:most]:
            amounts = (work_difference(one.found, each.amount, one.what),)
            why = _causes(each, one.found.iterations)
            yield WhyFinding(StageName.WORK, Claim.MISSES, each.function, amounts, why)
        if others := told[len(told[:most]) :]:
            rest = sum((each.amount for each in others), Fraction(0))
            amounts = (work_difference(one.found, rest, one.what),)
            yield WhyFinding(StageName.WORK, Claim.MISSES, amounts=amounts, others=len(others))


def _findings_on_moved_work(found: Attribution) -> Iterator[WhyFinding]:
    """Work that moved to another function: from a hundredth of the loop on, the largest first."""
    worth = [one for one in found.moved if 100 * one.amount >= found.base]
    for one in sorted(worth, key=lambda one: -one.amount):
        yield _moved_work_finding(one, found.iterations)


def _moved_work_finding(one: MovedCost, iterations: int) -> WhyFinding:
    amounts = (_instruction_amount(one.amount, iterations),)
    return WhyFinding(
        *(StageName.WORK, Claim.MOVED, one.function, amounts), other=one.into, how=one.how
    )


def _findings_on_setup(work: ExactWork) -> Iterator[WhyFinding]:
    """What changed outside the loop, which is not in the benchmark's time."""
    for one in work.told_setup:
        amounts = (_instruction_amount(one.amount, 1),)
        yield WhyFinding(StageName.WORK, Claim.SETUP, one.function, amounts, _causes(one, 1))


def _instruction_amount(amount: int | Fraction, iterations: int) -> Difference:
    return Difference(_UNIT, 0, amount, iterations)
