"""What an overhead experiment found: values only, and the record they are kept in."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from assay.judge.contrasts import contrasts_of
from assay.judge.verdict import judge
from assay.measure.conditions.condition import Condition
from assay.measure.conditions.proof import Count
from assay.model import Comparison, Judgement, Record, Sample, Settings
from assay.workflows.overhead.plan import OverheadPlan


@dataclass(frozen=True)
class Compared:
    """`condition` against `reference`."""

    reference: str
    condition: str
    comparison: Comparison


@dataclass(frozen=True)
class Judged:
    """Every two conditions compared, all under one control of error."""

    judgement: Judgement
    contrasts: tuple[Compared, ...]

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        return self.judgement.comparisons


class ConditionProof(msgspec.Struct, frozen=True):
    """What proves that a condition was in force, over the whole run."""

    condition: str
    visits: int = 0
    events: int | None = None  # None: the plan counts none
    lost: int | None = None

    def plus(self, count: Count | None) -> "ConditionProof":
        """After one more visit."""
        if count is None:
            return ConditionProof(self.condition, self.visits + 1)
        lost = self.lost if count.lost is None else count.lost + (self.lost or 0)
        return ConditionProof(
            self.condition, self.visits + 1, count.events + (self.events or 0), lost
        )


@dataclass(frozen=True)
class OverheadResult:
    """A judgement over all conditions, and everything needed to show and to keep it."""

    plan: OverheadPlan
    judged: Judged
    shown: tuple[ConditionProof, ...]
    record: Record
    kept_in: str
    interrupted_by: int | None = None  # the number of a signal


def judged(samples: Sequence[Sample], names: Sequence[str], settings: Settings) -> Judged:
    """Compare every two conditions there are samples of."""
    contrasts = contrasts_of(samples, names, settings)
    judgement = judge([one.pair for one in contrasts], settings)
    pairs = zip(contrasts, judgement.comparisons, strict=True)
    return Judged(judgement, tuple(Compared(c.reference, c.condition, one) for c, one in pairs))


def narrow(comparison: Comparison, precision: float) -> bool:
    """Whether the interval reaches no further than `precision` of the slower side."""
    if comparison.low is None or comparison.high is None:
        return False
    reach = (comparison.high - comparison.low) / 2
    return reach <= precision * max(1.0, 1.0 + comparison.change)


def condition_facts(
    conditions: Iterable[Condition], shown: Sequence[ConditionProof]
) -> list[dict[str, Any]]:
    """Each condition as it was asked for, and its proof: `context.assay.conditions`."""
    proofs = {one.condition: one for one in shown}
    defaults = msgspec.to_builtins(Condition(name=""))
    rows = []
    for one in conditions:
        asked = {k: v for k, v in msgspec.to_builtins(one).items() if v != defaults[k]}
        proof = msgspec.to_builtins(proofs.get(one.name, ConditionProof(one.name)))
        rows.append({**asked, "shown": {k: v for k, v in proof.items() if k != "condition"}})
    return rows


def comparison_facts(result: Judged) -> list[dict[str, Any]]:
    """`context.assay.comparisons`: what was concluded, beside what it was concluded from."""
    return [
        {
            "reference": one.reference,
            "condition": one.condition,
            **msgspec.to_builtins(one.comparison),
        }
        for one in result.contrasts
    ]


def in_order(samples: Iterable[Sample], names: Sequence[str]) -> tuple[Sample, ...]:
    """Benchmark by benchmark, launches in time order."""
    place = {name: number for number, name in enumerate(names)}
    return tuple(sorted(samples, key=lambda one: (place[one.benchmark], one.launch)))


def rounds_of(samples: Iterable[Sample]) -> int:
    """Rounds of the condition that had most."""
    return max(Counter((s.benchmark, s.condition) for s in samples).values(), default=0)
