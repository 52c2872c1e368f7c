"""`./dev lint` fails when any of its parts does, and `./dev format` too."""

import re
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT
from patience import PATIENCE_S

# The verbs over a folder of their own, with what takes long left out: set-up and what is native.
SCRIPT = """\
set -euo pipefail
for part in tools/dev/*.sh; do . "$part"; done
clang_format() { :; }
native_preset() { :; }
timed() { shift; case "$*" in *house.py*|*tidy.py*|*mypy*|ci_recipes) ;; *) "$@" ;; esac; }
%s
echo "went on to the end"
"""
FORMAT_ERROR = "x=1\n"
LINT_ERROR = "import os\n"
GOOD = "x = 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("tools/dev", ".venv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    return tmp_path


def run(folder: Path, verb: str, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "file.py").write_text(text)
    return subprocess.run(
        ["bash", "-c", SCRIPT % verb],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def test_lint_passes_what_is_right(folder: Path) -> None:
    done = run(folder, "run_lint", GOOD)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 file already formatted" in done.stdout
    assert "went on to the end" in done.stdout


@pytest.mark.parametrize("broken", [FORMAT_ERROR, LINT_ERROR])
def test_lint_fails_on_a_broken_file(folder: Path, broken: str) -> None:
    done = run(folder, "run_lint", broken)
    assert done.returncode == 1
    assert "file.py" in done.stdout
    assert "went on to the end" not in done.stdout


def test_format_fails_on_what_it_cannot_mend(folder: Path) -> None:
    done = run(folder, "run_format", "def broken(:\n")
    assert done.returncode != 0
    assert "went on to the end" not in done.stdout


def test_the_help_names_every_verb() -> None:
    script = (ROOT / "dev").read_text()
    verbs = re.findall(r"^  (\w+)\) +shift;", script, re.MULTILINE)
    done = subprocess.run([ROOT / "dev"], capture_output=True, text=True)
    assert done.returncode == 2
    told = re.findall(r"^  \./dev (\w+)  ", done.stderr, re.MULTILINE)
    assert "watch" in told
    assert sorted(told) == sorted(verbs)


def test_pre_commit_calls_what_lint_calls_and_fetches_nothing() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    lint = (ROOT / "tools" / "dev" / "verbs.sh").read_text()
    entries = re.findall(r"entry: (.*)", hooks)
    assert len(entries) == 4
    for entry in entries:
        program, *options = entry.split()
        assert program in lint
        assert " ".join(options) in lint
    assert set(re.findall(r"repo: (\S+)", hooks)) == {"local"}
