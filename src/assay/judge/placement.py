"""Times that differ although both sides execute the same code on the same data.

    judgement = with_placement_verdicts(judgement, {"BM_find": SameCode(True, "same machine code")})
    judgement.comparisons[0].verdict        Verdict.PLACEMENT

Every change of a program moves code, also code that nobody touched, and that alone makes a tight
loop some percent faster or slower (Mytkowicz et al., "Producing wrong data without doing anything
obviously wrong", ASPLOS 2009). Such a time does differ, and its interval stays. But no change of
the code is the reason, so the verdict is `placement`, for which no gate fails. Where the rounds do
not show a difference, the same code is `same` (decision 42).
"""

from collections.abc import Mapping

import msgspec

from assay.judge.family.strength import strength
from assay.model import Comparison, Judgement, Verdict
from assay.remarks import RemarkName
from assay.same_code import SameCode
from assay.units import TIME, Better, metric


def with_placement_verdicts(
    judgement: Judgement, known: Mapping[str, SameCode], *, is_counted: bool = False
) -> Judgement:
    """The judgement, with `placement` as the verdict of times that differ on the same code.

    `known` says by benchmark whether both sides execute the same. With `is_counted` verdicts stay,
    and a note says that the code is the same. The strength is computed anew.
    """
    if not known:
        return judgement
    comparisons = tuple(
        _with_placement_verdict(one, known.get(one.benchmark), is_counted=is_counted)
        for one in judgement.comparisons
    )
    margin = judgement.settings.margin
    return msgspec.structs.replace(
        judgement, comparisons=comparisons, strength=strength(comparisons, margin)
    )


def _with_placement_verdict(
    one: Comparison, code: SameCode | None, *, is_counted: bool
) -> Comparison:
    if code is None:
        return one
    one = msgspec.structs.replace(one, code=code)
    if not code.same or one.verdict is Verdict.SAME or not is_time_or_rate(one.metric):
        return one
    if one.low is None or one.high is None:
        return one
    if is_counted:
        return msgspec.structs.replace(one, notes=(*one.notes, RemarkName.PLACED_ELSEWHERE_COUNTED))
    settled_one = msgspec.structs.replace(one, lean=None, rounds_needed=None, findings=())
    if one.low <= 0.0 <= one.high and not one.verdict.is_change:
        return msgspec.structs.replace(settled_one, verdict=Verdict.SAME)
    notes = (*one.notes, RemarkName.PLACED_ELSEWHERE)
    return msgspec.structs.replace(settled_one, verdict=Verdict.PLACEMENT, notes=notes)


def is_time_or_rate(name: str) -> bool:
    """Whether placement can change this metric: it is a time, or a rate."""
    found = metric(name)
    return found.unit in (TIME, "ns") or (
        found.better is Better.HIGHER and found.unit.endswith("/s")
    )
