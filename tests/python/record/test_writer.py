import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.facts import Facts
from assay.model import Failure, Record, Sample, Side
from assay.record.formats.gbench_csv import parse_csv, write_csv
from assay.record.journal import Journal, parse_journal
from assay.record.reader import parse, read
from assay.record.writer import document, encode, failure_row, write

NAMES = ['BM<int*>/8 "q" ü', "a\\b/c:d", "\x01ctl", "=cmd()", "x,y"]


def launch(name: str, round_number: int, side: Side, **more: object) -> Sample:
    values = {"real_time": (1.5, 1.25), "cpu_time": (1.0, 1.0), "foo": (3.0, 4.0)}
    return Sample(
        benchmark=name,
        values=values,
        time_unit="us",
        iterations=10,
        side=side,
        round=round_number,
        launch=round_number * 2,
        position=int(side is Side.CANDIDATE),
        started_s=0.5,
        steal=0.01,
        cpu=1,
        **more,  # type: ignore[arg-type]
    )


def record() -> Record:
    samples = tuple(
        launch(name, number, side, histograms={"latency": "HISTF"})
        for name in NAMES
        for number in range(3)
        for side in Side
    )
    failure = Failure(benchmark="bad", what="it crashed", side=Side.BASE, round=2)
    facts = {"schema": 1, "seed": 7, "design": "interleaved"}
    return Record(context={"num_cpus": 2}, facts=facts, samples=samples, failures=(failure,))


def test_what_is_written_is_read_back_unaltered(tmp_path: Path) -> None:
    write(record(), tmp_path / "r.json")
    back = read(tmp_path / "r.json")
    assert back.samples == record().samples
    assert back.failures == record().failures
    assert back.facts.seed == 7
    assert back.context == {"num_cpus": 2}


def test_a_tool_that_knows_only_google_benchmark_can_read_it() -> None:
    document = json.loads(encode(record()))
    for row in document["benchmarks"]:
        assert {"name", "run_name", "run_type", "iterations", "time_unit"} <= row.keys()
        assert row["real_time"] == pytest.approx(1.375)
        assert row["foo"] == 3.5


def test_csv_goes_there_and_back() -> None:
    back = parse_csv(write_csv(record()).encode(), "r.csv")
    assert list(dict.fromkeys(s.benchmark for s in back.samples)) == NAMES
    assert back.samples[0].values["real_time"][0] == pytest.approx(1.375)
    assert back.samples[0].values["foo"][0] == 3.5


def test_csv_with_the_console_above_it() -> None:
    text = (
        "2024-01-01\nRun on (2 X 2000 MHz CPU s)\n"
        "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,"
        'error_occurred,error_message\n"BM_a",100,2.5,2.4,ns,,,,,\n'
        '"BM_b",,,,,,,,true,"no server"\n'
    )
    back = parse_csv(text.encode(), "r.csv")
    assert back.samples[0].values["real_time"] == (2.5,)
    assert back.failures[0].what == "no server"


@pytest.mark.parametrize("text", ["hello\n", "name,iterations,real_time\na,1,x\n"])
def test_csv_of_another_kind(text: str) -> None:
    with pytest.raises(InputError, match=r"r\.csv: "):
        parse_csv(text.encode(), "r.csv")


def test_a_journal_cut_short_keeps_every_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "r.journal"
    with Journal(path, {}, Facts(seed=7, design="interleaved")) as journal:
        for sample in record().samples:
            journal.append(sample)
        journal.append(record().failures[0])
    whole = parse_journal(path.read_bytes(), "j")
    assert whole.samples == record().samples
    assert whole.failures == record().failures
    cut = parse_journal(path.read_bytes()[:-150], "j")
    assert cut.samples == record().samples[: len(cut.samples)]
    assert len(cut.samples) > 0
    assert read(path).samples == whole.samples


def test_a_journal_that_is_damaged_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.journal"
    with Journal(path, {}, Facts()) as journal:
        journal.append(record().samples[0])
    with pytest.raises(InputError, match="line 1"):
        parse_journal(b"xx" + path.read_bytes(), "j")


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write(record(), tmp_path / "no" / "r.json")
    write(record(), tmp_path / "r.json")
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]


def test_any_counter_google_benchmark_writes_survives() -> None:
    text = json.dumps(
        {
            "context": {},
            "benchmarks": [
                {
                    "name": "a",
                    "real_time": 1,
                    "cpu_time": 1,
                    "time_unit": "ns",
                    "label": "x",
                    "bytes_per_second": 5e9,
                    "p99": 17.5,
                }
            ],
        }
    )
    (sample,) = parse(text.encode(), "f").samples
    assert sample.values["bytes_per_second"] == (5e9,)
    assert sample.values["p99"] == (17.5,)
    assert sample.label == "x"


def test_the_layout_of_what_is_written() -> None:
    values = {"real_time": (1.0,)}
    samples = tuple(Sample(benchmark=name, values=values) for name in ("a", "b", "a", "a"))
    failure = Failure(benchmark="", what="x", target="t", round=0)
    made = document(Record(context={"k": 1}, facts={"tool": "y"}, samples=samples,
                           failures=(failure,)))  # fmt: skip
    assert made["context"] == {
        "k": 1,
        "assay": {"schema": 1, "tool": "y", "failures": [{"what": "x", "round": 0, "target": "t"}]},
    }
    assert [
        (one["name"], one["repetition_index"], one["repetitions"]) for one in made["benchmarks"]
    ] == [("a", 0, 3), ("b", 0, 1), ("a", 1, 3), ("a", 2, 3)]
    assert "failures" not in document(Record(context={}, facts={}, samples=()))["context"]["assay"]
    assert failure_row(failure) == {"what": "x", "round": 0, "target": "t"}


def test_json_is_indented_for_people(tmp_path: Path) -> None:
    text = encode(Record(context={}, facts={}, samples=())).decode()
    assert text.startswith('{\n  "context": {\n    "assay": {')
    assert text.endswith("}\n")
    path = tmp_path / "x"
    write(Record(context={}, facts={}, samples=()), path)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("form", "begins"),
    [("", "{"), ("json", "{"), ("csv", "name,"), ("benchstat", ""), ("openmetrics", "# EOF")],
)
def test_a_form_is_preferred_to_a_suffix(tmp_path: Path, form: str, begins: str) -> None:
    write(Record(context={}, facts={}, samples=()), tmp_path / "r.json", form=form)
    assert (tmp_path / "r.json").read_text().startswith(begins)


def test_a_form_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        write(record(), tmp_path / "r", form="yaml")
    assert str(refused.value) == (
        f"{tmp_path}/r: no form 'yaml' to write; there is json, csv, benchstat, openmetrics"
    )
