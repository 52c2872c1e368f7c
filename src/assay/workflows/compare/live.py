"""Two live targets measured in rounds until every verdict is settled.

Now and then the benchmark just measured is judged again; its interval stays valid however often it
is looked at. Settled benchmarks stop, and what is left of the budget goes to those that can be
settled soonest. The work between two launches does not grow with the suite, except for the looks.
"""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from assay.interrupts import Interrupted, signals_held_back
from assay.measure.schedule import Schedule
from assay.measure.session import Outcome
from assay.measure.targets.linked import number_of_links
from assay.measure.targets.target import Target
from assay.model import Design, Failure, Record, Sample, Side
from assay.planned import Planned
from assay.plurals import count
from assay.progress import RunProgress
from assay.record.journal import Journal
from assay.same_code import SameCode
from assay.workflows.common.pinning import launch_settings
from assay.workflows.common.plan import ComparePlan
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.same_code import PlacementCheck, has_changed_time
from assay.workflows.common.session_facts import session_facts
from assay.workflows.compare.allocation import Allocation, AllocationRules
from assay.workflows.compare.budget import Budget
from assay.workflows.compare.duet import check as check_duet
from assay.workflows.compare.interim import InterimResults
from assay.workflows.compare.patience import FailurePatience
from assay.workflows.compare.repetitions import ROUNDS as ROUNDS_OF_NOISE
from assay.workflows.compare.repetitions import better_repetitions

# Seconds of measuring after which the machine code of a benchmark without a verdict is compared;
# tracing both sides takes about as long.
WORTH_TRACING_S = 3.0
# In a suite of fewer benchmarks, those that reach changed code are not measured first: all of them
# have a verdict soon.
_SOON_SETTLED = 8


class _Benchmark(msgspec.Struct):
    """What was measured of one benchmark so far.

    It is complete at any time, because a signal may end the session at any time.
    """

    samples: list[Sample] = msgspec.field(default_factory=list)
    efforts: list[dict[str, object]] = msgspec.field(default_factory=list)
    round_s: float | None = None  # seconds of a round; None: it had no round
    is_measured: bool = False  # its trial launches succeeded, and it was not given up since
    is_given_up: bool = False
    code: SameCode | None = None  # whether both sides execute the same code; None: not compared yet


class LiveComparison:
    """Compares two targets by running both in interleaved rounds. Use the object once."""

    def __init__(
        self,
        plan: ComparePlan,
        sides: Mapping[Side | None, Target],
        runtime: Runtime,
        facts: Mapping[str, object] = {},
        placement: PlacementCheck | None = None,
    ) -> None:
        self._plan, self._watcher = plan, runtime.watcher
        self._schedule = Schedule(plan.measuring.seed)
        self._runtime, self._sides = runtime, dict(sides)
        self._placement = placement
        self._conditions = launch_settings(plan.measuring)
        self._session = runtime.session(sides, self._conditions)
        self._design = Design.DUET if plan.measuring.duet else Design.INTERLEAVED
        self._benchmarks: dict[str, _Benchmark] = {}  # in the order they were given
        # Benchmarks whose trial launches succeeded, without those given up since.
        self._measured = 0
        self._looks = InterimResults(plan, self._design, benchmarks=0)
        self._allocation = Allocation({}, AllocationRules(fewest=1))
        self._rounds = 0  # rounds measured so far, summed over all benchmarks
        self._failures: list[Failure] = []
        self._patience = FailurePatience(plan.measuring.timeout_s)
        self._notes: list[str] = []
        self._budget_ends_s = float("inf")
        self.journal_path = plan.keep.journal()
        self._facts = session_facts(
            {str(side): target.label for side, target in sides.items()},
            seed=plan.measuring.seed,
            design=str(self._design),
            placements=number_of_links(sides),
            **facts,
        )

    def measure(self, names: Sequence[str]) -> Record:
        """Measure until all is settled or the budget is spent; an interrupt ends it early."""
        self._benchmarks = {name: _Benchmark() for name in names}
        self._looks = InterimResults(
            self._plan, self._design, benchmarks=len(names), links=number_of_links(self._sides)
        )
        # The journal has the size of the family (the comparisons that share one chance of a false
        # alarm), so that a killed session is judged like a whole one.
        facts = self._facts.merged_with(self._looks.facts())
        with Journal(self.journal_path, {}, facts) as journal:
            try:
                self._say_plan(journal)
                self._check_duet()
                self._prepare(journal)
                self._passes(journal)
            except Interrupted:
                self._facts = self._facts.updated(interrupted=True)
        return self._record()

    def _check_duet(self) -> None:
        """Refuse to run both sides at the same time if their two CPUs are not alike."""
        if self._conditions.duet:
            base = self._sides[Side.BASE]
            note = check_duet(base, list(self._benchmarks), self._conditions, self._runtime)
            self._notes.append(note)

    def _prepare(self, journal: Journal) -> None:
        for done, (name, benchmark) in enumerate(self._benchmarks.items()):
            self._watcher.preparing(name, done, len(self._benchmarks))
            if self._try_until_success(name, journal):
                benchmark.is_measured = True
                self._measured += 1
                self._note_effort(name)

    def _try_until_success(self, name: str, journal: Journal) -> bool:
        """Launch trials until one succeeded on all sides; False if the benchmark was given up."""
        started_s = self._session.elapsed_s()
        while failure := self._session.prepare(name):
            took_s = self._session.elapsed_s() - started_s
            if self._note_failures(Outcome(failures=(failure,)), took_s, journal):
                return False
            started_s = self._session.elapsed_s()
        return True

    def _say_plan(self, journal: Journal, limit_s: float = float("inf")) -> None:
        """Write the session's plan into the journal, for pages that follow it; its time limit is
        known only after the trial launches.
        """
        settings = self._plan.settings
        planned = Planned(
            benchmarks=tuple(self._benchmarks),
            metrics=self._plan.metrics,
            margin=settings.margin,
            alpha=settings.alpha,
            fewest=self._looks.fewest,
            rounds=self._plan.measuring.rounds,
            limit_s=limit_s if limit_s < float("inf") else None,
        )
        journal.plan(planned)

    def _passes(self, journal: Journal) -> None:
        self._say_plan(journal, self._allocate())
        number = 0
        while names := self._allocation.next_pass(self._left_s()):
            self._looks.begin_pass()
            if self._allocation.is_scarce:
                self._allocation.prefer(self._looks.stand_out())
            for name in self._schedule.shuffled(names, number):
                if self._allocation.permits(name, self._left_s()):
                    self._round(name, journal)
            number += 1

    def _allocate(self) -> float:
        """Divide the budget by the cost of trial launches, and announce how
        long measuring will take.

        Returns the limit in seconds.
        """
        costs_s = {
            name: self._session.expected_round_s(name)
            for name, one in self._benchmarks.items()
            if one.is_measured
        }
        budget = Budget.of(self._plan.measuring, costs_s, self._looks.fewest)
        rules = AllocationRules(
            fewest=budget.fewest,
            budget_s=budget.limit_s,
            guaranteed=budget.guaranteed,
            most_rounds=budget.most_rounds,
            settling=self._looks.settling,
        )
        self._allocation = Allocation(costs_s, rules)
        if costs_s:
            self._watcher.announce(budget.announcement())
        self._put_changed_code_first(costs_s)
        self._budget_ends_s = self._session.elapsed_s() + budget.limit_s
        return budget.limit_s

    def _put_changed_code_first(self, names: Collection[str]) -> None:
        """Measure first the benchmarks that reach changed code, except in a small suite, where
        every benchmark has a verdict soon.
        """
        if self._placement is None or len(names) < _SOON_SETTLED:
            return
        changed = self._placement.reaching_changed_code(list(names))
        if changed and len(changed) < len(names):
            self._allocation.put_first(changed)
            what = f"{len(changed)} of {count(len(names), 'benchmark')} reach code that changed"
            self._watcher.announce(f"{what}: they are measured first")

    def _round(self, name: str, journal: Journal) -> None:
        started_s = self._session.elapsed_s()
        account = self._allocation.account(name)
        outcome = self._session.round(name, account.rounds_begun)
        # A signal waits, so that journal and record get a round as a whole or not at all.
        with signals_held_back():
            took_s = self._session.elapsed_s() - started_s
            self._allocation.measured(name, took_s, lost=bool(outcome.failures))
            self._benchmarks[name].round_s = account.round_s
            self._rounds += 1
            for sample in outcome.samples:
                journal.append(sample)
            self._benchmarks[name].samples += outcome.samples
            is_over = self._note_failures(outcome, took_s, journal)
        if not is_over and not outcome.failures:
            self._look(name)
        self._watcher.round_done(self._state(), self._looks.latest(name))

    def _look(self, name: str) -> None:
        """Judge a benchmark if it has enough new rounds.

        Once its noise is known, also choose how many repetitions its launches make.
        """
        rounds = self._allocation.account(name).rounds
        if self._allocation.is_scarce:
            self._looks.note_latest_ratio(name, rounds, self._benchmarks[name].samples)
        if self._looks.is_look_due(name, rounds):
            self._looks.update(name, self._whole_rounds(name))
            self._allocation.judged(
                name,
                needed=self._looks.rounds_needed(name),
                settled=self._looks.settled(name),
            )
            self._look_at_code(name)
        if rounds == ROUNDS_OF_NOISE:
            self._choose_repetitions(name)

    def _look_at_code(self, name: str) -> None:
        """Compare both sides' machine code if a benchmark seems changed, or is long undecided.

        If both sides execute the same code it gets no more rounds, because any difference would
        come from placement.
        """
        known = self._benchmarks[name]
        if self._placement is None or known.code is not None:
            return
        latest, account = self._looks.latest(name), self._allocation.account(name)
        is_judged = any(one.low is not None for one in latest)
        if has_changed_time(latest) or (is_judged and account.spent_s >= WORTH_TRACING_S):
            state = self._state()
            what = "comparing machine code"
            self._watcher.asking(name, what, state.settled, state.benchmarks)
            started_s = self._session.elapsed_s()
            known.code = self._placement.of(name, known.samples)
            # The budget is for measuring. Tracing two benchmarks once left no time for the launches
            # that counts need.
            self._budget_ends_s += self._session.elapsed_s() - started_s
            if known.code.same:
                self._allocation.close(name)

    def _choose_repetitions(self, name: str) -> None:
        effort = self._session.effort(name)
        better = better_repetitions(
            self._whole_rounds(name),
            effort,
            self._session.costs(name),
            self._allocation.account(name).round_s,
        )
        if better != effort.repetitions:
            self._session.set_repetitions(name, better)
            self._note_effort(name)

    def _whole_rounds(self, name: str) -> list[Sample]:
        """The samples of rounds in which no launch failed."""
        failed = {one.round for one in self._failures if one.benchmark == name}
        every = self._benchmarks[name].samples
        return [one for one in every if one.round not in failed]

    def _note_effort(self, name: str) -> None:
        """Note for the record how much a benchmark's launches do (repetitions,
        iterations) from now on.
        """
        effort, costs = self._session.effort(name), self._session.costs(name)
        told: dict[str, object] = {
            "from_round": len(self._benchmarks[name].samples) // len(self._sides),
            "repetitions": effort.repetitions,
            "min_time_s": effort.min_time_s,
            "iterations": effort.iterations,
            "set_up_s": round(costs.set_up_s, 6),
        }
        self._benchmarks[name].efforts.append(told)

    def _note_failures(self, outcome: Outcome, took_s: float, journal: Journal) -> bool:
        """Record failed launches; True if their benchmark is given up because of them."""
        for failure in outcome.failures:
            self._failures.append(failure)
            journal.append(failure)
        is_over = self._patience.is_over(outcome, took_s)
        if is_over:
            self._give_up(outcome.failures[-1])
        return is_over

    def _give_up(self, failure: Failure) -> None:
        """Stop measuring a benchmark; its samples stay in the record."""
        benchmark = self._benchmarks[failure.benchmark]
        self._measured -= benchmark.is_measured
        benchmark.is_measured, benchmark.is_given_up = False, True
        self._looks.forget(failure.benchmark)
        self._allocation.close(failure.benchmark)
        self._watcher.failed(failure)

    def _left_s(self) -> float:
        return self._budget_ends_s - self._session.elapsed_s()

    def _state(self) -> RunProgress:
        return RunProgress(
            benchmarks=len(self._benchmarks),
            settled=self._measured - self._allocation.still_open,
            failed=len(self._benchmarks) - self._measured,
            rounds=self._rounds,
            elapsed_s=self._session.elapsed_s(),
            left_s=max(0.0, self._left_s()),
        )

    def _record(self) -> Record:
        """The record of everything measured so far, ordered by benchmark."""
        samples = [sample for one in self._benchmarks.values() for sample in one.samples]
        first = self._session.records.get(Side.BASE)
        given_up = [name for name, one in self._benchmarks.items() if one.is_given_up]
        codes = {name: one.code for name, one in self._benchmarks.items() if one.code}
        notes = [*self._notes, *self._session.sentences_on_side_effects()]
        known = {"sides": self._contexts(), "given_up": given_up, "notes": notes}
        if codes:
            known["code"] = msgspec.to_builtins(codes)
        facts = self._facts.merged_with({**self._looks.facts(), **self._costs(), **known})
        return Record(
            context=first.context if first else {},
            facts=facts,
            samples=tuple(samples),
            failures=tuple(self._failures),
        )

    def _costs(self) -> dict[str, object]:
        """Facts for the record: the seconds of a round of each benchmark, and
        how much its launches did.
        """
        known = self._benchmarks.items()
        round_s = {
            name: round(one.round_s, 6)
            for name, one in known
            if one.is_measured and one.round_s is not None
        }
        return {"round_s": round_s, "effort": {n: one.efforts for n, one in known if one.efforts}}

    def _contexts(self) -> dict[str, dict[str, object]]:
        return {
            str(side): {**record.context, "assay": record.facts.written}
            for side, record in self._session.records.items()
        }
