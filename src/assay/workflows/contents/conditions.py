"""Shows an overhead experiment as a comparison: each pair of conditions is one benchmark.

content = of_conditions(record, settings)     # as measured, or read from a file again
content.overheads                             # the overhead of each condition, with its proof
"""

from collections.abc import Sequence

import msgspec

from assay.facts import ProofCounts
from assay.model import Record, Sample, Settings, Side
from assay.overheads import Overhead, Overheads
from assay.show.content import Content
from assay.workflows.compare.result import CompareResult
from assay.workflows.contents.comparison import of_comparison
from assay.workflows.contents.side_facts import side_facts
from assay.workflows.overhead.result import ConditionComparison, judge_conditions, rounds_of


def of_conditions(record: Record, settings: Settings) -> Content:
    """What a report shows of a record whose samples were launched under conditions."""
    names = condition_names(record)
    found = judge_conditions(record.samples, names, settings)
    titles = [title(one) for one in found.contrasts]
    comparisons = tuple(
        msgspec.structs.replace(one.comparison, benchmark=name)
        for name, one in zip(titles, found.contrasts, strict=True)
    )
    judgement = msgspec.structs.replace(found.judgement, comparisons=comparisons, discoveries=())
    sides = tuple(
        tuple(sample for one in found.contrasts for sample in _side(record.samples, one, side))
        for side in (Side.BASE, Side.CANDIDATE)
    )
    targets = {**record.facts.targets, "conditions": ", ".join(names)}
    content = of_comparison(
        CompareResult(
            judgement=judgement,
            record=None,
            hosts={},
            targets=targets,
            failures=record.failures,
            samples=(sides[0], sides[1]),
            records=(record,),
        )
    )
    return msgspec.structs.replace(
        content,
        overheads=overheads(found.contrasts, record),
        sides={"base": side_facts(record, None)},  # both sides have the same host and program
    )


def overheads(contrasts: Sequence[ConditionComparison], record: Record) -> Overheads:
    """How much each condition of the host costs, with what its proof
    counted while it was in force.
    """
    names = condition_names(record)
    listed = [one.name for one in record.facts.conditions]
    shown = {one.name: one.shown for one in record.facts.conditions}
    return Overheads(
        undisturbed=next(iter([*listed, *names]), ""),
        conditions=tuple(names),
        rows=tuple(_overhead(one, shown.get(one.condition, ProofCounts())) for one in contrasts),
        rounds=rounds_of(record.samples),
    )


def condition_names(record: Record) -> list[str]:
    """The undisturbed condition first, then the others in the plan's order."""
    listed = [one.name for one in record.facts.conditions]
    there = dict.fromkeys(sample.condition for sample in record.samples if sample.condition)
    return list(dict.fromkeys([*(name for name in listed if name in there), *there]))


def title(one: ConditionComparison) -> str:
    """A name such as 'exec: auditd against bpftrace'."""
    return f"{one.comparison.benchmark}: {one.condition} against {one.reference}"


def _overhead(one: ConditionComparison, shown: ProofCounts) -> Overhead:
    return Overhead(
        reference=one.reference,
        condition=one.condition,
        comparison=one.comparison,
        events=shown.events,
        lost=shown.lost,
    )


def _side(samples: Sequence[Sample], one: ConditionComparison, side: Side) -> list[Sample]:
    condition = one.reference if side is Side.BASE else one.condition
    return [
        msgspec.structs.replace(sample, benchmark=title(one), side=side)
        for sample in samples
        if sample.condition == condition and sample.benchmark == one.comparison.benchmark
    ]
