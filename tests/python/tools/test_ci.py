"""`.ci/run` uses a bare Debian where one can be made, else this machine, and says which."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT
from patience import PATIENCE_S

STEPS = ["demo", "lint", "test --asan", "test --tsan", "test"]
CANNOT = 69
BARE_MACHINE = ROOT / "tools" / "bare-machine"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """`.ci/run` with a `./dev` that keeps what it was asked; `test --tsan` can be made to fail."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    script(tmp_path / "dev", 'echo "$*" >> asked\n[ "$*" != "${BROKEN:-}" ]\n')
    return tmp_path


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/bash\n{text}")
    path.chmod(0o755)


def run(folder: Path, bare_machine: str, **env: str) -> subprocess.CompletedProcess[str]:
    script(folder / "tools" / "bare-machine", bare_machine)
    return subprocess.run(
        ["bash", ".ci/run"],
        cwd=folder,
        env={**os.environ, "ASSAY_CI_BARE": "yes", **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def asked(folder: Path) -> list[str]:
    path = folder / "asked"
    return path.read_text().splitlines() if path.exists() else []


def test_in_the_bare_root_all_steps_are_run_and_none_here(folder: Path) -> None:
    done = run(folder, 'printf "%s\\n" "$@" > given')
    assert done.returncode == 0
    given = (folder / "given").read_text().splitlines()
    assert given == ["--caches", *(f"./dev {step}" for step in STEPS)]
    assert asked(folder) == []
    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"CI: all passed in +\d+ min +\d+ s, on a bare Debian", last)


def test_a_failure_in_the_bare_root_is_not_tried_again_here(folder: Path) -> None:
    done = run(folder, "exit 1")
    assert done.returncode == 1
    assert asked(folder) == []
    assert "passed" not in done.stdout


def test_without_a_bare_root_all_steps_are_run_here_and_the_last_line_says_why(
    folder: Path,
) -> None:
    done = run(folder, f'echo "this root may not mount" > "$ASSAY_BARE_REASON"; exit {CANNOT}')
    assert done.returncode == 0
    assert asked(folder) == STEPS
    last = done.stdout.splitlines()[-1]
    assert last.startswith("CI: all passed in")
    assert last.endswith("no bare Debian could be made: this root may not mount")
    assert len(re.findall(r"^ *\d+ min +\d+ s  \./dev ", done.stdout, re.MULTILINE)) == len(STEPS)


def test_a_failure_here_fails(folder: Path) -> None:
    done = run(folder, f"exit {CANNOT}", BROKEN="test --tsan")
    assert done.returncode != 0
    assert asked(folder) == STEPS[:4]
    assert "passed" not in done.stdout


# Root who may mount, whoever runs the test: nothing is mounted before these cases end.
ALLOWED = {
    "id": "echo 0",
    "unshare": 'while [[ $1 == -* || $1 == private ]]; do shift; done; exec "$@"',
}


# What a machine may lack, as a program of that name which says so.
@pytest.mark.parametrize(
    ("program", "text", "reason"),
    [
        ("id", "echo 1000", "it needs root"),
        ("unshare", "exit 1", "this root may not mount"),
        ("mktemp", "exit 1", "no temporary folder"),
        ("df", "echo 100", "less than 15000 MB free"),
        ("apt-get", "exit 100", "apt-get update failed"),
    ],
)
def test_where_no_root_can_be_made_nothing_is_tried(
    tmp_path: Path, program: str, text: str, reason: str
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, body in {**ALLOWED, program: text}.items():
        script(programs / name, body)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    env = {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "TMPDIR": str(temporary),
        "ASSAY_BARE_REASON": str(tmp_path / "reason"),
    }
    command = [str(BARE_MACHINE), "--caches", f"touch {tmp_path}/tried"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == CANNOT, done.stderr
    assert reason in (tmp_path / "reason").read_text()
    assert not (tmp_path / "tried").exists()
    assert list(temporary.iterdir()) == []
