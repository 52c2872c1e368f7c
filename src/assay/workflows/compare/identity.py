"""Comparing two sides that are the same program: whatever differs is noise of the host.

Normally nothing is measured. If the floor is asked for, they are measured against each other for as
many rounds as a floor takes. The verdict is `same` whatever the rounds say.
"""

import math
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from assay.judging import MethodName, NothingCanDiffer
from assay.model import Comparison, Design, Judgement, Settings, Verdict
from assay.remarks import RemarkName
from assay.units import TIME, metric
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.known_floor import FLOOR_ROUNDS

METHOD = "identity: both sides are the same program"
_NOTE = "both sides are the same program: what differs is noise, and the floor of this host"
_UNMEASURED = (
    "both sides are the same program: nothing was measured "
    "(assay compare --floor measures how far this host's noise reaches)"
)


def plan_of_identical(plan: ComparePlan) -> ComparePlan:
    """The plan for measuring a program against itself: a floor's rounds, or fewer if asked for."""
    asked = plan.measuring.rounds or FLOOR_ROUNDS
    measuring = replace(plan.measuring, rounds=min(asked, FLOOR_ROUNDS))
    return replace(plan, measuring=measuring, settings=Settings(margin=0.0))


def same_unmeasured(plan: ComparePlan, names: Sequence[str]) -> Judgement:
    """A judgement that calls every benchmark `same` because both sides are one program.

    Nothing was measured, so its values are NaN.
    """
    metrics = plan.metrics or ("real_time",)
    return Judgement(
        comparisons=tuple(_unmeasured_comparison(name, one) for name in names for one in metrics),
        settings=plan.settings,
        control=NothingCanDiffer(),
        notes=(RemarkName.ONE_PROGRAM_UNMEASURED,),
    )


def same_by_identity(judgement: Judgement) -> Judgement:
    """The judgement with every verdict set to `same` and every interval to zero width, because
    both sides are one program.
    """
    comparisons = tuple(_comparison_set_to_same(one) for one in judgement.comparisons)
    notes = (RemarkName.ONE_PROGRAM, *judgement.notes)
    return msgspec.structs.replace(
        judgement, comparisons=comparisons, notes=notes, discoveries=(), strength=None
    )


def _unmeasured_comparison(benchmark: str, of: str) -> Comparison:
    return Comparison(
        benchmark=benchmark,
        metric=of,
        unit="ns" if metric(of).unit == TIME else metric(of).unit,
        base=math.nan,
        candidate=math.nan,
        change=0.0,
        low=0.0,
        high=0.0,
        verdict=Verdict.SAME,
        rounds=0,
        design=Design.INTERLEAVED,
        method=MethodName.IDENTITY,
    )


def _comparison_set_to_same(one: Comparison) -> Comparison:
    return msgspec.structs.replace(
        one,
        verdict=Verdict.SAME,
        change=0.0,
        low=0.0,
        high=0.0,
        method=MethodName.IDENTITY,
        p_value=None,
        lean=None,
        rounds_needed=None,
        rounds_wanted=None,
        findings=(),
        single=False,
    )
