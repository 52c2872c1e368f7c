"""Files that the tools wrote themselves: each is told by its content, and read whole."""

from pathlib import Path

import pytest
from conftest import DATA

from assay.errors import InputError
from assay.record import reader
from assay.record.formats import table

FORMATS = DATA / "formats"

# file -> benchmark: launches and samples in each, time unit, metric, first value
EXPECTED: dict[str, dict[str, tuple[int, int, str, str, float]]] = {
    "hyperfine/hyperfine.json": {
        "sleep 0.01": (5, 1, "s", "real_time", 0.020894634),
        "sleep 0.02": (5, 1, "s", "real_time", 0.036137948),
    },
    "pyperf/pyperf.json": {
        "join": (3, 4, "s", "real_time", 2.598347851545668e-05),
        "sort": (3, 4, "s", "real_time", 0.00015724582812737253),
    },
    "pytest_benchmark/pytest_benchmark.json": {
        "test_words.py::test_join[8]": (1, 12, "s", "real_time", 1.263450030819513e-06),
        "test_words.py::test_sort": (1, 12, "s", "real_time", 1.0152500180993229e-06),
    },
    "asv/dd300c13-existing-py_python3.json": {
        "words.Join.time_join(8, 'y')": (1, 6, "s", "real_time", 1.2635952142981802e-05),
        "words.Join.time_join(64, 'x')": (1, 6, "s", "real_time", 5.833939747886003e-05),
        "words.time_sort": (1, 6, "s", "real_time", 8.554063582774103e-06),
        "words.peakmem_list": (1, 1, "s", "peak_rss", 27348992),
        "words.track_size": (1, 1, "s", "value", 42),
    },
    "criterion/join/8/new/sample.json": {
        "join/8": (1, 10, "ns", "real_time", 167.85585823856124),
    },
    "criterion/alone/sort_1000/new/estimates.json": {
        "alone/sort/1000": (1, 1, "ns", "real_time", 53123.12206266319),
    },
    "criterion": {
        "alone/sort/1000": (1, 12, "ns", "real_time", 8574.490861618799),
        "join/64": (1, 10, "ns", "items_per_second", 31930747.29951634),
        "join/8": (1, 10, "ns", "items_per_second", 47659939.21183368),
    },
    "gungraun/gungraun.ndjson": {
        "words::texts::join/short": (1, 1, "ns", "l1-hits", 4495),
        "words::texts::join/long": (1, 1, "ns", "cycles", 40266),
        "words::texts::sorted": (1, 1, "ns", "l1i-misses", 73),
    },
    "gungraun/iai_callgrind.json": {"words::texts::join/short": (1, 1, "ns", "instructions", 3593)},
    "gungraun/target": {"words::texts::join/short": (1, 1, "ns", "instructions", 3330)},
    "jmh/jmh.json": {
        "org.sample.Words.join:n=8": (2, 4, "us", "real_time", 2.88848659315148),
        "org.sample.Words.sort:n=64 (thrpt)": (2, 4, "ns", "items_per_second", 104586.44390774),
        "org.sample.Words.sort:n=8 (sample)": (2, 2, "us", "real_time", 0.07498874458874459),
    },
    "go_test/go_test.txt": {
        "BenchmarkJoin/n=8-2": (1, 3, "ns", "bytes_per_second", 4.03e6),
        "BenchmarkSort-2": (1, 3, "ns", "compares/op", 626),
    },
    "catch2/version2.xml": {
        "words/join 8": (1, 1, "ns", "real_time", 152.307),
        "words/sorting/sort": (1, 1, "ns", "real_time", 319.402),
    },
    "nanobench/nanobench.json": {"words/join 8": (1, 7, "s", "real_time", 1.50202992375198e-07)},
    "nanobench/pyperf.json": {"benchmark": (1, 7, "s", "real_time", 1.46752957746479e-07)},
    "benchmarkdotnet/full.json": {
        "BenchmarkDotNet.Tests.Mocks.MockFactory+MockBenchmarkClass.Foo": (
            *(1, 6, "ns"),
            *("real_time", 1.0),
        )
    },
    "benchmarkdotnet/brief.json": {
        "BenchmarkDotNet.Tests.Mocks.MockFactory+MockBenchmarkClass.Bar": (
            *(1, 6, "ns"),
            *("real_time", 1.0),
        )
    },
    "k6/summary_export.json": {
        "http_req_duration": (1, 1, "ms", "p99", 29718693.22),
        "checks": (1, 1, "ms", "rate", 1.0),
        "data_sent": (1, 1, "ms", "bytes_per_second", 46086.573568595915),
    },
    "k6/handle_summary.json": {
        "http_req_duration": (1, 1, "ms", "real_time", 4.597666966666667),
        "took": (1, 1, "ms", "real_time", 4.597666966666667),
        "words": (1, 1, "ms", "med", 6.0),
    },
    "k6/machine_readable.json": {
        "http_req_duration": (1, 1, "ms", "p50", 1193454.0),
        "http_reqs": (1, 1, "ms", "count", 30.0),
    },
    "junit/pytest.xml": {"test_words.test_join[64]": (1, 1, "s", "real_time", 0.002)},
    "../pibench/stlmap_mixed_2threads.txt": {
        "stlmap_wrapper/all": (1, 1, "ns", "real_time", 4631.7881),
        "stlmap_wrapper/scan": (1, 1, "ns", "items_per_second", 40355.0414),
    },
    "../pibench/stlmap_selfsimilar_latency.txt": {
        "stlmap_wrapper/all": (1, 1, "ns", "p99.99", 36655.0),
    },
    "../pibench/first_version.txt": {
        "pibench/all": (1, 1, "ns", "real_time", 450.647),
    },
}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_a_tool_wrote_is_read(name: str) -> None:
    record = reader.read(FORMATS / name)
    for benchmark, (launches, samples, unit, metric, first) in EXPECTED[name].items():
        found = [one for one in record.samples if one.benchmark == benchmark]
        assert [one.launch for one in found] == list(range(launches))
        assert [len(one.values[metric]) for one in found] == [samples] * launches
        assert {one.time_unit for one in found} == {unit}
        assert found[0].values[metric][0] == pytest.approx(first, rel=1e-9)


def test_what_failed_is_named() -> None:
    failed = {
        "asv/dd300c13-existing-py_python3.json": [("words.time_fails", "it failed under asv")],
        "catch2/version2.xml": [("plain/throws", "Unknown exception")],
        "go_test/go_test.txt": [("BenchmarkGone", "go test says FAIL")],
        "junit/pytest.xml": [
            ("test_words.test_fails", "failure: assert 1 == 2"),
        ],
    }
    for name, failures in failed.items():
        record = reader.read(FORMATS / name)
        assert [(one.benchmark, one.what) for one in record.failures] == failures


def test_where_it_was_measured_is_kept() -> None:
    record = reader.read(FORMATS / "pyperf" / "pyperf.json")
    assert record.facts.written["tool"] == "pyperf 2.10.0"
    assert record.facts.written["host"] == {"cpu_model": "Intel(R) Xeon(R) Processor"}
    assert record.context["host_name"] == "box"
    assert record.context["num_cpus"] == 2
    asv = reader.read(FORMATS / "asv" / "dd300c13-existing-py_python3.json")
    assert asv.facts.written["git"]["revision"].startswith("dd300c13")
    pibench = reader.read(DATA / "pibench" / "stlmap_mixed_2threads.txt")
    assert (pibench.context["num_cpus"], pibench.facts.host.cpu_model) == (
        2,
        "AMD EPYC",
    )


@pytest.mark.parametrize(
    "path", sorted(p for p in FORMATS.rglob("*") if p.is_file() and p.suffix != ".md")
)
def test_each_file_is_claimed_by_one_format_only(path: Path) -> None:
    data = path.read_bytes()
    claims = [one.name for one in table.IMPORTERS if one.looks_like(data)]
    assert len(claims) == 1, claims


@pytest.mark.parametrize("path", sorted((DATA / "gbench").iterdir()))
def test_google_benchmark_is_claimed_by_no_other(path: Path) -> None:
    assert table.importer_for(path.read_bytes()) is None


def test_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    data = (FORMATS / "hyperfine" / "hyperfine.json").read_bytes()
    (tmp_path / "windows.json").write_bytes(b"\xef\xbb\xbf" + data)
    assert len(reader.read(tmp_path / "windows.json").samples) == 10


def test_unknown_content_is_told_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "prose.txt"
    path.write_text("It was a dark and stormy night.\n")
    with pytest.raises(InputError) as failed:
        reader.read(path)
    for importer in table.IMPORTERS:
        assert importer.name in failed.value.message


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    with pytest.raises(InputError, match="is a directory; name a file in it, or target/criterion"):
        reader.read(tmp_path)
