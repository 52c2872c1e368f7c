"""pytest-benchmark's results."""

import json
from typing import Any

import pytest

from assay.errors import InputError
from assay.model import Failure, Record
from assay.record.formats.pytest_benchmark import looks_like, parse


def parsed(*benchmarks: dict[str, Any], **about: Any) -> Record:
    return parse(json.dumps({"benchmarks": benchmarks, **about}).encode(), "f")


@pytest.mark.parametrize(
    ("stats", "iterations", "times"),
    [
        ({"data": [1.0, 2.0], "mean": 9.0, "iterations": 5}, 5, (1.0, 2.0)),
        ({"data": [], "mean": 9.0}, 1, (9.0,)),
        ({"mean": 0.0}, 1, (0.0,)),
    ],
)
def test_rounds_are_samples(
    stats: dict[str, Any], iterations: int, times: tuple[float, ...]
) -> None:
    (one,) = parsed({"name": "a", "stats": stats}).samples
    assert (one.benchmark, one.time_unit, one.iterations) == ("a", "s", iterations)
    assert one.values == {"real_time": times}


def test_a_full_name_is_preferred_and_figures_of_ones_own_are_metrics() -> None:
    extra = {"size": 3, "kind": "x"}
    stats = {"mean": 1.0}
    one = {"name": "a", "fullname": "t.py::a", "stats": stats, "extra_info": extra}
    found = parsed(one, one)
    assert [(sample.benchmark, sample.launch, sample.values) for sample in found.samples] == [
        ("t.py::a", 0, {"size": (3.0,), "real_time": (1.0,)}),
        ("t.py::a", 1, {"size": (3.0,), "real_time": (1.0,)}),
    ]


def test_what_raised_an_error_or_has_no_rounds_failed() -> None:
    found = parsed(
        {"name": "a", "has_error": True, "stats": {"mean": 1.0}},
        {"name": "b"},
        {"name": "c", "stats": {"mean": 1.0}},
    )
    assert found.failures == tuple(
        Failure(benchmark=name, what="it raised an error") for name in "ab"
    )
    assert [one.benchmark for one in found.samples] == ["c"]


@pytest.mark.parametrize(
    ("about", "facts", "context"),
    [
        ({}, {"tool": "pytest-benchmark"}, {}),
        (
            {
                "version": "4.0.0",
                "datetime": "2026-01-01",
                "machine_info": {"node": "box", "cpu": {"brand_raw": "a CPU"}},
                "commit_info": {"id": "abc", "dirty": True},
            },
            {
                "tool": "pytest-benchmark 4.0.0",
                "host": {"cpu_model": "a CPU"},
                "git": {"revision": "abc", "dirty": True},
            },
            {"host_name": "box", "date": "2026-01-01"},
        ),
        ({"machine_info": {"cpu": "x"}}, {"tool": "pytest-benchmark"}, {}),
        ({"machine_info": {"cpu": {}}}, {"tool": "pytest-benchmark"}, {}),
        ({"commit_info": None}, {"tool": "pytest-benchmark"}, {}),
        ({"commit_info": {"id": "unversioned"}}, {"tool": "pytest-benchmark"}, {}),
        ({"commit_info": {"id": ""}}, {"tool": "pytest-benchmark"}, {}),
    ],
)
def test_where_it_was_measured(about: Any, facts: Any, context: Any) -> None:
    found = parsed({"name": "a", "stats": {"mean": 1.0}}, **about)
    assert (found.facts.written, found.context) == (facts, context)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(InputError, match=r"f: benchmark 'a' has time = -1\.0; is it complete"):
        parsed({"name": "a", "stats": {"mean": -1.0}})
    with pytest.raises(InputError, match="f: is not pytest-benchmark's JSON as Assay knows it"):
        parse(b"[]", "f")
    with pytest.raises(InputError, match="holds no measurement of pytest-benchmark; measure"):
        parsed()


def test_what_is_taken_for_pytest_benchmark() -> None:
    assert looks_like(b'{"machine_info": {}}')
    assert not looks_like(b'{"commit_info": {}}')
