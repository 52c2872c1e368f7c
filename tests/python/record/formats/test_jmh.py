"""JMH's results: forks are launches, and each unit of a score is a metric."""

import json
from typing import Any

import pytest

from assay.errors import InputError
from assay.model import Record
from assay.record.formats.jmh import looks_like, parse


def metric(unit: str, **more: Any) -> dict[str, Any]:
    return {"scoreUnit": unit, "score": 1.0, **more}


def result(primary: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"benchmark": "a", "mode": "avgt", "primaryMetric": primary, **more}


def parsed(*results: dict[str, Any]) -> Record:
    return parse(json.dumps(results).encode(), "f")


@pytest.mark.parametrize(
    ("unit", "time_unit", "values"),
    [
        ("ns/op", "ns", {"real_time": (2.0, 4.0)}),
        ("us/op", "us", {"real_time": (2.0, 4.0)}),
        ("ms/op", "ms", {"real_time": (2.0, 4.0)}),
        ("s/op", "s", {"real_time": (2.0, 4.0)}),
        ("min/op", "ns", {"real_time": (120e9, 240e9)}),
        ("hr/op", "ns", {"real_time": (7_200e9, 14_400e9)}),
        ("day/op", "ns", {"real_time": (172_800e9, 345_600e9)}),
        ("min", "ns", {"min": (2.0, 4.0)}),
        ("us", "ns", {"real_time": (2.0, 4.0)}),
        ("B/op", "ns", {"B/op": (2.0, 4.0)}),
        ("ops/s", "ns", {"items_per_second": (2.0, 4.0), "real_time": (5e8, 2.5e8)}),
        ("ops/ms", "ns", {"items_per_second": (2e3, 4e3), "real_time": (5e5, 2.5e5)}),
        ("ops/us", "ns", {"items_per_second": (2e6, 4e6), "real_time": (500.0, 250.0)}),
        ("ops/ns", "ns", {"items_per_second": (2e9, 4e9), "real_time": (0.5, 0.25)}),
        ("ops/day", "ns", {"items_per_second": (2 / 86_400, 4 / 86_400),
                           "real_time": (43_200e9, 21_600e9)}),
        ("ops/x", "ns", {"items_per_second": (2.0, 4.0), "real_time": (5e8, 2.5e8)}),
    ],
)  # fmt: skip
def test_each_unit(unit: str, time_unit: str, values: dict[str, tuple[float, ...]]) -> None:
    (one,) = parsed(result(metric(unit, rawData=[[2.0, 4.0]]))).samples
    assert one.time_unit == time_unit
    assert one.values.keys() == values.keys()
    for name, expected in values.items():
        assert one.values[name] == pytest.approx(expected, rel=1e-12)


def test_a_rate_of_nothing_has_no_time() -> None:
    (one,) = parsed(result(metric("ops/s", rawData=[[0.0, 4.0]]))).samples
    assert one.values == {"items_per_second": (0.0, 4.0)}


def test_forks_are_launches_with_the_figures_of_profilers_beside_them() -> None:
    more = {
        "gc.alloc.rate.norm": metric("B/op", rawData=[[8.0], [16.0]]),
        "·gc.count": metric("counts", rawData=[[1.0], []]),
        "other forks": metric("x", rawData=[[1.0]]),
        "p0.50": metric("us/op", rawData=[[3.0], [4.0]]),
        "p0.999": metric("us/op", rawData=[[5.0], [6.0]]),
        "p1.00": metric("x", rawData=[[7.0], [8.0]]),
    }
    raw = metric("us/op", rawData=[[1.0, 2.0], [3.0]])
    found = parsed(result(raw, secondaryMetrics=more, threads=4)).samples
    assert [(one.launch, one.threads, one.values) for one in found] == [
        (
            0,
            4,
            {"real_time": (1.0, 2.0), "bytes": (8.0,), "gc.count": (1.0,),
             "p50": (3_000.0,), "p99.9": (5_000.0,), "p100": (7e9,)},
        ),
        (
            1,
            4,
            {"real_time": (3.0,), "bytes": (16.0,), "p50": (4_000.0,), "p99.9": (6_000.0,),
             "p100": (8e9,)},
        ),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("primary", "values"),
    [
        (metric("us/op"), (1.0,)),
        (metric("us/op", rawData=[["NaN", 2.0]]), (2.0,)),
        (metric("us/op", rawDataHistogram=[[[[2.0, 3], [4.0, 1]], [[5.0, 2]]]]), (2.5, 5.0)),
        (metric("us/op", rawDataHistogram=[[[], [[2.0, 1]]]], rawData=[[9.0]]), (2.0,)),
    ],
)
def test_where_the_values_stand(primary: dict[str, Any], values: tuple[float, ...]) -> None:
    (one,) = parsed(result(primary)).samples
    assert one.values == {"real_time": values}
    assert one.threads == 1


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({}, "a"),
        ({"mode": "thrpt"}, "a (thrpt)"),
        ({"params": {"size": "8", "kind": "x"}}, "a:size=8:kind=x"),
        ({"params": {"size": "8"}, "mode": "ss"}, "a:size=8 (ss)"),
        ({"params": None}, "a"),
    ],
)
def test_the_name_has_parameters_and_mode(more: dict[str, Any], name: str) -> None:
    (one,) = parsed(result(metric("us/op"), **more)).samples
    assert one.benchmark == name


def test_the_version_is_kept() -> None:
    first = result(metric("us/op"), jmhVersion="1.37")
    found = parsed(first, result(metric("us/op")))
    assert found.facts.written == {"tool": "JMH 1.37"}
    assert [one.launch for one in found.samples] == [0, 1]
    assert parsed(result(metric("us/op"))).facts.written == {"tool": "JMH"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("[]", "holds no measurement of JMH; measure again"),
        (
            "{}",
            "is not JMH's JSON as Assay knows it: Expected `array`, got `object`; is it complete? "
            "write it again with the tool that made it",
        ),
        *(
            (
                json.dumps([result(primary)]),
                "benchmark 'a' has real_time without a value; is it complete? write it again with "
                "the tool that made it",
            )
            for primary in ({"scoreUnit": "us/op"}, metric("us/op", rawDataHistogram=[[[]]]))
        ),
        (
            json.dumps([result(metric("us/op", score=-1.0))]),
            "benchmark 'a' has us/op = -1.0; is it complete? write it again with the tool that "
            "made it",
        ),
    ],
)
def test_what_is_wrong_is_said(data: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        parse(data.encode(), "f")
    assert str(refused.value) == f"f: {said}"


@pytest.mark.parametrize(
    ("keys", "is_jmh"),
    [
        (("benchmark", "mode", "jmhVersion"), True),
        (("benchmark", "mode", "primaryMetric"), True),
        (("benchmark", "mode"), False),
        (("benchmark", "jmhVersion", "primaryMetric"), False),
        (("mode", "jmhVersion"), False),
    ],
)
def test_what_is_taken_for_jmh(keys: tuple[str, ...], is_jmh: bool) -> None:
    assert looks_like(json.dumps([dict.fromkeys(keys, 1)]).encode()) is is_jmh
