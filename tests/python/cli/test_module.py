"""`python -m assay` does what `assay` does: it prints the same and ends with the same code."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, assay_command, gbench_json, row
from patience import PATIENCE_S

# A defect of Assay, made before its command line is looked at.
BROKEN = """\
import runpy, sys
from assay.cli import outermost
outermost._clean_up_after_killed_runs = lambda: 1 / 0
sys.argv[1:] = ["list", "none.json"]
runpy.run_module("assay", run_name="__main__", alter_sys=True)
"""


def done(command: list[str], folder: Path) -> tuple[int, str, str]:
    ended = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=PATIENCE_S)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 0),
        (["compare", "--help"], 0),
        (["compare", "fast.json", "slow.json", "--gate"], 1),
        (["compare", "none.json", "none.json"], 2),
        (["compair"], 2),
    ],
    ids=["nothing", "help", "gate", "no such file", "no such verb"],
)
def test_it_is_assay(words: list[str], code: int, tmp_path: Path) -> None:
    for name, took in (("fast.json", 10.0), ("slow.json", 30.0)):
        (tmp_path / name).write_text(gbench_json([row("BM_f", took)] * 20))
    module = done([sys.executable, "-m", "assay", *words], tmp_path)
    assert module[0] == code
    assert module == done([*assay_command(), *words], tmp_path)


def test_a_defect_there_is_reported_as_one(tmp_path: Path) -> None:
    code, _, said = done([sys.executable, "-c", BROKEN], tmp_path)
    assert code == 70
    assert said.endswith("error: this is a defect in Assay; please report the lines above\n")


def test_importing_it_runs_nothing(tmp_path: Path) -> None:
    assert done([sys.executable, "-c", "import assay.__main__"], tmp_path) == (0, "", "")


def test_it_is_a_line_that_the_script_has_too() -> None:
    assert 'assay = "assay.cli:main"' in (ROOT / "pyproject.toml").read_text()
    assert "from assay.cli import main\n" in (ROOT / "src" / "assay" / "__main__.py").read_text()
