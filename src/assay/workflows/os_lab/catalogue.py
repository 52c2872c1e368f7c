"""Measures the whole catalogue of the OS lab in rounds; it can be resumed and has a budget.

    result = run_catalogue(CataloguePlan(keep=Destination(Path("os.json"))), lab, clock, watch)

A round launches every run once, until the run is settled: its interval is narrow, or it had its
time. So the launches of one run lie seconds apart. A temporary disturbance hits some launches of
all runs instead of all launches of some, and memory lies elsewhere in each launch. Every launch is
in the journal before the next begins. An existing journal is continued where it ends; runs that
failed or were skipped are tried again only in a new journal.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from assay.errors import LaunchError, NoBenchmarksError
from assay.interrupts import Interrupted, stoppable_measuring
from assay.judge.labs.os_times import ENOUGH_LAUNCHES, FEWEST_LAUNCHES, SAMPLES, RunHistory
from assay.measure.clock import Clock
from assay.model import Failure, Record, Sample
from assay.os_lab import WHOLE_CATALOGUE, CatalogueRun
from assay.record.journal import Journal, parse_journal
from assay.small_files import LARGEST_RESULTS, read_small
from assay.workflows.common.matching import compiled
from assay.workflows.common.output import Destination
from assay.workflows.common.session_facts import session_facts
from assay.workflows.os_lab.lab import OsLab

LONGEST_VISIT_S = 0.14
_OVERHEAD_S = 0.05  # seconds that a launch takes beyond the time that it measures
_SHORTEST_VISIT_S = 0.01


class CataloguePlan(msgspec.Struct, frozen=True):
    """The request of one `assay os all`."""

    filter: str = ""
    origin: str = ""  # only runs from "libMicro" or "Linux"; empty: both
    budget_s: float | None = None
    keep: Destination = msgspec.field(default_factory=Destination)
    more: tuple[str, ...] = ()  # options of `assay-os` added to every run


class CatalogueResult(msgspec.Struct, frozen=True):
    """The record of the catalogue's runs, where it is kept, and how many launches are missing."""

    record: Record
    kept_in: str
    left: int = 0  # launches not made, because the budget was spent or an interrupt came
    interrupted_by: int | None = None


# A function that shows progress. Its arguments: launches made so far, launches that there will be
# at least, and the run that is next.
Watch = Callable[[int, int, str], None]


def run_catalogue(plan: CataloguePlan, lab: OsLab, clock: Clock, watch: Watch) -> CatalogueResult:
    """Measure the runs that are not settled yet. An interrupt ends only the measuring."""
    runs = _chosen_runs(lab.catalogue(), plan)
    path = _journal_of(plan)
    with stoppable_measuring() as stop, _opened(path) as journal:
        session = _CatalogueSession(plan, lab, clock, journal, runs)
        session.take_up(parse_journal(read_small(path, LARGEST_RESULTS), str(path)))
        try:
            session.measure(watch)
        except Interrupted:
            lab.clean()
    record = _in_order(parse_journal(journal.content(), str(path)), runs)
    left = session.missing()
    if stop.interrupted_by is not None:
        left = max(left, len(session.unsettled()))
    kept = str(path) if left else _place_of_results(record, plan, path)
    return CatalogueResult(record, kept, left, stop.interrupted_by)


def confirm_catalogue(plan: CataloguePlan, result: CatalogueResult) -> None:
    """Raise `InputError` if the results are not kept: as a journal while runs are left."""
    keep = Destination() if result.left else plan.keep
    keep.confirm(result.record, result.kept_in)


class _CatalogueSession:
    """Measures the runs of the OS lab's catalogue in rounds, within a budget if there is one."""

    def __init__(
        self,
        plan: CataloguePlan,
        lab: OsLab,
        clock: Clock,
        journal: Journal,
        runs: Sequence[CatalogueRun],
    ) -> None:
        self.plan, self.lab, self.clock = plan, lab, clock
        self.journal, self.runs = journal, runs
        self.visits = {run.name: RunHistory() for run in runs}
        self.given_up: set[str] = set()
        self.made = 0
        self.began_s = clock.now_s()
        self.fewest = _fewest_launches(plan, len(runs))

    def take_up(self, record: Record) -> None:
        """Take over what an earlier session left in the journal: launches
        made, and runs that failed.
        """
        for sample in record.samples:
            if sample.benchmark in self.visits:
                self.visits[sample.benchmark].add(sample.values["real_time"], 0.0)
                self.made += 1
        self.given_up.update(failure.benchmark for failure in record.failures)

    def unsettled(self) -> list[CatalogueRun]:
        """The runs to launch next: of those not settled, the ones with the fewest launches."""
        found = [
            run
            for run in self.runs
            if run.name not in self.given_up and not self.visits[run.name].settled(self.fewest)
        ]
        least = min((self._count(run) for run in found), default=0)
        return [run for run in found if self._count(run) == least]

    def missing(self) -> int:
        """How many launches are missing until every run has the number that
        each is to get at least.
        """
        return sum(
            max(0, self.fewest - self._count(run))
            for run in self.runs
            if run.name not in self.given_up
        )

    def measure(self, watch: Watch) -> None:
        """Launch the unsettled runs, round after round, while there is time."""
        while waiting := self.unsettled():
            for place, run in enumerate(waiting):
                longest_s = self._longest_s(max(self.missing(), len(waiting) - place))
                if longest_s is None:
                    return
                watch(self.made, self.made + max(self.missing(), len(waiting) - place), run.name)
                self._launch_run(run, longest_s)
                self.made += 1

    def _count(self, run: CatalogueRun) -> int:
        return len(self.visits[run.name].figures_ns)

    def _longest_s(self, visits_left: int) -> float | None:
        """Seconds that the next launch may measure: its share of the time left.

        None if no time is left.
        """
        if self.plan.budget_s is None:
            return LONGEST_VISIT_S
        left_s = self.plan.budget_s - (self.clock.now_s() - self.began_s)
        if left_s <= 0:
            return None
        share_s = left_s / visits_left - _OVERHEAD_S
        return max(_SHORTEST_VISIT_S, min(LONGEST_VISIT_S, share_s))

    def _launch_run(self, run: CatalogueRun, longest_s: float) -> None:
        words = (*run.words, *visit_options(run.words, longest_s), *self.plan.more)
        began_s = self.clock.now_s()
        try:
            record = self.lab.measure(words).record
        except LaunchError as error:
            self._give_up(Failure(benchmark=run.name, what=error.message))
            return
        number, spent_s = self._count(run), self.clock.now_s() - began_s
        for sample in record.samples:
            self.journal.append(msgspec.structs.replace(sample, launch=number))
            self.visits[run.name].add(sample.values["real_time"], spent_s)
        for failure in record.failures:
            self._give_up(failure)
        if not record.samples and not record.failures:
            self._give_up(Failure(benchmark=run.name, what="gave no samples"))

    def _give_up(self, failure: Failure) -> None:
        self.given_up.add(failure.benchmark)
        self.journal.append(failure)


def visit_options(words: Sequence[str], longest_s: float) -> tuple[str, ...]:
    """Options of `assay-os` for one launch: at most `longest_s` seconds, and this launch's part of
    the samples that the run's own options ask for.
    """
    samples = SAMPLES
    if "-C" in words:
        samples = max(1, int(words[words.index("-C") + 1]) // FEWEST_LAUNCHES)
    return ("-C", str(samples), "-D", f"{longest_s:.3f}", "--launches", "1")


def _fewest_launches(plan: CataloguePlan, runs: int) -> int:
    """How many launches every run is to get: fewer than usual if the budget
    pays for short ones only.
    """
    if plan.budget_s is None:
        return FEWEST_LAUNCHES
    allowed = int(plan.budget_s / (runs * (_OVERHEAD_S + _SHORTEST_VISIT_S)))
    return min(FEWEST_LAUNCHES, max(ENOUGH_LAUNCHES, allowed))


def _chosen_runs(runs: Sequence[CatalogueRun], plan: CataloguePlan) -> list[CatalogueRun]:
    regex = compiled(plan.filter, "--filter")
    chosen = [run for run in runs if regex.search(run.name) and plan.origin in ("", run.origin)]
    if not chosen:
        raise NoBenchmarksError("no run of that name", where=f"--filter {plan.filter}")
    return chosen


def _journal_of(plan: CataloguePlan) -> Path:
    """The path of the journal.

    It lies beside the record; without a record it is always the same, so that the next command
    finds it and continues.
    """
    output = plan.keep.output
    path = Destination(output).journal()
    return path if output is not None else path.with_name("os-all.journal")


def _opened(path: Path) -> Journal:
    if path.exists():
        return Journal.reopened(path)
    return Journal(path, {}, session_facts({"target": WHOLE_CATALOGUE}))


def _in_order(record: Record, runs: Sequence[CatalogueRun]) -> Record:
    order = {run.name: place for place, run in enumerate(runs)}
    samples: list[Sample] = [sample for sample in record.samples if sample.benchmark in order]
    samples.sort(key=lambda sample: (order[sample.benchmark], sample.launch))
    return msgspec.structs.replace(record, samples=tuple(samples))


def _place_of_results(record: Record, plan: CataloguePlan, path: Path) -> str:
    """Where the results are now. A complete journal is moved out of the way of the next one."""
    if plan.keep.is_asked:
        return plan.keep.finish(record, path)
    return str(path.rename(Destination().journal()))
