"""Steps that put back what a condition changed: a command, a file's content, processes, a folder.

A step is written down before what it undoes is done (`undo_journal`), so it must be
harmless when there is nothing to undo, and must not need the program that wrote it.

    undo(Restore(path="/sys/kernel/mm/transparent_hugepage/enabled", content="madvise"))
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

COMMAND_LIMIT_S = 30.0
_GONE_WITHIN_S = 5.0
MARK = "ASSAY_UNDO"  # a variable in the environment of every process that must not outlive a run


class Command(msgspec.Struct, frozen=True, tag="command"):
    """A line for the shell, and the variables it was written for."""

    line: str
    environment: dict[str, str] = {}


class Restore(msgspec.Struct, frozen=True, tag="restore"):
    """What a file held before: a setting of the kernel."""

    path: str
    content: str


class End(msgspec.Struct, frozen=True, tag="end"):
    """Every process that carries our mark, whatever group or session it moved to."""

    mark: str


class Remove(msgspec.Struct, frozen=True, tag="remove"):
    """A folder of ours, with all that is in it."""

    path: str


Step = Command | Restore | End | Remove


def undo(step: Step) -> None:
    """Raises `MeasurementError` saying what could not be undone."""
    match step:
        case Command():
            run_line(step.line, step.environment, what="undoing")
        case Restore():
            write_setting(Path(step.path), step.content)
        case End():
            end_marked(step.mark)
        case Remove():
            shutil.rmtree(step.path, ignore_errors=True)


def describe(step: Step) -> str:
    """What a person would do instead."""
    match step:
        case Command():
            return string.Template(step.line).safe_substitute(step.environment)
        case Restore():
            return f"echo {step.content} > {step.path}"
        case End():
            return f"end the processes that have {MARK}={step.mark} in their environment"
        case Remove():
            return f"rm -r {step.path}"


def survives_a_boot(step: Step) -> bool:
    """Rules, settings and processes go with the kernel they were in; folders stay."""
    return isinstance(step, Remove)


def run_line(line: str, environment: Mapping[str, str], *, what: str) -> str:
    """What `line` printed. Raises `MeasurementError` with the last line it complained in.

    In a session of its own: Ctrl-C at the terminal is for us, not for a command half done.
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
    """What is set now: of a choice like "always [madvise] never" the chosen word."""
    try:
        text = path.read_text().strip()
    except OSError as error:
        raise MeasurementError(f"cannot be read: {error.strerror}", where=str(path)) from None
    chosen = [word for word in text.split() if word.startswith("[") and word.endswith("]")]
    return chosen[0][1:-1] if chosen else text


def write_setting(path: Path, content: str) -> None:
    """Set it. Raises `MeasurementError`."""
    try:
        path.write_text(content)
    except OSError as error:
        hint = "is it there, and are you root?"
        raise MeasurementError(
            f"cannot be set to {content!r}: {error.strerror}", where=str(path), hint=hint
        ) from None


def end_marked(mark: str) -> None:
    """Kill what carries `mark`. By the environment it was started with, not by a name or a
    number: those may belong to a stranger by now."""
    deadline_s = time.monotonic() + _GONE_WITHIN_S
    while left := list(marked(mark)):
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline_s:
            raise MeasurementError(f"processes {left} will not end")
        time.sleep(0.01)


def marked(mark: str) -> Iterator[int]:
    """Processes, not ourselves, whose environment holds the mark. Zombies have none left."""
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
