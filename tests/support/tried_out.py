"""Made-up results of `assay trust`, for tests of what shows them."""

import msgspec

from assay.judge.trust import judged_tries, median_and_largest
from assay.model import Verdict
from assay.trust import Placement, Trust, TryVerdict

HOSTILE = "BM_<script>alert(1)</script>\x1b[31m"


def told(verdict: Verdict, name: str, added: float | None = None) -> TryVerdict:
    """One verdict."""
    return TryVerdict(
        benchmark=name,
        seed=1,
        verdict=verdict,
        change=0.051,
        low=0.03,
        high=0.07,
        rounds=30,
        added=added,
    )


def trusted(**changes: object) -> Trust:
    """Tries with a copy and with one slowdown, which did not reach one of two benchmarks."""
    copy = [told(Verdict.SAME, "BM_a"), told(Verdict.UNDECIDED, HOSTILE)]
    slowed = [told(Verdict.SLOWER, "BM_a", 0.0501), told(Verdict.SAME, HOSTILE, 0.0)]
    whole = Trust(
        target="build/bench",
        seed=7,
        budget_s=300.0,
        spent_s=299.0,
        margin=0.02,
        alpha=0.05,
        benchmarks=2,
        looked_at=2,
        slowdowns=(0.05,),
        how="by a delay",
        tries=(
            judged_tries(copy, injected=0.0, margin=0.02),
            judged_tries(slowed, injected=0.05, margin=0.02),
        ),
        placement=Placement(why_not="it was linked elsewhere"),
        floor=median_and_largest({"BM_a": 0.01, HOSTILE: 0.03}),
        floor_rounds=24,
        host={"cpu_model": "a processor"},
    )
    return msgspec.structs.replace(whole, **changes)  # type: ignore[arg-type]
