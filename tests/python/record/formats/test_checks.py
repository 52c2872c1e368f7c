"""What every importer needs: JSON of a stated shape, times that are times, numbers in text."""

import math

import msgspec
import pytest

from assay.errors import InputError
from assay.model import Failure, Sample
from assay.record.formats.checks import (
    AGAIN,
    HEAD_BYTES,
    decode_json,
    finite_metrics,
    has_keys,
    lenient_json,
    made_record,
    msgspec_convert,
    number_of,
    numbered_launches,
    times_of,
)

NAN, INF = math.nan, math.inf


class Shape(msgspec.Struct):
    number: float


def test_the_hint_of_all_importers() -> None:
    assert AGAIN == "is it complete? write it again with the tool that made it"
    assert HEAD_BYTES == 64 * 1024


@pytest.mark.parametrize(
    ("data", "keys", "found"),
    [
        (b'{"a": 1, "b" : 2}', ("a", "b"), True),
        (b' \n[{"a":1}]', ("a",), True),
        (b'{"a": 1}', ("a", "b"), False),
        (b'{"a": 1}', (), True),
        (b'"a": 1', ("a",), False),
        (b'{"x.y": 1}', ("x.y",), True),
        (b'{"x-y": 1}', ("x.y",), False),
        (b'{"x": "a"}', ("a",), False),
        (b'{"a"' + b" " * (HEAD_BYTES - 5) + b":", ("a",), True),
        (b'{"a"' + b" " * (HEAD_BYTES - 4) + b":", ("a",), False),
    ],
)
def test_keys_at_the_beginning(data: bytes, keys: tuple[str, ...], *, found: bool) -> None:
    assert has_keys(data, *keys) is found


@pytest.mark.parametrize(
    ("text", "number"), [('{"number": 1}', 1.0), ('{"number": Infinity}', INF)]
)
def test_json_of_a_shape(text: str, number: float) -> None:
    assert decode_json(text.encode(), Shape, "f", "x's JSON") == Shape(number)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", f"f: is not x's JSON: Input data was truncated; {AGAIN}"),
        ("[" * 100_000, None),
        (
            "[]",
            f"f: is not x's JSON as Assay knows it: Expected `object`, got `array`; {AGAIN}",
        ),
        (
            '{"number": "NaN", "x": NaN}',
            "f: is not x's JSON as Assay knows it: Expected `float`, got `str` - at `$.number`; "
            f"{AGAIN}",
        ),
    ],
)
def test_other_json_is_refused(text: str, said: str | None) -> None:
    with pytest.raises(InputError) as refused:
        decode_json(text.encode(), Shape, "f", "x's JSON")
    assert str(refused.value).startswith("f: is not x's JSON")
    if said:
        assert str(refused.value) == said


def test_a_document_that_is_decoded_already_is_converted() -> None:
    assert msgspec_convert({"number": 1}, Shape, "f", "x") == Shape(1.0)
    with pytest.raises(InputError, match="f: is not x as Assay knows it: Object missing"):
        msgspec_convert({}, Shape, "f", "x")


def test_half_a_surrogate_pair_cannot_be_printed() -> None:
    assert lenient_json(b'["\\ud83d\\ude00", NaN]')[0] == "\U0001f600"
    for half in (b'["\\ud83d"]', b'["\\uDE00"]'):
        with pytest.raises(ValueError, match="surrogates not allowed"):
            lenient_json(half)


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ([], None),
        ([0.0, 1.5], None),
        ([1.0, -0.5, NAN], -0.5),
        ([1.0, NAN], NAN),
        ([INF, 1.0], INF),
        ([1.0, -INF], -INF),
        ([1e308, 1e308], INF),
    ],
)
def test_times_are_finite_and_not_negative(values: list[float], wrong: float | None) -> None:
    if wrong is None:
        assert times_of(iter(values), "a", "f") == tuple(values)
        return
    with pytest.raises(InputError) as refused:
        times_of(values, "a", "f", "took")
    assert str(refused.value) == f"f: benchmark 'a' has took = {wrong}; {AGAIN}"
    with pytest.raises(InputError, match=f"has time = {wrong}"):
        times_of(values, "a", "f")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5", 1.5),
        ("-2e3", -2_000.0),
        ("1,234.5", 1_234.5),
        ("12,345,678", 12_345_678.0),
    ],
)
def test_a_number_in_text(text: str, number: float) -> None:
    assert number_of(text, "took", "f") == number


@pytest.mark.parametrize(
    "text", ["", "x", "0,5", "0,500", "1,23", "1234,567", "nan", "inf", "1e999"]
)
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(InputError) as refused:
        number_of(text, "took", "f")
    assert str(refused.value) == f"f: has took = {text!r}, no number; {AGAIN}"


def test_a_long_text_that_is_no_number_is_cut() -> None:
    with pytest.raises(InputError) as refused:
        number_of("x" * 41, "took", "f")
    assert str(refused.value) == f"f: has took = '{'x' * 40}', no number; {AGAIN}"


def test_figures_that_are_finite_numbers_are_metrics() -> None:
    figures = {"a": 1, "b": -2.5, "c": True, "d": "1", "e": None, "f": NAN, "g": INF, "h": 10**400}
    assert finite_metrics(figures) == {"a": (1.0,), "b": (-2.5,)}


def sample(name: str = "a", *values: float, metric: str = "real_time") -> Sample:
    return Sample(benchmark=name, values={metric: values or (1.0,)})


def test_launches_of_one_benchmark_are_numbered() -> None:
    found = numbered_launches([sample("a"), sample("b"), sample("a"), sample("a")])
    assert [(one.benchmark, one.launch) for one in found] == [
        ("a", 0),
        ("b", 0),
        ("a", 1),
        ("a", 2),
    ]


def test_a_record_has_what_is_known() -> None:
    failure = Failure(benchmark="b", what="x")
    found = made_record(
        [sample()],
        "f",
        "tool",
        context={"date": "", "num_cpus": 2, "none": None},
        failures=[failure],
        host={},
        git={"revision": "abc"},
    )
    assert (found.samples, found.failures, found.origin) == ((sample(),), (failure,), "f")
    assert found.context == {"num_cpus": 2}
    assert found.facts.written == {"tool": "tool", "git": {"revision": "abc"}}
    assert made_record([], "f", "tool", failures=[failure]).context == {}


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ([], "f: holds no measurement of tool; measure again"),
        (
            [Sample(benchmark="a", values={"real_time": ()})],
            f"f: benchmark 'a' has real_time without a value; {AGAIN}",
        ),
        (
            [sample("a", 1e308, 1e308)],
            f"f: benchmark 'a' has real_time beyond all numbers; {AGAIN}",
        ),
        ([sample("a", NAN)], f"f: benchmark 'a' has real_time beyond all numbers; {AGAIN}"),
    ],
)
def test_a_record_without_a_measurement_is_refused(samples: list[Sample], said: str) -> None:
    with pytest.raises(InputError) as refused:
        made_record(samples, "f", "tool")
    assert str(refused.value) == said
