"""`assay compare` on files: the figures compare.py gives, in our own words."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA, Done
from records import two_sided

from assay.record.store.store import Store
from assay.record.writer import write

Assay = Callable[..., Done]
GBENCH = DATA / "gbench"

# What compare.py prints for test1_run1 against test1_run2: time, cpu.
TEST1 = {
    "BM_SameTimes": (0.0, 0.0),
    "BM_2xFaster": (-0.5, -0.5),
    "BM_2xSlower": (1.0, 1.0),
    "BM_1PercentFaster": (-0.01, -0.01),
    "BM_1PercentSlower": (0.01, 0.01),
    "BM_10PercentFaster": (-0.1, -0.1),
    "BM_10PercentSlower": (0.1, 0.1),
    "BM_100xSlower": (99.0, 99.0),
    "BM_100xFaster": (-0.99, -0.99),
    "BM_10PercentCPUToTime": (0.1, -0.1),
    "BM_ThirdFaster": (-0.3333, -0.3334),
    "BM_NotBadTimeUnit": (-0.9, 0.2),
    "BM_hasLabel": (0.0, 0.0),
}
# The same for test3_run0 against test3_run1: repetition i with i, rows marked as aggregates last.
TEST3 = {
    ("BM_One", "real_time"): [-0.1],
    ("BM_One", "cpu_time"): [0.1],
    ("BM_Two", "real_time"): [-0.2222, 0.25],
    ("BM_Two", "cpu_time"): [-0.2, 0.0349],
    ("short", "real_time"): [99.0, -0.125],
    ("short", "cpu_time"): [-0.9875, -0.026],
    ("medium", "real_time"): [-0.375],
    ("medium", "cpu_time"): [-0.3375],
}


def results(assay: Assay, tmp_path: Path, first: str, second: str) -> dict[str, Any]:
    out = tmp_path / "out.json"
    done = assay("compare", GBENCH / f"{first}.json", GBENCH / f"{second}.json", "--json", out)
    assert done.code == 0, done.err
    document: dict[str, Any] = json.loads(out.read_text())
    return document


def by_name(document: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(one["benchmark"], one["metric"]): one for one in document["comparisons"]}


def test_the_thirteen_rows_of_compare_py(assay: Assay, tmp_path: Path) -> None:
    document = results(assay, tmp_path, "test1_run1", "test1_run2")
    rows = by_name(document)
    for name, changes in TEST1.items():
        for metric, change in zip(("real_time", "cpu_time"), changes, strict=True):
            assert round(rows[name, metric]["change"], 4) == change, (name, metric)
            assert rows[name, metric]["low"] is None
            assert rows[name, metric]["high"] is None
            assert rows[name, metric]["verdict"] == "undecided"
    assert {name for name, _ in rows} - TEST1.keys() == {"BM_DifferentTimeUnit"}
    assert document["only_base"] == document["only_candidate"] == []


def test_time_units_are_converted_and_not_dropped(assay: Assay, tmp_path: Path) -> None:
    """compare.py leaves this row out: one side is in seconds, the other in nanoseconds."""
    rows = by_name(results(assay, tmp_path, "test1_run1", "test1_run2"))
    row = rows["BM_DifferentTimeUnit", "real_time"]
    assert row["unit"] == "s"
    assert row["candidate"] == pytest.approx(1e-9)


def test_rows_of_one_side_are_named(assay: Assay, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = assay("compare", GBENCH / "test1_run1.json", GBENCH / "test2_run.json")
    assert done.code == 2, "nothing in common"
    base = json.loads((GBENCH / "test2_run.json").read_text())
    candidate = {
        **base,
        "benchmarks": [*base["benchmarks"][3:], {**base["benchmarks"][0], "name": "new"}],
    }
    (tmp_path / "c.json").write_text(json.dumps(candidate))
    done = assay("compare", GBENCH / "test2_run.json", tmp_path / "c.json", "--json", out)
    document = json.loads(out.read_text())
    assert document["only_base"] == ["BM_Hi", "BM_Zero", "BM_Zero/4"]
    assert document["only_candidate"] == ["new"]
    assert "Only in base: BM_Hi, BM_Zero, BM_Zero/4" in done.out


def test_repetitions_are_paired_as_compare_py_does(assay: Assay, tmp_path: Path) -> None:
    rows = by_name(results(assay, tmp_path, "test3_run0", "test3_run1"))
    changes = {
        key: [round(one, 4) for one in row["repetition_changes"]] for key, row in rows.items()
    }
    assert changes == TEST3


def test_filters_of_each_side(assay: Assay, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    file = GBENCH / "test2_run.json"
    filters = ("--base-filter", "BM_Z.ro", "--candidate-filter", "BM_O.e")
    assert assay("compare", file, file, *filters, "--json", out).code == 0
    document = json.loads(out.read_text())
    assert [one["change"] for one in document["comparisons"]] == [-0.5] * 8


def test_many_repetitions_get_an_interval_and_drift_is_allowed_for(
    assay: Assay, tmp_path: Path
) -> None:
    for side, level in (("a", 100.0), ("b", 300.0)):
        rows = [
            {"name": "x", "real_time": level + i % 7, "cpu_time": level, "time_unit": "ns"}
            for i in range(20)
        ]
        (tmp_path / f"{side}.json").write_text(json.dumps({"context": {}, "benchmarks": rows}))
    out = tmp_path / "o.json"
    files = (tmp_path / "a.json", tmp_path / "b.json")
    done = assay("compare", *files, "--metric", "real_time", "--json", out, "--gate")
    (one,) = json.loads(out.read_text())["comparisons"]
    assert one["verdict"] == "slower"
    assert 1.5 < one["low"] < one["change"] < one["high"]
    assert "one after the other" in one["method"]
    assert done.code == 1


def test_markdown_is_written(assay: Assay, tmp_path: Path) -> None:
    files = (GBENCH / "test1_run1.json", GBENCH / "test1_run2.json")
    assert assay("compare", *files, "--markdown", tmp_path / "o.md").code == 0
    text = (tmp_path / "o.md").read_text()
    assert text.startswith("**Of 14 benchmarks")
    assert "| `BM_2xFaster` | `real_time` | 50 ns | 25 ns | -50.0 % | - |" in text


def test_a_record_of_both_sides_is_filtered_too(assay: Assay, tmp_path: Path) -> None:
    """It was judged whole, whatever --filter said."""
    record = tmp_path / "both.json"
    write(two_sided(), record)
    names = {sample.benchmark for sample in two_sided().samples}
    assert len(names) > 1
    wanted = min(names)
    done = assay("compare", record, "--filter", f"^{re.escape(wanted)}$", "--json", tmp_path / "o")
    assert done.code == 0, done.err
    shown = json.loads((tmp_path / "o").read_text())["comparisons"]
    assert {one["benchmark"] for one in shown} == {wanted}


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "a.json", "b.json", "--json", "b.json"),
        ("compare", "a.json", "b.json", "--markdown=sub/../a.json"),
        ("compare", "a.json", "b.json", "--json", "new", "--junit", "new"),
        ("report", "a.json", "b.json", "-o", "b.html", "--theme", "light", "a.json", "b.html"),
        ("report", "link.html", "-o", "a.html"),
        ("multiview", "a.html", "-oa.html"),
        ("runs", "export", "a.json", "-o", "a.json", "--store", "store"),
        ("run", "cmd:./a.json", "-o", "a.json"),
        ("compare", "a.json", "b.json", "--html", "a.html", "--json", "link.html"),
    ],
)
def test_no_file_that_is_read_is_written_over(
    assay: Assay, tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--json b.json` took the place of what had been measured."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    Store.opened_or_made(tmp_path / "store")
    for name in ("a.json", "b.json", "a.html", "b.html"):
        write(two_sided(), tmp_path / name)
    (tmp_path / "link.html").symlink_to("a.html")
    before = (tmp_path / "a.json").read_bytes()
    done = assay(*words)
    assert done.code == 2
    assert "is named twice on this command line" in done.err
    assert {one.read_bytes() for one in tmp_path.glob("*.*")} == {before}
    assert not (tmp_path / "new").exists()
