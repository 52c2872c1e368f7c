"""What a program left running or printed beside its results is said below them."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done

MARK = f"8{os.getpid()}"
DAEMON = f"cmd:setsid sleep {MARK} &"


@pytest.mark.parametrize("verb", [("run", DAEMON), ("compare", DAEMON, "cmd:true")])
def test_daemons_are_ended_and_noted(
    assay: Callable[..., Done], tmp_path: Path, verb: tuple[str, ...]
) -> None:
    done = assay(*verb, "--rounds", "3", "-q", cwd=tmp_path, XDG_STATE_HOME=str(tmp_path))
    assert done.code == 0, done.err
    assert "launches left 4 processes behind; they were ended" in done.out
    found = subprocess.run(["pgrep", "-xf", f"sleep {MARK}"], capture_output=True, text=True)
    assert found.stdout == ""
