"""Runs one process and says what it did and what it cost.

Every process Assay measures goes through `assay-launch`, a small native
program: it pins, times and accounts for the child, and the child dies with it.
Doing this from Python directly would be wrong twice: a child's peak RSS
includes what its parent had resident before exec, and the interpreter's own
work between fork and wait would be part of the time.

    executor = ProcessExecutor(find_launcher())
    done = executor.run(Launch(("/bin/true",), timeout_s=10))
    done.wall_ns, done.max_rss_bytes, done.exit_code

Tests inject any other `Executor`.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

from assay.errors import LaunchError, MeasurementError

TAIL_BYTES = 4096  # of standard error: enough to say what went wrong
GRACE_S = 2.0  # between SIGTERM and SIGKILL
_LOOK_S = 0.002  # between two looks at a trial's threads


@dataclass(frozen=True)
class Launch:
    """One process to run: its command line and the conditions it runs under."""

    argv: tuple[str, ...]
    timeout_s: float
    cpu: int | None = None
    count_threads: bool = False  # looks at it now and then: not while measuring
    env: Mapping[str, str] = field(default_factory=dict)  # added to our own


@dataclass(frozen=True)
class Finished:
    """What a process did: how it ended, what it cost, the end of what it said."""

    exit_code: int | None  # None: ended by a signal
    signal: int | None
    timed_out: bool
    wall_ns: int
    user_ns: int
    system_ns: int
    max_rss_bytes: int
    max_threads: int
    stdout: str
    stderr_tail: str

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and not self.timed_out

    def describe(self) -> str:
        """What it did, in words: 'crashed with SIGSEGV', 'exited with code 3'."""
        if self.timed_out:
            return "ran past the timeout and was killed"
        if self.signal is not None:
            return f"crashed with {_signal_name(self.signal)}"
        return f"exited with code {self.exit_code}"


class Executor(Protocol):
    """Anything that can run a process to its end."""

    def run(self, launch: Launch) -> Finished: ...

    def abandon(self) -> None: ...


class ProcessExecutor:
    """Runs processes through `assay-launch`, one in each thread that calls it."""

    def __init__(self, launcher: Path) -> None:
        self._launcher = launcher
        self._running: set[int] = set()

    def abandon(self) -> None:
        """Kill whatever runs in other threads; their `run` then returns."""
        for pid in tuple(self._running):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)

    def run(self, launch: Launch) -> Finished:
        """Run to the end, or kill the whole process group at the timeout.

        Raises `LaunchError` when the program cannot be started at all.
        Whatever happens, an exception included, no process of it is left.
        """
        read_fd, write_fd = os.pipe()
        with (
            os.fdopen(read_fd, "rb") as pipe,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            process = self._start(launch, write_fd, out, err)
            self._running.add(process.pid)
            try:
                report, threads = _watch(process.pid, pipe.fileno(), launch)
            finally:
                _end_group(process)
                self._running.discard(process.pid)
            return _finished(launch, report, threads, _text(out), _tail(err))

    def _start(
        self, launch: Launch, write_fd: int, out: IO[bytes], err: IO[bytes]
    ) -> "subprocess.Popen[bytes]":
        pin = () if launch.cpu is None else ("--cpu", str(launch.cpu))
        argv = (str(self._launcher), "--report-fd", str(write_fd), *pin, "--", *launch.argv)
        try:
            return subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                pass_fds=(write_fd,),
                env={**os.environ, **launch.env},
                start_new_session=True,
            )
        finally:
            os.close(write_fd)


def find_launcher() -> Path:
    """`assay-launch`, where the installation put it."""
    override = os.environ.get("ASSAY_LIBEXEC")
    places = [Path(override)] if override else []
    places.append(libexec())
    for place in places:
        if os.access(place / "assay-launch", os.X_OK):
            return place / "assay-launch"
    found = shutil.which("assay-launch")
    if found:
        return Path(found)
    raise MeasurementError(
        "assay-launch is not installed",
        where=str(libexec()),
        hint="build and install the native part with `pip install .`",
    )


def libexec() -> Path:
    """Where our own executables live in this installation."""
    return Path(sysconfig.get_path("data")) / "libexec" / "assay"


def _watch(pid: int, pipe: int, launch: Launch) -> tuple[bytes | None, int]:
    """The launcher's report, None at the timeout; and the most threads seen.

    Waiting on the pipe wakes at once; Popen.wait(timeout) would sleep up to 50 ms.
    """
    poller = select.poll()
    poller.register(pipe, select.POLLIN | select.POLLHUP)
    deadline_s = time.monotonic() + launch.timeout_s
    report, threads = b"", 1
    while (left_s := deadline_s - time.monotonic()) > 0:
        if poller.poll(1000 * (min(_LOOK_S, left_s) if launch.count_threads else left_s)):
            chunk = os.read(pipe, 65536)
            report += chunk
            if not chunk:
                return report, threads
        if launch.count_threads:
            threads = max(threads, _threads_below(pid))
    return None, threads


def _threads_below(pid: int) -> int:
    """Threads of the one child of `pid` that has most; 1 when it cannot be seen."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return max((len(list(Path(f"/proc/{c}/task").iterdir())) for c in children), default=1)
    except OSError:
        return 1


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """End whatever is left in the process's session, and reap the process."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
    process.wait()


def _finished(launch: Launch, raw: bytes | None, threads: int, out: str, err: str) -> Finished:
    report = _report(raw or b"")
    if "error" in report:
        raise LaunchError(f"cannot start: {report['error']}", where=launch.argv[0])
    return Finished(
        exit_code=report.get("exit"),
        signal=report.get("signal") if report else signal.SIGKILL,
        timed_out=raw is None,
        wall_ns=report.get("wall_ns", 0),
        user_ns=report.get("user_ns", 0),
        system_ns=report.get("system_ns", 0),
        max_rss_bytes=report.get("max_rss_bytes", 0),
        max_threads=threads,
        stdout=out,
        stderr_tail=err,
    )


def _report(raw: bytes) -> dict[str, Any]:
    """The launcher's one line; empty when it was killed before writing it."""
    if not raw.strip():
        return {}
    report: dict[str, Any] = json.loads(raw)
    return report


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode(errors="replace")


def _tail(stream: IO[bytes]) -> str:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - TAIL_BYTES))
    return stream.read().decode(errors="replace").strip()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
