"""Runs the commands of a build: a log, a time limit, and no process left behind.

run_commands(recipe, folder, log, mark="0f3a...", announce=print)

Each command is a session of its own, which an interrupt or the time limit ends whole. Its
processes carry a mark in their environment, by which a later Assay finds and ends those of a
build whose own Assay was killed.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from assay.errors import BuildError
from assay.revisions.recipe import Recipe

MARK = "ASSAY_BUILD"
_TAIL_LINES = 40
_GRACE_S = 2.0  # between SIGTERM and SIGKILL
_LOOK_S = 0.01


def run_commands(
    recipe: Recipe,
    folder: Path,
    log: Path,
    *,
    mark: str,
    label: str,
    announce: Callable[[str], None],
) -> None:
    """Raises `BuildError` with the end of the log."""
    ends_s = time.monotonic() + recipe.timeout_s
    environment = {**recipe.variables(), MARK: mark}
    with log.open("wb", buffering=0) as output:
        for number, command in enumerate(recipe.commands, 1):
            announce(f"building {label}, command {number} of {len(recipe.commands)}: {command}")
            output.write(f"$ {command}\n".encode(errors="surrogateescape"))
            process = subprocess.Popen(
                ["/bin/sh", "-c", command],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            what = _ended(process, ends_s, recipe.timeout_s)
            if what:
                raise BuildError(f"`{command}` {what}", where=label, log=log, details=_tail(log))


def _ended(process: "subprocess.Popen[bytes]", ends_s: float, limit_s: float) -> str:
    """How it failed; empty: it did not. Whatever happens, its processes are gone afterwards."""
    try:
        code = process.wait(max(0.0, ends_s - time.monotonic()))
    except subprocess.TimeoutExpired:
        _end(process)
        return f"and those before it took longer than timeout_s = {limit_s:g}"
    except BaseException:  # an interrupt
        _end(process)
        raise
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"exited with code {code}" if code else ""


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the whole group: first asking, then not."""
    _signal_group(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)
    _signal_group(process.pid, signal.SIGKILL)
    process.wait()


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def end_marked(mark: str) -> int:
    """Kill what runs on of a build whose Assay was killed; how many there were."""
    ended = set()
    while pids := set(_marked(mark)):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        ended |= pids
        time.sleep(_LOOK_S)
    return len(ended)


def _marked(mark: str) -> Iterator[int]:
    wanted = f"{MARK}={mark}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            environment = (place / "environ").read_bytes()
        except OSError:  # it ended, or is somebody else's
            continue
        if wanted in environment.split(b"\0") and int(place.name) != os.getpid():
            yield int(place.name)


def _tail(log: Path) -> tuple[str, ...]:
    try:
        with log.open(errors="replace") as lines:
            return tuple(line.rstrip("\n") for line in deque(lines, _TAIL_LINES))
    except OSError:
        return ()
