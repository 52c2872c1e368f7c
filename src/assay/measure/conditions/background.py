"""A program that runs beside what is measured: a tracer, a daemon, a watcher.

    with running_program("exec tracer -x", Readiness("Attaching"), environment, log) as tracer:
        ...
        tracer.output()

The line is run by /bin/sh, under `assay-launch`, which dies with us even when we are killed with
SIGKILL, and takes with it the process it started: the program itself where the line begins with
`exec`, otherwise only the shell. Standard output and error go to one file, read as it grows.
"""

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from assay.errors import MeasurementError
from assay.interrupts import signals_held_back
from assay.measure.executor import find_launcher
from assay.measure.targets.target import last_line

# Seconds a background program has to flush its output: from the signal to end until SIGKILL.
GRACE_S = 5.0
_LOOK_S = 0.01  # seconds between two looks at the program's output


class Readiness(msgspec.Struct, frozen=True):
    """How to see that a background program is ready, and how to ask it to end."""

    # A regular expression to wait for in the program's output; empty: do not wait.
    pattern: str = ""
    within_s: float = 20.0  # seconds in which it must be ready
    settle_s: float = 0.0  # seconds to wait once the pattern has appeared
    stop: str = "TERM"  # name of the signal that asks the program to end


class Running:
    """A program that runs beside what is measured; `running_program` starts and ends it."""

    def __init__(self, process: "subprocess.Popen[bytes]", log: Path, line: str) -> None:
        self._process, self._log, self._line = process, log, line

    def output(self) -> str:
        """Everything that the program has written so far."""
        try:
            return self._log.read_text(errors="replace")
        except OSError:
            return ""

    def alive(self) -> bool:
        return self._process.poll() is None

    def raise_if_ended(self) -> None:
        """Raises `MeasurementError` if the program has ended by itself."""
        if not self.alive():
            raise MeasurementError(f"`{self._line}` ended by itself{self._last_line_of_output()}")

    def wait_ready(self, ready: Readiness) -> None:
        """Wait until the program says it is ready. `MeasurementError` if it ends or is too late."""
        pattern = re.compile(ready.pattern, re.MULTILINE)
        deadline_s = time.monotonic() + ready.within_s
        while ready.pattern and not pattern.search(self.output()):
            self.raise_if_ended()
            if time.monotonic() > deadline_s:
                what = f"`{self._line}` was not ready within {ready.within_s:g} s"
                hint = f"it should have said {ready.pattern!r}{self._last_line_of_output()}"
                raise MeasurementError(what, hint=hint)
            time.sleep(_LOOK_S)
        time.sleep(ready.settle_s)
        self.raise_if_ended()

    def end(self, ready: Readiness) -> None:
        """Ask the program to end; kill it if it does not end within `GRACE_S`."""
        number = signal.Signals[f"SIG{ready.stop}"]
        # Only the program gets the signal: if the launcher died, it would kill the program.
        for pid in _descendants(self._process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _last_line_of_output(self) -> str:
        """The last line that the program wrote, for a message."""
        return last_line(self.output()) or " (it said nothing)"


@contextmanager
def running_program(
    line: str, ready: Readiness, environment: Mapping[str, str], log: Path
) -> Iterator[Running]:
    """Start a background program and wait until it is ready; end it when the block is left."""
    with log.open("wb") as out, Path(os.devnull).open("wb") as nowhere:
        report = ("--report-fd", str(nowhere.fileno()))
        process = subprocess.Popen(
            [str(find_launcher()), *report, "--", "/bin/sh", "-c", line],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            pass_fds=(nowhere.fileno(),),
            env={**os.environ, **environment},
            start_new_session=True,
        )
    here = Running(process, log, line)
    try:
        here.wait_ready(ready)
        yield here
    finally:
        with signals_held_back():
            here.end(ready)


def _descendants(pid: int) -> list[int]:
    """Process ids of all descendants of a process. A shell among them would pass no signal on."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    children = [int(one) for one in text.split()]
    return children + [below for child in children for below in _descendants(child)]
