"""Which findings about the sampled time of functions are shown, and in which order.

findings_on_time(time).head.claim        Claim.UNDECIDED
"""

from assay.findings import Cause, Claim, Difference, StageFindings, StageName, WhyFinding
from assay.timed import TimeChange, Timed, TimeInterval

_CAUSES = 3  # callees named of one function: how much a reader is shown, by no decision
_UNIT = "fs"


def findings_on_time(time: Timed) -> StageFindings:
    """Findings on the benchmark's whole change in time, and on time that only moved."""
    moved = tuple(
        WhyFinding(
            *(StageName.TIME, Claim.MOVED, one.function),
            amounts=(Difference(_UNIT, time.base, one.amount),),
            other=one.into,
        )
        for one in time.moved
    )
    whole = time.whole.amount if time.whole.is_change else 0
    return StageFindings(
        StageName.TIME, _whole_change_finding(time), moved, time.notes, (whole > 0) - (whole < 0)
    )


def time_difference(time: Timed, span: TimeInterval) -> Difference:
    """An amount of time with its interval, beside all that the base takes."""
    return Difference(_UNIT, time.base, span.amount, low=span.low, high=span.high)


def function_finding(time: Timed, one: TimeChange) -> WhyFinding:
    """How much more time a function takes, and the whole change, where this is a part of it."""
    amounts = [time_difference(time, one.change)]
    if one.instructions is not None:
        before, now = one.instructions
        amounts.append(Difference("instruction", before, now - before))
    points, whole = one.change.amount, time.whole.amount
    is_part = time.whole.is_change and bool(whole) and 0 < points / whole <= 1
    return WhyFinding(
        StageName.TIME,
        Claim.LAYOUT if one.same_work else Claim.FUNCTION,
        one.function,
        tuple(amounts),
        _causes(one, time.base),
        part_of=time_difference(time, time.whole) if is_part else None,
        rounds=time.rounds,
    )


def rest_finding(time: Timed, named: set[str]) -> WhyFinding | None:
    """The change in time of all functions that are not `named`, as one sum.

    Where no function changed enough to be named, it is the largest change instead.
    """
    if not time.whole.is_change:
        return None
    if time.told:
        told = [one for one in time.told if one.function in named]
        left = time.whole.amount - sum(one.change.amount for one in told)
        amounts, others = (Difference(_UNIT, time.base, left),), len(time.told) - len(told)
        return WhyFinding(StageName.TIME, Claim.REST, amounts=amounts, others=others)
    if not time.changes:
        return None
    first = time.changes[0]
    amounts = (time_difference(time, first.change),)
    return WhyFinding(*(StageName.TIME, Claim.LARGEST, first.function, amounts), rounds=time.rounds)


def _whole_change_finding(time: Timed) -> WhyFinding:
    claim = Claim.DIFFERS if time.whole.is_change else Claim.UNSURE
    if time.whole.low is None or time.whole.high is None:
        claim = Claim.UNDECIDED
    elif not time.whole.is_change and not time.told and not time.moved:
        claim = Claim.SAME
    return WhyFinding(
        *(StageName.TIME, claim),
        amounts=(time_difference(time, time.whole),),
        rounds=time.rounds,
        measured_by="wall" if time.has_waiting else "cpu",
    )


def _causes(one: TimeChange, base: int) -> tuple[Cause, ...]:
    """How a function's change divides among its callees and its own code.

    Empty where all of it is in its own code.
    """
    if len(one.below) == 1 and not one.below[0].callee:
        return ()
    return tuple(
        Cause(
            "library" if part.callee else "itself",
            part.callee,
            amounts=(Difference(_UNIT, base, part.amount),),
        )
        for part in one.below[:_CAUSES]
    )
