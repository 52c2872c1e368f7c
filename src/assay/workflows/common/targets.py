"""Turns what the user wrote into a target that can be measured or read.

resolve("build/bench", context)        a Google Benchmark executable
resolve("python3 bench.py", context)   the same, with arguments
resolve("cmd:gzip -k file", context)   any command, timed as a whole
resolve("run.json", context)           results in a file, if a known format recognises it
resolve("run:LABEL", context)          results in the store
resolve("git:main", context)           a revision, built by assay.toml; ".": the working tree
"""

import os
import shlex
import shutil
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.encoding import legible_text
from assay.errors import InputError, UsageError
from assay.measure.executor import Executor
from assay.measure.placed_executor import PlacedExecutor
from assay.measure.targets.command import CommandTarget, words_of
from assay.measure.targets.counted import CountedTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.preload import PreloadingExecutor, find_preload
from assay.measure.targets.target import Target
from assay.model import Record
from assay.record import reader
from assay.workflows.common.git_targets import Revisions

RECORDED_SUFFIXES = {".json", ".csv", ".jsonl", ".ndjson", ".journal", ".xml", ".txt"}
RUN = "run:"


class TargetContext(msgspec.Struct, frozen=True):
    """What making a target takes besides the words that the user wrote."""

    executor: Executor
    timeout_s: float
    revisions: Revisions = msgspec.field(default_factory=Revisions)
    store: Path | None = None  # the store that run: targets are read from


class RecordedTarget(msgspec.Struct, frozen=True):
    """A target that is a file of results or a run of the store, so that
    nothing is to be measured.
    """

    record: Record
    label: str


def resolve(written: str, context: TargetContext) -> Target | RecordedTarget:
    """Make a target of what the user wrote.

    Raises `InputError` or `UsageError` saying what is wrong with it.
    """
    if written.startswith("cmd:"):
        command = written.removeprefix("cmd:")
        words = words_of(command)
        _program(words[0], written)
        return CommandTarget(
            words,
            legible_text(written),
            legible_text(command.strip()),
            context.executor,
            context.timeout_s,
        )
    if context.revisions.names_revision(written):
        return _revision(written, context)
    if is_recorded(written):
        return RecordedTarget(read(written, context.store), legible_text(written))
    return _executable(written, context)


def read(written: str, store: Path | None) -> Record:
    """Read the record of a file or a `run:` target. Raises `InputError`, `UsageError`."""
    if not written.startswith(RUN):
        return reader.read(Path(written))
    if store is None:
        raise UsageError(
            "there is no store of runs here",
            where=written,
            hint="name it with --store DIR, or go to the folder of your assay.toml",
        )
    from assay.record.store.store import Store

    return Store.opened(store).load(written.removeprefix(RUN))


def with_allocation_counts(target: Target) -> Target:
    """The same target, with an extra launch after each measured one that counts allocations."""
    if not isinstance(target, GBenchTarget | CommandTarget):
        raise UsageError("its allocations cannot be counted", where=target.label)
    counting = PreloadingExecutor(target.executor, find_preload())
    again = replace(target, executor=counting)
    prefix = "launch_" if isinstance(target, GBenchTarget) else ""
    return CountedTarget(target, again, counting, prefix=prefix)


def with_executor(target: Target, executor: Executor) -> Target:
    """The same target, whose processes are started by another executor."""
    if isinstance(target, GBenchTarget | CommandTarget):
        place = target.executor
        at_place = place.with_executor(executor) if isinstance(place, PlacedExecutor) else executor
        return replace(target, executor=at_place)
    raise UsageError("cannot be run under a condition", where=target.label)


def is_recorded(written: str) -> bool:
    """Whether a target names results that exist already, rather than something to run.

    The suffix decides; else the content: a file that is not executable and that a format knows.
    """
    if written.startswith(("cmd:", "git:")):
        return False
    path = Path(written)
    if written.startswith(RUN) or path.suffix in RECORDED_SUFFIXES:
        return True
    if path.is_dir():
        return reader.is_known(path)
    return path.is_file() and not os.access(path, os.X_OK) and reader.is_known(path)


def _executable(written: str, context: TargetContext) -> GBenchTarget:
    words = (written,) if written and Path(written).exists() else _split(written)
    return _gbench((_program(words[0], written), *words[1:]), written, context.executor, context)


def _revision(written: str, context: TargetContext) -> Target:
    """The program that a revision's suite runs, in the folder where it was built."""
    program = context.revisions.program(written)
    executor = PlacedExecutor(context.executor, program.folder, program.environment)
    if (command := program.command) is not None:
        return CommandTarget(
            words_of(command), legible_text(written), command, executor, context.timeout_s
        )
    words = program.words
    return _gbench((_program(words[0], written), *words[1:]), written, executor, context)


def _gbench(
    words: tuple[str, ...], label: str, executor: Executor, context: TargetContext
) -> GBenchTarget:
    return GBenchTarget(
        words, legible_text(label), executor, reader.parse, context.timeout_s
    ).with_probed_engine()


def _split(written: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(written))
    except ValueError as error:
        raise UsageError(f"cannot be split into words: {error}", where=written) from None
    if not words:
        raise UsageError("a target is empty", hint="name an executable, cmd:COMMAND or a file")
    return words


def _program(word: str, written: str) -> str:
    """The path of the program `word`. Raises an error that says why it cannot be run."""
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
