"""BenchmarkDotNet's reports, full and brief."""

import json
from typing import Any

import pytest

from assay.errors import InputError
from assay.model import Failure, Record
from assay.record.formats.benchmarkdotnet import looks_like, parse

WORKLOAD = {"IterationMode": "Workload", "IterationStage": "Result"}


def parsed(*benchmarks: dict[str, Any], **about: Any) -> Record:
    document = {"HostEnvironmentInfo": about, "Benchmarks": benchmarks}
    return parse(json.dumps(document).encode(), "f")


def measured(nanoseconds: float, **more: Any) -> dict[str, Any]:
    return {**WORKLOAD, "Nanoseconds": nanoseconds, "Operations": 4, "LaunchIndex": 1, **more}


@pytest.mark.parametrize(
    ("mode", "stage", "counts"),
    [
        ("Workload", "Result", True),
        ("Workload", "Warmup", False),
        ("Workload", "Actual", False),
        ("", "Result", True),
        ("", "Warmup", False),
        ("Result", "", True),
        ("Result", "Actual", True),
        ("Overhead", "Result", False),
        ("Warmup", "", False),
    ],
)
def test_only_results_count(mode: str, stage: str, *, counts: bool) -> None:
    one = measured(8.0, IterationMode=mode, IterationStage=stage)
    found = parsed({"FullName": "a", "Measurements": [one]})
    assert [sample.values for sample in found.samples] == [{"real_time": (2.0,)}] * counts
    assert len(found.failures) == (not counts)


def test_launches_with_their_iterations_and_memory() -> None:
    some = [
        measured(8.0),
        measured(20.0, LaunchIndex=2, Operations=2),
        measured(12.0, Operations=6),
        measured(9.0, Operations=0),
    ]
    memory = {"BytesAllocatedPerOperation": 24, "Gen0Collections": 3}
    statistics = {"Mean": 99.0}
    found = parsed(
        {"FullName": "a", "Measurements": some, "Memory": memory, "Statistics": statistics}
    )
    assert [(one.launch, one.iterations, one.values) for one in found.samples] == [
        (0, 10, {"bytes": (24.0,), "real_time": (2.0, 2.0)}),
        (1, 2, {"bytes": (24.0,), "real_time": (10.0,)}),
    ]


def test_a_measurement_that_says_little_is_a_result_of_one_operation() -> None:
    found = parsed({"FullName": "a", "Measurements": [{"Nanoseconds": 3.0}]})
    assert [(one.iterations, one.values) for one in found.samples] == [(1, {"real_time": (3.0,)})]


@pytest.mark.parametrize(
    ("statistics", "times"),
    [
        ({"OriginalValues": [1.0, 2.0], "Mean": 9.0}, (1.0, 2.0)),
        ({"OriginalValues": [], "Mean": 9.0}, (9.0,)),
        ({"Mean": 0.0}, (0.0,)),
        ({"Mean": ""}, None),
        ({}, None),
        (None, None),
    ],
)
def test_a_brief_report_has_statistics_only(statistics: Any, times: Any) -> None:
    memory = {"BytesAllocatedPerOperation": 8}
    found = parsed({"FullName": "a", "Statistics": statistics, "Memory": memory})
    if times:
        assert [one.values for one in found.samples] == [{"bytes": (8.0,), "real_time": times}]
    else:
        what = "BenchmarkDotNet has no result of it"
        assert found.failures == (Failure(benchmark="a", what=what),)


@pytest.mark.parametrize(
    ("benchmarks", "names"),
    [
        ([{"FullName": "A.B", "DisplayInfo": "B: net8"}], ["A.B"]),
        (
            [
                {"FullName": "A.B", "DisplayInfo": "B: net8"},
                {"FullName": "A.B", "DisplayInfo": "B: net9"},
                {"FullName": "A.C", "DisplayInfo": "C: net8"},
            ],
            ["A.B [net8]", "A.B [net9]", "A.C"],
        ),
        ([{"FullName": "A.B"}, {"FullName": "A.B", "DisplayInfo": "B"}], ["A.B", "A.B"]),
        ([{"DisplayInfo": "B: net8"}], ["B: net8"]),
    ],
)
def test_names_have_a_job_where_several_ran_it(
    benchmarks: list[dict[str, str]], names: list[str]
) -> None:
    found = parsed(*({**one, "Statistics": {"Mean": 1.0}} for one in benchmarks))
    assert [one.benchmark for one in found.samples] == names


def test_where_it_was_measured() -> None:
    about = {
        "ProcessorName": "a CPU",
        "OsVersion": "Linux",
        "LogicalCoreCount": 4,
        "BenchmarkDotNetVersion": "0.13.12",
    }
    found = parsed({"FullName": "a", "Statistics": {"Mean": 1.0}}, **about)
    assert found.context == {"num_cpus": 4}
    assert found.facts.written == {
        "tool": "BenchmarkDotNet 0.13.12",
        "host": {"cpu_model": "a CPU", "os": "Linux"},
    }
    plain = parsed({"FullName": "a", "Statistics": {"Mean": 1.0}})
    assert (plain.context, plain.facts.written) == ({}, {"tool": "BenchmarkDotNet"})


AGAIN = "is it complete? write it again with the tool that made it"


@pytest.mark.parametrize(
    ("benchmark", "said"),
    [
        ({"Statistics": {"Mean": -1.0}}, "has time = -1.0"),
        ({"Measurements": [measured(-4.0)]}, "has time = -1.0"),
    ],
)
def test_a_time_that_is_none_is_refused(benchmark: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as refused:
        parsed({"FullName": "a", **benchmark})
    assert str(refused.value) == f"f: benchmark 'a' {said}; {AGAIN}"


@pytest.mark.parametrize(
    ("keys", "is_ours"),
    [
        (("HostEnvironmentInfo",), True),
        (("Benchmarks", "FullName"), True),
        (("Benchmarks",), False),
        (("FullName",), False),
    ],
)
def test_what_is_taken_for_benchmarkdotnet(keys: tuple[str, ...], *, is_ours: bool) -> None:
    assert looks_like(json.dumps(dict.fromkeys(keys, 1)).encode()) is is_ours
    with pytest.raises(InputError, match=r"is not BenchmarkDotNet's JSON as Assay knows it: "):
        parse(b"[]", "f")
