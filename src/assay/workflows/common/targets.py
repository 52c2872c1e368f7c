"""From what the user wrote to something that can be measured or read.

resolve("build/bench", context)        a Google Benchmark executable
resolve("python3 bench.py", context)   the same, with arguments
resolve("cmd:gzip -k file", context)   any command, timed whole
resolve("run.json", context)           already measured: a file that some format claims
"""

import os
import shlex
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.measure.executor import Executor
from assay.measure.targets.command import CommandTarget, words_of
from assay.measure.targets.counted import CountedTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.preload import PreloadingExecutor, find_preload
from assay.measure.targets.target import Target
from assay.model import Record
from assay.record import reader

RECORDED_SUFFIXES = {".json", ".csv", ".jsonl", ".ndjson", ".journal", ".xml", ".txt"}
_LATER = ("run:", "git:")


@dataclass(frozen=True)
class TargetContext:
    """What targets are made with."""

    executor: Executor
    timeout_s: float


@dataclass(frozen=True)
class Recorded:
    """A target that needs no measuring."""

    record: Record
    label: str


def resolve(written: str, context: TargetContext) -> Target | Recorded:
    """Raises `InputError` or `UsageError` saying what is wrong with `written`."""
    if written.startswith("cmd:"):
        command = written.removeprefix("cmd:")
        words = words_of(command)
        _program(words[0], written)
        return CommandTarget(words, written, command.strip(), context.executor, context.timeout_s)
    if written.startswith(_LATER):
        kind = written.partition(":")[0]
        raise UsageError(
            f"{kind}: targets come with the result store, which is not built yet",
            where=written,
            hint="name an executable, cmd:COMMAND or a JSON file",
        )
    if _is_recorded(written):
        return Recorded(reader.read(Path(written)), written)
    return _executable(written, context)


def counted(target: Target, executor: Executor) -> Target:
    """The same target, its allocations counted in a launch after each measured one."""
    counting = PreloadingExecutor(executor, find_preload())
    if isinstance(target, CommandTarget):
        return CountedTarget(target, replace(target, executor=counting), counting)
    if isinstance(target, GBenchTarget):
        again = replace(target, executor=counting)
        return CountedTarget(target, again, counting, prefix="launch_")
    raise UsageError("its allocations cannot be counted", where=target.label)


def run_by(target: Target, executor: Executor) -> Target:
    """The same target, its processes run by another executor."""
    if isinstance(target, GBenchTarget | CommandTarget):
        return replace(target, executor=executor)
    raise UsageError("cannot be run under a condition", where=target.label)


def is_recorded(written: str) -> bool:
    """Whether `written` names a file of results rather than something to run."""
    return not written.startswith(("cmd:", *_LATER)) and _is_recorded(written)


def _is_recorded(written: str) -> bool:
    """By its suffix, or else by its content: what cannot be run, and some format claims."""
    path = Path(written)
    if path.suffix in RECORDED_SUFFIXES:
        return True
    if path.is_dir():
        return reader.is_known(path)
    return path.is_file() and not os.access(path, os.X_OK) and reader.is_known(path)


def _executable(written: str, context: TargetContext) -> GBenchTarget:
    words = (written,) if written and Path(written).exists() else _split(written)
    program = _program(words[0], written)
    target = GBenchTarget(
        (program, *words[1:]), written, context.executor, reader.parse, context.timeout_s
    )
    return target.probed()


def _split(written: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(written))
    except ValueError as error:
        raise UsageError(f"cannot be split into words: {error}", where=written) from None
    if not words:
        raise UsageError("a target is empty", hint="name an executable, cmd:COMMAND or a file")
    return words


def _program(word: str, written: str) -> str:
    """The program's path, or an error that says why it cannot be run."""
    path = Path(word)
    if path.is_dir():
        raise InputError("is a directory", where=word, hint="name the executable in it")
    if path.is_file():
        if not os.access(path, os.X_OK):
            raise InputError("is not executable", where=word, hint=f"chmod +x {word}")
        return str(path.absolute())
    found = shutil.which(word) if "/" not in word else None
    if found is None:
        raise InputError("no such file", where=written, hint="check the path, or build it first")
    return found
