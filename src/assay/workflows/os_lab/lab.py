"""Runs `assay-os`, the native part of the OS lab, one command line at a time.

    lab = OsLab(executor, find_lab())
    lab.cases()                              the cases there are
    lab.commands([("strlen", "-s", "1k")])   how command lines are understood
    done = lab.measure(("strlen", "-s", "1k"))
    done.record.samples, done.elapsed_s

All timing is done in native code; this only starts it and reads its results.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from assay.encoding import json_bytes
from assay.errors import LaunchError, NotBuiltError, UsageError
from assay.measure.executor import Executor, FinishedProcess, Launch, find_launcher
from assay.measure.targets.target import last_error_line
from assay.model import Record
from assay.os_lab import CatalogueRun, OsCase, OsCommand, OsTime
from assay.record import reader, writer
from assay.scratch import scratch_file, scratch_folder
from assay.small_files import LARGEST_RESULTS, read_small
from assay.typed_json import decoded

_Told = TypeVar("_Told")

# Seconds; `assay-os` limits the time of its own workers, and this ends it if it hangs itself.
LONGEST_S = 24 * 3600.0
_BAD_INPUT = 2


class OsMeasurement(msgspec.Struct, frozen=True):
    """What one execution of `assay-os` measured, how long it took, and what it printed."""

    record: Record
    elapsed_s: float = 0.0
    said: str = ""  # what `assay-os` wrote on standard error


class OsLab:
    """What `assay-os`, the native program of the OS lab, can be asked for."""

    def __init__(self, executor: Executor, program: Path) -> None:
        self._executor, self._program = executor, program

    def cases(self) -> tuple[OsCase, ...]:
        """Every case of this build."""
        return self._decoded_answer(self._answer("list"), tuple[OsCase, ...])

    def catalogue(self) -> tuple[CatalogueRun, ...]:
        """The runs of `assay os all`: libMicro's, under the names they have
        there, and those added here.
        """
        return self._decoded_answer(self._answer("catalogue"), tuple[CatalogueRun, ...])

    def _decoded_answer(self, answer: str, shape: type[_Told]) -> _Told:
        return decoded(answer, shape, where=str(self._program), what="an answer of this version")

    def help(self, case: str) -> str:
        """The text that explains a case's options."""
        return self._answer("help", case)

    def host_facts(self) -> str:
        """Facts on the host as libMicro's files begin with them: `!Key<tab>Value` lines."""
        return self._answer("facts")

    def commands(self, lines: Sequence[Sequence[str]]) -> tuple[OsCommand, ...]:
        """The case and options that `assay-os` reads in each of these command lines.

        Raises `UsageError`.
        """
        with scratch_file() as file:
            file.write_bytes(json_bytes(lines))
            answer = self._answer("parse", str(file))
        return self._decoded_answer(answer, tuple[OsCommand, ...])

    def benchmarks(self) -> Path:
        """The same cases as a Google Benchmark executable, for `assay run` and `assay compare`.
        Raises `NotBuiltError`: a wheel does not have it.
        """
        program = self._program.with_name("assay-os-bench")
        if program.exists():
            return program
        raise NotBuiltError(
            "the OS lab's Google Benchmark executable is not part of this installation",
            where=str(program),
        )

    def clean(self) -> None:
        """Remove files and other things that killed launches of `assay-os` left behind."""
        self._answer("clean")

    def measure(self, words: tuple[str, ...]) -> OsMeasurement:
        """Run `assay-os` with these words. Raises `UsageError` or `LaunchError`."""
        with scratch_folder() as folder:
            out = folder / "out.json"
            # --json comes before the other words, because a "--" among them ends the options.
            done = self._run(*words[:1], "--json", str(out), *words[1:])
            if not out.exists():
                raise _error_of_refusal(done, words)
            record = reader.parse(read_small(out, LARGEST_RESULTS), "its JSON")
        return OsMeasurement(record, done.wall_ns / 1e9, done.stderr_tail)

    def _answer(self, *words: str) -> str:
        done = self._run(*words)
        if not done.ok:
            raise _error_of_refusal(done, words)
        return done.stdout

    def _run(self, *words: str) -> FinishedProcess:
        return self._executor.run(Launch((str(self._program), *words), LONGEST_S))


def find_lab() -> Path:
    """The path of `assay-os`, beside the launcher. Raises `NotBuiltError`."""
    program = find_launcher().with_name("assay-os")
    if program.exists():
        return program
    raise NotBuiltError("the OS lab is not part of this installation", where=str(program))


def _error_of_refusal(done: FinishedProcess, words: tuple[str, ...]) -> Exception:
    """The error to raise after `assay-os` failed: `UsageError` if it
    refused the words it was given.
    """
    what = done.stderr_tail.rpartition("error: ")[2].splitlines()
    if done.exit_code == _BAD_INPUT and what:
        return UsageError(what[0])
    return LaunchError(
        f"it {done.describe()}{last_error_line(done)}", where="assay-os " + " ".join(words)
    )


def times_of(record: Record) -> tuple[OsTime, ...]:
    """The time of a call in each benchmark, with an interval, judged from the record."""
    from assay.judge.labs.os_times import os_times

    return os_times(record.samples)


def keep(record: Record, written: str) -> None:
    """Write a record to the file of `--json`; "" and "-" name no file. Raises `InputError`."""
    if written not in ("", "-"):
        writer.write(record, Path(written), form="json")


def as_json(record: Record) -> str:
    """The record as the text of a JSON file."""
    return writer.encode(record).decode()
