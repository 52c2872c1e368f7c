"""The headline of a benchmark: how much it changed, by which function, and what that does now.

first_finding(found, ("Wal::append", "parse")).causes[0].callee        'memmove'
"""

from collections.abc import Sequence

import msgspec

from assay.explained import Explained
from assay.findings import Cause, Claim, Difference, StageName, WhyFinding
from assay.judge.attribution import time_findings, work_findings
from assay.timed import OTHERS, TimeChange
from assay.work import OwnChange

# A cause that allocates memory is named instead of the largest one, if it is at least 1/2 as large:
# it says more. Not tuned: no decision names the share, and it only orders findings.
_HALF = 2


class _WholeChange(msgspec.Struct, frozen=True):
    """The whole change of a benchmark, in time or instructions, which is to be explained.

    `amount` is None where that change is not worth naming.
    """

    stage: StageName
    amount: Difference | None
    sign: int  # 1: the benchmark takes more than before; -1: less; 0: nothing changed


def first_finding(found: Explained, ranked: Sequence[str]) -> WhyFinding | None:
    """The finding on the first function of `ranked` that changed in the whole's direction, if any.

    Where only expensive instructions explain the change, it is about the function with these.
    """
    whole = _whole_change(found)
    amounts = (whole.amount,) if whole.amount else ()
    if found.code is not None and found.code.dear and _is_explained_by_code(found, whole):
        one = found.code.dear[0]
        why = (Cause(one.kind, place=one.place),)
        return WhyFinding(whole.stage, Claim.DEAR, one.function, amounts, why)
    changed = (one for one in ranked if _direction_of_change(found, one, whole) == whole.sign)
    name = next(changed, OTHERS)
    if not amounts or name == OTHERS:
        return None
    counted, timed = changes_in_work_and_time(found, name)
    causes = _cause_to_name(found, counted, whole.sign)
    is_layout = not causes and timed is not None and timed.same_work
    claim = Claim.LAYOUT if is_layout else Claim.FUNCTION
    return WhyFinding(whole.stage, claim, name, amounts, causes)


def changes_in_work_and_time(
    found: Explained, name: str
) -> tuple[OwnChange | None, TimeChange | None]:
    """The change of a function's instructions and of its time; None where not worth naming."""
    counted = {one.function: one for one in found.work.told} if found.work else {}
    timed = {one.function: one for one in found.time.told} if found.time else {}
    return counted.get(name), timed.get(name)


def _whole_change(found: Explained) -> _WholeChange:
    if found.time is not None and found.time.whole.is_change:
        amount = time_findings.time_difference(found.time, found.time.whole)
        return _WholeChange(StageName.TIME, amount, 1 if amount.amount > 0 else -1)
    if found.work is not None and found.work.loop.whole:
        loop = found.work.loop
        is_told = bool(loop.base and found.work.told)
        amount = work_findings.work_difference(loop, loop.whole)
        return _WholeChange(
            StageName.WORK, amount if is_told else None, 1 if loop.whole > 0 else -1
        )
    return _WholeChange(StageName.WORK, None, 0)


def _is_explained_by_code(found: Explained, whole: _WholeChange) -> bool:
    """Whether expensive kinds of instructions explain the benchmark's change.

    They do where no function executes more instructions than before.
    """
    if found.work is None:
        return False
    if whole.stage is StageName.WORK:
        return not found.work.told
    return whole.sign > 0 and not any(one.amount > 0 for one in found.work.told)


def _direction_of_change(found: Explained, name: str, whole: _WholeChange) -> int:
    """1 if a function takes more than before, -1 if less: of time, where time is explained."""
    counted, timed = changes_in_work_and_time(found, name)
    amount = counted.amount if counted else 0
    if timed and whole.stage is StageName.TIME:
        amount = timed.change.amount
    return (amount > 0) - (amount < 0)


def _cause_to_name(found: Explained, one: OwnChange | None, sign: int) -> tuple[Cause, ...]:
    """The cause of a function's change to name: the largest in the direction of the whole.

    An allocation at least half as large is named instead.
    """
    if one is None or found.work is None:
        return ()
    reasons = [why for why in one.reasons if why.amount * sign > 0]
    if not reasons:
        return ()
    largest = max(abs(why.amount) for why in reasons)
    causes = [(abs(why.amount), work_findings.cause(why, found.work.loop)) for why in reasons]
    allocating = [both for both in causes if both[1].allocates and _HALF * both[0] >= largest]
    return (max(allocating or causes, key=lambda both: both[0])[1],)
