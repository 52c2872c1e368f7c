"""Programs made slower by a known share: libassay_delay.so, and what it writes.

slowed = DelayingExecutor(executor, find_delay(), share=0.05)
slowed.run(launch)
slowed.added["--benchmark_filter=^BM_copy$"]      [0.0500, 0.0501], one for each launch

The library lengthens the time between two readings of the clock, and so a timed loop. It measures
how much it really added. With `share=0` it adds nothing but still reads the clocks as often, for
the side that is not slowed.
"""

import os
import struct
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from assay.measure.executor import Executor, FinishedProcess, Launch, library_beside_launcher
from assay.scratch import scratch_file

LIBRARY = "libassay_delay.so"  # the library that slows a program down
_LAYOUT = struct.Struct("<Qqqqq")  # must match native/measure/delay/delay.hpp
# "ASYDELY1" read as a little-endian number: the file is from our library.
_MARK = 0x31594C4544595341


class DelayingExecutor:
    """Runs every process with libassay_delay.so preloaded, which slows it by a known share.

    `added` holds what was really added, as a share of the time that ran: for each filter of
    benchmarks (the word of the command line) one number for each launch that read a clock twice.
    """

    def __init__(self, executor: Executor, library: Path, share: float) -> None:
        self._executor = executor
        self._library = library
        self._share = share
        self.added: dict[str, list[float]] = {}
        self.reached = False  # whether the last program loaded it; a static one cannot

    def run(self, launch: Launch) -> FinishedProcess:
        with scratch_file() as file:
            ours = {
                "ASSAY_DELAY_SHARE": f"{self._share:.9f}",
                "ASSAY_DELAY_FILE": str(file),
                "LD_PRELOAD": self._preload(launch.env),
            }
            done = self._executor.run(replace(launch, env={**launch.env, **ours}))
            found = _read_delay_report(file)
        self.reached = found is not None
        if found is not None and found > (0, 0):
            ran_ns, added_ns = found
            self.added.setdefault(filter_argument_of(launch.argv), []).append(added_ns / ran_ns)
        return done

    def abandon(self) -> None:
        self._executor.abandon()

    def _preload(self, env: Mapping[str, str]) -> str:
        """LD_PRELOAD with our library before those that the user preloads (an allocator, say)."""
        others = env.get("LD_PRELOAD", os.environ.get("LD_PRELOAD", ""))
        return f"{self._library}:{others}" if others else str(self._library)


def filter_argument_of(argv: tuple[str, ...]) -> str:
    """The word `--benchmark_filter=...` of a command line; empty if it has none."""
    return next((word for word in argv if word.startswith("--benchmark_filter=")), "")


def find_delay() -> Path:
    """The path of libassay_delay.so, beside `assay-launch`. Raises `MeasurementError`."""
    return library_beside_launcher(LIBRARY, "Linux")


def _read_delay_report(file: Path) -> tuple[int, int] | None:
    """(time that ran, time added) in ns, as the library wrote them; None if the program did not
    load it."""
    try:
        mark, _, ran_ns, added_ns, _ = _LAYOUT.unpack(file.read_bytes())
    except (OSError, struct.error):
        return None
    return (ran_ns, added_ns) if mark == _MARK and ran_ns >= 0 and added_ns >= 0 else None
