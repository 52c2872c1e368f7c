"""Comparisons made by hand, for tests of how they are described."""

from typing import Any

import msgspec

from assay.judge.family.decision import verdict_of_interval
from assay.judging import MethodName
from assay.model import Comparison, Design, Finding, Verdict
from assay.units import metric

MARGIN = 0.02  # the margin that `comparison` is judged against

SLOW_LAUNCHES = Finding(of="launches", verdict=Verdict.SOMETIMES_SLOWER, share=0.2, size=0.3)
SLOW_SAMPLES = Finding(of="samples", verdict=Verdict.SOMETIMES_SLOWER, share=0.01, size=0.11)


def row(**given: Any) -> Comparison:
    """An undecided comparison of 40 rounds, except for the fields given."""
    plain = Comparison(
        benchmark="B",
        metric="real_time",
        unit="ns",
        base=100.0,
        candidate=103.0,
        change=0.03,
        low=0.0,
        high=0.06,
        verdict=Verdict.UNDECIDED,
        rounds=40,
        design=Design.INTERLEAVED,
        method=MethodName.ROUNDS,
    )
    return msgspec.structs.replace(plain, **given)


def sometimes(*findings: Finding, **given: Any) -> Comparison:
    """A comparison that is slower only sometimes."""
    found = findings or (SLOW_LAUNCHES,)
    return row(verdict=found[0].verdict, findings=found, **given)


def comparison(
    change: float = 0.0,
    ends: tuple[float, float] | None = None,
    *,
    name: str = "real_time",
    single: bool = False,
) -> Comparison:
    """A comparison with the interval `ends`, judged against `MARGIN`; without it, undecided."""
    low, high = ends or (None, None)
    verdict = Verdict.UNDECIDED
    if ends:
        verdict = verdict_of_interval(*ends, MARGIN, metric(name).better)
    return Comparison(
        benchmark="B",
        metric=name,
        unit="ns",
        base=1.0,
        candidate=1.0 + change,
        change=change,
        low=low,
        high=high,
        verdict=verdict,
        rounds=5,
        design=Design.INTERLEAVED,
        method=MethodName.ROUNDS,
        single=single,
    )
