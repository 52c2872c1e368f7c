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


@pytest.mark.parametrize(
    ("unit", "metric", "factor"),
    [
        ("ns/op", "real_time", 1.0),
        ("sec/op", "real_time", 1e9),
        ("B/op", "bytes", 1.0),
        ("allocs/op", "allocs", 1.0),
        ("MB/s", "bytes_per_second", 1e6),
        ("B/s", "bytes_per_second", 1.0),
        ("frames", "frames", 1.0),
    ],
)
def test_units_of_go_are_metrics_of_assay(unit: str, metric: str, factor: float) -> None:
    (sample,) = parsed(f"BenchmarkX 10 2.5 {unit}\n")
    assert sample.values == {metric: (2.5 * factor,)}
    assert sample.time_unit == "ns"


def test_lines_of_one_process_are_one_launch_whose_iterations_are_added() -> None:
    """Whatever stands between its lines; and headings in a row begin one process."""
    text = (
        "goos: linux\ngoarch: amd64\npkg: a\ncpu: A CPU\n"
        "BenchmarkX 10 5 ns/op 3 B/op\nnote: between\nBenchmarkX 7 6 ns/op\nBenchmarkY 1 1 ns/op\n"
        "pkg: a\nBenchmarkX 3 9 ns/op\n"
    )
    assert [(one.benchmark, one.launch, one.iterations, one.values) for one in parsed(text)] == [
        ("BenchmarkX", 0, 17, {"real_time": (5.0, 6.0), "bytes": (3.0,)}),
        ("BenchmarkY", 0, 1, {"real_time": (1.0,)}),
        ("BenchmarkX", 1, 3, {"real_time": (9.0,)}),
    ]


def test_facts_and_failures() -> None:
    text = (
        "goos: linux\ngoarch: amd64\ncpu: A CPU\nBenchmarkX 1 5 ns/op\n"
        "--- FAIL: BenchmarkY-2\n    --- FAIL: BenchmarkZ/1-2 (0.1s)\n--- FAIL: TestX\n"
    )
    found = parse(text.encode(), "new.txt")
    assert found.facts.written == {
        "tool": "go test",
        "host": {"cpu_model": "A CPU", "os": "linux", "arch": "amd64"},
    }
    assert [(one.benchmark, one.what) for one in found.failures] == [
        ("BenchmarkY-2", "go test says FAIL"),
        ("BenchmarkZ/1-2", "go test says FAIL"),
    ]
    assert found.origin == "new.txt"


@pytest.mark.parametrize(
    ("data", "is_go"),
    [
        (b"BenchmarkX-2 10 5 ns/op\n", True),
        (b"=== RUN\nBenchmarkX\t10\t-5.1e+3 B/op", True),
        (b"goos: linux\n", True),
        (b" goos: linux\n", False),
        (b"BenchmarkX-2 10 fast\n", False),
        (b'{"Action":"output","Output":"x"}', True),
        (b'{"Action":"start"}', False),
        (b'{"Output":"x"}', False),
        (b"\n" * 65_530 + b"goos: ", True),
        (b"\n" * 65_536 + b"goos: ", False),
        (b"", False),
    ],
)
def test_what_is_taken_for_go(data: bytes, is_go: bool) -> None:
    assert looks_like(data) is is_go


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "x\nBenchmarkX 10 5 ns/op 3\n",
            "new.txt: line 2: 'BenchmarkX 10 5 ns/op 3' breaks off; expected pairs of a number "
            "and a unit",
        ),
        (
            f"Benchmark{'X' * 80} 10 5 ns/op 3\n",
            f"new.txt: line 1: 'Benchmark{'X' * 71}' breaks off; expected pairs of a number and "
            "a unit",
        ),
        ("BenchmarkX 10 1 B/op -5 sec/op\n", "new.txt: line 1: 'BenchmarkX' took -5 sec/op"),
        (
            '{"Action":"x"}\n{\n',
            "new.txt: line 2: is not an event of `go test -json`; is the file complete?",
        ),
    ],
)
def test_a_refusal_names_the_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as failed:
        parsed(text)
    assert str(failed.value) == said


def test_events_without_output_and_empty_lines_say_nothing() -> None:
    events = '{"Action":"start"}\n\n[1]\n{"Output":7}\n{"Output":"BenchmarkX 1 1,500 ns/op"}\n'
    (sample,) = parsed(events)
    assert sample.values == {"real_time": (1_500.0,)}


@pytest.mark.parametrize(
    ("metric", "value", "written"),
    [
        ("real_time", 1.5, "1500 ns/op"),
        ("cpu_time", 1.5, "1500 cpu-time-ns/op"),
        ("user_time", 1.5, "1500 user-time-ns/op"),
        ("system_time", 1.5, "1500 system-time-ns/op"),
        ("manual_time", 1.5, "1500 manual-time-ns/op"),
        ("bytes", 16.0, "16 B/op"),
        ("allocs", 2.0, "2 allocs/op"),
        ("bytes_per_second", 2.5e6, "2.5 MB/s"),
        ("my  metric", 0.12345678912, "0.1234567891 my_metric"),
    ],
)
def test_each_metric_has_its_unit(metric: str, value: float, written: str) -> None:
    one = Sample(benchmark="Benchmark", values={metric: (value,)}, time_unit="us")
    assert benchstat_text(record(one)) == f"Benchmark\t1\t{written}\n"


def test_metrics_that_were_measured_less_often_and_not_at_all() -> None:
    values = {"real_time": (1.0, 2.0), "empty": (), "allocs": (3.0,)}
    assert benchstat_text(record(Sample(benchmark="x", values=values))) == (
        "BenchmarkX\t1\t1 ns/op\t3 allocs/op\nBenchmarkX\t1\t2 ns/op\n"
    )
    assert benchstat_text(record(Sample(benchmark="x", values={"empty": ()}))) == ""


def test_a_side_is_said_once_before_its_lines() -> None:
    sides = (Side.CANDIDATE, None, Side.BASE, Side.CANDIDATE)
    samples = [Sample(benchmark="x", values={"allocs": (1.0,)}, side=side) for side in sides]
    line = "BenchmarkX\t1\t1 allocs/op"
    assert benchstat_text(record(*samples)).splitlines() == [
        line,
        "side: base",
        line,
        "side: candidate",
        line,
        line,
    ]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("BenchmarkA", "BenchmarkA"),
        ("Benchmarka", "BenchmarkBenchmarka"),
        ("Benchmark", "Benchmark"),
        ("a b\tc", "BenchmarkA_b_c"),
        ("a  b", "BenchmarkA_b"),
        ("", "Benchmark"),
        ("x\x01y", "BenchmarkX_y"),
    ],
)
def test_a_name_in_go(name: str, written: str) -> None:
    one = Sample(benchmark=name, values={"allocs": (1.0,)})
    assert benchstat_text(record(one)).startswith(f"{written}\t1\t")
