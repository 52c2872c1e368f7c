"""Files of other tools where a target can stand: every verb that takes results takes them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import DATA, Done

Assay = Callable[..., Done]
FORMATS = DATA / "formats"
MEASURED = 0, 3  # 3: the file says that a benchmark failed


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hyperfine/hyperfine.json", ("sleep 0.01", "ms")),
        ("criterion", ("alone/sort/1000", "us")),
        ("go_test/go_test.txt", ("BenchmarkSort-2", "failed BenchmarkGone")),
        ("gungraun/gungraun.ndjson", ("words::texts::sorted", "undecided")),
        ("jmh/jmh.json", ("org.sample.Words.sort:n=8 (thrpt)",)),
        ("junit/pytest.xml", ("test_words.test_sort", "failed test_words.test_fails")),
    ],
)
def test_compared_with_itself(assay: Assay, name: str, words: tuple[str, ...]) -> None:
    done = assay("compare", FORMATS / name, FORMATS / name)
    assert done.code in MEASURED, done.err
    for word in words:
        assert word in done.out + done.err


@pytest.mark.parametrize(
    "name", ["gungraun/gungraun.ndjson", "asv/dd300c13-existing-py_python3.json", "criterion"]
)
def test_a_page_of_one_file(assay: Assay, name: str, tmp_path: Path) -> None:
    """Gungraun's benchmarks have no time at all, asv's some."""
    done = assay("report", FORMATS / name, "-o", f"{tmp_path}/page.html")
    assert (done.code, done.err) == (0, "")


def test_prose_is_told_what_can_be_read(assay: Assay, tmp_path: Path) -> None:
    prose = tmp_path / "notes.txt"
    prose.write_text("It was a dark and stormy night.\n")
    done = assay("compare", prose, prose)
    assert done.code == 2
    assert done.err.startswith(f"error: {prose}: is no file of results that Assay knows; it reads")
