"""The two sides of a try: the program, and a copy of it, as it is or slowed by a known share.

    sides = ProgramAndCopy.of(target, executor, folder)
    base, candidate, by = sides.slowed_pair(0.05)
    shares_added_to(by, "BM_copy")

The copy is another file with the same bytes, just as a new build would be another file.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.errors import InputError, LaunchError, MeasurementError, UsageError
from assay.measure.delay import LIBRARY, DelayingExecutor, find_delay
from assay.measure.executor import Executor
from assay.measure.targets.gbench import GBenchTarget, escape
from assay.measure.targets.linked import LinkedTarget, targets_of_links
from assay.measure.targets.target import Target
from assay.workflows.common.targets import RecordedTarget, with_executor

HOW = (
    f"by a delay: {LIBRARY}, preloaded, makes the time between two readings of the clock longer by "
    "that share, with real and CPU time passing; the other side has the same library, which adds "
    "nothing there"
)


class ProgramAndCopy(msgspec.Struct, frozen=True):
    """A program and its copy. `why_not` says why the copy cannot be slowed; empty if it can.

    `links` are the same program linked again, with its functions in random orders.
    """

    program: GBenchTarget
    copy: GBenchTarget
    executor: Executor
    library: Path | None
    why_not: str = ""
    links: tuple[GBenchTarget, ...] = ()

    @staticmethod
    def of(
        target: Target | RecordedTarget,
        executor: Executor,
        folder: Path,
        links: Sequence[Path] = (),
    ) -> "ProgramAndCopy":
        """Copy the program into `folder`. Raises `InputError`, `UsageError`."""
        if not isinstance(target, GBenchTarget):
            hint = "name a Google Benchmark executable, or . in the folder of its assay.toml"
            raise UsageError("is no program whose loops are timed", where=target.label, hint=hint)
        copy = _copy_of_program(target, folder)
        library, why_not = _library(copy, executor)
        placed = targets_of_links(target, links) if len(links) > 1 else ()
        return ProgramAndCopy(target, copy, executor, library, why_not, placed)

    def unslowed_pair(self) -> tuple[GBenchTarget, GBenchTarget]:
        """The program and its copy, neither slowed."""
        return self.program, self.copy

    def placed(self) -> tuple[LinkedTarget, LinkedTarget]:
        """Two targets that differ only in code placement.

        One is all links of the program, the other the same links moved on by one, so that each
        round pairs two different links.
        """
        return LinkedTarget(self.links), LinkedTarget((*self.links[1:], self.links[0]))

    def slowed_pair(self, share: float) -> tuple[GBenchTarget, GBenchTarget, DelayingExecutor]:
        """The program, the slowed copy, and an object that knows by how much it was slowed."""
        assert self.library is not None
        by = DelayingExecutor(self.executor, self.library, share)
        base = _with_executor(self.program, DelayingExecutor(self.executor, self.library, 0.0))
        return base, _with_executor(self.copy, by), by


def shares_added_to(by: DelayingExecutor, benchmark: str) -> list[float]:
    """The share of its time by which each launch of a benchmark was slowed on purpose."""
    return by.added.get(f"--benchmark_filter=^{escape(benchmark)}$", [])


def _with_executor(target: GBenchTarget, executor: Executor) -> GBenchTarget:
    found = with_executor(target, executor)
    assert isinstance(found, GBenchTarget)
    return found


def _copy_of_program(target: GBenchTarget, folder: Path) -> GBenchTarget:
    """A copy of the program in `folder`. `InputError` if it cannot be copied or does not run.

    Raises `MeasurementError` if the program does not run itself.
    """
    listed = target.benchmarks("")
    program = Path(target.argv[0])
    copy = folder / program.name
    try:
        shutil.copy2(program, copy)
    except OSError as error:
        raise InputError(f"cannot be copied: {error.strerror}", where=str(program)) from None
    copied = replace(target, argv=(str(copy), *target.argv[1:]), label=f"{target.label} (a copy)")
    try:
        found = copied.benchmarks("")
    except MeasurementError as error:
        what = f"its copy does not run: {error.what}"
        hint = "does it look for its libraries beside itself? set LD_LIBRARY_PATH to where they are"
        raise InputError(what, where=target.label, hint=hint) from None
    if found != listed:
        raise InputError("its copy lists other benchmarks than it does", where=target.label)
    return copied


def _library(copy: GBenchTarget, executor: Executor) -> tuple[Path | None, str]:
    """The library that slows the copy; or None, and why the copy cannot be slowed."""
    try:
        library = find_delay()
    except MeasurementError as error:
        return None, error.message
    trial = DelayingExecutor(executor, library, 0.0)
    try:
        _with_executor(copy, trial).benchmarks("")
    except (LaunchError, MeasurementError) as error:
        return None, f"it does not run with {LIBRARY} preloaded: {error.what}"
    if not trial.reached:
        return None, f"{LIBRARY} cannot be preloaded into it: it is linked statically, or set-uid"
    return library, ""
