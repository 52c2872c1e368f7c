"""The first thing that is said of a benchmark: how much, which function, and what it does now.

first(found, ("Wal::append", "parse")).causes[0].callee        'memmove'
"""

from collections.abc import Sequence
from typing import NamedTuple

from assay.explained import Explained
from assay.findings import Cause, Claim, Difference, StageName, WhyFinding
from assay.judge.attribution import time_findings, work_findings
from assay.timed import OTHERS, TimeChange
from assay.work import OwnChange

_HALF = 2  # an allocation at least 1/2 as large as the largest cause is told: it says more


class _Whole(NamedTuple):
    """What is to be explained: None where it is not to be told, as where there was nothing."""

    stage: StageName
    amount: Difference | None
    sign: int  # its direction; 0: nothing changed


def first(found: Explained, ranked: Sequence[str]) -> WhyFinding | None:
    """The function of `ranked` that explains most; None if none changed as the whole did."""
    whole = _whole(found)
    amounts = (whole.amount,) if whole.amount else ()
    if found.code is not None and found.code.dear and _is_of_code(found, whole):
        one = found.code.dear[0]
        why = (Cause(one.kind, place=one.place),)
        return WhyFinding(whole.stage, Claim.DEAR, one.function, amounts, why)
    name = next((name for name in ranked if _sign(found, name, whole) == whole.sign), OTHERS)
    if not amounts or name == OTHERS:
        return None
    counted, timed = counted_and_timed(found, name)
    causes = _telling(found, counted, whole.sign)
    is_layout = not causes and timed is not None and timed.same_work
    claim = Claim.LAYOUT if is_layout else Claim.FUNCTION
    return WhyFinding(whole.stage, claim, name, amounts, causes)


def counted_and_timed(found: Explained, name: str) -> tuple[OwnChange | None, TimeChange | None]:
    """What was counted of a function and what was timed, where it is to be named."""
    counted = {one.function: one for one in found.work.told} if found.work else {}
    timed = {one.function: one for one in found.time.told} if found.time else {}
    return counted.get(name), timed.get(name)


def _whole(found: Explained) -> _Whole:
    if found.time is not None and found.time.whole.is_change:
        amount = time_findings.difference(found.time, found.time.whole)
        return _Whole(StageName.TIME, amount, 1 if amount.amount > 0 else -1)
    if found.work is not None and found.work.loop.whole:
        loop = found.work.loop
        is_told = bool(loop.base and found.work.told)
        amount = work_findings.difference(loop, loop.whole)
        return _Whole(StageName.WORK, amount if is_told else None, 1 if loop.whole > 0 else -1)
    return _Whole(StageName.WORK, None, 0)


def _is_of_code(found: Explained, whole: _Whole) -> bool:
    """Whether expensive instructions explain it: no function does more work than before."""
    if found.work is None:
        return False
    if whole.stage is StageName.WORK:
        return not found.work.told
    return whole.sign > 0 and not any(one.amount > 0 for one in found.work.told)


def _sign(found: Explained, name: str, whole: _Whole) -> int:
    """The direction in which a function changed: in time where that is to be explained."""
    counted, timed = counted_and_timed(found, name)
    amount = counted.amount if counted else 0
    if timed and whole.stage is StageName.TIME:
        amount = timed.change.amount
    return (amount > 0) - (amount < 0)


def _telling(found: Explained, one: OwnChange | None, sign: int) -> tuple[Cause, ...]:
    """The largest cause in the whole's direction, or an allocation that is nearly as large."""
    if one is None or found.work is None:
        return ()
    reasons = [why for why in one.reasons if why.amount * sign > 0]
    if not reasons:
        return ()
    largest = max(abs(why.amount) for why in reasons)
    causes = [(abs(why.amount), work_findings.cause(why, found.work.loop)) for why in reasons]
    allocating = [both for both in causes if both[1].allocates and _HALF * both[0] >= largest]
    return (max(allocating or causes, key=lambda both: both[0])[1],)
