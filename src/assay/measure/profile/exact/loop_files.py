"""Matches the files that callgrind wrote to the loops of the benchmark.

    for loop in loops_in_log(folder, done.stderr_tail):
        loop.iterations, loop.before, loop.inside

The engine logs how many iterations it is about to run, and valgrind logs each file that it writes,
both on standard error. So a file written between "Running ... for 10" and "Ran in" belongs to the
loop of 10 iterations. A file written elsewhere is of a loop that is not timed: the one for a memory
manager, which `ASSAY_MAIN()` has, or for a profiler.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.errors import LaunchError
from assay.measure.profile.exact.callgrind_file import event_that_wrote

BEGIN = "benchmark::State::StartKeepRunning()"  # is called where a benchmark's loop begins
END = "benchmark::State::FinishKeepRunning()"  # is called where a benchmark's loop ends
SAYS_WHEN = ("-v",)  # makes valgrind log each file that it writes
_LINE = re.compile(  # lines of the log: a loop begins, a loop has ended, a file was written
    r"^-- LOG\(2\): Running .* for (?P<iterations>\d+)$"
    r"|^-- LOG\(2\): (?P<ran>Ran in) .*$"
    r"|^--\d+-- Dump to (?P<path>.*)$",
    re.MULTILINE,
)


class LoopWork(msgspec.Struct, frozen=True):
    """One loop of a benchmark: its iterations, and the callgrind files of what ran before and in
    it."""

    iterations: int
    before: Path
    inside: Path


def loops_in_log(folder: Path, log: str) -> tuple[LoopWork, ...]:
    """The loops that the engine's log tells of, in order. Raises `LaunchError`."""
    if not any(pairs_of_files(folder)):
        raise LaunchError(
            f"it never called {BEGIN}: it is stripped, links the engine's code together with "
            "its own (LTO), or ended before its loop"
        )
    found = tuple(_loop(*one) for one in _files_by_logged_loop(log, folder))
    if not found:
        raise LaunchError("its engine does not say how many iterations it runs (--v=2)")
    return found


def pairs_of_files(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Pairs of callgrind files: one written where a loop begins, and one written where it ends."""
    yield from _pairs(sorted(folder.glob("part.*"), key=_number))


def _files_by_logged_loop(log: str, folder: Path) -> list[tuple[int, list[Path]]]:
    """For each loop in the log, its number of iterations and the files written while it ran."""
    found: list[tuple[int, list[Path]]] = []
    is_running = False
    for line in _LINE.finditer(log):
        if line["iterations"]:
            found.append((int(line["iterations"]), []))
            is_running = True
        elif line["ran"]:
            is_running = False
        elif is_running:
            found[-1][1].append(folder / Path(line["path"]).name)
    return found


def _loop(iterations: int, files: list[Path]) -> LoopWork:
    """The two files of one loop. Raises `LaunchError` unless there is exactly one pair."""
    pairs = list(_pairs(path for path in files if path.exists()))
    if len(pairs) > 1:
        raise LaunchError("several threads run its loop, which callgrind cannot tell apart")
    if not pairs:
        raise LaunchError(
            f"it ran a loop of {iterations} iterations that callgrind did not count by itself"
        )
    return LoopWork(iterations, *pairs[0])


def _pairs(paths: Iterator[Path] | list[Path]) -> Iterator[tuple[Path, Path]]:
    """Each file written where a loop began, with the next one written where a loop ended."""
    before: Path | None = None
    for path in paths:
        what = event_that_wrote(_beginning_of_file(path))
        if what.startswith("--dump-before="):
            before = path
        elif what.startswith("--dump-after=") and before is not None:
            yield before, path
            before = None


def _number(path: Path) -> int:
    """The number at the end of a file's name, by which callgrind orders them."""
    digits = path.suffix.removeprefix(".")
    return int(digits) if digits.isdigit() else 0


def _beginning_of_file(path: Path) -> str:
    """The beginning of a file, which says what made callgrind write it."""
    with path.open("rb") as file:
        return file.read(20_000).decode(errors="replace")
