"""Throughput over time: what a chart shows of the windows a run was cut into."""

import pytest

from assay.model import Sample, SweepPoint
from assay.show.rows.sweep import time_rows, whole_windows


@pytest.mark.parametrize(
    ("ends_s", "kept"),
    [
        ([0.05, 0.10, 0.15, 0.15002], 3),  # the run ended within a window
        ([0.05, 0.10, 0.15, 0.19], 4),  # nearly a whole one
        ([0.05, 0.05001], 1),
        ([0.02], 1),  # all there is
        ([], 0),
    ],
)
def test_a_last_window_cut_short_is_left_out(ends_s: list[float], kept: int) -> None:
    rates = [100.0 + place for place in range(len(ends_s))]
    assert whole_windows(ends_s, rates) == list(zip(ends_s, rates, strict=True))[:kept]


def test_a_run_too_short_for_a_window_has_no_line() -> None:
    point = SweepPoint(
        benchmark="b",
        plugin="stlmap",
        setting="reads/uniform/8+8",
        threads=1,
        operation="all",
        least=1.0,
        middle=1.0,
        most=1.0,
        launches=1,
    )
    for series in ({}, {"throughput": {"t": [], "v": [], "units": ["s", "1/s"]}}):
        assert time_rows([point], [Sample(benchmark="b", values={}, series=series)]) == []
