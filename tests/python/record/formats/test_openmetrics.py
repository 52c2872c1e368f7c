"""OpenMetrics text, held against the grammar of its specification (1.0.0, section 3)."""

import re
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.model import Record, Sample, Side
from assay.record.formats.openmetrics import openmetrics_text
from assay.record.writer import FORMATS, write

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})\{{({LABEL}(?:,{LABEL})*)\}} (-?\d+(\.\d+)?(e[-+]?\d+)?)")

RECORD = Record(
    context={},
    facts={},
    samples=(
        Sample(
            benchmark='BM "q"\\\n',
            values={"real_time": (1.0, 3.0), "p99.9": (5e6,), "cache-misses": (7.0,)},
            time_unit="us",
            side=Side.BASE,
            round=2,
        ),
        Sample(
            benchmark="b", values={"real_time": (2.0,), "max_rss": (1024.0,), "cache_misses": ()}
        ),
    ),
)


def test_times_are_seconds_and_names_are_allowed() -> None:
    lines = openmetrics_text(RECORD).splitlines()
    assert lines[0] == "# TYPE assay_real_time_seconds gauge"
    assert lines[1] == "# UNIT assay_real_time_seconds seconds"
    assert lines[2].startswith(r'assay_real_time_seconds{benchmark="BM \"q\"\\\n",side="base"')
    assert [float(line.rpartition(" ")[2]) for line in lines[2:4]] == pytest.approx([2e-6, 2e-9])
    assert "# TYPE assay_p99_9_seconds gauge" in lines
    assert "# TYPE assay_max_rss_bytes gauge" in lines
    (misses,) = (line for line in lines if line.startswith("assay_cache_misses"))
    assert misses.endswith(',metric="cache-misses"} 7.0')


def test_every_line_is_of_the_grammar() -> None:
    lines = openmetrics_text(RECORD).splitlines()
    assert lines.pop() == "# EOF"
    family, done, seen = "", set(), set()
    for line in lines:
        if line.startswith("# TYPE "):
            family = line.split()[2]
            assert family not in done
            done.add(family)
        elif line.startswith("# UNIT "):
            assert line.split()[2] == family
            assert family.endswith(f"_{line.split()[3]}")
        else:
            found = SAMPLE.fullmatch(line)
            assert found, line
            assert found[1] == family
            assert (family, found[2]) not in seen
            seen.add((family, found[2]))
    assert len(seen) == 5


def test_nothing_measured_is_still_whole() -> None:
    assert openmetrics_text(Record(context={}, facts={}, samples=())) == "# EOF\n"


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("r.json", b"{"),
        ("r.csv", b"name,iterations,"),
        ("r.txt", b"Benchmark"),
        ("r.om", b"# TYPE "),
        ("r.prom", b"# TYPE "),
        ("r", b"{"),
    ],
)
def test_the_suffix_picks_the_form(name: str, begins: bytes, tmp_path: Path) -> None:
    plain = Record(context={}, facts={}, samples=RECORD.samples[1:])
    write(plain, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_a_form_can_be_named(tmp_path: Path) -> None:
    for form, bytes_of in FORMATS.items():
        write(RECORD, tmp_path / "r.json", form=form)
        assert (tmp_path / "r.json").read_bytes() == bytes_of(RECORD)
    with pytest.raises(InputError, match="no form 'yaml' to write; there is json, csv"):
        write(RECORD, tmp_path / "r.json", form="yaml")


@pytest.mark.parametrize(
    ("metric", "value", "line"),
    [
        ("real_time", 2.5, "assay_real_time_seconds"),
        ("max_rss", 2.5, "assay_max_rss_bytes"),
        ("bytes", 2.5, "assay_bytes"),
        ("items_per_second", 2.5, "assay_items_per_second"),
        ("my counter", 2.5, "assay_my_counter"),
    ],
)
def test_each_metric_has_its_unit_in_its_name(metric: str, value: float, line: str) -> None:
    one = Sample(benchmark="b", values={metric: (value,)}, time_unit="s")
    made = [line for line in openmetrics_text(record_of(one)).splitlines() if "{" in line]
    (said,) = made
    assert said.partition("{")[0] == line
    assert float(said.rpartition(" ")[2]) == value


def record_of(*samples: Sample) -> Record:
    return Record(context={}, facts={}, samples=samples)


def test_percentiles_are_nanoseconds_and_become_seconds() -> None:
    text = openmetrics_text(
        record_of(Sample(benchmark="b", values={"p99": (5e9,)}, time_unit="us"))
    )
    assert text.splitlines()[2] == (
        'assay_p99_seconds{benchmark="b",threads="1",launch="0",row="0"} 5.0'
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(float("nan"), "NaN"), (float("inf"), "+Inf"), (float("-inf"), "-Inf"), (0.1, "0.1")],
)
def test_values_that_are_no_numbers_have_the_words_of_the_format(value: float, text: str) -> None:
    one = Sample(benchmark="b", values={"x": (value,)})
    assert openmetrics_text(record_of(one)).splitlines()[1].endswith(f"}} {text}")
