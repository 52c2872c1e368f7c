"""k6's summaries, in the three forms in which it writes them."""

import json
from typing import Any

import pytest

from assay.errors import InputError
from assay.model import Record
from assay.record.formats.k6 import looks_like, parse

Values = dict[str, tuple[float, ...]]


def parsed(document: Any) -> Record:
    return parse(json.dumps(document).encode(), "f")


def values(name: str, written: dict[str, Any]) -> Values:
    (one,) = parsed({"metrics": {name: written}}).samples
    assert (one.benchmark, one.time_unit, one.launch) == (name, "ms", 0)
    return one.values


TIME = {"avg": 2.0, "med": 1.5, "max": 9.0, "min": 1.0, "p(90)": 4.0, "p(99.9)": 8.0}
AS_TIME = {
    "real_time": (2.0,),
    "p50": (1.5e6,),
    "max": (9e6,),
    "p90": (4e6,),
    "p99.9": (8e6,),
}


@pytest.mark.parametrize(
    "name",
    [
        "http_req_duration",
        "http_req_waiting{url:x}",
        "iteration_duration",
        "group_duration",
        "ws_connecting",
        "ws_session_duration",
        "ws_ping",
        "grpc_req_duration",
        "browser_http_req_duration",
    ],
)
def test_times_have_a_mean_in_milliseconds_and_quantiles_in_nanoseconds(name: str) -> None:
    assert values(name, TIME) == AS_TIME


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ({"med": 1.5, "p(95)": 2.0}, {"real_time": (1.5,), "p50": (1.5e6,), "p95": (2e6,)}),
        ({"avg": 0.0, "med": 0.0, "max": 1.0},
         {"real_time": (0.0,), "p50": (0.0,), "max": (1e6,)}),
        ({"avg": 3.0, "p95": 2.0, "px": 7.0}, {"real_time": (3.0,), "p95": (2e6,)}),
    ],
)  # fmt: skip
def test_times_of_which_less_is_known(written: dict[str, Any], expected: Values) -> None:
    assert values("http_req_duration", written) == expected


@pytest.mark.parametrize(
    ("name", "written", "expected"),
    [
        ("mine", TIME, {"avg": (2.0,), "med": (1.5,)}),
        ("mine", {"med": 1.5}, {"med": (1.5,)}),
        ("http_reqs", {"count": 10, "rate": 2.5}, {"items_per_second": (2.5,), "count": (10.0,)}),
        ("data_sent", {"count": 10, "rate": 2.5}, {"bytes_per_second": (2.5,), "count": (10.0,)}),
        ("data_received{a:b}", {"rate": 2.5, "count": 0},
         {"bytes_per_second": (2.5,), "count": (0.0,)}),
        ("data_sent_mine", {"count": 1, "rate": 2.5},
         {"items_per_second": (2.5,), "count": (1.0,)}),
        ("checks", {"passes": 1, "fails": 3, "value": 0.25}, {"rate": (0.25,)}),
        ("vus", {"value": 2, "min": 1}, {"value": (2.0,)}),
    ],
)  # fmt: skip
def test_each_kind_of_metric(name: str, written: dict[str, Any], expected: Values) -> None:
    assert values(name, written) == expected


def test_the_form_of_handle_summary_says_what_each_metric_is() -> None:
    def metric(kind: str, contains: str, **figures: float) -> dict[str, Any]:
        return {"type": kind, "contains": contains, "values": figures}

    document = {
        "metrics": {
            "took": metric("trend", "time", avg=2.0),
            "http_req_size": metric("trend", "default", avg=3.0, max=4.0),
            "sent": metric("counter", "data", rate=5.0),
            "kept": {"values": {"value": 6.0}},
            "nothing": metric("trend", "time", avg=0.0, med=0.0, max=0.0),
            "none": metric("gauge", "default", other=1.0),
        }
    }
    assert {one.benchmark: one.values for one in parsed(document).samples} == {
        "took": {"real_time": (2.0,)},
        "http_req_size": {"avg": (3.0,)},
        "sent": {"bytes_per_second": (5.0,)},
        "kept": {"value": (6.0,)},
    }


def test_the_machine_readable_form() -> None:
    metrics = [
        {"name": "b", "type": "trend", "contains": "time", "values": {"avg": 2.0, "p95": 3.0}},
        {"name": "a", "type": "rate", "contains": "default", "values": {"rate": 0.5}},
        {"name": "b", "type": "counter", "contains": "data", "values": {"rate": 7.0}},
    ]
    metadata = {"k6_version": "1.3.0", "generated_at": "2026-01-01"}
    found = parsed({"metadata": metadata, "results": {"metrics": metrics}})
    assert [(one.benchmark, one.launch, one.values) for one in found.samples] == [
        ("b", 0, {"real_time": (2.0,), "p95": (3e6,)}),
        ("a", 0, {"rate": (0.5,)}),
        ("b", 1, {"bytes_per_second": (7.0,)}),
    ]
    assert found.facts.written == {"tool": "k6 1.3.0"}
    assert found.context == {"date": "2026-01-01"}


def test_other_forms_say_no_version_and_are_sorted() -> None:
    found = parsed({"metrics": {"b": {"value": 1}, "a": {"value": 2}}})
    assert [one.benchmark for one in found.samples] == ["a", "b"]
    assert (found.facts.written, found.context) == ({"tool": "k6"}, {})


AGAIN = "is it complete? write it again with the tool that made it"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"metrics": {}}, "f: holds no measurement of k6; measure again"),
        (
            {"metrics": {"http_req_duration": {"avg": -1.0}}},
            f"f: benchmark 'http_req_duration' has time = -1.0; {AGAIN}",
        ),
        (
            {"metrics": {"http_req_duration": {"avg": 1.0, "p(95)": -2.0}}},
            f"f: benchmark 'http_req_duration' has p95 = -2000000.0; {AGAIN}",
        ),
        (
            {"metrics": {"x": {"values": 1}}},
            "f: x: is not k6's summary as Assay knows it: Expected `object`, got `int` - at "
            f"`$.values`; {AGAIN}",
        ),
        (
            {"metrics": 1},
            "f: is not k6's summary as Assay knows it: Expected `object`, got `int` - at "
            f"`$.metrics`; {AGAIN}",
        ),
    ],
)
def test_what_is_wrong_is_said(document: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        parsed(document)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("keys", "is_k6"),
    [
        (("k6_version",), True),
        (("metrics", "root_group"), True),
        (("metrics", "iteration_duration"), True),
        (("metrics", "vus"), True),
        (("metrics",), False),
        (("vus", "root_group"), False),
    ],
)
def test_what_is_taken_for_k6(keys: tuple[str, ...], *, is_k6: bool) -> None:
    assert looks_like(json.dumps(dict.fromkeys(keys, 1)).encode()) is is_k6
