"""Two live targets measured in rounds until every verdict is settled.

After each round the benchmark just measured is judged again; its interval
stays valid however often one looks. Settled benchmarks stop, and what is left
of the budget goes to those nearest to a decision.
"""

from collections.abc import Mapping, Sequence

from assay.measure.schedule import Schedule
from assay.measure.target import Target
from assay.model import Design, Failure, Record, Sample, Side
from assay.progress import State
from assay.record.journal import Journal
from assay.workflows.allocation import Prospect, next_pass
from assay.workflows.duet import check as check_duet
from assay.workflows.facts import session_facts
from assay.workflows.interrupts import Interrupted
from assay.workflows.keeping import journal_path
from assay.workflows.looks import Looks
from assay.workflows.pinning import conditions
from assay.workflows.plan import SECONDS_PER_BENCHMARK, ComparePlan
from assay.workflows.stage import Stage


class LiveComparison:
    """One interleaved session over two targets. Use once."""

    def __init__(
        self,
        plan: ComparePlan,
        sides: Mapping[Side | None, Target],
        stage: Stage,
    ) -> None:
        self._plan, self._watcher = plan, stage.watcher
        self._schedule = Schedule(plan.measuring.seed)
        self._stage, self._sides = stage, dict(sides)
        self._conditions = conditions(plan.measuring)
        self._session = stage.session(sides, self._conditions)
        self._design = Design.DUET if plan.measuring.duet else Design.INTERLEAVED
        self._samples: dict[str, list[Sample]] = {}
        self._gone: dict[str, list[Sample]] = {}  # of benchmarks given up
        self._looks = Looks(plan, self._design, benchmarks=0)
        self._rounds: dict[str, int] = {}
        self._cost_s: dict[str, float] = {}
        self._failures: list[Failure] = []
        self._names: list[str] = []
        self._budget_ends_s = float("inf")
        self.journal_path = journal_path(plan.output)
        self._facts = session_facts(
            {str(side): target.label for side, target in sides.items()},
            seed=plan.measuring.seed,
            design=str(self._design),
        )

    def measure(self, names: Sequence[str]) -> Record:
        """Measure until settled or spent; an interrupt ends it with what there is."""
        self._names = list(names)
        self._looks = Looks(self._plan, self._design, benchmarks=len(names))
        with Journal(self.journal_path, {}, self._facts) as journal:
            try:
                self._check_duet()
                self._prepare(journal)
                self._passes(journal)
            except Interrupted:
                self._facts["interrupted"] = True
        return self._record()

    def _check_duet(self) -> None:
        """Refuse, before anything is measured, two CPUs that are not alike."""
        if self._conditions.duet:
            base = self._sides[Side.BASE]
            note = check_duet(base, self._names, self._conditions, self._stage)
            self._facts["notes"] = [note]

    def _prepare(self, journal: Journal) -> None:
        for done, name in enumerate(self._names):
            self._watcher.preparing(name, done, len(self._names))
            failure = self._session.prepare(name)
            if failure:
                self._give_up(failure, journal)
            else:
                self._samples[name], self._rounds[name] = [], 0
                self._cost_s[name] = 0.0

    def _passes(self, journal: Journal) -> None:
        self._budget_ends_s = self._session.elapsed_s() + self._budget_s()
        number = 0
        while names := next_pass(self._prospects(), self._left_s()):
            self._looks.new_pass()
            for name in self._schedule.shuffled(names, number):
                if self._left_s() <= 0:
                    return
                self._round(name, journal)
            number += 1

    def _round(self, name: str, journal: Journal) -> None:
        started_s = self._session.elapsed_s()
        outcome = self._session.round(name, self._rounds[name])
        self._rounds[name] += 1
        self._cost_s[name] += self._session.elapsed_s() - started_s
        for sample in outcome.samples:
            journal.append(sample)
        self._samples[name] += outcome.samples
        for failure in outcome.failures:
            self._give_up(failure, journal)
        if not outcome.failures:
            self._looks.update(name, self._samples[name])
        self._watcher.round_done(self._state(), self._looks.latest(name))

    def _prospects(self) -> dict[str, Prospect]:
        return {name: self._prospect(name) for name in self._samples if self._wants_more(name)}

    def _wants_more(self, name: str) -> bool:
        limit = self._plan.measuring.rounds
        if limit is not None and self._rounds[name] >= limit:
            return False
        return not self._looks.settled(name)

    def _prospect(self, name: str) -> Prospect:
        return Prospect(
            rounds=self._rounds[name],
            priority=self._looks.priority(name),
            rounds_needed=self._looks.rounds_needed(name),
            round_s=self._cost_s[name] / max(1, self._rounds[name]),
        )

    def _give_up(self, failure: Failure, journal: Journal) -> None:
        """What it gave before it failed stays in the record."""
        self._failures.append(failure)
        self._gone[failure.benchmark] = self._samples.pop(failure.benchmark, [])
        self._looks.forget(failure.benchmark)
        journal.append(failure)
        self._watcher.failed(failure)

    def _budget_s(self) -> float:
        measuring = self._plan.measuring
        if measuring.budget_s is not None:
            return measuring.budget_s
        if measuring.rounds is not None:
            return float("inf")
        return SECONDS_PER_BENCHMARK * len(self._names)

    def _left_s(self) -> float:
        return self._budget_ends_s - self._session.elapsed_s()

    def _state(self) -> State:
        done = sum(not self._wants_more(name) for name in self._samples)
        return State(
            benchmarks=len(self._names),
            settled=done,
            failed=len(self._names) - len(self._samples),
            rounds=sum(self._rounds.values()),
            elapsed_s=self._session.elapsed_s(),
            left_s=max(0.0, self._left_s()),
        )

    def _record(self) -> Record:
        """Everything measured, benchmark by benchmark, in the order of names."""
        every = {**self._samples, **self._gone}
        samples = [sample for name in self._names for sample in every.get(name, ())]
        first = self._session.records.get(Side.BASE)
        facts = {**self._facts, "sides": self._contexts()}
        return Record(
            context=first.context if first else {},
            facts=facts,
            samples=tuple(samples),
            failures=tuple(self._failures),
        )

    def _contexts(self) -> dict[str, dict[str, object]]:
        return {
            str(side): {**record.context, "assay": record.facts}
            for side, record in self._session.records.items()
        }
