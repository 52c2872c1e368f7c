"""Search for the commit between GOOD and BAD that made a benchmark slower.

    result = bisect(BisectPlan("v1.0", "main", "BM_copy"), runtime)
    result.answer.commits, result.answer.probability

Each step builds the commit that is expected to tell most (`judge.bisection`), and measures it
against GOOD in interleaved rounds. Steps are kept: the same command resumes an interrupted search.
"""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median

from msgspec import structs
from msgspec.structs import replace

from assay.bisection import BisectionAnswer, BisectResult, Commit, Measured
from assay.errors import InputError, NoBenchmarksError, UsageError
from assay.interrupts import Interrupted, stoppable_measuring
from assay.judge.bisection.graph import graph_of
from assay.judge.bisection.search import Broken, Rounds, Search, Step
from assay.judge.bisection.settings import SMALLEST, SearchSettings
from assay.measure.clock import Clock
from assay.record.store.searches import keep_search
from assay.revisions.repository import Repository
from assay.same_code import SameCode
from assay.show.words.format import change, count
from assay.workflows.bisect.narrowed import summary_of_search
from assay.workflows.bisect.plan import BisectPlan
from assay.workflows.bisect.rounds import CannotRunError, RoundsAgainstGood
from assay.workflows.bisect.steps import Steps, forget, path_of_journal
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.matching import compiled
from assay.workflows.common.plan import Measuring
from assay.workflows.common.runtime import Runtime

_Announce = Callable[[str], None]


def bisect(plan: BisectPlan, runtime: Runtime) -> BisectResult:
    """Search as `plan` says. Raises `AssayError`; an interrupt ends only the measuring."""
    repository = Repository.open(Path.cwd())
    good, bad = repository.resolve(plan.good), repository.resolve(plan.bad)
    commits = {one.hash: one for one in repository.commits_between(good.hash, bad.hash)}
    if not commits:
        what, hint = "has no commit that GOOD lacks", "name GOOD first: assay bisect GOOD BAD"
        raise UsageError(what, where=plan.bad, hint=hint)
    announce = runtime.watcher.announce
    builds = _BuildAnnouncer(announce)
    against = RoundsAgainstGood(plan, good.short_hash, Revisions(plan.revisions, builds), runtime)
    builds.are_told = False
    name = _benchmark(plan, against.benchmarks())
    place = path_of_journal(
        plan.folder, str(repository.root), good.hash, bad.hash, name, plan.metric
    )
    if plan.is_anew:
        forget(place)
    smallest = max(math.log1p(plan.margin), SMALLEST)
    settings = SearchSettings(smallest=smallest, build_cost=against.build_cost(name))
    limit = _Limit(plan.measuring, runtime.clock)
    with Steps(place, settings, commits, announce) as steps, stoppable_measuring() as stop:
        steps.settings = limit.with_budget_of_rounds(steps.settings)
        search = steps.search(graph_of({one: commits[one].parents for one in commits}, bad.hash))
        resumed = len(search.journal)
        if resumed:
            announce(f"resuming after {resumed} steps made before (--restart forgets them)")
        lines = _StepAnnouncer(announce)
        with suppress(Interrupted):
            while isinstance(step := search.next(), Step) and not limit.is_over():
                commit, done = commits[step.commit], len(measured_in(search))
                runtime.watcher.asking(
                    _hash_and_subject(commit), "building and measuring", done, len(commits)
                )
                seen, why_not = _measure_step(step, name, commit, against)
                steps.add(seen)
                search = steps.search(search.graph)
                lines.tell(commit, _line(search, commit, commits, why_not))
        lines.end()
        if not stop.interrupted_by and (why := limit.ended(search)):
            announce(why)
        code = None
        with suppress(Interrupted):
            ends, series = (good.hash, bad.hash), (name, plan.metric)
            _keep(search, commits, ends, series, place, announce)
        with suppress(Interrupted):
            code = _same_code_of_found_commit(search.answer(), name, commits, against)
    found = BisectResult(
        search.answer(), name, commits, _measured_commits(search, commits), resumed
    )
    return replace(found, code=code, interrupted_by=stop.interrupted_by)


def _keep(
    search: Search,
    commits: dict[str, Commit],
    ends: tuple[str, str],
    series: tuple[str, str],
    place: Path,
    announce: _Announce,
) -> None:
    """Keep a summary for pages. If that fails, a message says so; the result is printed anyway."""
    if not search.journal:
        return
    try:
        keep_search(summary_of_search(search, commits, ends, series, time.time()), place)
    except InputError as error:
        announce(f"what was found is not kept for pages: {error}")


def _same_code_of_found_commit(
    answer: BisectionAnswer, name: str, commits: dict[str, Commit], against: RoundsAgainstGood
) -> SameCode | None:
    """Whether the commit found changes the machine code that the benchmark executes.

    None if no single commit is certain, or if the commit is a merge.
    """
    if len(answer.commits) != 1 or not answer.settled:
        return None
    commit = commits[answer.commits[0]]
    if len(commit.parents) != 1:
        return None
    return against.same_code(name, commit.parents[0], commit.short_hash)


def _benchmark(plan: BisectPlan, names: tuple[str, ...]) -> str:
    """The benchmark that the filter matches. Raises `UsageError`, `NoBenchmarksError`."""
    regex = compiled(plan.pattern, "--filter")
    found = [name for name in names if regex.search(name)]
    if not found:
        where = f"--filter {plan.pattern}"
        raise NoBenchmarksError("GOOD has no such benchmark", where=where, hint="see `assay list`")
    if len(found) > 1:
        listed = ", ".join(found[:3]) + (" ..." if len(found) > 3 else "")
        raise UsageError(
            f"{count(len(found), 'benchmark')} match: {listed}",
            where=f"--filter {plan.pattern}",
            hint="search with one, the one that `assay compare` finds slower most clearly",
        )
    return found[0]


class _Limit:
    """Ends a search when `--rounds` or `--budget` is used up.

    Rounds count over all commits, also those measured before the search was resumed. The budget is
    the time of this command alone. A step that has begun is finished.
    """

    def __init__(self, measuring: Measuring, clock: Clock) -> None:
        self._rounds, self._budget_s, self._clock = measuring.rounds, measuring.budget_s, clock
        self._began_s = clock.now_s()

    def with_budget_of_rounds(self, settings: SearchSettings) -> SearchSettings:
        wanted = SearchSettings().budget_rounds if self._rounds is None else self._rounds
        return structs.replace(settings, budget_rounds=wanted)

    def ended(self, search: Search) -> str:
        """Which of the two limits ended the search, as a sentence; empty if neither did."""
        if self.is_over():
            return f"--budget {self._budget_s:g}s is over: with more, the same command goes on"
        if self._rounds is not None and search.answer().rounds >= self._rounds:
            return f"--rounds {self._rounds} are measured: with more, the same command goes on"
        return ""

    def is_over(self) -> bool:
        if self._budget_s is None:
            return False
        return self._clock.now_s() - self._began_s >= self._budget_s


class _BuildAnnouncer:
    """Announces the build of GOOD only. For other commits a line and a build log follow anyway."""

    def __init__(self, announce: _Announce) -> None:
        self._announce, self.are_told = announce, True

    def __call__(self, text: str) -> None:
        if self.are_told:
            self._announce(text)


class _StepAnnouncer:
    """Announces what the search found: one line for consecutive steps on the same commit, with the
    result after the last of them.
    """

    def __init__(self, announce: _Announce) -> None:
        self._announce, self._commit, self._line = announce, "", ""

    def tell(self, commit: Commit, line: str) -> None:
        if commit.hash != self._commit:
            self.end()
        self._commit, self._line = commit.hash, line

    def end(self) -> None:
        if self._line:
            self._announce(self._line)
        self._line = ""


def _measure_step(
    step: Step, name: str, commit: Commit, against: RoundsAgainstGood
) -> tuple[Rounds | Broken, str]:
    """Build and measure one commit.

    Returns the rounds measured, or that the commit is broken (it does not build or run) and why.
    """
    try:
        ratios = against.measured(name, commit.short_hash, step.rounds)
    except CannotRunError as error:
        return Broken(step.commit), str(error)
    return Rounds(step.commit, tuple(ratios)), ""


def _line(search: Search, commit: Commit, commits: dict[str, Commit], why_not: str) -> str:
    """A line on the commit just measured, and on the likeliest commit so far.

    `why_not` is the reason if the commit could not be measured, and empty otherwise.
    """
    if why_not:
        return f"{_hash_and_subject(commit)} is left out: {why_not}"
    ratios = measured_in(search)[commit.hash]
    effect, rounds = change(math.expm1(median(ratios))), count(len(ratios), "round")
    said = f"{_hash_and_subject(commit)}: {effect} in {rounds}"
    answer = search.answer()
    best = commits[answer.commits[0]].short_hash if answer.commits else "none of them"
    return f"{said}; likeliest {best}, {answer.probability:.0%}"


def _hash_and_subject(commit: Commit) -> str:
    return f'{commit.short_hash} "{commit.subject}"'


def measured_in(search: Search) -> dict[str, list[float]]:
    """Commit -> log ratios of its rounds against GOOD, for each commit that was measured."""
    found: dict[str, list[float]] = {}
    for seen in search.journal:
        if isinstance(seen, Rounds) and seen.log_ratios:
            found.setdefault(seen.commit, []).extend(seen.log_ratios)
    return found


def _measured_commits(search: Search, commits: dict[str, Commit]) -> tuple[Measured, ...]:
    """For each commit that was tried, in the order of the history: its rounds, its median change
    against GOOD, and why it could not be measured.
    """
    found = measured_in(search)
    broken = {seen.commit for seen in search.journal if isinstance(seen, Broken)}
    return tuple(
        Measured(
            commits[one],
            len(found.get(one, ())),
            math.expm1(median(found[one])) if found.get(one) else None,
            "it did not build or run" if one in broken else "",
        )
        for one in search.graph.commits
        if one in found or one in broken
    )
