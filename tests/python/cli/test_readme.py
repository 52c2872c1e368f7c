"""Every command that the README shows is run, as it is shown, with less to measure.

A command shown there that is not in `tests/support/readme_commands.py` fails, and so does one there
that is not shown.
"""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT
from patience import PATIENCE_S
from readme_commands import RUNS, SCRIPTS, made_place

SHOWN = re.compile(r"^    ((?:\.venv/bin/)?assay .*?)(?:  +#.*)?$", re.MULTILINE)


def shown() -> list[str]:
    return SHOWN.findall((ROOT / "README.md").read_text())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, native: Callable[[str], Path]) -> Path:
    return made_place(tmp_path_factory.mktemp("readme"), native)


def test_every_command_shown_is_run_and_no_other() -> None:
    assert set(shown()) == set(RUNS)


@pytest.mark.parametrize("command", RUNS)
def test_it_runs_as_shown(command: str, place: Path) -> None:
    run = RUNS[command]
    line = run.line(command)
    path = f"{SCRIPTS}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=place / run.within,
        env={
            **os.environ,
            "PATH": path,
            "XDG_CACHE_HOME": str(place / "cache"),
            "XDG_STATE_HOME": str(place / "state"),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode in run.codes, done.stderr + done.stdout
    assert run.says in done.stdout + done.stderr
