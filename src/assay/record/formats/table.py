"""The formats of other tools that can be read; a file's format is recognised by its content.

    importer = importer_for(data)          # None: of no format here
    record = importer.parse(data, "bench.json")
    readable_formats()                                # "Google Benchmark JSON and CSV, ..."

The first format that recognises a file reads it, so those with the surest marks come first.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from assay.model import Record
from assay.record.formats import (
    asv,
    benchmarkdotnet,
    catch2,
    criterion,
    gbench_csv,
    go_test,
    gungraun,
    hyperfine,
    jmh,
    junit,
    k6,
    libmicro,
    nanobench,
    pibench,
    pyperf,
    pytest_benchmark,
)


class Importer(msgspec.Struct, frozen=True):
    """How to read the results of one tool: the format's name, a test whether a file has it, and a
    parser, which raises `InputError`."""

    name: str
    looks_like: Callable[[bytes], bool]
    parse: Callable[[bytes, str], Record]


IMPORTERS = (
    Importer("pytest-benchmark JSON", pytest_benchmark.looks_like, pytest_benchmark.parse),
    Importer("BenchmarkDotNet JSON", benchmarkdotnet.looks_like, benchmarkdotnet.parse),
    Importer("asv results", asv.looks_like, asv.parse),
    Importer("Gungraun or iai-callgrind JSON", gungraun.looks_like, gungraun.parse),
    Importer("JMH JSON", jmh.looks_like, jmh.parse),
    Importer("nanobench JSON", nanobench.looks_like, nanobench.parse),
    Importer("hyperfine JSON", hyperfine.looks_like, hyperfine.parse),
    Importer("pyperf JSON", pyperf.looks_like, pyperf.parse),
    Importer("Criterion's folder or JSON", criterion.looks_like, criterion.parse),
    Importer("k6 summary", k6.looks_like, k6.parse),
    Importer("Catch2 XML", catch2.looks_like, catch2.parse),
    Importer("JUnit XML", junit.looks_like, junit.parse),
    Importer("PiBench text", pibench.looks_like, pibench.parse),
    Importer("go test text", go_test.looks_like, go_test.parse),
    Importer("Google Benchmark CSV", gbench_csv.looks_like, gbench_csv.parse_csv),
    Importer("libMicro text", libmicro.looks_like, libmicro.parse),
)
# For each tool that leaves a folder of results: a test for such a folder, and its reader.
FOLDERS = ((criterion.is_folder, criterion.read), (gungraun.is_folder, gungraun.read))


def importer_for(data: bytes) -> Importer | None:
    """The importer of the format that `data` has; None: no importer recognises it."""
    return next((one for one in IMPORTERS if one.looks_like(data)), None)


def is_folder(path: Path) -> bool:
    """Whether this is a folder in which a tool leaves its results."""
    return any(is_one(path) for is_one, _ in FOLDERS)


def read_folder(path: Path) -> Record | None:
    """The record of a folder in which a tool leaves its results; None for any other folder.

    Raises `InputError` naming the file that is wrong.
    """
    return next((read(path) for is_one, read in FOLDERS if is_one(path)), None)


def readable_formats() -> str:
    """The names of all formats that can be read, in one line for a message."""
    return ", ".join(("Google Benchmark JSON", *(one.name for one in IMPORTERS)))
