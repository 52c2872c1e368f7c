"""Which of the files that callgrind wrote is which loop of the benchmark.

    for loop in loops(folder, done.stderr_tail):
        loop.iterations, loop.before, loop.inside

The engine logs how many iterations it is about to run, and valgrind says on the same standard
error when it writes a file. So what was written between "Running ... for 10" and "Ran in" is of the
loop of 10 iterations, and what was written elsewhere is of a loop that is not timed: that of a
memory manager, as `ASSAY_MAIN()` has one, or of a profiler.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.errors import LaunchError
from assay.measure.profile.exact.callgrind_file import trigger

BEGIN = "benchmark::State::StartKeepRunning()"
END = "benchmark::State::FinishKeepRunning()"
SAYS_WHEN = ("-v",)  # valgrind then says when it writes a file
_LINE = re.compile(
    r"^-- LOG\(2\): Running .* for (?P<iterations>\d+)$"
    r"|^-- LOG\(2\): (?P<ran>Ran in) .*$"
    r"|^--\d+-- Dump to (?P<path>.*)$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Loop:
    """One run of the benchmark's function: its iterations, and the files of its work."""

    iterations: int
    before: Path
    inside: Path


def loops(folder: Path, log: str) -> tuple[Loop, ...]:
    """Those that the engine logged, in their order. Raises `LaunchError`."""
    if not any(pairs_of_files(folder)):
        raise LaunchError(
            f"it never called {BEGIN}: it is stripped, links the engine's code together with "
            "its own (LTO), or ended before its loop"
        )
    found = tuple(_loop(*one) for one in _logged(log, folder))
    if not found:
        raise LaunchError("its engine does not say how many iterations it runs (--v=2)")
    return found


def pairs_of_files(folder: Path) -> Iterator[tuple[Path, Path]]:
    """What was written where a loop begins, and where it then ends."""
    yield from _pairs(sorted(folder.glob("part.*"), key=_number))


def _logged(log: str, folder: Path) -> list[tuple[int, list[Path]]]:
    """What was written while each loop ran, by the number of its iterations."""
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


def _loop(iterations: int, files: list[Path]) -> Loop:
    pairs = list(_pairs(path for path in files if path.exists()))
    if len(pairs) > 1:
        raise LaunchError("several threads run its loop, which callgrind cannot tell apart")
    if not pairs:
        raise LaunchError(
            f"it ran a loop of {iterations} iterations that callgrind did not count by itself"
        )
    return Loop(iterations, *pairs[0])


def _pairs(paths: Iterator[Path] | list[Path]) -> Iterator[tuple[Path, Path]]:
    before: Path | None = None
    for path in paths:
        what = trigger(_head(path))
        if what.startswith("--dump-before="):
            before = path
        elif what.startswith("--dump-after=") and before is not None:
            yield before, path
            before = None


def _number(path: Path) -> int:
    digits = path.suffix.removeprefix(".")
    return int(digits) if digits.isdigit() else 0


def _head(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(20_000).decode(errors="replace")
