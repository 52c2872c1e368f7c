"""nanobench's results: epochs are the samples of one launch."""

import json
from typing import Any

import pytest

from assay.errors import InputError
from assay.model import Sample
from assay.record.formats.nanobench import looks_like, parse

AGAIN = "is it complete? write it again with the tool that made it"


def parsed(*results: dict[str, Any]) -> tuple[Sample, ...]:
    return parse(json.dumps({"results": results}).encode(), "f").samples


def result(*epochs: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "a", "measurements": list(epochs), **more}


@pytest.mark.parametrize(("title", "name"), [("t", "t/a"), ("", "a")])
def test_epochs_are_samples(title: str, name: str) -> None:
    (one,) = parsed(result({"elapsed": 2.0, "iterations": 3}, {"elapsed": 4.0}, title=title))
    assert (one.benchmark, one.time_unit, one.iterations) == (name, "s", 4)
    assert one.values == {"real_time": (2.0, 4.0)}


@pytest.mark.parametrize(
    ("batch", "elapsed", "rate"),
    [
        (8, 2.0, {"items_per_second": (4.0,)}),
        (0.5, 2.0, {"items_per_second": (0.25,)}),
        (1, 2.0, {}),
        (0, 2.0, {}),
        (-1, 2.0, {}),
        (8, 0.0, {}),
    ],
)
def test_a_batch_is_a_rate(batch: float, elapsed: float, rate: Any) -> None:
    (one,) = parsed(result({"elapsed": elapsed}, batch=batch))
    assert one.values == {"real_time": (elapsed,), **rate}


def test_counters_that_were_counted() -> None:
    first = {
        "instructions": 1,
        "cpucycles": 2,
        "branchinstructions": 3,
        "branchmisses": 4,
        "contextswitches": 5,
        "pagefaults": 0,
    }
    (one,) = parsed(result({"elapsed": 1.0, **first}, {"elapsed": 1.0, "instructions": 9}))
    assert one.values == {
        "real_time": (1.0, 1.0),
        "instructions": (1.0, 9.0),
        "cycles": (2.0, 0.0),
        "branches": (3.0, 0.0),
        "branch-misses": (4.0, 0.0),
        "context-switches": (5.0, 0.0),
    }
    (other,) = parsed(result({"elapsed": 1.0, "pagefaults": 7}))
    assert other.values == {"real_time": (1.0,), "page-faults": (7.0,)}


def test_the_same_name_twice_is_two_launches_and_one_without_epochs_is_none() -> None:
    found = parsed(result({"elapsed": 1.0}), result(), result({"elapsed": 2.0}))
    assert [(one.launch, one.values["real_time"]) for one in found] == [(0, (1.0,)), (1, (2.0,))]


@pytest.mark.parametrize(
    ("epoch", "said"),
    [
        ({"elapsed": -1.0}, f"f: benchmark 'a' has time = -1.0; {AGAIN}"),
        ({"elapsed": 1.0, "cpucycles": -1}, f"f: benchmark 'a' has cpucycles = -1.0; {AGAIN}"),
        ({"elapsed": 1.0, "iterations": -1}, f"f: benchmark 'a' has iterations = -1.0; {AGAIN}"),
        (
            {"elapsed": "x"},
            "f: is not nanobench's JSON as Assay knows it: Expected `float`, got `str` - at "
            f"`$.results[0].measurements[0].elapsed`; {AGAIN}",
        ),
    ],
)
def test_what_is_wrong_is_said(epoch: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as refused:
        parsed(result(epoch))
    assert str(refused.value) == said
    with pytest.raises(InputError, match="f: holds no measurement of nanobench; measure again"):
        parsed()


@pytest.mark.parametrize("left_out", [None, "results", "title", "epochs"])
def test_what_is_taken_for_nanobench(left_out: str | None) -> None:
    keys = {"results": 1, "title": 1, "epochs": 1}
    keys.pop(left_out or "", None)
    assert looks_like(json.dumps(keys).encode()) is (left_out is None)
