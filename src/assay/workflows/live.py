"""Two live targets measured in rounds until every verdict is settled.

After each round the benchmark just measured is judged again; its interval
stays valid however often one looks. Settled benchmarks stop, and what is left
of the budget goes to those nearest to a decision.
"""

from collections.abc import Mapping, Sequence

from assay.judge.counts import METHOD as EXACT
from assay.judge.look import family, look, priority, settled
from assay.judge.pairing import pair
from assay.measure.schedule import Schedule
from assay.measure.target import Target
from assay.model import Comparison, Design, Failure, Record, Sample, Side, Verdict
from assay.progress import State
from assay.record.journal import Journal
from assay.workflows.allocation import Prospect, next_pass
from assay.workflows.duet import check as check_duet
from assay.workflows.facts import session_facts
from assay.workflows.interrupts import Interrupted
from assay.workflows.keeping import journal_path
from assay.workflows.metrics import chosen, deciding
from assay.workflows.pinning import conditions
from assay.workflows.plan import SECONDS_PER_BENCHMARK, ComparePlan
from assay.workflows.stage import Stage

_CHANGED = (Verdict.SLOWER, Verdict.FASTER, Verdict.DIFFERENT)


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
        self._looks: dict[str, list[Comparison]] = {}
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
        self._check_duet()
        with Journal(self.journal_path, {}, self._facts) as journal:
            try:
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
            self._looks[name] = self._look(name)
        self._watcher.round_done(self._state(), self._looks.get(name, ()))

    def _look(self, name: str) -> list[Comparison]:
        samples = self._samples[name]
        base = [s for s in samples if s.side is Side.BASE]
        candidate = [s for s in samples if s.side is Side.CANDIDATE]
        paired = pair(
            base,
            candidate,
            design=self._design,
            metrics=chosen(self._plan.metrics, base, candidate),
            settings=self._plan.settings,
        )
        shared = self._family(family(paired.pairs, self._plan.settings))
        return [look(each, self._plan.settings, family=shared) for each in paired.pairs]

    def _family(self, statistical: int) -> int:
        """Comparisons of the suite not found changed so far: Holm's step.

        `statistical` is how many this benchmark has; exact ones are no tests.
        Benchmarks not looked at yet are taken to have as many.
        """
        looks = [one for each in self._looks.values() for one in each if one.method != EXACT]
        unseen = len(self._samples) - len(self._looks)
        changed = sum(one.verdict in _CHANGED for one in looks)
        return max(1, len(looks) + unseen * statistical - changed)

    def _prospects(self) -> dict[str, Prospect]:
        return {name: self._prospect(name) for name in self._samples if self._wants_more(name)}

    def _wants_more(self, name: str) -> bool:
        limit = self._plan.measuring.rounds
        if limit is not None and self._rounds[name] >= limit:
            return False
        return name not in self._looks or bool(self._open(name))

    def _open(self, name: str) -> list[Comparison]:
        """Looks that are not settled, of the metrics that matter for going on."""
        looks = self._looks.get(name, [])
        matter = deciding(self._plan.metrics, [one.metric for one in looks])
        return [one for one in looks if one.metric in matter and not settled(one)]

    def _prospect(self, name: str) -> Prospect:
        """A benchmark is settled when its last metric is: the hardest one counts."""
        open_looks = self._open(name)
        needs = [one.rounds_needed for one in open_looks]
        known = [need for need in needs if need is not None]
        return Prospect(
            rounds=self._rounds[name],
            priority=min((priority(one) for one in open_looks), default=1.0),
            rounds_needed=max(known) if known and len(known) == len(needs) else None,
            round_s=self._cost_s[name] / max(1, self._rounds[name]),
        )

    def _give_up(self, failure: Failure, journal: Journal) -> None:
        """What it gave before it failed stays in the record."""
        self._failures.append(failure)
        self._gone[failure.benchmark] = self._samples.pop(failure.benchmark, [])
        self._looks.pop(failure.benchmark, None)
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
