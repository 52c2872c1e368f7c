"""assay report and --html, --junit: from files on disk to files on disk."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done, gbench_json, row
from records import HOSTILE, one_sided, two_sided

from assay.record.writer import write

Assay = Callable[..., Done]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record.json"
    write(two_sided(), path)
    return path


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        ("html", b"<!doctype html>"),
        ("svg", b"<svg"),
        ("png", b"\x89PNG"),
        ("md", b"**Of 4 benchmarks"),
        ("xml", b"<?xml"),
    ],
)
def test_the_suffix_says_what_is_drawn(
    assay: Assay, record: Path, tmp_path: Path, suffix: str, start: bytes
) -> None:
    out = tmp_path / f"out.{suffix}"
    done = assay("report", record, "-o", out)
    assert (done.code, done.err) == (0, "")
    assert out.read_bytes().startswith(start)
    assert done.out == f"report: {out}\n"


def test_a_run_and_two_plain_files_can_be_reported(assay: Assay, tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    write(one_sided(), run)
    assert assay("report", run, "-o", tmp_path / "run.html").code == 0
    files = []
    for side, time in (("base", 10.0), ("candidate", 20.0)):
        files.append(tmp_path / f"{side}.json")
        rows = [row("A", time + i / 10) for i in range(9)]
        files[-1].write_text(gbench_json(rows))
    assert assay("report", *files, "-o", tmp_path / "two.html").code == 0
    assert "A" in (tmp_path / "two.html").read_text()


def test_compare_writes_the_same_page_as_report(assay: Assay, record: Path, tmp_path: Path) -> None:
    done = assay("compare", record, "--html", "a.html", "--junit", "a.xml", cwd=tmp_path)
    assert done.code == 0, done.err
    assert assay("report", record, "-o", "b.html", cwd=tmp_path).code == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert (tmp_path / "a.xml").read_text().startswith("<?xml")


def test_hostile_names_survive_from_file_to_file(assay: Assay, tmp_path: Path) -> None:
    record = tmp_path / "hostile.json"
    write(two_sided(dict.fromkeys(HOSTILE, 1.1), 6), record)
    for suffix in ("html", "svg", "md", "xml"):
        done = assay("report", record, "-o", tmp_path / f"out.{suffix}")
        assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("{record}", "-o", "x.pdf"), "suffix"),
        (("{record}", "-o", "nowhere/x.html"), "no such folder"),
        (("/bin/true", "-o", "x.html"), "no record"),
        (("{record}", "{record}", "{record}", "-o", "x.html"), "too many"),
        (("{record}", "-o", "x.svg", "--chart", "pie"), "not a chart"),
        (("{record}", "-o", "x.svg", "--chart", "launches", "--benchmark", "?"), "no such"),
        (("{record}", "-o", "x.html", "--filter", "nothing"), "nothing to show"),
        (("missing.json", "-o", "x.html"), "no such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    assay: Assay, record: Path, tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    done = assay("report", *(one.format(record=record) for one in arguments), cwd=tmp_path)
    assert done.code == 2
    assert complaint in done.err
    assert done.err.count("\n") == 1
    assert not list(tmp_path.glob("x.*"))


def test_what_draws_is_not_loaded_until_something_is_drawn(tmp_path: Path, record: Path) -> None:
    import os
    import subprocess
    import sys

    code = (
        "import sys; from assay.cli import invoke; invoke(['compare', sys.argv[1]]);"
        "print(sorted({'altair', 'jinja2', 'vl_convert'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(record)],
        capture_output=True,
        text=True,
        env=dict(os.environ),
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
