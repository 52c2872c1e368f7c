"""The results of an overhead experiment, and how a record keeps them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from assay.judge.contrasts import contrasts_of
from assay.judge.verdict import judge
from assay.measure.conditions.condition import Condition
from assay.measure.conditions.proof import EventCount
from assay.model import Comparison, Judgement, Record, Sample, Settings
from assay.show.export import comparison_json
from assay.workflows.overhead.plan import OverheadPlan


class ConditionComparison(msgspec.Struct, frozen=True):
    """The comparison of two conditions of the host: how much slower
    `condition` is than `reference`.
    """

    reference: str
    condition: str
    comparison: Comparison


class JudgedConditions(msgspec.Struct, frozen=True):
    """Comparisons of every two conditions of the host, judged as one family: all of them together
    have one chance of a false alarm.
    """

    judgement: Judgement
    contrasts: tuple[ConditionComparison, ...]

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        return self.judgement.comparisons


class ConditionProof(msgspec.Struct, frozen=True):
    """What was counted to prove that a condition was in force, summed over all its launches."""

    condition: str
    visits: int = 0
    # What the proof counted; None: the plan names no proof for this condition.
    events: int | None = None
    lost: int | None = None

    def plus(self, count: EventCount | None) -> "ConditionProof":
        """The proof's sums after one more round."""
        if count is None:
            return ConditionProof(self.condition, self.visits + 1)
        lost = self.lost if count.lost is None else count.lost + (self.lost or 0)
        return ConditionProof(
            self.condition, self.visits + 1, count.events + (self.events or 0), lost
        )


class OverheadResult(msgspec.Struct, frozen=True):
    """What an experiment found: comparisons of all conditions, their proofs, and the record."""

    plan: OverheadPlan
    judged: JudgedConditions
    shown: tuple[ConditionProof, ...]
    record: Record
    kept_in: str
    # Number of the signal that ended measuring early; None: none did.
    interrupted_by: int | None = None


def judge_conditions(
    samples: Sequence[Sample], names: Sequence[str], settings: Settings
) -> JudgedConditions:
    """Compare every two conditions of the host that samples were measured under."""
    contrasts = contrasts_of(samples, names, settings)
    judgement = judge([one.pair for one in contrasts], settings)
    pairs = zip(contrasts, judgement.comparisons, strict=True)
    return JudgedConditions(
        judgement, tuple(ConditionComparison(c.reference, c.condition, one) for c, one in pairs)
    )


def is_narrow(comparison: Comparison, precision: float) -> bool:
    """Whether the interval's half width is at most `precision` of the slower side."""
    if comparison.low is None or comparison.high is None:
        return False
    reach = (comparison.high - comparison.low) / 2
    return reach <= precision * max(1.0, 1.0 + comparison.change)


def condition_facts(
    conditions: Iterable[Condition], shown: Sequence[ConditionProof]
) -> list[dict[str, Any]]:
    """The record's `context.assay.conditions`: each condition as the plan describes it, and what
    was counted to prove that it was in force.
    """
    proofs = {one.condition: one for one in shown}
    defaults = msgspec.to_builtins(Condition(name=""))
    rows = []
    for one in conditions:
        asked = {k: v for k, v in msgspec.to_builtins(one).items() if v != defaults[k]}
        proof = msgspec.to_builtins(proofs.get(one.name, ConditionProof(one.name)))
        rows.append({**asked, "shown": {k: v for k, v in proof.items() if k != "condition"}})
    return rows


def comparison_facts(result: JudgedConditions) -> list[dict[str, Any]]:
    """The record's `context.assay.comparisons`: verdict and interval for every two conditions."""
    return [
        {
            "reference": one.reference,
            "condition": one.condition,
            **comparison_json.row(one.comparison),
        }
        for one in result.contrasts
    ]


def in_order(samples: Iterable[Sample], names: Sequence[str]) -> tuple[Sample, ...]:
    """The samples ordered by benchmark, and those of one benchmark by time."""
    place = {name: number for number, name in enumerate(names)}
    return tuple(sorted(samples, key=lambda one: (place[one.benchmark], one.launch)))


def rounds_of(samples: Iterable[Sample]) -> int:
    """How many rounds were measured: those of the condition that has most."""
    return max(Counter((s.benchmark, s.condition) for s in samples).values(), default=0)
