"""`--format gbench`: compare.py's table, to the printed digit."""

from collections.abc import Callable
from pathlib import Path

from conftest import DATA, Done

Assay = Callable[..., Done]
GBENCH = DATA / "gbench"

TEST1 = """\
Benchmark                               Time             CPU      Time Old      Time New       CPU Old       CPU New
--------------------------------------------------------------------------------------------------------------------
BM_SameTimes                         +0.0000         +0.0000            10            10            10            10
BM_2xFaster                          -0.5000         -0.5000            50            25            50            25
BM_2xSlower                          +1.0000         +1.0000            50           100            50           100
BM_1PercentFaster                    -0.0100         -0.0100           100            99           100            99
BM_1PercentSlower                    +0.0100         +0.0100           100           101           100           101
BM_10PercentFaster                   -0.1000         -0.1000           100            90           100            90
BM_10PercentSlower                   +0.1000         +0.1000           100           110           100           110
BM_100xSlower                       +99.0000        +99.0000           100         10000           100         10000
BM_100xFaster                        -0.9900         -0.9900         10000           100         10000           100
BM_10PercentCPUToTime                +0.1000         -0.1000           100           110           100            90
BM_ThirdFaster                       -0.3333         -0.3334           100            67           100            67
BM_NotBadTimeUnit                    -0.9000         +0.2000             0             0             0             1
BM_hasLabel                          +0.0000         +0.0000             1             1             1             1
OVERALL_GEOMEAN                      -0.8113         -0.7779             0             0             0             0
"""  # noqa: E501

TEST3 = [
    ["BM_Two", "-0.2222", "-0.2000", "9", "7", "90", "72"],
    ["BM_Two", "+0.2500", "+0.0349", "8", "10", "86", "89"],
    ["BM_Two_pvalue", "1.0000", "0.6667", "U", "Test,", "Repetitions:", "2", "vs", "2."],
    ["medium", "-0.3750", "-0.3375", "8", "5", "80", "53"],
    ["BM_One", "-0.1000", "+0.1000", "10", "9", "100", "110"],
    ["short", "+99.0000", "-0.9875", "8", "800", "80", "1"],
    ["short", "-0.1250", "-0.0260", "8", "7", "77", "75"],
    ["short_pvalue", "0.7671", "0.2000", "U", "Test,", "Repetitions:", "2", "vs", "3."],
    ["OVERALL_GEOMEAN", "+1.6405", "-0.6985", "0", "0", "0", "0"],
]
WARNING = "WARNING: Results unreliable! 9+ repetitions recommended."


def table(assay: Assay, first: str, second: str, *options: str) -> list[str]:
    files = (GBENCH / f"{first}.json", GBENCH / f"{second}.json")
    done = assay("compare", *files, "--format", "gbench", *options)
    assert done.code == 0, done.err
    return done.out.splitlines()


def test_test1_to_the_character(assay: Assay) -> None:
    assert table(assay, "test1_run1", "test1_run2") == TEST1.splitlines()


def test_test3_with_p_values(assay: Assay) -> None:
    lines = table(assay, "test3_run0", "test3_run1")[2:]
    assert [line.removesuffix(WARNING).split() for line in lines] == TEST3
    assert sum(line.endswith(WARNING) for line in lines) == 2


def test_test3_without_p_values(assay: Assay) -> None:
    lines = table(assay, "test3_run0", "test3_run1", "--no-utest")[2:]
    assert [line.split() for line in lines] == [row for row in TEST3 if "_pvalue" not in row[0]]


def test_aggregates_only(assay: Assay) -> None:
    names = [line.split()[0] for line in table(assay, "test3_run0", "test3_run1", "-a")[2:]]
    assert names == ["BM_Two_pvalue", "BM_One", "short", "short", "short_pvalue", "OVERALL_GEOMEAN"]
    (row,) = table(assay, "test4_run0", "test4_run1", "-a")[2:]
    assert row.split()[:3] == ["whocares", "-0.5000", "+0.5000"]


def test_filter_modes(assay: Assay) -> None:
    filters = ("--base-filter", "BM_Z.ro", "--candidate-filter", "BM_O.e")
    lines = table(assay, "test2_run", "test2_run", *filters)[2:-1]
    assert [line.rsplit(maxsplit=6)[:3] for line in lines] == [
        [f"{name}", "-0.5000", "-0.5000"]
        for name in (
            "[BM_Z.ro vs. BM_O.e]",
            "[BM_Z.ro vs. BM_O.e]/4",
            "Prefix/[BM_Z.ro vs. BM_O.e]",
            "Prefix/[BM_Z.ro vs. BM_O.e]/3",
        )
    ]


def test_a_gate_and_json_still_work_beside_the_table(assay: Assay, tmp_path: Path) -> None:
    files = (GBENCH / "test1_run1.json", GBENCH / "test1_run2.json")
    out = tmp_path / "o.json"
    done = assay("compare", *files, "--format", "gbench", "--gate=strict", "--json", out)
    assert done.code == 4
    assert done.out == TEST1
    assert out.exists()


def test_on_executables_each_launch_is_a_repetition(
    assay: Assay, native: Callable[[str], Path]
) -> None:
    bench = native("plain_benchmark")
    options = ("--filter", "getpid", "--rounds", 9, "--format", "gbench", "-q")
    lines = assay("compare", bench, bench, *options).out.splitlines()[2:]
    assert [line.split()[0] for line in lines] == [
        *["getpid_syscall"] * (len(lines) - 2),
        "getpid_syscall_pvalue",
        "OVERALL_GEOMEAN",
    ]
    assert len(lines) > 3
