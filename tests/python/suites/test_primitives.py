"""The primitives suite for real, briefly: nothing in it was removed by the compiler."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import NATIVE, Done
from patience import PATIENCE_S
from suites.plausible import LEAST_NS, implausible, that_do_not_grow

from assay.measure.targets.gbench import escape
from assay.workflows.suite import few_sizes_of_each

FOLDER = NATIVE / "libexec" / "assay" / "suites" / "primitives"
Rows = list[dict[str, Any]]


def _rows(executable: Path, out: Path, min_time_s: float = 0.0001) -> Rows:
    """A quick run's rows: few sizes, and of three short repetitions the fastest."""
    listed = subprocess.run([executable, "--benchmark_list_tests"], capture_output=True, text=True)
    names = few_sizes_of_each(listed.stdout.split("\n")[:-1])
    arguments = (
        "--assay_memory_pass=off",
        f"--benchmark_min_time={min_time_s}",
        "--benchmark_repetitions=3",
        f"--benchmark_filter=^({'|'.join(map(escape, names))})$",
        f"--benchmark_out={out}",
    )
    done = subprocess.run(
        [executable, *arguments], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0, done.stderr
    fastest: dict[str, dict[str, Any]] = {}
    for row in json.loads(out.read_text())["benchmarks"]:
        held = fastest.setdefault(row["name"], row)
        if row["run_type"] == "iteration" and row["real_time"] < held["real_time"]:
            fastest[row["name"]] = row
    rows = [row for row in fastest.values() if row["run_type"] == "iteration"]
    assert [row["name"] for row in rows] == names
    return rows


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    groups = sorted(FOLDER.glob("*"))
    there_are = {"ref", "mutations", "stream", "random", "timer", "hash", "memcpy"}
    there_are |= {"lock", "callback", "future", "timer_queue", "transport", "serialization"}
    assert there_are <= {path.name for path in groups}
    folder = tmp_path_factory.mktemp("rows")
    return [row for path in groups for row in _rows(path, folder / f"{path.name}.json")]


def test_no_benchmark_is_faster_than_can_be(rows: Rows) -> None:
    assert implausible(rows) == []


def test_every_bound_is_for_a_benchmark_there_is(rows: Rows) -> None:
    import re

    unused = [rule for rule, _ in LEAST_NS if not any(re.search(rule, r["name"]) for r in rows)]
    assert unused == []


def test_more_items_take_more_time(rows: Rows) -> None:
    assert that_do_not_grow(rows) == []


def test_allocations_and_counters_are_in_the_rows(rows: Rows) -> None:
    by_name = {row["name"]: row for row in rows}
    made = by_name["bench_ref_create_and_destroy<RefType::UniquePointer>"]
    assert made["CallsToAlloc"] == made["CallsToFree"] == 1
    assert by_name["bench_ref_copy<RefType::SharedPointer>"]["CallsToAlloc"] == 0
    assert all("context-switches" in row and "page-faults" in row for row in rows)


def test_emptied_loops_are_caught(native: Callable[[str], Path], tmp_path: Path) -> None:
    rows = _rows(native("emptied_suite"), tmp_path / "emptied.json", 0.02)
    caught = implausible(rows)
    missed = [row["name"] for row in rows if not any(row["name"] in line for line in caught)]
    assert missed == []
    assert len(that_do_not_grow(rows)) == 1


def test_the_verb_says_which_to_take(assay: Callable[..., Done], tmp_path: Path) -> None:
    page, document = tmp_path / "a.html", tmp_path / "a.json"
    done = assay(
        *("suite", "primitives", "--only", "ref", "--filter", "ref_copy", "--quick", "-q"),
        *("--html", page, "--json", document, "-o", tmp_path / "record.json"),
        ASSAY_LIBEXEC=str(NATIVE / "libexec" / "assay"),
    )
    assert done.code == 0, done.err
    assert "ref_copy" in done.out
    (choice,) = json.loads(document.read_text())["choices"]
    members = {one["member"] for one in choice["contests"][0]["standings"]}
    assert members >= {"RawPointer", "SharedPointer"}
    assert b'id="decision-0"' in page.read_bytes()
    samples = json.loads((tmp_path / "record.json").read_text())["benchmarks"]
    assert {"label" in row for row in samples} >= {True}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("other",), "'other' is not one of"),
        (("primitives", "--only", "nothing"), "--only nothing: primitives has no such group"),
        (("primitives", "--filter", "zzz"), "--filter zzz: nothing to measure"),
        (("primitives", "--filter", "("), "not a regular expression"),
        (("primitives", "--html", "/nowhere/a.html"), "no such folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    assay: Callable[..., Done], arguments: tuple[str, ...], message: str
) -> None:
    done = assay("suite", *arguments, ASSAY_LIBEXEC=str(NATIVE / "libexec" / "assay"))
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_two_members_are_compared_by_a_part_of_their_names(
    assay: Callable[..., Done], tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    done = assay(
        *("compare", FOLDER / "ref", FOLDER / "ref", "--filter", "ref_copy", "-q", "--rounds", 6),
        *("--base-filter", "shared", "--candidate-filter", "intrusive", "--json", out),
    )
    assert done.code == 0, done.err
    compared = {
        one["benchmark"]
        for one in json.loads(out.read_text())["comparisons"]
        if one["metric"] == "real_time"
    }
    assert compared == {
        "bench_ref_copy<RefType::[SharedPointer vs. IntrusiveSingleThreaded]>",
        "bench_ref_copy<RefType::[SharedPointer vs. IntrusiveThreadSafe]>",
    }
