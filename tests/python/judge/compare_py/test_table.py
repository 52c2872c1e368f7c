"""Figures as compare.py prints them for its own inputs (tests/data/gbench)."""

import json

import pytest
from conftest import DATA
from judging import sample

from assay.judge.compare_py.table import (
    GEOMEAN,
    BenchmarkRow,
    Report,
    change,
    filter_rows,
    report,
    rows_of_json,
    rows_of_samples,
)

GBENCH = DATA / "gbench"


def rows(name: str) -> list[BenchmarkRow]:
    return rows_of_json(json.loads((GBENCH / name).read_text())["benchmarks"])


def printed(made: Report) -> dict[str, list[tuple[str, str]]]:
    return {
        entry.name: [(f"{m.time:+.4f}", f"{m.cpu:+.4f}") for m in entry.measurements]
        for entry in made.entries
    }


def p_values(made: Report) -> dict[str, tuple[str, str]]:
    return {
        entry.name: (f"{entry.utest.time_pvalue:.4f}", f"{entry.utest.cpu_pvalue:.4f}")
        for entry in made.entries
        if entry.utest
    }


def test_single_rows() -> None:
    made = printed(report(rows("test1_run1.json"), rows("test1_run2.json")))
    assert made == {
        "BM_SameTimes": [("+0.0000", "+0.0000")],
        "BM_2xFaster": [("-0.5000", "-0.5000")],
        "BM_2xSlower": [("+1.0000", "+1.0000")],
        "BM_1PercentFaster": [("-0.0100", "-0.0100")],
        "BM_1PercentSlower": [("+0.0100", "+0.0100")],
        "BM_10PercentFaster": [("-0.1000", "-0.1000")],
        "BM_10PercentSlower": [("+0.1000", "+0.1000")],
        "BM_100xSlower": [("+99.0000", "+99.0000")],
        "BM_100xFaster": [("-0.9900", "-0.9900")],
        "BM_10PercentCPUToTime": [("+0.1000", "-0.1000")],
        "BM_ThirdFaster": [("-0.3333", "-0.3334")],
        "BM_NotBadTimeUnit": [("-0.9000", "+0.2000")],
        "BM_hasLabel": [("+0.0000", "+0.0000")],
        GEOMEAN: [("-0.8113", "-0.7779")],
    }


def test_repetitions_with_their_u_tests() -> None:
    made = report(rows("test3_run0.json"), rows("test3_run1.json"))
    assert printed(made) == {
        "BM_Two": [("-0.2222", "-0.2000"), ("+0.2500", "+0.0349")],
        "short": [("+99.0000", "-0.9875"), ("-0.1250", "-0.0260")],
        "medium": [("-0.3750", "-0.3375")],
        "BM_One": [("-0.1000", "+0.1000")],
        GEOMEAN: [("+1.6405", "-0.6985")],
    }
    assert p_values(made) == {"BM_Two": ("1.0000", "0.6667"), "short": ("0.7671", "0.2000")}
    short = next(entry.utest for entry in made.entries if entry.name == "short")
    assert short is not None
    assert (short.repetitions, short.repetitions_other, short.reliable) == (2, 3, False)


def test_filters_pair_what_the_names_become() -> None:
    both = rows("test2_run.json")
    replacement = "[BM_Z.ro vs. BM_O.e]"
    base, candidate = (filter_rows(both, p, replacement) for p in ("BM_Z.ro", "BM_O.e"))
    made = printed(report(base, candidate))
    made.pop(GEOMEAN)
    assert list(made) == [
        replacement,
        f"{replacement}/4",
        f"Prefix/{replacement}",
        f"Prefix/{replacement}/3",
    ]
    assert set(map(tuple, made.values())) == {(("-0.5000", "-0.5000"),)}


def test_rows_in_another_time_unit_are_dropped() -> None:
    base = [BenchmarkRow("B", 1.0, 1.0, "ns"), BenchmarkRow("B", 1.0, 1.0, "us")]
    candidate = [BenchmarkRow("B", 5.0, 5.0, "us"), BenchmarkRow("B", 2.0, 3.0, "ns")]
    assert printed(report(base, candidate))["B"] == [("+1.0000", "+2.0000")]
    assert "B" not in printed(report(base, candidate[:1]))


def test_aggregates_only_hides_repetitions() -> None:
    base = [
        BenchmarkRow("B", 1.0, 1.0, run_type="iteration"),
        BenchmarkRow("B_mean", 1.0, 1.0, run_type="aggregate"),
    ]
    entries = report(base, base).entries
    assert [len(entry.lines(aggregates_only=True)) for entry in entries] == [0, 1, 1]
    assert [len(entry.lines(aggregates_only=False)) for entry in entries] == [1, 1, 1]


def test_no_u_test_unless_asked_for() -> None:
    made = report(rows("test3_run0.json"), rows("test3_run1.json"), utest=False)
    assert p_values(made) == {}


@pytest.mark.parametrize(
    ("old", "new", "expected"), [(0, 0, 0.0), (0, 3, 2.0), (4, 2, -0.5), (-4, -2, 0.5)]
)
def test_change_as_compare_py_defines_it(old: float, new: float, expected: float) -> None:
    assert change(old, new) == expected


def test_one_row_a_launch_of_our_own() -> None:
    made = rows_of_samples([sample(real=(1.0, 3.0)), sample(real=())])
    assert [(row.real_time, row.cpu_time) for row in made] == [(2.0, 2.0)]


def test_a_zero_time_has_no_geomean_and_no_crash() -> None:
    made = report([BenchmarkRow("B", 0.0, 0.0)], [BenchmarkRow("B", 0.0, 1.0)])
    assert printed(made) == {"B": [("+0.0000", "+2.0000")]}


def row(name: str = "B", real: float = 1.0, cpu: float = 1.0, **more: object) -> BenchmarkRow:
    return BenchmarkRow(name, real, cpu, **more)  # type: ignore[arg-type]


def test_the_geomean_is_in_seconds_and_of_repetitions_only() -> None:
    base = [row(real=1.0, cpu=2.0, time_unit="us"), row(real=4.0, cpu=8.0, time_unit="us")]
    aggregate = row("B_mean", 900.0, 900.0, run_type="aggregate")
    only = row("other", 16e3, 8e3)
    (made,) = report([*base, aggregate], [*base, only]).entries[-1].measurements
    assert (made.real_time, made.cpu_time) == pytest.approx((2e-6, 4e-6))
    assert (made.real_time_other, made.cpu_time_other) == pytest.approx(
        (4e-6, 128 ** (1 / 3) * 1e-6)
    )
    assert (made.time, made.cpu) == pytest.approx((1.0, 128 ** (1 / 3) / 4 - 1))


def test_one_side_without_any_time_has_no_geomean() -> None:
    some, zeros = [row(real=2.0)], [row(real=0.0, cpu=0.0)]
    assert GEOMEAN not in printed(report(some, zeros))
    assert GEOMEAN not in printed(report(zeros, some))
    assert printed(report(some, [row(real=0.0, cpu=3.0)]))[GEOMEAN] == [("-1.0000", "+2.0000")]


def test_rows_come_in_the_order_of_families_instances_and_repetitions() -> None:
    def made(name: str, family: int | None, instance: int, repetition: int, kind: str) -> object:
        return {
            "name": name, "real_time": 1.0, "cpu_time": 1.0, "time_unit": "ns", "run_type": kind,
            "family_index": family, "per_family_instance_index": instance,
            "repetition_index": repetition,
        }  # fmt: skip

    rows = rows_of_json(
        [
            made("e", 1, 1, 0, "aggregate"),
            made("d", 1, 1, 7, "iteration"),
            made("c", 1, 0, 9, "iteration"),
            made("b", 0, 5, 5, "iteration"),
            made("a", None, 6, 6, "iteration"),
        ]
    )
    assert [entry.name for entry in report(rows, rows).entries[:-1]] == ["a", "b", "c", "d", "e"]


def test_rows_without_finite_times_or_a_unit_are_left_out() -> None:
    whole = {"name": "a", "real_time": 1.0, "cpu_time": 2.0, "time_unit": "ns"}
    lacking = [{k: v for k, v in whole.items() if k != lacks} for lacks in list(whole)[1:]]
    (one,) = rows_of_json([whole, *lacking])
    assert (one.name, one.real_time, one.cpu_time) == ("a", 1.0, 2.0)
    assert rows_of_json([{**whole, "name": None}])[0].name == ""


def test_launches_without_one_of_the_times_are_left_out() -> None:
    lacking = [sample(values={name: (1.0,)}) for name in ("real_time", "cpu_time")]
    assert rows_of_samples(lacking) == []
    (one,) = rows_of_samples([sample(real=(7.0,), label="x")])
    assert (one.real_time, one.label, one.run_type) == (7.0, "x", "iteration")


def test_two_repetitions_of_each_side_make_a_u_test() -> None:
    two, one = [row(), row(real=3.0)], [row()]
    assert p_values(report(two, two))
    assert not p_values(report(two, one))
    assert not p_values(report(one, two))


def test_a_change_from_zero_has_the_sign_of_what_came() -> None:
    assert change(0, -3) == -2.0
    assert change(0.0, 0.0) == 0.0
    assert change(4, 0) == -1.0
