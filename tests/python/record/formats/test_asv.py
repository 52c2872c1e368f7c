"""asv's result files: one launch for each combination of parameters."""

import json
from typing import Any

import pytest

from assay.errors import InputError
from assay.model import Failure, Record
from assay.record.formats.asv import looks_like, parse

COLUMNS = ["result", "params", "version", "samples"]
NAN = float("nan")


def parsed(results: Any, **more: Any) -> Record:
    document = {"results": results, "result_columns": COLUMNS, **more}
    return parse(json.dumps(document).encode(), "f")


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("a.b.time_x", "real_time"),
        ("TimeSuite.time_x", "real_time"),
        ("a.timeraw_x", "real_time"),
        ("a.peakmem_x", "peak_rss"),
        ("a.mem_x", "bytes"),
        ("a.Mem_x", "bytes"),
        ("time_x", "real_time"),
        ("a.track_time", "value"),
        ("time_a.track", "value"),
    ],
)
def test_the_name_says_what_was_measured(name: str, metric: str) -> None:
    (one,) = parsed({name: [[2.0]]}).samples
    assert (one.benchmark, one.values, one.time_unit) == (name, {metric: (2.0,)}, "s")


def test_what_track_returns_may_be_below_zero() -> None:
    (one,) = parsed({"a.track_x": [[-1.0]]}).samples
    assert one.values == {"value": (-1.0,)}


def test_the_last_parameter_varies_fastest_and_samples_come_before_results() -> None:
    cells = [
        [1.0, 2.0, NAN, None],
        [["1", "2"], ["'x'", "'y'"]],
        "version",
        [[1.5, 1.6], None, [9.0], [9.0]],
    ]
    found = parsed({"a.time_x": cells})
    assert [(one.benchmark, one.values["real_time"]) for one in found.samples] == [
        ("a.time_x(1, 'x')", (1.5, 1.6)),
        ("a.time_x(1, 'y')", (2.0,)),
    ]
    assert found.failures == (Failure(benchmark="a.time_x(2, 'y')", what="it failed under asv"),)


def test_fewer_samples_than_results() -> None:
    found = parsed({"a.time_x": [[1.0, 2.0], [["1", "2"]], "", [[1.5]]]})
    assert [one.values["real_time"] for one in found.samples] == [(1.5,), (2.0,)]


@pytest.mark.parametrize("cells", [None, [], [None], [None, [["1", "2"]]]])
def test_what_has_no_result_failed(cells: Any) -> None:
    found = parsed({"a.time_x": cells, "a.time_y": [[1.0]]})
    assert found.failures == (Failure(benchmark="a.time_x", what="it failed under asv"),)


def test_where_and_when_it_was_measured() -> None:
    machine = {"cpu": "a CPU", "os": "Linux", "machine": "box"}
    found = parsed({"time_x": [[1.0]]}, commit_hash="abc", params=machine, date=1_500.0)
    assert found.context == {"host_name": "box", "date": "1970-01-01T00:00:01.500000+00:00"}
    assert found.facts.written == {
        "tool": "asv",
        "host": {"cpu_model": "a CPU", "os": "Linux"},
        "git": {"revision": "abc"},
    }
    assert found.origin == "f"


@pytest.mark.parametrize("date", [None, 0, 1e300, NAN])
def test_a_date_that_is_none(date: float | None) -> None:
    found = parsed({"time_x": [[1.0]]}, date=date)
    assert found.context == {}
    assert found.facts.written == {"tool": "asv"}


AGAIN = "is it complete? write it again with the tool that made it"


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ({"x": [[1.0, 2.0], [["1"]]]}, f"f: 'x' has 2 results for other parameters; {AGAIN}"),
        ({"x": [[1.0], [["1", "2"]]]}, f"f: 'x' has 1 results for other parameters; {AGAIN}"),
        ({"time_x": [[-1.0]]}, f"f: benchmark 'time_x' has real_time = -1.0; {AGAIN}"),
        ({}, "f: holds no measurement of asv; measure again"),
        (
            {"x": [1]},
            "f: x: is not asv's results as Assay knows it: Expected `array | null`, got `int` - at "
            f"`$.result`; {AGAIN}",
        ),
    ],
)
def test_what_is_wrong_is_said(results: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        parsed(results)
    assert str(refused.value) == said


def test_what_is_taken_for_asv() -> None:
    assert looks_like(b'{"commit_hash": "a", "result_columns": []}')
    assert not looks_like(b'{"commit_hash": "a"}')
    assert not looks_like(b'{"result_columns": []}')
