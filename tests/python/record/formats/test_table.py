"""Which formats there are, in which order a file is offered to them, and which folders."""

import json
from pathlib import Path

import pytest

from assay.record.formats import table

NAMES = [
    "pytest-benchmark JSON",
    "BenchmarkDotNet JSON",
    "asv results",
    "Gungraun or iai-callgrind JSON",
    "JMH JSON",
    "nanobench JSON",
    "hyperfine JSON",
    "pyperf JSON",
    "Criterion's folder or JSON",
    "k6 summary",
    "Catch2 XML",
    "JUnit XML",
    "PiBench text",
    "go test text",
    "Google Benchmark CSV",
    "libMicro text",
]


def test_the_formats_in_their_order() -> None:
    assert [one.name for one in table.IMPORTERS] == NAMES
    assert table.readable_formats() == f"Google Benchmark JSON, {', '.join(NAMES)}"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'{"machine_info": {}, "benchmarks": []}', "pytest-benchmark JSON"),
        (b"<testsuite/>", "JUnit XML"),
        (b"goos: linux\nname,iterations,", "go test text"),
        (b"name,iterations,", "Google Benchmark CSV"),
        (b"prc thr usecs/call", "libMicro text"),
        (b'{"context": {}, "benchmarks": []}', None),
        (b"prose", None),
    ],
)
def test_the_first_format_that_recognises_a_file_reads_it(data: bytes, name: str | None) -> None:
    found = table.importer_for(data)
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("file", "document", "tool"),
    [
        ("x/new/sample.json", {"iters": [1.0], "times": [2.0]}, "Criterion"),
        (
            "x/summary.json",
            {
                "module_path": "a",
                "benchmark_exe": "x",
                "profiles": [
                    {"data": {"total": {"metrics": {"Ir": {"values": {"new": 4}}}}}},
                ],
            },
            "Gungraun",
        ),
        ("x/other.json", {}, None),
    ],
)
def test_folders_of_results(tmp_path: Path, file: str, document: object, tool: str | None) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(document))
    assert table.is_folder(tmp_path) is (tool is not None)
    found = table.read_folder(tmp_path)
    assert (found.facts.written["tool"] if found else None) == tool
