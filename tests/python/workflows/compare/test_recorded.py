"""What is said of two records that were compared though they were measured in different ways."""

import pytest

from assay.model import Failure, Record, Sample, Side
from assay.remarks import NotBegun, OtherLinking
from assay.workflows.common.matching import Filters
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.recorded import compare_records


def of_os_lab(**facts: str) -> Record:
    """A record of one benchmark, `getpid`, as the OS lab writes it."""
    samples = tuple(
        Sample(benchmark="getpid", launch=number, values={"real_time": (100.0 + number,)})
        for number in range(6)
    )
    return Record(context={}, facts=facts, samples=samples)


@pytest.mark.parametrize(
    ("base", "candidate", "said"),
    [
        (of_os_lab(linking="static"), of_os_lab(), [OtherLinking("base")]),
        (of_os_lab(), of_os_lab(linking="static"), [OtherLinking("candidate")]),
        (of_os_lab(linking="static"), of_os_lab(linking="static"), []),
        (of_os_lab(), of_os_lab(), []),
    ],
)
def test_programs_linked_in_two_ways_are_told(
    base: Record, candidate: Record, said: list[OtherLinking]
) -> None:
    result = compare_records(ComparePlan(base="a.json", candidate="b.json"), base, candidate)
    assert result.judgement.comparisons, "they were compared"
    assert [one for one in result.judgement.notes if isinstance(one, OtherLinking)] == said


@pytest.mark.parametrize(("planned", "said"), [(3, []), (7, [NotBegun(4, 7)]), (None, [])])
@pytest.mark.parametrize("filters", [Filters(), Filters(both="BM_a")])
def test_benchmarks_that_were_not_begun_are_counted(
    planned: int | None, said: list[NotBegun], filters: Filters
) -> None:
    """Of the session: not of what is looked at; one that failed was begun."""
    samples = tuple(
        Sample(benchmark=name, side=side, round=number, launch=number, values={"real_time": (9.0,)})
        for name in ("BM_a", "BM_b")
        for number in range(6)
        for side in Side
    )
    record = Record(
        context={},
        facts={"design": "interleaved", "planned": planned},
        samples=samples,
        failures=(Failure(benchmark="BM_c", what="crashed"),),
    )
    result = compare_records(
        ComparePlan(base="a.json", candidate=None, filters=filters), record, None
    )
    assert result.judgement.comparisons
    assert [one for one in result.judgement.notes if isinstance(one, NotBegun)] == said
