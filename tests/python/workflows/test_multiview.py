"""Files of all kinds beside one: units, sides, conditions, holes, and multiview's percentages."""

from pathlib import Path

import numpy as np
import pytest
from conftest import DATA, gbench_json, row

from assay.errors import InputError, NoBenchmarksError
from assay.model import Record, Sample, Side
from assay.record.writer import write
from assay.show.multiview_sheet import ERROR, MEASURED, MISSING, Sheet, colour, percentage_text
from assay.workflows.multiview import multiview

HEAD = "             prc thr   usecs/call      samples\n"


def libmicro(folder: Path, name: str, rows: dict[str, float | str], host: str = "a") -> Path:
    lines = [
        f"{case} ERROR {took}" if isinstance(took, str) else f"{case} 1 1 {took:.5f} 100"
        for case, took in rows.items()
    ]
    path = folder / f"{name}.out"
    path.write_text(f"!Machine_name\t{host}\n{HEAD}" + "\n".join(lines) + "\n")
    return path


def percents(sheet: Sheet, benchmark: str) -> list[str]:
    return [percentage_text(one) for one in sheet.ratios[sheet.names.index(benchmark)][1:]]


def test_the_percentages_are_those_of_multiview(tmp_path: Path) -> None:
    """Runs of libMicro's exec, undisturbed and watched, by their medians."""
    times = {
        "base0": 590.195,
        "bpf0": 645.229,
        "bpf1": 624.868,
        "bpf4": 621.772,
        "audit1": 653.961,
        "audit4": 666.971,
    }
    files = [libmicro(tmp_path, name, {"exec": took}) for name, took in times.items()]
    assert percents(multiview([str(file) for file in files]), "exec") == [
        "-9.3 %",
        "-5.9 %",
        "-5.4 %",
        "-10.8 %",
        "-13.0 %",
    ]


def test_files_of_libmicro_itself() -> None:
    names = ["base0", *(f"bpf{i}" for i in range(5)), *(f"audit{i}" for i in range(5))]
    sheet = multiview([str(DATA / "libmicro" / f"{name}.out") for name in names])
    expected = [-9.3, -5.9, -7.2, -4.3, -5.4, -9.7, -10.8, -10.4, -8.7, -13.0]
    assert percents(sheet, "exec") == [f"{one:+.1f} %" for one in expected]


def test_faster_counts_the_other_way(tmp_path: Path) -> None:
    files = [libmicro(tmp_path, n, {"a": t}) for n, t in (("x", 445.676), ("y", 435.831))]
    assert percents(multiview([str(file) for file in files]), "a") == ["+2.3 %"]
    assert percentage_text(2.0) == "-100.0 %"
    assert percentage_text(0.5) == "+100.0 %"
    assert percentage_text(float("nan")) == ""


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (0.9, "#ffffff"),
        (1.0, "#ffffff"),
        (1.0999, "#ffffff"),
        (500.614 / 445.676, "#fffdfd"),  # these four as multiview printed them
        (503.608 / 445.676, "#fffdfd"),
        (512.919 / 445.676, "#fffbfb"),
        (515.292 / 445.676, "#fffbfb"),
        (3.05, "#ff7f7f"),
        (5.0, "#ff0000"),
        (50.0, "#ff0000"),
        (0.55, "#7fcc7f"),
        (0.2, "#009900"),
        (0.01, "#009900"),
        (float("nan"), "#ffffff"),
    ],
)
def test_colours(ratio: float, expected: str) -> None:
    assert colour(ratio) == expected


def test_units_differ_and_kinds_mix(tmp_path: Path) -> None:
    base = libmicro(tmp_path, "base", {"exec": 500.0, "nop": 0.002})
    plain = tmp_path / "plain.json"
    rows = [row("exec", 0.6, time_unit="ms"), row("nop", 1.0), row("new", 7.0)]
    plain.write_text(gbench_json(rows))
    sides = tmp_path / "sides.json"
    samples = tuple(
        Sample(benchmark="exec", values={"real_time": (t,)}, time_unit="us", side=s, round=0)
        for s, t in ((Side.BASE, 250.0), (Side.CANDIDATE, 1000.0))
    )
    write(Record(context={}, facts={}, samples=samples), sides)
    sheet = multiview([*map(str, (base, plain, sides))])
    assert [one.label for one in sheet.columns] == [
        "base",
        "plain",
        "sides: base",
        "sides: candidate",
    ]
    assert percents(sheet, "exec") == ["-20.0 %", "+100.0 %", "-100.0 %"]
    assert percents(sheet, "nop") == ["+100.0 %", "", ""]
    assert sheet.names == ["exec", "nop", "new"]


def test_holes_and_errors_are_marked(tmp_path: Path) -> None:
    base = libmicro(tmp_path, "base", {"a": 1.0, "b": "no memory"})
    other = libmicro(tmp_path, "other", {"b": 2.0, "c": "cannot"})
    sheet = multiview([str(base), str(other)])
    assert sheet.states.tolist() == [[MEASURED, MISSING], [ERROR, MEASURED], [MISSING, ERROR]]
    assert sheet.errors == [(1, 0, "ERROR no memory"), (2, 1, "ERROR cannot")]
    assert np.isnan(sheet.ratios[1:]).all()  # no reference, no ratio


def test_intervals_where_repetitions_allow(tmp_path: Path) -> None:
    def repeated(name: str, level: float, count: int) -> Path:
        rows = [row("a", level + i / 10, repetition_index=i) for i in range(count)]
        path = tmp_path / f"{name}.json"
        path.write_text(gbench_json(rows))
        return path

    sheet = multiview(
        [str(repeated(*one)) for one in (("x", 100, 9), ("y", 200, 9), ("z", 200, 3))]
    )
    assert 1.98 < sheet.low[0, 1] < sheet.ratios[0, 1] < sheet.high[0, 1] < 2.02
    assert np.isnan(sheet.low[0, 2])
    libmicros = [libmicro(tmp_path, n, {"a": 1.0}) for n in "uv"]
    assert np.isnan(multiview([str(file) for file in libmicros]).low).all()


def test_files_of_one_name_go_by_their_paths_and_facts_by_who_says_what(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    first = libmicro(tmp_path, "run", {"a": 1.0}, host="one")
    second = libmicro(tmp_path / "1", "run", {"a": 1.0}, host="two")
    sheet = multiview([str(first), str(second)])
    assert [one.label for one in sheet.columns] == [str(first), str(second)]
    assert dict(sheet.facts)["Machine name"] == {"one": [0], "two": [1]}


def test_filters_and_nothing_left(tmp_path: Path) -> None:
    file = libmicro(tmp_path, "x", {"exec": 1.0, "fork": 2.0})
    assert multiview([str(file)], "^f").names == ["fork"]
    with pytest.raises(NoBenchmarksError, match="--filter none"):
        multiview([str(file)], "none")
    with pytest.raises(InputError, match="no such file"):
        multiview([str(file), str(tmp_path / "none.out")])
