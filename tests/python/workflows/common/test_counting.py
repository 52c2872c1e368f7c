"""Counts of two sides are compared for one number of iterations."""

import pytest
from conftest import SimulatedTarget

from assay.errors import UsageError
from assay.measure.profile.exact.instructions import counting_target, counts_by_iterations
from assay.measure.profile.exact.pinned import Valgrind
from assay.model import Record, Sample
from assay.remarks import OtherIterations, OtherValgrinds
from assay.workflows.common.counting import (
    different_numbers,
    is_counted,
    note_on_valgrind_versions,
    same_iterations,
)


def sample(totals: dict[int, int], name: str = "BM") -> Sample:
    most = max(totals)
    return Sample(
        benchmark=name,
        values={"instructions": (totals[most] / most,)},
        iterations=most,
        series={"instructions": {"t": list(totals), "v": list(totals.values())}},
    )


def test_the_largest_number_that_every_launch_ran() -> None:
    base = [sample({1: 600, 10: 1500, 100: 10500}), sample({1: 600, 10: 1500})]
    candidate = [sample({1: 600, 10: 1600, 100: 11500, 1000: 99000})]
    ours, theirs = same_iterations(base, candidate)
    assert [one.iterations for one in (*ours, *theirs)] == [10, 10, 10]
    assert [one.values["instructions"] for one in ours] == [(150.0,), (150.0,)]
    assert theirs[0].values["instructions"] == (160.0,)
    assert different_numbers(ours, theirs) == ()


def test_where_there_is_none_it_is_said() -> None:
    base, candidate = [sample({50: 500})], [sample({60: 500})]
    assert same_iterations(base, candidate) == (tuple(base), tuple(candidate))
    assert different_numbers(base, candidate) == (OtherIterations(("BM",)),)


def test_each_benchmark_has_its_own_number() -> None:
    base = [sample({1: 5, 10: 50}, "a"), sample({1: 5}, "b")]
    ours, _ = same_iterations(base, base)
    assert [one.iterations for one in ours] == [10, 1]


def test_records_are_counted_or_they_are_not() -> None:
    counted = sample({1: 5})
    assert counts_by_iterations(counted) == {1: 5}
    assert is_counted([counted])
    assert not is_counted([counted, Sample(benchmark="BM", values={"instructions": (5.0,)})])
    assert not is_counted([])


def test_two_versions_of_valgrind_are_told() -> None:
    old, new, none = (
        Record(context={}, facts=facts, samples=())
        for facts in ({"valgrind": "3.19.0"}, {"valgrind": "3.22.0"}, {})
    )
    assert note_on_valgrind_versions((old, old)) == note_on_valgrind_versions((none, new)) == ()
    assert note_on_valgrind_versions((new, old)) == (OtherValgrinds(("3.19.0", "3.22.0")),)


def test_what_is_no_program_cannot_be_counted() -> None:
    with pytest.raises(UsageError, match="cannot be counted"):
        counting_target(SimulatedTarget({"a": 1.0}), Valgrind(("valgrind",), "3.19.0"))
