"""The record in a decoded document: which rows are one launch, and what is refused."""

from typing import Any

import pytest

from assay.errors import InputError
from assay.model import Failure, Record, Side
from assay.record.document import SHAPE_HINT, record_from


def row(name: str = "a", real_time: float = 1.0, **more: Any) -> dict[str, Any]:
    return {"name": name, "real_time": real_time, "cpu_time": 1.0, **more}


def record(*rows: object, context: object = None) -> Record:
    return record_from({"context": {} if context is None else context, "benchmarks": [*rows]}, "f")


def times(*rows: dict[str, Any]) -> list[tuple[str, tuple[float, ...]]]:
    return [(one.benchmark, one.values["real_time"]) for one in record(*rows).samples]


def test_context_and_facts_come_apart() -> None:
    found = record(context={"num_cpus": 2, "assay": {"schema": 1, "tool": "x"}})
    assert found.context == {"num_cpus": 2}
    assert found.facts.written == {"schema": 1, "tool": "x"}
    assert (found.samples, found.failures, found.origin) == ((), (), "f")
    assert record_from({"benchmarks": []}, "f").context == {}


def test_repetitions_of_a_name_and_unit_are_a_launch_in_their_order() -> None:
    rows = [
        row("a", 3.0, repetition_index=2),
        row("b", 9.0),
        row("a", 1.0, repetition_index=0),
        row("a", 2.0, repetition_index=1),
        row("a", 7.0, time_unit="us"),
        row("a", 0.5, repetition_index=None),
    ]
    assert times(*rows) == [("a", (1.0, 0.5, 2.0, 3.0)), ("b", (9.0,)), ("a", (7.0,))]


def test_a_row_marked_as_aggregate_comes_after_repetitions() -> None:
    rows = [row("a", 5.0, run_type="aggregate"), row("a", 1.0, repetition_index=3)]
    assert times(*rows) == [("a", (1.0, 5.0))]


def test_each_row_that_assay_wrote_is_a_launch() -> None:
    own = {"assay": {"samples": {"real_time": [1.0, 2.0]}}}
    assert times(row(**own), row(**own)) == [("a", (1.0, 2.0)), ("a", (1.0, 2.0))]
    assert times(row(assay={}), row(assay={})) == [("a", (1.0, 1.0))]


def test_a_benchmark_that_has_aggregates_only_has_its_mean() -> None:
    aggregates = [
        row("a_mean", 2.0, run_name="a", aggregate_name="mean"),
        row("a_median", 3.0, run_name="a", aggregate_name="median"),
    ]
    assert times(*aggregates) == [("a", (2.0,))]
    assert times(*aggregates, row("b", run_name="b")) == [("b", (1.0,)), ("a", (2.0,))]
    assert times(*aggregates, row("a")) == [("a", (1.0,))]
    assert times(*aggregates, row("a/repeats:2", run_name="a")) == [("a/repeats:2", (1.0,))]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"error_occurred": True, "error_message": "boom"}, "boom"),
        ({"error_occurred": True}, "it was skipped"),
        ({"skipped": True, "skip_message": "not here"}, "not here"),
        ({"skipped": True}, "it was skipped"),
    ],
)
def test_a_row_that_went_wrong_is_a_failure(more: dict[str, Any], what: str) -> None:
    found = record({"name": "a", **more}, row("b"))
    assert found.failures == (Failure(benchmark="a", what=what),)
    assert [one.benchmark for one in found.samples] == ["b"]
    assert record(row(error_occurred=False, skipped=False)).failures == ()


def test_failures_that_assay_wrote_follow() -> None:
    written = [
        {"benchmark": "b", "what": "it hung", "side": "base", "round": 3},
        {"benchmark": "c", "what": "it crashed", "side": ""},
    ]
    found = record({"name": "a", "skipped": True}, context={"assay": {"failures": written}})
    assert found.failures == (
        Failure(benchmark="a", what="it was skipped"),
        Failure(benchmark="b", what="it hung", side=Side.BASE, round=3),
        Failure(benchmark="c", what="it crashed"),
    )


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({}, f"is JSON of another shape; {SHAPE_HINT}"),
        ({"benchmarks": {}}, f"is JSON of another shape; {SHAPE_HINT}"),
        ({"benchmarks": [], "context": 1}, f"is JSON of another shape; {SHAPE_HINT}"),
        ({"benchmarks": [1]}, "`benchmarks` holds other things than rows"),
        (
            {"benchmarks": [], "context": {"assay": []}},
            f"`context.assay` is not ours; {SHAPE_HINT}",
        ),
        (
            {"benchmarks": [], "context": {"assay": {"schema": 2}}},
            "has schema version 2, this Assay reads up to 1; read it with a newer Assay",
        ),
        (
            {"benchmarks": [{**row(), "repetition_index": [1]}]},
            "holds a value of another type (int() argument must be a string, a bytes-like object "
            f"or a real number, not 'list'); {SHAPE_HINT}",
        ),
        (
            {"benchmarks": [{"name": []}, row()]},
            f"holds a value of another type (unhashable type: 'list'); {SHAPE_HINT}",
        ),
    ],
)
def test_what_is_wrong_is_said(document: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as refused:
        record_from(document, "f")
    assert str(refused.value) == f"f: {said}"


def test_what_is_expected_instead() -> None:
    said = "expected Google Benchmark JSON: an object with `context` and `benchmarks`"
    assert said == SHAPE_HINT


@pytest.mark.parametrize("failure", [{"what": "x"}, {"benchmark": "a", "what": "x", "side": "c"}])
def test_failures_of_another_shape_are_refused(failure: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"is not a record of Assay \(in `context.assay.failures`"):
        record(context={"assay": {"failures": [failure]}})


def test_a_version_of_another_type_is_refused() -> None:
    with pytest.raises(InputError, match="is not a record of Assay"):
        record(context={"assay": {"schema": "1"}})
