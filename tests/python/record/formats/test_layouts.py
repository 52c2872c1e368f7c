"""What the tools write in other versions or with other options than in their sample files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA

from assay.errors import InputError
from assay.model import Record
from assay.record import reader
from assay.record.formats import (
    asv,
    benchmarkdotnet,
    catch2,
    criterion,
    gungraun,
    hyperfine,
    jmh,
    junit,
    k6,
    nanobench,
    pibench,
    pyperf,
    pytest_benchmark,
)

Parse = Callable[[bytes, str], Record]


def parsed(parse: Parse, document: Any) -> Record:
    text = document if isinstance(document, str) else json.dumps(document)
    return parse(text.encode(), "f")


def rows(parse: Parse, document: Any) -> list[tuple[str, int, dict[str, tuple[float, ...]]]]:
    samples = parsed(parse, document).samples
    return [(one.benchmark, one.launch, one.values) for one in samples]


def test_hyperfine_with_memory_and_without_runs() -> None:
    full = {"command": "a", "mean": 1.5, "times": [1.0, 2.0], "memory_usage_byte": [10, 20]}
    brief = {"command": "b", "mean": 3.0}
    assert rows(hyperfine.parse, {"results": [full, brief]}) == [
        ("a", 0, {"real_time": (1.0,), "max_rss": (10.0,)}),
        ("a", 1, {"real_time": (2.0,), "max_rss": (20.0,)}),
        ("b", 0, {"real_time": (3.0,)}),
    ]


def test_pyperf_names_one_benchmark_in_what_is_common_and_measures_memory() -> None:
    common = {"name": "peak", "unit": "byte", "loops": 4, "inner_loops": 2}
    runs = [{"values": [10.0]}, {"warmups": [[1, 5.0]]}]
    document = {"benchmarks": [{"runs": runs}], "metadata": common, "version": "1.0"}
    (sample,) = parsed(pyperf.parse, document).samples
    assert (sample.benchmark, sample.values, sample.iterations) == ("peak", {"bytes": (10.0,)}, 8)


def test_pytest_benchmark_without_rounds_with_an_error_and_with_figures_of_its_own() -> None:
    document = {
        "machine_info": {},
        "commit_info": {"id": "abc", "dirty": True},
        "benchmarks": [
            {"name": "mean", "stats": {"mean": 2.0}, "extra_info": {"size": 3, "kind": "x"}},
            {"name": "bad", "has_error": True, "stats": {}},
        ],
    }
    record = parsed(pytest_benchmark.parse, document)
    assert record.samples[0].values == {"size": (3.0,), "real_time": (2.0,)}
    assert [one.benchmark for one in record.failures] == ["bad"]
    assert record.facts.written["git"] == {"revision": "abc", "dirty": True}


def test_asv_without_samples_and_with_a_skipped_combination() -> None:
    columns = ["result", "params", "samples"]
    results = {"a.time_x": [[1.0, float("nan"), None], [["1", "2", "3"]]], "a.track_y": [[-1.0]]}
    document = {"commit_hash": "abc", "result_columns": columns, "results": results}
    assert rows(asv.parse, document) == [
        ("a.time_x(1)", 0, {"real_time": (1.0,)}),
        ("a.track_y", 0, {"value": (-1.0,)}),
    ]
    assert [one.benchmark for one in parsed(asv.parse, document).failures] == ["a.time_x(3)"]


def test_asv_with_results_for_other_parameters_is_refused() -> None:
    results = {"a.time_x": [[1.0, 2.0], [["1"]]]}
    document = {"result_columns": ["result", "params"], "results": results}
    with pytest.raises(InputError, match=r"'a\.time_x' has 2 results for other parameters"):
        parsed(asv.parse, document)


def test_criterion_without_a_name_is_named_by_its_folders() -> None:
    data = json.dumps({"iters": [2.0, 4.0], "times": [20.0, 80.0]}).encode()
    (sample,) = criterion.parse(data, "target/criterion/join/8/new/sample.json").samples
    assert (sample.benchmark, sample.values) == ("join/8", {"real_time": (10.0, 20.0)})
    (alone,) = criterion.parse(data, "sample.json").samples
    assert alone.benchmark == "sample"


def test_criterion_counts_that_do_not_fit_are_refused() -> None:
    for counts in ([1.0], [0.0, 1.0]):
        with pytest.raises(InputError, match=r"has 2 times for . counts of iterations"):
            parsed(criterion.parse, {"iters": counts, "times": [1.0, 2.0]})


def test_criterion_says_which_file_to_give() -> None:
    path = DATA / "formats" / "criterion" / "join" / "8" / "new" / "benchmark.json"
    with pytest.raises(InputError, match=r"give target/criterion, or a sample\.json in it"):
        reader.read(path)


def test_criterion_throughput_in_bytes(tmp_path: Path) -> None:
    about = {"full_id": "x", "directory_name": "x", "throughput": {"Bytes": 8}}
    (tmp_path / "benchmark.json").write_text(json.dumps(about))
    sample = tmp_path / "sample.json"
    sample.write_text(json.dumps({"iters": [1.0], "times": [4.0]}))
    (one,) = reader.read(sample).samples
    assert one.values == {"real_time": (4.0,), "bytes_per_second": (2e9,)}


def jmh_result(unit: str, mode: str = "avgt", **metric: Any) -> list[dict[str, Any]]:
    primary = {"scoreUnit": unit, "score": 1.0, **metric}
    return [{"benchmark": "a", "mode": mode, "primaryMetric": primary}]


@pytest.mark.parametrize(
    ("unit", "mode", "name", "values"),
    [
        ("ms/op", "avgt", "a", {"real_time": (1.0,)}),
        ("min/op", "avgt", "a", {"real_time": (60e9,)}),
        ("ops/min", "thrpt", "a (thrpt)", {"items_per_second": (1 / 60,), "real_time": (60e9,)}),
        ("s/op", "ss", "a (ss)", {"real_time": (1.0,)}),
        ("#", "avgt", "a", {"#": (1.0,)}),
    ],
)
def test_jmh_units(unit: str, mode: str, name: str, values: dict[str, Any]) -> None:
    assert rows(jmh.parse, jmh_result(unit, mode, rawData=[[1.0]])) == [(name, 0, values)]


def test_jmh_without_raw_data_and_with_a_number_that_is_none() -> None:
    assert rows(jmh.parse, jmh_result("us/op")) == [("a", 0, {"real_time": (1.0,)})]
    some = jmh_result("us/op", rawData=[["NaN", 2.0]])
    assert rows(jmh.parse, some) == [("a", 0, {"real_time": (2.0,)})]


def test_catch2_version_3_has_another_root() -> None:
    text = (DATA / "formats" / "catch2" / "version2.xml").read_text()
    text = text.replace('<Catch name="catch">', '<Catch2TestRun catch2-version="3.4.0">')
    text = text.replace("</Catch>", "</Catch2TestRun>")
    assert catch2.looks_like(text.encode())
    record = parsed(catch2.parse, text)
    assert record.facts.written["tool"] == "Catch2 3.4.0"
    assert record.facts.written["catch2"]["words/join 8"]["upperBound"] == "160.283"


def test_nanobench_counters_that_were_counted_and_a_batch() -> None:
    epochs = [{"elapsed": 2.0, "instructions": 10, "cpucycles": 0, "iterations": 3}]
    result = {"name": "a", "title": "t", "epochs": 1, "batch": 4, "measurements": epochs}
    ((name, _, values),) = rows(nanobench.parse, {"results": [result]})
    assert name == "t/a"
    assert values == {
        "real_time": (2.0,),
        "items_per_second": (2.0,),
        "instructions": (10.0,),
    }


def bdn(**benchmark: Any) -> dict[str, Any]:
    return {"HostEnvironmentInfo": {}, "Benchmarks": [{"FullName": "A.B", **benchmark}]}


def test_benchmarkdotnet_launches_of_old_and_new_versions() -> None:
    modes = [("Result", "", 1), ("Warmup", "", 1), ("Workload", "Result", 2)]
    modes += [("Workload", "Warmup", 2), ("Overhead", "Actual", 2)]
    measurements = [
        {"IterationMode": mode, "IterationStage": stage, "LaunchIndex": launch}
        | {"Operations": 4, "Nanoseconds": 8.0 * launch}
        for mode, stage, launch in modes
    ]
    memory = {"BytesAllocatedPerOperation": 24}
    assert rows(benchmarkdotnet.parse, bdn(Measurements=measurements, Memory=memory)) == [
        ("A.B", 0, {"bytes": (24.0,), "real_time": (2.0,)}),
        ("A.B", 1, {"bytes": (24.0,), "real_time": (4.0,)}),
    ]


def test_benchmarkdotnet_without_a_result_and_in_several_jobs() -> None:
    record = parsed(benchmarkdotnet.parse, bdn(Statistics=None))
    assert [one.benchmark for one in record.failures] == ["A.B"]
    both = bdn(DisplayInfo="B: net8", Statistics={"Mean": 5.0})
    both["Benchmarks"] += bdn(DisplayInfo="B: net9", Statistics={"Mean": 4.0})["Benchmarks"]
    names = [name for name, _, _ in rows(benchmarkdotnet.parse, both)]
    assert names == ["A.B [net8]", "A.B [net9]"]


def test_k6_trends_that_are_no_times_and_times_that_did_not_happen() -> None:
    metrics = {
        "sizes": {"avg": 3.0, "med": 2.0, "max": 9.0, "p(90)": 8.0},
        "http_req_tls_handshaking": {"avg": 0, "med": 0, "max": 0},
        "http_reqs": {"count": 10, "rate": 2.5},
        "errors": {"passes": 1, "fails": 3, "value": 0.25},
        "vus": {"value": 2, "min": 1, "max": 2},
    }
    assert rows(k6.parse, {"metrics": metrics}) == [
        ("errors", 0, {"rate": (0.25,)}),
        ("http_reqs", 0, {"items_per_second": (2.5,), "count": (10.0,)}),
        ("sizes", 0, {"avg": (3.0,), "med": (2.0,)}),
        ("vus", 0, {"value": (2.0,)}),
    ]


def test_gungraun_before_it_was_renamed() -> None:
    def summary(events: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"module_path": "a::b", "benchmark_exe": "x", **more, **events}

    old = {"callgrind_summary": {"callgrind_run": {"total": {"events": {}}}}}
    events = old["callgrind_summary"]["callgrind_run"]["total"]["events"]
    events["Ir"] = {"metrics": {"Both": [7, 6]}}
    events["Bcm"] = {"metrics": {"Left": 2}}
    assert rows(gungraun.parse, summary(old)) == [
        ("a::b", 0, {"instructions": (7.0,), "branch-misses": (2.0,)})
    ]
    with pytest.raises(InputError, match="holds no count of 'a::b/x'"):
        parsed(gungraun.parse, summary({}, id="x"))


def test_junit_suites_in_suites_and_the_same_test_twice() -> None:
    case = '<testcase classname="c" name="t" time="{}"/>'
    text = f"<testsuites><testsuite><testsuite>{case.format('1,234.5')}</testsuite>"
    text += f"{case.format(2)}</testsuite></testsuites>"
    assert rows(junit.parse, text) == [
        ("c.t", 0, {"real_time": (1234.5,)}),
        ("c.t", 1, {"real_time": (2.0,)}),
    ]
    with pytest.raises(InputError, match=r"time of 'c.t' = '0,5', no number"):
        parsed(junit.parse, f"<testsuite>{case.format('0,5')}</testsuite>")


def test_pibench_reports_one_after_the_other_are_launches() -> None:
    text = (DATA / "pibench" / "stlmap_selfsimilar_latency.txt").read_text()
    found = rows(pibench.parse, text + text)
    assert [(name, launch) for name, launch, _ in found][:4] == [
        ("stlmap_wrapper/all", 0),
        ("stlmap_wrapper/read", 0),
        ("stlmap_wrapper/update", 0),
        ("stlmap_wrapper/all", 1),
    ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Run time: 1312.0256 milliseconds", "", "does not say `Run time`"),
        ("1312.0256 milliseconds", "1.3 seconds", "gives `Run time` in other units"),
        ("1312.0256 milliseconds", "0 milliseconds", "has no operation in its run time"),
        ("# Threads: 1", "# Threads: many", "# Threads = 'many', no number"),
    ],
)
def test_pibench_says_what_is_missing(old: str, new: str, words: str) -> None:
    text = (DATA / "pibench" / "stlmap_selfsimilar_latency.txt").read_text()
    with pytest.raises(InputError, match=words):
        parsed(pibench.parse, text.replace(old, new))


@pytest.mark.parametrize(
    ("parse", "document"),
    [
        (hyperfine.parse, {"results": []}),
        (pyperf.parse, {"benchmarks": [], "version": "1.0"}),
        (jmh.parse, []),
        (junit.parse, "<testsuites/>"),
        (catch2.parse, "<Catch/>"),
        (k6.parse, {"metrics": {}}),
    ],
)
def test_a_file_without_any_measurement_is_refused(parse: Parse, document: Any) -> None:
    with pytest.raises(InputError, match=r"f: holds no measurement of .*; measure again"):
        parsed(parse, document)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_a_time_that_is_none_is_named(value: float) -> None:
    with pytest.raises(InputError, match=rf"benchmark 'a' has time = {value}"):
        parsed(hyperfine.parse, {"results": [{"command": "a", "mean": 1, "times": [1, value]}]})
