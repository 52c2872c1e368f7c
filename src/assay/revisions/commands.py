"""Runs the commands of a build with a log and a time limit, and leaves no process behind.

run_commands(recipe, folder, log, mark="0f3a...", announce=print)

Each command has its own session and runs under `assay-launch`, which ends everything in it after an
interrupt, at the time limit, and when Assay was killed. Its processes carry a mark in their
environment, by which a later Assay finds and ends those that left the session.
"""

import contextlib
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

from assay.errors import BuildError
from assay.measure.executor import find_launcher, signal_name
from assay.measure.launch_server import LaunchServer
from assay.measure.tied import ExitReport
from assay.revisions.recipe import Recipe
from assay.typed_json import decoded

MARK = "ASSAY_BUILD"  # environment variable by which processes of a build are recognised
_TAIL_LINES = 40  # lines of the log that an error shows
# Messages that a build may end with and that do not say what is missing, each with a hint.
_HINTS = (
    (
        "CMake was unable to find a build program",
        "apt-get install make, or set CMAKE_GENERATOR=Ninja",
    ),
)
_LOOK_S = 0.01  # seconds between two looks for processes that are left


def run_commands(
    recipe: Recipe,
    folder: Path,
    log: Path,
    *,
    mark: str,
    label: str,
    announce: Callable[[str], None],
) -> None:
    """Run the commands of `recipe` in order. Raises `BuildError` with the end of the log."""
    ends_s = time.monotonic() + recipe.timeout_s
    environment = {**recipe.variables(), MARK: mark}
    with log.open("wb", buffering=0) as output, _launcher() as server:
        for number, command in enumerate(recipe.commands, 1):
            announce(f"building {label}, command {number} of {len(recipe.commands)}: {command}")
            output.write(f"$ {command}\n".encode(errors="surrogateescape"))
            report = _run_command(server, command, environment, folder, output, ends_s)
            what = _failure_in_words(report, recipe.timeout_s)
            if what:
                tail = _last_lines(log)
                raise BuildError(
                    f"`{command}` {what}",
                    where=label,
                    log=log,
                    details=tail,
                    hint=_hint_for_output(tail),
                )


@contextlib.contextmanager
def _launcher() -> Iterator[LaunchServer]:
    """A launcher for all commands of a build; it and all that it started end when the block is
    left."""
    server = LaunchServer(find_launcher())
    try:
        yield server
    except BaseException:
        server.end()  # this asks the program to end, and kills it if it does not
        raise
    finally:
        server.close()


def _run_command(
    server: LaunchServer,
    command: str,
    environment: Mapping[str, str],
    folder: Path,
    output: IO[bytes],
    ends_s: float,
) -> bytes | None:
    """Run one command of a build; return the launcher's report, or None at the time limit."""
    out = output.fileno()
    words = ("/bin/sh", "-c", command)
    server.request(words, environment, None, out, out, folder=folder, whole=True)
    return server.answer(max(0.0, ends_s - time.monotonic()))


def _failure_in_words(report: bytes | None, limit_s: float) -> str:
    """How the command failed; empty if it did not."""
    if report is None:
        return f"and those before it took longer than timeout_s = {limit_s:g}"
    ended = ExitReport(signal=signal.SIGKILL)
    if report:
        ended = decoded(report, ExitReport, where="assay-launch", what="its report")
    return _end_in_words(ended)


def _end_in_words(done: ExitReport) -> str:
    """How a program ended, in words; empty: with exit code 0."""
    if done.error:
        return f"cannot be started: {done.error}"
    if done.signal is not None:
        return f"was ended by {signal_name(done.signal)}"
    return f"exited with code {done.exit}" if done.exit else ""


def end_marked_processes(mark: str) -> int:
    """Kill the processes that the build with this mark left when its Assay was killed; return how
    many."""
    ended = set()
    while pids := set(_marked_processes(mark)):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        ended |= pids
        time.sleep(_LOOK_S)
    return len(ended)


def _marked_processes(mark: str) -> Iterator[int]:
    """Process ids of this user's processes that carry the mark."""
    wanted = f"{MARK}={mark}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            environment = (place / "environ").read_bytes()
        except OSError:  # it has ended, or belongs to another user
            continue
        if wanted in environment.split(b"\0") and int(place.name) != os.getpid():
            yield int(place.name)


def _hint_for_output(tail: tuple[str, ...]) -> str:
    """A hint for the end of a build's output; empty if none fits. Lines are joined, as CMake wraps
    them."""
    text = " ".join(" ".join(tail).split())
    return next((hint for wrote, hint in _HINTS if wrote in text), "")


def _last_lines(log: Path) -> tuple[str, ...]:
    """The last lines of the log."""
    try:
        with log.open(errors="replace") as lines:
            return tuple(line.rstrip("\n") for line in deque(lines, _TAIL_LINES))
    except OSError:
        return ()
