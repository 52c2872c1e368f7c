"""Compares two live targets by counts of instructions, with few launches.

One launch of each side is enough if both do the same. If they differ, both are launched again, as
often as it takes to tell a change from a program whose counts vary
(`judge.family.repeatable_counts`). A benchmark whose counts vary is measured further, and judged by
how much they vary.
"""

from collections.abc import Iterator, Mapping, Sequence

from assay.interrupts import Interrupted
from assay.judge.family.family import FamilyScope
from assay.judge.look import is_settled, judge_benchmark
from assay.judge.pairing import pair_sides
from assay.measure.profile.exact.counting_session import CountingSession
from assay.measure.profile.exact.instructions import INSTRUCTIONS
from assay.measure.targets.target import Target
from assay.model import Comparison, Design, Failure, Record, Sample, Side
from assay.planned import Planned
from assay.progress import RunProgress
from assay.record.journal import Journal
from assay.workflows.common.counting import same_iterations
from assay.workflows.common.plan import ComparePlan
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.session_facts import session_facts
from assay.workflows.compare.patience import FailurePatience

MOST_ROUNDS = 40  # if the counts of a benchmark vary, it gets at most so many rounds


class CountedComparison:
    """Compares two targets by their instructions, counted under callgrind. Use the object once."""

    def __init__(
        self,
        plan: ComparePlan,
        sides: Mapping[Side | None, Target],
        runtime: Runtime,
        facts: Mapping[str, object] = {},
    ) -> None:
        self._plan, self._watcher = plan, runtime.watcher
        self._session = CountingSession(sides, runtime.clock, runtime.watcher.launching)
        self._samples: dict[str, list[Sample]] = {}
        self._failures: list[Failure] = []
        self._given_up: list[str] = []
        self._patience = FailurePatience(plan.measuring.timeout_s)
        self._names: list[str] = []
        self._done = self._rounds = 0
        self.journal_path = plan.keep.journal()
        self._facts = session_facts(
            {str(side): target.label for side, target in sides.items()},
            seed=plan.measuring.seed,
            design=str(Design.INTERLEAVED),
            **facts,
        )

    def measure(self, names: Sequence[str]) -> Record:
        """Count until everything is settled; an interrupt ends it, with what was counted so far."""
        self._names = list(names)
        self._facts = self._facts.updated(family=len(self._names), planned=len(self._names))
        with Journal(self.journal_path, {}, self._facts) as journal:
            journal.plan(self._planned())
            try:
                for name in self._names:
                    for item in self._count_rounds(name):
                        journal.append(item)
            except Interrupted:
                self._facts = self._facts.updated(interrupted=True)
        self._facts = self._facts.updated(given_up=self._given_up)
        samples = [sample for name in self._names for sample in self._samples.get(name, ())]
        return Record(
            context={}, facts=self._facts, samples=tuple(samples), failures=tuple(self._failures)
        )

    def _planned(self) -> Planned:
        plan = self._plan
        return Planned(
            benchmarks=tuple(self._names),
            metrics=plan.metrics,
            margin=plan.settings.margin,
            counts_margin=plan.counts_margin,
            alpha=plan.settings.alpha,
            rounds=plan.measuring.rounds,
            limit_s=plan.measuring.budget_s,
        )

    def _count_rounds(self, name: str) -> Iterator[Sample | Failure]:
        """Measure one benchmark round by round, until further rounds would change no verdict."""
        self._watcher.preparing(name, self._done, len(self._names))
        kept = self._samples.setdefault(name, [])
        found: tuple[Comparison, ...] = ()
        for number in range(self._plan.measuring.rounds or MOST_ROUNDS):
            if self._is_budget_spent():
                break
            started_s = self._session.elapsed_s()
            outcome = self._session.round(name, number)
            kept += outcome.samples
            self._rounds += 1
            yield from outcome.samples
            yield from outcome.failures
            self._failures += outcome.failures
            if self._patience.is_over(outcome, self._session.elapsed_s() - started_s):
                self._give_up(outcome.failures[-1])
                break
            if outcome.failures:
                continue
            found = self._look(kept)
            self._watcher.round_done(self._state(), found)
            if all(_is_over(one, MOST_ROUNDS - number - 1) for one in found):
                break
        self._done += 1
        self._watcher.round_done(self._state(), found)

    def _look(self, samples: Sequence[Sample]) -> tuple[Comparison, ...]:
        base, candidate = same_iterations(
            [one for one in samples if one.side is Side.BASE],
            [one for one in samples if one.side is Side.CANDIDATE],
        )
        settings = self._plan.counts_settings
        pairs = pair_sides(
            base,
            candidate,
            design=Design.INTERLEAVED,
            metrics=(INSTRUCTIONS,),
            settings=settings,
        ).pairs
        counts = (INSTRUCTIONS,)
        return judge_benchmark(pairs, settings, asked=FamilyScope(counts, len(self._names), counts))

    def _give_up(self, failure: Failure) -> None:
        self._given_up.append(failure.benchmark)
        self._watcher.failed(failure)

    def _is_budget_spent(self) -> bool:
        budget_s = self._plan.measuring.budget_s
        return budget_s is not None and self._session.elapsed_s() >= budget_s

    def _state(self) -> RunProgress:
        elapsed_s = self._session.elapsed_s()
        left = len(self._names) - self._done
        return RunProgress(
            benchmarks=len(self._names),
            settled=self._done,
            failed=len(self._given_up),
            rounds=self._rounds,
            elapsed_s=elapsed_s,
            left_s=elapsed_s * left / self._done if self._done else float("inf"),
        )


def _is_over(one: Comparison, rounds_left: int) -> bool:
    """Whether the verdict is settled, or would not be by the rounds that are left."""
    if is_settled(one):
        return True
    return one.low is not None and (one.rounds_needed is None or one.rounds_needed > rounds_left)
