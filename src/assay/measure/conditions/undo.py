"""Steps that undo what a condition changed: run a command, restore a file, kill, remove a folder.

A step is written down before the change it undoes is made (`undo_journal`). So it must be harmless
when there is nothing to undo, and must work after the program that wrote it is gone.

    step = RestoreSetting(path="/sys/kernel/mm/transparent_hugepage/enabled", content="madvise")
    carry_out_undo_step(step)
"""

import contextlib
import os
import shutil
import signal
import string
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from assay.errors import MeasurementError
from assay.measure.targets.target import last_line

COMMAND_LIMIT_S = 30.0  # seconds that one command of a condition may take
_GONE_WITHIN_S = 5.0  # seconds in which killed processes must be gone
MARK = "ASSAY_UNDO"  # environment variable that marks processes which must not outlive a run


class Command(msgspec.Struct, frozen=True, tag="command"):
    """An undo step: a shell command, and the environment variables that it needs."""

    line: str
    environment: dict[str, str] = {}  # variables added to our own environment


class RestoreSetting(msgspec.Struct, frozen=True, tag="restore"):
    """An undo step: write back what a file (a kernel setting) held before."""

    path: str
    content: str


class EndProcesses(msgspec.Struct, frozen=True, tag="end"):
    """An undo step: kill every process that carries our mark in its environment, whatever its
    group."""

    mark: str


class RemoveFile(msgspec.Struct, frozen=True, tag="remove"):
    """An undo step: remove a folder that we made, with everything in it."""

    path: str


Step = Command | RestoreSetting | EndProcesses | RemoveFile


def carry_out_undo_step(step: Step) -> None:
    """Carry out an undo step. Raises `MeasurementError` saying what could not be undone."""
    match step:
        case Command():
            run_line(step.line, step.environment, what="undoing")
        case RestoreSetting():
            write_setting(Path(step.path), step.content)
        case EndProcesses():
            kill_processes_with_mark(step.mark)
        case RemoveFile():
            shutil.rmtree(step.path, ignore_errors=True)


def describe_undo_step(step: Step) -> str:
    """An undo step in the words of a shell, for a message to somebody who does it by hand."""
    match step:
        case Command():
            return string.Template(step.line).safe_substitute(step.environment)
        case RestoreSetting():
            return f"echo {step.content} > {step.path}"
        case EndProcesses():
            return f"end the processes that have {MARK}={step.mark} in their environment"
        case RemoveFile():
            return f"rm -r {step.path}"


def survives_a_boot(step: Step) -> bool:
    """Whether an undo step is still needed after a reboot: folders remain then, rules and processes
    do not."""
    return isinstance(step, RemoveFile)


def run_line(line: str, environment: Mapping[str, str], *, what: str) -> str:
    """Run `line`, return what it printed. `MeasurementError` quotes the last line of its complaint.

    It runs in a session of its own, so that Ctrl-C at the terminal does not cut a command short.
    """
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=COMMAND_LIMIT_S,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise MeasurementError(f"{what}: `{line}` took over {COMMAND_LIMIT_S:g} s") from None
    if done.returncode != 0:
        said = last_line(done.stderr.strip() or done.stdout)
        raise MeasurementError(f"{what}: `{line}` exited with code {done.returncode}{said}")
    return done.stdout


def read_setting(path: Path) -> str:
    """The value of a kernel setting; of a choice such as "always [madvise] never", the word in
    brackets."""
    try:
        text = path.read_text().strip()
    except OSError as error:
        raise MeasurementError(f"cannot be read: {error.strerror}", where=str(path)) from None
    chosen = [word for word in text.split() if word.startswith("[") and word.endswith("]")]
    return chosen[0][1:-1] if chosen else text


def write_setting(path: Path, content: str) -> None:
    """Write a value to a kernel setting. Raises `MeasurementError`."""
    try:
        path.write_text(content)
    except OSError as error:
        hint = "is it there, and are you root?"
        raise MeasurementError(
            f"cannot be set to {content!r}: {error.strerror}", where=str(path), hint=hint
        ) from None


def kill_processes_with_mark(mark: str) -> None:
    """Kill every process that carries `mark` in the environment it was started with. Names and
    process ids are not enough: they may belong to somebody else's process by now.
    """
    deadline_s = time.monotonic() + _GONE_WITHIN_S
    while left := list(processes_with_mark(mark)):
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline_s:
            raise MeasurementError(f"processes {left} will not end")
        time.sleep(0.01)


def processes_with_mark(mark: str) -> Iterator[int]:
    """Ids of other processes with the mark in their environment (a zombie has no environment)."""
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
