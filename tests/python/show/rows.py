"""A comparison made by hand, for tests of how it is shown."""

from typing import Any

import msgspec

from assay.model import Comparison, Design, Finding, Verdict

SLOW_LAUNCHES = Finding(of="launches", verdict=Verdict.SOMETIMES_SLOWER, share=0.2, size=0.3)
SLOW_SAMPLES = Finding(of="samples", verdict=Verdict.SOMETIMES_SLOWER, share=0.01, size=0.11)


def row(**given: Any) -> Comparison:
    """An undecided one of 40 rounds, but for what is `given`."""
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
        method="rounds",
    )
    return msgspec.structs.replace(plain, **given)


def sometimes(*findings: Finding, **given: Any) -> Comparison:
    """One that is slower only sometimes."""
    found = findings or (SLOW_LAUNCHES,)
    return row(verdict=found[0].verdict, findings=found, **given)
