"""The contract's golden files, from Python's side. The native tests read the same ones."""

import json
from pathlib import Path

import pytest
from conftest import ROOT

from assay.model import Failure, Record, Sample, Side
from assay.record.document import SCHEMA_VERSION
from assay.record.reader import read
from assay.record.writer import encode

GOLDEN = ROOT / "schema" / "golden"
FILES = sorted(GOLDEN.glob("*.json"))


def session() -> Record:
    """A session of ours with everything a record can hold."""
    samples = tuple(
        Sample(
            benchmark='BM_copy<std::pair<int, "ü">>/8',
            values={"real_time": (1.5, 1.25), "cpu_time": (1.0, 1.0), "allocs": (3.0, 3.0)},
            time_unit="us",
            iterations=10,
            label="a label",
            side=side,
            round=number,
            launch=2 * number + place + 1,
            position=place,
            started_s=0.25 * number,
            steal=0.01,
            load=0.5,
            cpu=1,
            histograms={"latency": "HISTFAAAAB54nJNpmSzMwMDAyAABzFCaEUoz2X+AsQA/OAKS"},
            series={"throughput": {"t": [0.1, 0.2], "v": [5.0, 6.0], "units": ["s", "1/s"]}},
        )
        for number in range(2)
        for place, side in enumerate(Side)
    )
    facts = {
        "schema": SCHEMA_VERSION,
        "tool": "assay 1.0.0",
        "seed": 7,
        "design": "interleaved",
        "targets": {"base": "old/bench", "candidate": "new/bench"},
        "host": {"os": "Debian GNU/Linux 12", "cpus": 2},
        "unavailable": ["perf_event hardware counters: not supported"],
    }
    failure = Failure(benchmark="BM_bad", what="it crashed with SIGSEGV", side=Side.BASE, round=1)
    return Record(
        context={"num_cpus": 2, "library_build_type": "release"},
        facts=facts,
        samples=samples,
        failures=(failure,),
    )


def test_there_are_golden_files_of_both_languages() -> None:
    names = {path.name for path in FILES}
    assert "session.json" in names
    assert any(name.startswith("native_") for name in names), names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_golden_file_is_google_benchmark_json_and_ours(path: Path) -> None:
    document = json.loads(path.read_text())
    assert document["context"]["assay"]["schema"] <= SCHEMA_VERSION
    for row in document["benchmarks"]:
        assert {"name", "run_type"} <= row.keys()
    record = read(path)
    assert record.samples
    assert record.facts.written["schema"] <= SCHEMA_VERSION
    for sample in record.samples:
        assert all(value >= 0 for value in sample.values["real_time"])


def test_what_we_write_is_the_golden_file_to_the_byte() -> None:
    assert encode(session()) == (GOLDEN / "session.json").read_bytes()


def test_what_we_read_from_it_is_what_was_written() -> None:
    back = read(GOLDEN / "session.json")
    assert back.samples == session().samples
    assert back.failures == session().failures


def test_native_files_hold_facts_and_memory() -> None:
    for path in GOLDEN.glob("native_*.json"):
        record = read(path)
        assert {"host", "build", "clock", "allocations"} <= record.facts.written.keys(), path
        counted = record.facts.written["allocations"]["counted"]
        assert any("allocs" in sample.values for sample in record.samples) is counted, path
