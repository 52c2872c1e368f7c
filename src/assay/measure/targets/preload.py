"""Counts allocations of programs not built with Assay, by preloading libassay_preload.so.

counting = PreloadingExecutor(executor, find_preload())
counting.run(launch)
counting.tally.allocs

A tally is the sum over all processes of a launch; its peak is that of the process with the highest.
If the program cannot load the library (linked statically, set-uid) or has a malloc of its own,
there is no tally but a reason, and never a count of zero.
"""

import os
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.errors import InputError
from assay.measure.executor import Executor, FinishedProcess, Launch, library_beside_launcher
from assay.scratch import scratch_folder
from assay.typed_json import decoded

LIBRARY = "libassay_preload.so"


class AllocationTally(msgspec.Struct, frozen=True):
    """How often the processes of one launch allocated and freed memory, and how many bytes."""

    allocs: int
    reallocs: int
    frees: int
    bytes: int
    leaked_bytes: int
    peak_bytes: int


class PreloadingExecutor:
    """Runs every process with libassay_preload.so, which counts allocations; `tally` is that of the
    last launch."""

    def __init__(self, executor: Executor, library: Path) -> None:
        self._executor = executor
        self._library = library
        self.tally: AllocationTally | None = None
        self.reason = "nothing ran yet"  # why there is no tally of the last launch

    def run(self, launch: Launch) -> FinishedProcess:
        with scratch_folder() as folder:
            file = folder / "tally"
            env = {**launch.env, "ASSAY_ALLOCATIONS_FILE": str(file), "LD_PRELOAD": self._preload()}
            done = self._executor.run(replace(launch, env=env))
            self.tally, self.reason = tally_of(file.read_text() if file.exists() else "")
        return done

    def abandon(self) -> None:
        self._executor.abandon()

    def _preload(self) -> str:
        """LD_PRELOAD with our library before those that the user preloads (an allocator, say)."""
        others = os.environ.get("LD_PRELOAD", "")
        return f"{self._library}:{others}" if others else str(self._library)


def tally_of(text: str) -> tuple[AllocationTally | None, str]:
    """The sum of what all processes of a launch wrote; or None, and why there is no sum."""
    try:
        lines = [decoded(line, _Line, where="", what="a tally") for line in text.splitlines()]
    except InputError as error:
        return None, f"what it wrote {error.what}: was it ended by a signal?"
    if not lines:
        return None, "it wrote no tally: linked statically, set-uid, or ended by a signal"
    stranger = next((line for line in lines if not line.counted), None)
    if stranger is not None:
        return None, f"{stranger.program} has a malloc of its own"
    names = ("allocs", "reallocs", "frees", "bytes", "leaked_bytes")
    sums = {name: sum(getattr(line, name) for line in lines) for name in names}
    return AllocationTally(**sums, peak_bytes=max(line.peak_bytes for line in lines)), ""


class _Line(msgspec.Struct):
    """The counts of one process, which it wrote when it ended."""

    counted: bool
    program: str = ""
    allocs: int = 0
    reallocs: int = 0
    frees: int = 0
    bytes: int = 0
    leaked_bytes: int = 0
    peak_bytes: int = 0


def find_preload() -> Path:
    """The path of libassay_preload.so, beside `assay-launch`. Raises `MeasurementError`."""
    return library_beside_launcher(LIBRARY, "64-bit glibc")
