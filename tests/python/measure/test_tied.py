"""Programs that help us: what they say arrives whole, and none runs on when we do not."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.errors import LaunchError
from assay.measure.tied import TiedProgram, WaitLimits, run_program

PROGRAM = """
import os, sys
from assay.measure.tied import run_program
run_program(("/bin/sh", "-c", "echo $$ > pid; setsid sleep 10000 & echo $! > child; wait"),
            environment=os.environ)
"""


def test_output_errors_and_code_are_as_the_program_has_them(tmp_path: Path) -> None:
    done = run_program(
        ("/bin/sh", "-c", "cat; pwd; echo $A; echo bad >&2; exit 7"),
        environment={"A": "b", "PATH": os.environ["PATH"]},
        folder=tmp_path,
        data=b"in\n",
    )
    assert (done.code, done.output) == (7, f"in\n{tmp_path}\nb\n".encode())
    assert done.errors == b"bad\n"


def test_output_of_any_size_arrives_whole() -> None:
    """A launch keeps the last 32 MiB; a list of files must not lose its beginning."""
    done = run_program(("head", "-c", "90000000", "/dev/zero"), environment=os.environ)
    assert len(done.output) == 90_000_000
    done = run_program(("cat",), environment=os.environ, data=b"x" * 3_000_000)
    assert done.output == b"x" * 3_000_000


def test_errors_are_output_where_that_is_asked() -> None:
    done = run_program(("/bin/sh", "-c", "echo a; echo b >&2"), environment=os.environ, merged=True)
    assert (done.output, done.errors) == (b"a\nb\n", b"")


def test_a_signal_is_a_negative_code() -> None:
    done = run_program(("/bin/sh", "-c", "kill -TERM $$"), environment=os.environ)
    assert done.code == -signal.SIGTERM


def test_what_cannot_be_started_is_a_launch_error(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="cannot start"):
        run_program(("no-such-program",), environment=os.environ)
    with pytest.raises(LaunchError, match="cannot start in it"):
        run_program(("true",), environment=os.environ, folder=tmp_path / "none")


@pytest.mark.parametrize("patience", [WaitLimits(silent_s=0.1), WaitLimits(whole_s=0.1)])
def test_patience_ends_a_program(patience: WaitLimits, tmp_path: Path) -> None:
    line = "echo $$ > pid; exec sleep 10000"
    with pytest.raises(TimeoutError):
        run_program(
            ("/bin/sh", "-c", line), environment=os.environ, folder=tmp_path, patience=patience
        )


def test_one_can_talk_with_a_program() -> None:
    with TiedProgram(("cat",), environment=os.environ, data=None) as cat:
        cat.write(b"hello\n")
        assert cat.output.readline() == b"hello\n"
        cat.write(b"x" * 10_000)
        assert cat.output.read(10_000) == b"x" * 10_000
        assert cat.finish() == 0


def test_who_writes_to_a_program_that_ended_is_told() -> None:
    with TiedProgram(("true",), environment=os.environ, data=None) as ended:
        assert ended.output.read() == b""
        with pytest.raises(BrokenPipeError):
            ended.write(b"x" * 10_000_000)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_runs_on_after_us(number: signal.Signals, tmp_path: Path) -> None:
    ours = subprocess.Popen([sys.executable, "-c", PROGRAM], cwd=tmp_path)
    pids = [_number_in(tmp_path / name, ours) for name in ("pid", "child")]
    ours.send_signal(number)
    ours.wait()
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        time.sleep(0.01)


def _number_in(path: Path, writer: subprocess.Popen[bytes]) -> int:
    while not path.exists() or not path.read_text().endswith("\n"):
        assert writer.poll() is None, "it ended before it wrote"
        time.sleep(0.01)
    return int(path.read_text())
