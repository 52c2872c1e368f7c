"""Runs one process and says what it did and what it cost.

Every process Assay measures is started by `assay-launch`, a small native program:
it pins, times and accounts for the child, and the child dies with it. Doing this
from Python directly would be wrong twice: a child's peak RSS includes what its
parent had resident before exec, and the interpreter's own work between fork and
wait would be part of the time.

    executor = ProcessExecutor(find_launcher())
    done = executor.run(Launch(("/bin/true",), timeout_s=10))
    done.wall_ns, done.max_rss_bytes, done.exit_code

Tests inject any other `Executor`.
"""

import contextlib
import os
import shutil
import signal
import sysconfig
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Protocol

import msgspec

from assay.errors import InputError, MeasurementError, NotStartedError
from assay.measure.launch_server import LaunchServer
from assay.plurals import count
from assay.typed_json import decoded

TAIL_BYTES = 4096  # bytes of standard error that are kept: enough to say what went wrong
# Bytes of standard output that are kept: 100,000 long names; the launcher keeps as many.
KEPT_BYTES = 32 << 20
_LOOK_S = 0.002  # seconds between two counts of a trial's threads


class Launch(msgspec.Struct, frozen=True):
    """One process to run: its command line, environment, folder and CPU, and how long it may
    take."""

    argv: tuple[str, ...]
    timeout_s: float  # seconds after which the process is killed
    cpu: int | None = None  # number of the CPU to pin it to; None: not pinned
    # Whether to poll how many threads it has; for trial launches only, as polling disturbs timing.
    count_threads: bool = False
    # Variables added to our own environment.
    env: Mapping[str, str] = msgspec.field(default_factory=dict)
    folder: Path = Path()  # working directory; by default our own
    stderr_bytes: int = TAIL_BYTES  # how many of the last bytes of standard error are kept


class FinishedProcess(msgspec.Struct, frozen=True):
    """How a process ended, what time and memory it took, and the end of what it printed."""

    exit_code: int | None  # None: a signal ended the process
    signal: int | None
    timed_out: bool
    wall_ns: int
    user_ns: int
    system_ns: int
    max_rss_bytes: int
    max_threads: int
    stdout: str  # the last KEPT_BYTES of standard output
    stderr_tail: str
    printed_bytes: int = 0  # on standard output and error together, whether kept or not
    left_behind: int = 0  # processes that it started and that outlived it; they were ended

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and not self.timed_out

    @property
    def printed_too_much(self) -> bool:
        """Whether it printed more than was kept."""
        return self.printed_bytes > KEPT_BYTES

    def describe(self) -> str:
        """How the process ended, in words: 'crashed with SIGSEGV', 'exited with code 3'."""
        more = [f"printed {self.printed_bytes / 1e6:,.0f} MB"] if self.printed_too_much else []
        more += [f"left {count(self.left_behind, 'process')} behind"] if self.left_behind else []
        return " and ".join((self._ending_in_words(), *more))

    def _ending_in_words(self) -> str:
        if self.timed_out:
            return "ran past the timeout and was killed"
        if self.signal is not None:
            return f"crashed with {signal_name(self.signal)}"
        return f"exited with code {self.exit_code}"


class Executor(Protocol):
    """Runs a process to its end. `abandon` kills what runs in other threads."""

    def run(self, launch: Launch) -> FinishedProcess: ...

    def abandon(self) -> None: ...


class ProcessExecutor:
    """Runs processes through `assay-launch`, one at a time for each calling thread.

    One launcher process serves many launches; idle ones are kept for the next launch.
    """

    def __init__(self, launcher: Path) -> None:
        self._launcher = launcher
        self._idle: list[LaunchServer] = []
        self._running: set[LaunchServer] = set()
        weakref.finalize(self, _close, self._idle)

    def abandon(self) -> None:
        """Kill the processes that run in other threads; their `run` then returns."""
        for server in tuple(self._running):
            server.kill_and_close()

    def run(self, launch: Launch) -> FinishedProcess:
        """Run a process to its end, or end its whole process group at the timeout.

        Raises `LaunchError` when the program cannot be started at all.
        Whatever happens, an exception included, no process that it started is left.
        """
        with _new_output_file() as out, _new_output_file() as err:
            report, threads = self._report_and_threads(launch, out.fileno(), err.fileno())
            printed_bytes = sum(stream.seek(0, os.SEEK_END) for stream in (out, err))
            said = (
                _end_of_output(out, KEPT_BYTES),
                _end_of_output(err, launch.stderr_bytes).strip(),
                printed_bytes,
            )
            return _finished_process(launch, report, threads, said)

    def _report_and_threads(self, launch: Launch, out: int, err: int) -> tuple[bytes | None, int]:
        """The launcher's report and the threads seen. A launcher that gave no report is ended."""
        server, report = self._idle_launch_server(), None
        self._running.add(server)
        try:
            server.request(launch.argv, launch.env, launch.cpu, out, err, folder=launch.folder)
            report, threads = _wait_for_report(server, launch)
        finally:
            self._running.discard(server)
            if report:
                self._idle.append(server)
            else:
                server.end()
        return report, threads

    def _idle_launch_server(self) -> LaunchServer:
        """An idle launcher process, or a new one."""
        with contextlib.suppress(IndexError):
            while True:
                server = self._idle.pop()
                if server.alive:
                    return server
                server.close()
        return LaunchServer(self._launcher)


def find_launcher() -> Path:
    """The path of `assay-launch`, where the installation put it."""
    override = os.environ.get("ASSAY_LIBEXEC")
    places = [Path(override)] if override else []
    places.append(folder_of_native_programs())
    for place in places:
        if os.access(place / "assay-launch", os.X_OK):
            return place / "assay-launch"
    found = shutil.which("assay-launch")
    if found:
        return Path(found)
    raise MeasurementError(
        "assay-launch is not installed",
        where=str(folder_of_native_programs()),
        hint="build and install the native part with `pip install .`",
    )


def library_beside_launcher(name: str, needs: str) -> Path:
    """A library for preloading, installed in the launcher's folder. Raises `MeasurementError`."""
    library = find_launcher().parent / name
    if library.exists():
        return library
    raise MeasurementError(
        f"{name} is not installed",
        where=str(library.parent),
        hint=f"it needs {needs}; build and install the native part with `pip install .`",
    )


def folder_of_native_programs() -> Path:
    """The folder where this installation of Assay has its native executables."""
    return Path(sysconfig.get_path("data")) / "libexec" / "assay"


def _wait_for_report(server: LaunchServer, launch: Launch) -> tuple[bytes | None, int]:
    """The launcher's report (None at the timeout), and the most threads that the program was seen
    to have.

    Waiting on its socket wakes at once; Popen.wait(timeout) would sleep up to 50 ms.
    """
    if not launch.count_threads:
        return server.answer(launch.timeout_s), 1
    deadline_s, threads = time.monotonic() + launch.timeout_s, 1
    while (left_s := deadline_s - time.monotonic()) > 0:
        report = server.answer(min(_LOOK_S, left_s))
        if report is not None:
            return report, threads
        threads = max(threads, _threads_of(server.program()))
    return None, threads


def _threads_of(pid: int) -> int:
    """How many threads a process has; 1 if it cannot be read."""
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return 1


def _close(servers: list[LaunchServer]) -> None:
    while servers:
        servers.pop().close()


def _new_output_file() -> IO[bytes]:
    """A new file for each launch, so that a process outliving its launch writes into no other's."""
    return os.fdopen(os.memfd_create("assay-output"), "w+b", buffering=0)


def _finished_process(
    launch: Launch, raw: bytes | None, threads: int, said: tuple[str, str, int]
) -> FinishedProcess:
    """How a process ended, from the launcher's report. Raises `NotStartedError` if it was not
    started."""
    report = _report(raw or b"")
    if "error" in report:
        raise NotStartedError(str(report["error"]), where=launch.argv[0])
    return FinishedProcess(
        exit_code=report.get("exit"),
        signal=report.get("signal") if report else signal.SIGKILL,
        timed_out=raw is None,
        wall_ns=report.get("wall_ns", 0),
        user_ns=report.get("user_ns", 0),
        system_ns=report.get("system_ns", 0),
        max_rss_bytes=report.get("max_rss_bytes", 0),
        max_threads=threads,
        stdout=said[0],
        stderr_tail=said[1],
        printed_bytes=said[2],
        left_behind=report.get("left_behind", 0),
    )


def _report(raw: bytes) -> dict[str, Any]:
    """The launcher's report, parsed; empty if the launcher was killed before it wrote all of it."""
    try:
        return decoded(raw, dict[str, Any], where="assay-launch", what="its report")
    except InputError:
        return {}


def _end_of_output(stream: IO[bytes], most_bytes: int) -> str:
    """The end of a process's output; the launcher may have discarded the rest
    (output_limit.hpp)."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - most_bytes))
    return stream.read(most_bytes).decode(errors="replace")


def signal_name(number: int) -> str:
    """The name of a signal, such as SIGSEGV; "signal 35" for one that has no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
