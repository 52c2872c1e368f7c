"""The whole catalogue of the OS lab: in rounds, resumable, within a budget.

    result = run_catalogue(CataloguePlan(output=Path("os.json")), lab, clock, watch)

A round visits every run once. So a run's visits lie minutes apart, and what disturbs the
machine for a while disturbs some visits of all runs instead of all visits of some. A visit
is three launches, for what differs between processes: where their memory lies.
Every visit is in the journal before the next begins. A journal that is found is taken up
where it ends; what failed or was skipped is tried again only in a new one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from assay.errors import LaunchError, NoBenchmarksError
from assay.measure.clock import Clock
from assay.model import Failure, Record, Sample
from assay.record.journal import Journal, parse_journal
from assay.workflows.facts import session_facts
from assay.workflows.interrupts import Interrupted, stopping
from assay.workflows.keeping import journal_path, keep
from assay.workflows.matching import compiled
from assay.workflows.os_lab import CatalogueRun, OsLab

ROUNDS = 6  # the fewest of which lowest and highest are an interval of the median of 95 %
LAUNCHES = 3  # in a visit
SAMPLES = 200  # of a run, as libMicro
LONGEST_RUN_S = 5.0
_OVERHEAD_S = 0.05  # of a visit, beside what it measures
_SHORTEST_VISIT_S = 0.01


@dataclass(frozen=True)
class CataloguePlan:
    """What `assay os all` was asked for."""

    filter: str = ""
    origin: str = ""  # "libMicro" or "Linux"; empty: both
    budget_s: float | None = None
    output: Path | None = None
    more: tuple[str, ...] = ()  # options every run gets


@dataclass(frozen=True)
class CatalogueResult:
    """What was measured, in the catalogue's order."""

    record: Record
    kept_in: str
    left: int = 0  # visits not made: the budget was spent, or somebody stopped it
    exit_code: int | None = None


Watch = Callable[[int, int, str], None]  # visits done, of how many, the next one's run


def run_catalogue(plan: CataloguePlan, lab: OsLab, clock: Clock, watch: Watch) -> CatalogueResult:
    """Do what is left to do. An interrupt ends the measuring only."""
    runs = _chosen(lab.catalogue(), plan)
    path = _journal_of(plan)
    with stopping() as stop, _opened(path) as journal:
        sitting = _Sitting(plan, lab, clock, journal, *_done_in(path))
        try:
            sitting.measure(runs, watch)
        except Interrupted:
            lab.clean()
    record = _in_order(parse_journal(path.read_bytes(), str(path)), runs)
    left = _left(runs, *_done_in(path))
    kept = path if left else _kept(record, plan, path)
    return CatalogueResult(record, str(kept), left, stop.exit_code)


@dataclass
class _Sitting:
    """One go at the catalogue."""

    plan: CataloguePlan
    lab: OsLab
    clock: Clock
    journal: Journal
    done: set[tuple[str, int]]
    given_up: set[str]
    began_s: float = field(init=False)

    def __post_init__(self) -> None:
        self.began_s = self.clock.now_s()

    def measure(self, runs: Sequence[CatalogueRun], watch: Watch) -> None:
        """Every visit that is not done, while there is time."""
        waiting = [
            (run, number)
            for number in range(ROUNDS)
            for run in runs
            if (run.name, number) not in self.done
        ]
        for place, (run, number) in enumerate(waiting):
            if run.name in self.given_up:
                continue
            longest_s = self._longest_s(len(waiting) - place)
            if longest_s is None:
                return
            done = len(runs) * ROUNDS - len(waiting) + place
            watch(done, len(runs) * ROUNDS, run.name)
            self._one(run, number, longest_s)

    def _longest_s(self, visits_left: int) -> float | None:
        """The time the next visit may take; None when there is none left."""
        usual_s = LONGEST_RUN_S / ROUNDS
        if self.plan.budget_s is None:
            return usual_s
        left_s = self.plan.budget_s - (self.clock.now_s() - self.began_s)
        if left_s <= 0:
            return None
        return max(_SHORTEST_VISIT_S, min(usual_s, left_s / visits_left - _OVERHEAD_S))

    def _one(self, run: CatalogueRun, number: int, longest_s: float) -> None:
        words = (*run.words, *visit_options(run.words, longest_s * ROUNDS), *self.plan.more)
        try:
            record = self.lab.measure(words).record
        except LaunchError as error:
            self._give_up(Failure(benchmark=run.name, what=error.message))
            return
        for place, sample in enumerate(record.samples):
            launch = number * LAUNCHES + place
            self.journal.append(msgspec.structs.replace(sample, launch=launch))
        for failure in record.failures:
            self._give_up(failure)

    def _give_up(self, failure: Failure) -> None:
        self.given_up.add(failure.benchmark)
        self.journal.append(failure)


def visit_options(words: Sequence[str], run_s: float) -> tuple[str, ...]:
    """What makes one visit of a run that as a whole may take `run_s`."""
    samples = int(words[words.index("-C") + 1]) if "-C" in words else SAMPLES
    return (
        *("-C", str(-(-samples // ROUNDS)), "-D", f"{run_s / ROUNDS:.3f}"),
        *("--launches", str(LAUNCHES), "--report", "none"),
    )


def _chosen(runs: Sequence[CatalogueRun], plan: CataloguePlan) -> list[CatalogueRun]:
    regex = compiled(plan.filter, "--filter")
    chosen = [run for run in runs if regex.search(run.name) and plan.origin in ("", run.origin)]
    if not chosen:
        raise NoBenchmarksError("no run of that name", where=f"--filter {plan.filter}")
    return chosen


def _journal_of(plan: CataloguePlan) -> Path:
    """Beside the record; else one place for all, so that it is found again."""
    path = journal_path(plan.output)
    return path if plan.output is not None else path.with_name("os-all.journal")


def _opened(path: Path) -> Journal:
    if path.exists():
        return Journal.reopened(path)
    return Journal(path, {}, session_facts({"target": "assay os all"}))


def _done_in(path: Path) -> tuple[set[tuple[str, int]], set[str]]:
    """Visits that are in the journal, and runs that were given up."""
    record = parse_journal(path.read_bytes(), str(path))
    visits = {(sample.benchmark, sample.launch // LAUNCHES) for sample in record.samples}
    return visits, {failure.benchmark for failure in record.failures}


def _left(runs: Sequence[CatalogueRun], done: set[tuple[str, int]], given_up: set[str]) -> int:
    return sum(
        (run.name, number) not in done
        for run in runs
        if run.name not in given_up
        for number in range(ROUNDS)
    )


def _in_order(record: Record, runs: Sequence[CatalogueRun]) -> Record:
    order = {run.name: place for place, run in enumerate(runs)}
    samples: list[Sample] = [sample for sample in record.samples if sample.benchmark in order]
    samples.sort(key=lambda sample: (order[sample.benchmark], sample.launch))
    return msgspec.structs.replace(record, samples=tuple(samples))


def _kept(record: Record, plan: CataloguePlan, path: Path) -> Path:
    """A journal that is complete makes room for the next."""
    if plan.output is not None:
        return keep(record, plan.output, path)
    return path.rename(journal_path(None))
