"""Latencies recorded in a benchmark arrive in the record, whole."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conftest import Done
from hdrh.histogram import HdrHistogram

from assay.record.reader import read
from assay.units import Better, metric

Assay = Callable[..., Done]
Native = Callable[[str], Path]
QUANTILES = ("p50", "p90", "p99", "p99.9", "p99.99", "p99.999", "max")


def measured(assay: Assay, native: Native, folder: Path, benchmarks: str) -> dict[str, Any]:
    out = folder / "r.json"
    bench = native("latency_fixture")
    done = assay("run", bench, "--filter", benchmarks, "--rounds", 2, "-o", out, "-q")
    assert done.code == 0, done.err
    document: dict[str, Any] = json.loads(out.read_text())
    return document


def test_quantiles_are_metrics_and_the_histogram_is_kept(
    assay: Assay, native: Native, tmp_path: Path
) -> None:
    document = measured(assay, native, tmp_path, "^known")
    assert len(document["benchmarks"]) == 2
    for row in document["benchmarks"]:
        for name in QUANTILES:
            assert row["assay"]["samples"][name], name
        assert not [key for key in row if "histogram" in key]
        histogram = HdrHistogram.decode(row["assay"]["histograms"]["latency"])
        repetitions = len(row["assay"]["samples"]["p50"])
        assert histogram.get_total_count() == 10_000 * repetitions
        assert histogram.get_max_value() == 1000
    assert document["context"]["assay"]["clock"]["frequency_hz"] > 0
    sample = read(tmp_path / "r.json").samples[0]
    assert sample.values["p99.99"][0] == 1000
    assert "latency" in sample.histograms


def test_quantiles_are_nanoseconds_of_which_less_is_better() -> None:
    for name in (*QUANTILES, "p99_write", "max_latency_write"):
        found = metric(name)
        assert (found.unit, found.better, found.is_count) == ("ns", Better.LOWER, False), name


def test_a_report_draws_the_percentiles(assay: Assay, native: Native, tmp_path: Path) -> None:
    measured(assay, native, tmp_path, "^known")
    done = assay("report", tmp_path / "r.json", "-o", tmp_path / "r.html")
    assert done.code == 0, done.err
    assert "latency" in (tmp_path / "r.html").read_text()
