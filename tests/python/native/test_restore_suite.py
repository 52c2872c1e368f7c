"""The restore suite as an executable: real listings, bad files, results that say what they are."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import NATIVE
from patience import PATIENCE_S

LISTING = "%D %i %m %n %U %G %s %T@ %y %p\\0"
Suite = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def suite() -> Suite:
    """Runs it; fails, not skips, when it is not built."""
    path = NATIVE / "libexec" / "assay" / "suites" / "restore" / "tree"
    assert path.exists(), f"{path} is not built: run ./dev test, which builds it"

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [str(path), *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )

    return run


def rows(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    """By what each measured, without the rest of the name."""
    assert done.returncode == 0, done.stderr
    benchmarks = json.loads(done.stdout)["benchmarks"]
    return {row["name"].split("/")[0]: row for row in benchmarks}


def test_a_real_listing(suite: Suite, tmp_path: Path) -> None:
    folder = tmp_path / "größe and\nnewline"
    folder.mkdir()
    for number in range(50):
        (folder / f"f{number}").write_text("x" * number)
    (folder / "link").hardlink_to(folder / "f1")
    (folder / "symbolic").symlink_to("f2")
    listing = tmp_path / "listing"
    with listing.open("wb") as out:
        subprocess.run(["find", folder, "-printf", LISTING], check=True, stdout=out)
    done = suite(
        f"--restore_listing={listing}", "--benchmark_filter=listing", "--benchmark_format=json"
    )
    found = rows(done)
    assert found["BM_populatetree<CompactTree>"]["entries"] == 53
    assert found["BM_populatetree<MapTree>"]["entries"] == 53
    assert len(found) == 16
    assert not [row for row in found.values() if "error_message" in row]
    assert done.stderr.count("rejected") == 0


def test_bad_rows_are_told_by_number_and_the_others_measured(suite: Suite, tmp_path: Path) -> None:
    facts = ",{},1,A B IGk B A A A C A A A A A A,{},0,0\n"
    csv = tmp_path / "rows.csv"
    csv.write_text(
        "/a/,f" + facts.format(1, 0) + "/a/,g,1\n" + "/a/,h" + facts.format(3, 1)
        + "/a/,i" + facts.format(4, 0)
    )  # fmt: skip
    done = suite(f"--restore_csv={csv}", "--benchmark_filter=tree.*csv", "--benchmark_format=json")
    found = rows(done)
    assert found["BM_populatetree<CompactTree>"]["entries"] == 2
    assert found["BM_populatetree<CompactTree>"]["rejected"] == 2
    assert f"{csv}: row 2: not eight columns" in done.stderr
    assert f"{csv}: row 3: a delta of a file that is not there" in done.stderr
    assert f"{csv}: 2 rows rejected" in done.stderr


@pytest.mark.parametrize("argument", ["--restore_csv=/nonexistent", "--restore_nothing"])
def test_what_cannot_be_done_is_told(suite: Suite, argument: str) -> None:
    done = suite(argument)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stdout == ""


def test_every_size_is_there_and_the_largest_only_when_asked_for(suite: Suite) -> None:
    usual = suite("--benchmark_list_tests").stdout
    largest = suite("--benchmark_list_tests", "--restore_100m").stdout
    for size in (100_000, 1_000_000, 10_000_000):
        assert f"BM_populatetree<CompactTree>/nested/numeric/{size}/" in usual
    assert "/100000000/" not in usual
    assert "BM_markallfiles<CompactTree>/nested/shuffled/100000000/" in largest
