"""A Google Benchmark executable as a target, any version from 1.5 on.

One launch measures one benchmark: `--benchmark_filter=^name$`, a few short repetitions, and JSON
into a file of its own. The executable needs nothing else, so those built by others work unchanged.
"""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.errors import InputError, LaunchError, MeasurementError
from assay.measure.effort import OVERSHOOT, Effort, LaunchCosts, costs_from_trial
from assay.measure.executor import Executor, FinishedProcess, Launch
from assay.measure.targets.libraries import missing_libraries
from assay.measure.targets.listing import LINE_BREAK, NOTHING, lines_of, names_in
from assay.measure.targets.target import LaunchResult, last_error_line
from assay.model import Record, Sample
from assay.scratch import scratch_file

_LARGEST_JSON_BYTES = 64 << 20  # bytes of a launch's JSON at most; usually it has some KB
# A function from a JSON file's bytes, and its name for messages, to the record in it.
Parser = Callable[[bytes, str], Record]
_SPECIAL = re.compile(r"[.\[\\(){*+?|^$]")  # characters that mean something in a regular expression


class GBenchTarget(msgspec.Struct, frozen=True):
    """A Google Benchmark executable as a target: its path and arguments, and the parser of its
    JSON."""

    argv: tuple[str, ...]
    label: str
    executor: Executor
    parse: Parser
    timeout_s: float
    counts_iterations: bool = False  # understands --benchmark_min_time=<n>x (version 1.8 on)
    start_s: float = 0.0  # seconds that starting the process takes, with listing its benchmarks

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        """Names of the executable's benchmarks, in its own order. Raises `MeasurementError`."""
        done = self._run_listing(filter_regex)
        if not done.ok:
            self._refuse_missing_libraries(done)
            raise MeasurementError(
                f"listing its benchmarks failed: it {done.describe()}{last_error_line(done)}",
                where=self.label,
                hint="is it a Google Benchmark executable?",
            )
        if done.printed_too_much:
            raise MeasurementError(
                f"printed {done.printed_bytes / 1e6:,.0f} MB when asked for its benchmarks",
                where=self.label,
                hint="is it a Google Benchmark executable?",
            )
        return names_in(done.stdout, self._lines_of_broken_names(done.stdout))

    def _refuse_missing_libraries(self, done: FinishedProcess) -> None:
        """Raise `MeasurementError` if the program did not start for lack of shared libraries."""
        missing = missing_libraries(done, self.argv, self.executor)
        if missing:
            them = "it" if len(missing) == 1 else "them"
            raise MeasurementError(
                f"cannot start without {' and '.join(missing)}",
                where=self.label,
                hint=f"install what has {them}, or set LD_LIBRARY_PATH to the folder",
            )

    def _run_listing(self, filter_regex: str) -> FinishedProcess:
        chosen = [f"--benchmark_filter={filter_regex}"] if filter_regex else []
        return self._run(["--benchmark_list_tests=true", *chosen])

    def _lines_of_broken_names(self, listing: str) -> str:
        """The lines of a listing that belong to names with a line break in them; usually empty.

        A program that lists everything whatever the filter is cannot be asked; then it is empty.
        """
        if len(lines_of(listing)) < 2:
            return ""
        found = self._run_listing(LINE_BREAK)
        if not found.ok or not lines_of(found.stdout):
            return ""
        nothing = self._run_listing(NOTHING)
        return "" if lines_of(nothing.stdout) or not nothing.ok else found.stdout

    def with_probed_engine(self) -> "GBenchTarget":
        """This target, with its start-up time, and whether it accepts a number of iterations.

        Versions up to 1.7 take a plain number of seconds, and stop at anything else. But if main()
        does not check for unknown flags, they only complain and measure for 0.5 s.
        """
        done = self._run(["--benchmark_list_tests=true", "--benchmark_min_time=1x"])
        refused = not done.ok or "benchmark_min_time" in done.stderr_tail
        # The start-up time is that of the second start, when files are cached as in later launches.
        again = self._run(["--benchmark_list_tests=true"])
        start_s = again.wall_ns * 1e-9
        return replace(self, counts_iterations=not refused, start_s=start_s)

    def named_as_long_as(self, length: int) -> "GBenchTarget":
        """The same program by a path that repeated slashes lengthen to `length` characters.

        The path that a program is started by lies on its stack and is copied to its heap, so a
        longer one shifts its allocations: 5 characters more made a 16 KB copy 0.7 % slower
        (after Mytkowicz et al., "Producing wrong data", ASPLOS 2009).
        """
        folder, slash, name = self.argv[0].rpartition("/")
        more = "/" * max(0, length - len(self.argv[0]))
        return replace(self, argv=(f"{folder}{slash}{more}{name}", *self.argv[1:]))

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        """Measure one benchmark once. Raises `LaunchError` saying how it failed."""
        with scratch_file() as out:
            flags = [*self._flags(benchmark, effort), f"--benchmark_out={out}"]
            done = self._run(flags, cpu, count_threads=effort.trial)
            if not done.ok:
                raise LaunchError(f"it {done.describe()}{last_error_line(done)}")
            record = self._parsed_record(out)
        sample = _sample_of(record, benchmark)
        costs = self._costs(sample, done, effort) if effort.trial else None
        return LaunchResult(sample, record, done, costs)

    def _costs(self, sample: Sample, done: FinishedProcess, effort: Effort) -> LaunchCosts:
        return costs_from_trial(
            sample,
            done.wall_ns * 1e-9,
            effort,
            start_s=self.start_s,
            counts_iterations=self.counts_iterations,
        )

    def _flags(self, benchmark: str, effort: Effort) -> list[str]:
        amount = f"{effort.min_time_s / OVERSHOOT:g}"
        if self.counts_iterations:
            amount = f"{effort.iterations}x" if effort.iterations else f"{amount}s"
        return [
            f"--benchmark_filter=^{escape(benchmark)}$",
            f"--benchmark_min_time={amount}",
            f"--benchmark_repetitions={effort.repetitions}",
            "--benchmark_report_aggregates_only=false",
            "--benchmark_out_format=json",
        ]

    def _run(
        self, flags: list[str], cpu: int | None = None, *, count_threads: bool = False
    ) -> FinishedProcess:
        launch = Launch((*self.argv, *flags), self.timeout_s, cpu, count_threads)
        return self.executor.run(launch)

    def _parsed_record(self, out: Path) -> Record:
        if not out.exists() or out.stat().st_size == 0:
            raise LaunchError("it wrote no JSON (did something end it early?)")
        if out.stat().st_size > _LARGEST_JSON_BYTES:
            raise LaunchError(
                f"it wrote {out.stat().st_size / 1e6:,.0f} MB of JSON for one benchmark"
            )
        try:
            # The JSON contains the program's path, which need not be UTF-8.
            text = out.read_bytes().decode(errors="replace")
            return self.parse(text.encode(), "its JSON")
        except InputError as error:
            raise LaunchError(f"it wrote JSON that cannot be used: {error.message}") from None


def escape(name: str) -> str:
    r"""`name` as a regular expression that matches only itself.

    Google Benchmark may be built with ECMAScript or POSIX extended syntax;
    these and only these characters may be escaped in both ("\]" may not).

        >>> escape("BM_copy<T*>/8")
        'BM_copy<T\\*>/8'
    """
    return _SPECIAL.sub(r"\\\g<0>", name)


def _sample_of(record: Record, benchmark: str) -> Sample:
    """The sample of one benchmark in a record. Raises `LaunchError` where there is none."""
    for failure in record.failures:
        raise LaunchError(f"it reported an error: {failure.what}")
    for sample in record.samples:
        if sample.benchmark == benchmark:
            return sample
    if record.samples:
        raise LaunchError(f"it measured {record.samples[0].benchmark!r} instead")
    raise LaunchError("it ended without measuring anything")
