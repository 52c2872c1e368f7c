"""Go's benchmark lines, both ways."""

import re

import pytest

from assay.errors import InputError
from assay.model import Record, Sample, Side
from assay.record.formats.go_test import benchstat_text, looks_like, parse

# A line of https://go.dev/design/14313-benchmark-format: what benchstat reads.
LINE = re.compile(r"Benchmark(?![a-z])\S*\t[1-9]\d*(\t-?\d+(\.\d+)?(e[-+]\d+)? \S+)+")


def record(*samples: Sample, **facts: object) -> Record:
    return Record(context={}, facts=facts, samples=samples)


def parsed(text: str) -> list[Sample]:
    return list(parse(text.encode(), "new.txt").samples)


def test_each_inner_sample_is_a_line() -> None:
    values = {"real_time": (1.5, 2.0), "cpu_time": (1.0, 1.25), "bytes": (16.0,)}
    text = benchstat_text(
        record(
            Sample(benchmark="find/8", values=values, time_unit="us", iterations=10),
            host={"cpu_model": "A  CPU"},
        )
    )
    assert text.splitlines() == [
        "cpu: A CPU",
        "BenchmarkFind/8\t10\t1500 ns/op\t1000 cpu-time-ns/op\t16 B/op",
        "BenchmarkFind/8\t10\t2000 ns/op\t1250 cpu-time-ns/op",
    ]


@pytest.mark.parametrize(
    "name", ["a b\tc", "Benchmark x", "benchmark", "\x01ctl", "ünder", "", "BM_<int*>/8", "Bench\n"]
)
def test_any_name_is_one_word_that_go_accepts(name: str) -> None:
    text = benchstat_text(record(Sample(benchmark=name, values={"real_time": (1.0,)})))
    (line,) = text.splitlines()
    assert LINE.fullmatch(line), line


def test_what_is_written_is_read_back() -> None:
    values = {
        "real_time": (123.456, 125.0),
        "allocs": (3.0, 3.0),
        "bytes_per_second": (2.5e9, 2.4e9),
        "my metric": (-1.0, 2.0),
    }
    written = record(Sample(benchmark="BenchmarkA/n=8-2", values=values, iterations=5))
    (back,) = parsed(benchstat_text(written))
    assert back.benchmark == "BenchmarkA/n=8-2"
    assert back.values["my_metric"] == values["my metric"]
    for metric in ("real_time", "allocs", "bytes_per_second"):
        assert back.values[metric] == pytest.approx(values[metric])


def test_both_sides_of_a_comparison_stay_apart() -> None:
    sides = [
        Sample(benchmark="a", values={"real_time": (float(number),)}, side=side)
        for number, side in enumerate((Side.BASE, Side.CANDIDATE, Side.BASE))
    ]
    back = parsed(benchstat_text(record(*sides)))
    assert [(one.side, one.values["real_time"]) for one in back] == [
        (Side.BASE, (0.0, 2.0)),
        (Side.CANDIDATE, (1.0,)),
    ]


HEADING = "goos: linux\ngoarch: amd64\npkg: {}\n"


def test_a_heading_begins_another_process() -> None:
    run = f"{HEADING.format('a')}BenchmarkX-2 10 5 ns/op\nBenchmarkX-2 10 6 ns/op\nPASS\n"
    assert [(one.launch, one.values["real_time"]) for one in parsed(run * 2)] == [
        (0, (5.0, 6.0)),
        (1, (5.0, 6.0)),
    ]


def test_packages_stand_before_the_name_where_there_are_several() -> None:
    line = "BenchmarkX-2 10 5 ns/op\n"
    assert [one.benchmark for one in parsed(HEADING.format("a") + line)] == ["BenchmarkX-2"]
    both = HEADING.format("a") + line + HEADING.format("b") + line
    assert [one.benchmark for one in parsed(both)] == ["a.BenchmarkX-2", "b.BenchmarkX-2"]


def test_events_of_go_test_are_read_too() -> None:
    events = (
        '{"Action":"start","Package":"a"}\n'
        '{"Action":"output","Package":"a","Output":"BenchmarkX-2   \\t"}\n'
        '{"Action":"output","Package":"a","Output":"  10\\t 5 ns/op\\n"}\n'
    )
    assert looks_like(events.encode())
    (sample,) = parsed(events)
    assert (sample.benchmark, sample.values) == ("BenchmarkX-2", {"real_time": (5.0,)})
    with pytest.raises(InputError, match=r"new\.txt: line 4: is not an event"):
        parsed(events + '{"Action":')


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("BenchmarkX-2 10 5 ns/op 3", "breaks off"),
        ("BenchmarkX-2 10 fast ns/op", "ns/op = 'fast'"),
        ("BenchmarkX-2 10 NaN ns/op", "no number"),
        ("BenchmarkX-2 10 -5 ns/op", "took -5 ns/op"),
    ],
)
def test_a_line_that_is_wrong_is_named(line: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as failed:
        parsed(f"goos: linux\n{line}\n")
    assert failed.value.where == "new.txt: line 2"
