"""assay multiview as a user runs it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done

Assay = Callable[..., Done]
HEAD = "             prc thr   usecs/call      samples\n"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = []
    for name, took in (("base", 100.0), ("other", 120.0)):
        paths.append(tmp_path / f"{name}.out")
        paths[-1].write_text(f"{HEAD}exec           1   1    {took:.5f}        10000\n")
    return paths


def test_a_page_is_written(assay: Assay, tmp_path: Path, files: list[Path]) -> None:
    done = assay("multiview", *files, "-o", tmp_path / "mv.html")
    assert (done.code, done.err) == (0, "")
    assert "-20.0 %" in (tmp_path / "mv.html").read_text()


def test_bad_input_is_one_line_and_leaves_no_page(
    assay: Assay, tmp_path: Path, files: list[Path]
) -> None:
    page = tmp_path / "mv.html"
    (tmp_path / "odd.out").write_text(f"{HEAD}exec 1 1 fast 3\n")
    for arguments, words in (
        ((files[0], tmp_path / "none.out", "-o", page), "no such file"),
        ((files[0], tmp_path / "odd.out", "-o", page), "'exec 1 1 fast 3' is no row"),
        ((*files, "-o", page, "--filter", "nothing"), "--filter nothing"),
        ((*files, "-o", tmp_path / "mv.pdf"), "end it in .html"),
        ((*files, "-o", tmp_path / "none" / "mv.html"), "no such folder"),
        (files, "--output"),
    ):
        done = assay("multiview", *arguments)
        assert done.code == 2, done.err
        assert words in done.err
        assert done.err.count("\n") == 1
    assert not page.exists()
