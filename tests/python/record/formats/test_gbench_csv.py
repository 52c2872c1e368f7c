"""Google Benchmark's CSV, both ways."""

import pytest

from assay.errors import InputError
from assay.model import Failure, Record, Sample
from assay.record.formats.gbench_csv import looks_like, parse_csv, write_csv

HEAD = "name,iterations,real_time,cpu_time,time_unit,label,error_occurred,error_message"


def parsed(*lines: str, head: str = HEAD) -> Record:
    return parse_csv("\n".join([head, *lines]).encode(), "f")


def test_a_line_is_a_row_and_empty_cells_are_none() -> None:
    found = parsed(
        '"BM_a, 1",7,2.5,1.5,us,x,,,9', "BM_b,1,3,3,ns,,false,,", head=f"x\n{HEAD},my counter"
    )
    assert found.samples == (
        Sample(
            benchmark="BM_a, 1",
            values={"my counter": (9.0,), "real_time": (2.5,), "cpu_time": (1.5,)},
            time_unit="us",
            iterations=7,
            label="x",
        ),
        Sample(benchmark="BM_b", values={"real_time": (3.0,), "cpu_time": (3.0,)}, iterations=1),
    )


def test_what_failed_is_a_failure() -> None:
    found = parsed("BM_a,,,,,,true,boom", "BM_b,1,3,3,ns,,,")
    assert found.failures == (Failure(benchmark="BM_a", what="boom"),)
    assert [one.benchmark for one in found.samples] == ["BM_b"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no line `name,iterations,...`; is it Google Benchmark's CSV?"),
        ("name,iter,x\n", "has no line `name,iterations,...`; is it Google Benchmark's CSV?"),
        (f"{HEAD}\na,1,fast,1,ns\n", "benchmark 'a' has real_time = 'fast'; expected a number"),
        (
            f"{HEAD}\na,1,1,1,ns,,,,x,y\n",
            "benchmark 'a' has more cells than the header; quote text with a comma in it",
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_csv(text.encode(), "f")
    assert str(refused.value) == f"f: {said}"


def test_what_is_written() -> None:
    samples = (
        Sample(
            benchmark="=HYPERLINK(1)",
            values={"real_time": (1.0, 2.0), "cpu_time": (1.0,), "-x": (4.0,), "label": (1.0,)},
            time_unit="us",
            iterations=7,
            label="+1",
        ),
        Sample(benchmark="b", values={"real_time": (3.0,), "bytes_per_second": (5.0,)}),
    )
    text = write_csv(Record(context={}, facts={}, samples=samples))
    assert text == (
        "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,"
        "error_occurred,error_message,'-x\n"
        "'=HYPERLINK(1),7,1.5,1.0,us,,,'+1,,,4.0\n"
        "b,0,3.0,,ns,5.0,,,,,\n"
    )


def test_what_was_quoted_for_a_spreadsheet_is_read_as_it_was() -> None:
    one = Sample(
        benchmark="=a",
        values={"-x": (4.0,), "real_time": (1.0,), "cpu_time": (1.0,)},
        label="+1",
        iterations=1,
    )
    text = write_csv(Record(context={}, facts={}, samples=(one,)))
    assert parse_csv(text.encode(), "f").samples == (one,)


@pytest.mark.parametrize(
    ("data", "is_csv"),
    [
        (b"name,iterations,x", True),
        (b"Run on\nname,iterations,", True),
        (b"name,iter", False),
        (b" name,iterations,", False),
    ],
)
def test_what_is_taken_for_csv(data: bytes, *, is_csv: bool) -> None:
    assert looks_like(data) is is_csv
