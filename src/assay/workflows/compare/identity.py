"""Two sides that are the same program: nothing can differ, and what does is the host's noise.

They are measured all the same, in as many rounds as a floor takes: A against A, for nothing.
The verdict is `same` whatever the rounds say.
"""

from dataclasses import replace

import msgspec

from assay.model import Comparison, Judgement, Settings, Verdict
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.known_floor import FLOOR_ROUNDS

METHOD = "identity: both sides are the same program"
_NOTE = "both sides are the same program: what differs is noise, and the floor of this host"


def plan_of_identical(plan: ComparePlan) -> ComparePlan:
    """How to measure them: every benchmark gets the rounds of a floor, unless fewer are asked."""
    asked = plan.measuring.rounds or FLOOR_ROUNDS
    measuring = replace(plan.measuring, rounds=min(asked, FLOOR_ROUNDS))
    return replace(plan, measuring=measuring, settings=Settings(margin=0.0))


def same_by_identity(judgement: Judgement) -> Judgement:
    """Every comparison `same`, with an interval of nothing."""
    comparisons = tuple(_same(one) for one in judgement.comparisons)
    notes = (_NOTE, *judgement.notes)
    return msgspec.structs.replace(
        judgement, comparisons=comparisons, notes=notes, discoveries=(), strength=None
    )


def _same(one: Comparison) -> Comparison:
    return msgspec.structs.replace(
        one,
        verdict=Verdict.SAME,
        change=0.0,
        low=0.0,
        high=0.0,
        method=METHOD,
        p_value=None,
        lean=None,
        rounds_needed=None,
        rounds_wanted=None,
        findings=(),
        single=False,
    )
