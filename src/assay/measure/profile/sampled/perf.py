"""Takes samples of where a program is with `perf record`, by a timer or by CPU cycles.

    perf = Perf(executor)               raises `MeasurementError` where perf cannot sample
    taken = perf.record(target, "BM_append", effort, cpu=1)
    taken.samples, taken.launched.sample

Stacks are unwound from a copy of each sample's stack, with the tables that every C++ executable has
for exceptions. Ordinary `-O2` code keeps no frame pointers, and without its callers the time in a
`memmove` could be given to nobody. libassay_stretches.so records when the benchmark's loop ran.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.errors import LaunchError, MeasurementError
from assay.measure.effort import Effort
from assay.measure.executor import Executor, FinishedProcess, Launch, find_launcher
from assay.measure.fixed_addresses import fixed_addresses
from assay.measure.placed_executor import PlacedExecutor
from assay.measure.profile.sampled.perf_text import FIELDS, RawSample, parse
from assay.measure.profile.sampled.stretches import SpanSet, Stretches, read
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.target import LaunchResult, last_error_line
from assay.scratch import scratch_folder

LIBRARY = "libassay_stretches.so"
_RATE = 3000  # samples a second; each costs about 25 us on a VM, which slows both sides by 9 %
_STACK = 4096  # bytes of the program's stack that are copied with each sample
_TIMEOUT_S = 120.0  # seconds that one command of perf may take
_PMU = Path("/sys/bus/event_source/devices")  # lists the CPU's units that count events
# perf: no thread that watches BPF programs, as ending it takes a second, and no hashes of files.
_QUICKLY = ("-q", "-N", "-B", "--no-bpf-event")
_PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")


class PerfRecording(msgspec.Struct, frozen=True):
    """One launch under perf: the benchmark's own result, and where perf saw the program."""

    launched: LaunchResult
    samples: tuple[RawSample, ...]
    loop_only: bool  # whether the samples are of the timed loops only; else of the whole process
    delayed: float = 0.0  # fraction of the loop's time in which others ran on its CPU


class Perf:
    """perf on this machine, with the first event that it can sample by here."""

    def __init__(self, executor: Executor) -> None:
        program = shutil.which("perf")
        if program is None:
            raise MeasurementError(
                "perf is not installed: time is sampled by it", hint="apt-get install linux-perf"
            )
        self.executor = executor
        self.program = program
        self.event = self._usable_event()  # the event that samples are taken by, such as "cycles"
        # Words before a command that switch address randomisation off. perf keeps mappings from
        # before an `exec`, and could not unwind a library that then lay lower: malloc seemed
        # uncalled.
        self.fixed = fixed_addresses(executor)

    @property
    def sees_kernel(self) -> bool:
        """Whether samples are taken in the kernel too."""
        return not self.event.endswith(":u")

    def record(
        self, target: GBenchTarget | CommandTarget, benchmark: str, effort: Effort, cpu: int | None
    ) -> PerfRecording:
        """Launch the target once under `perf record`. Raises `LaunchError` saying how it failed."""
        with scratch_folder() as files:
            # Not for commands: loading the library takes 2 ms, which would be measured too.
            library = _stretches_library() if isinstance(target, GBenchTarget) else None
            recorder = _Recorder(self, files, cpu, library)
            launched = replace(target, executor=_with_recorder(target.executor, recorder)).launch(
                benchmark, effort, None if recorder.pins else cpu
            )
            samples = tuple(parse(self._samples_as_text(files / "data")))
            return _recording_of_loops(launched, samples, read(files / "stretches"))

    def _samples_as_text(self, data: Path) -> str:
        """The samples in a file of perf, as text. Raises `LaunchError`."""
        argv = (self.program, "script", "-i", str(data), "--no-inline", "--no-demangle", "--ns")
        done = self.executor.run(Launch((*argv, "-F", FIELDS), _TIMEOUT_S))
        if not done.ok:
            raise LaunchError(
                f"perf cannot read its samples: it {done.describe()}{last_error_line(done)}"
            )
        return done.stdout

    def _usable_event(self) -> str:
        """The first event with which perf can sample here. Raises `MeasurementError` if there is
        none."""
        with scratch_folder() as folder:
            for event in _events_to_try():
                argv = self.command(event, folder / "data")
                done = self.executor.run(Launch((*argv, "true"), _TIMEOUT_S))
                if done.ok:
                    return event
        raise MeasurementError(f"perf cannot sample here{_reason_event_is_unusable(done)}")

    def command(self, event: str, data: Path) -> tuple[str, ...]:
        """The words before a program's command line that run it under `perf record`."""
        stack = ("--call-graph", f"dwarf,{_STACK}")
        rate = ("-k", "CLOCK_MONOTONIC", "-e", event, "-F", str(_RATE))
        return (self.program, "record", *_QUICKLY, *rate, *stack, "-o", str(data), "--")


class _Recorder:
    """An executor that runs each process under perf, with perf itself on other CPUs than the
    measured one."""

    def __init__(self, perf: Perf, files: Path, cpu: int | None, library: Path | None) -> None:
        self._perf, self._files, self._library = perf, files, library
        taskset = shutil.which("taskset")
        self._pinned = (taskset, "-c", str(cpu)) if taskset and cpu is not None else ()
        self.pins = bool(self._pinned)

    def run(self, launch: Launch) -> FinishedProcess:
        record = self._perf.command(self._perf.event, self._files / "data")
        program = (*self._pinned, *self._preloading(launch.env), *launch.argv)
        argv = (*self._perf.fixed, *record, *program)
        return self._perf.executor.run(replace(launch, argv=argv))

    def abandon(self) -> None:
        self._perf.executor.abandon()

    def _preloading(self, env: Mapping[str, str]) -> tuple[str, ...]:
        """Sets LD_PRELOAD by `env`, so that the program loads the library and perf does not."""
        program = shutil.which("env")
        if program is None or self._library is None:
            return ()
        others = env.get("LD_PRELOAD", os.environ.get("LD_PRELOAD", ""))
        preload = f"{self._library}:{others}" if others else str(self._library)
        return (program, f"LD_PRELOAD={preload}", f"ASSAY_STRETCHES_FILE={self._files}/stretches")


def _events_to_try() -> tuple[str, ...]:
    """The events to try, in order: cycles if the CPU counts them, then a timer; then both with
    ":u".

    ":u" leaves the kernel out, which needs no privilege. Without a cycle counter perf would
    silently use the timer for `cycles`, but not at the rate asked for.
    """
    counted = any(_PMU.glob("cpu*")) or any(_PMU.glob("armv8*"))
    names = ("cycles", "cpu-clock") if counted else ("cpu-clock",)
    return (*names, *(f"{name}:u" for name in names))


def _stretches_library() -> Path | None:
    """libassay_stretches.so; None where it is not installed."""
    library = find_launcher().parent / LIBRARY
    return library if library.exists() else None


def _with_recorder(place: Executor, recorder: _Recorder) -> Executor:
    """The executor with `recorder` in place of what runs its processes; its folder and variables
    stay."""
    return place.with_executor(recorder) if isinstance(place, PlacedExecutor) else recorder


def _recording_of_loops(
    launched: LaunchResult, samples: tuple[RawSample, ...], stretches: Stretches | None
) -> PerfRecording:
    """The samples taken while a timed loop ran, the engine's estimating loops included; all
    samples of the process if it is not known when loops ran.
    """
    if stretches is None:
        return PerfRecording(launched, samples, loop_only=False)
    inside = SpanSet(stretches.stretches)
    kept = tuple(one for one in samples if one.time_ns in inside)
    return PerfRecording(launched, kept, loop_only=True, delayed=stretches.share_delayed)


def _reason_event_is_unusable(done: FinishedProcess) -> str:
    """Why perf failed, for a message."""
    try:
        level = int(_PARANOID.read_text())
    except (OSError, ValueError):
        return last_error_line(done)
    if level > 2:
        return (
            f": kernel.perf_event_paranoid is {level}, and it takes 2 or less "
            "(sysctl kernel.perf_event_paranoid=2)"
        )
    return last_error_line(done)
