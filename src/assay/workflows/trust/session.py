"""Makes all measurements for one answer of `assay trust`, within its budget.

    session = TrustSession(plan, sides, names, runtime, folder)
    session.run()
    session.answer(placement, interrupted=False)

One cycle is a comparison with the copy, and one with each slowdown. Cycles are repeated with new
seeds while the budget lasts. If it does not pay for a verdict on every benchmark, each cycle draws
others at random: benchmarks chosen by cost or by earlier results would not be typical of all.
"""

import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from assay.errors import NoBenchmarksError
from assay.interrupts import Interrupted
from assay.judge.trust import judged_tries, margin_for, median_and_largest, was_slowed
from assay.measure.host.facts import read_facts
from assay.measure.targets.target import Target
from assay.model import Failure, Floor, Side
from assay.show.words.format import count, duration, percent
from assay.trust import Placement, Tries, Trust, TryVerdict
from assay.workflows.common.pinning import launch_settings
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare.budget import SECONDS_PER_BENCHMARK
from assay.workflows.compare.known_floor import floor_of
from assay.workflows.trust.plan import TrustPlan
from assay.workflows.trust.sides import HOW, ProgramAndCopy
from assay.workflows.trust.tries import TryComparisons, TryResult

_TRIAL_SHARE = 0.05  # share of the budget for trial launches, which show how long a round takes
_TRIALS = 12  # at most so many benchmarks are launched on trial, to estimate how long a round takes
# Rounds to plan for each benchmark of a comparison; most verdicts take at least so many.
_ROUNDS = 40
# Seconds to plan for each benchmark of a comparison: half of what `compare` gives, because
# benchmarks settled early leave time to others. With less, hardly any would be settled, and nothing
# be learnt about verdicts.
_EACH_S = SECONDS_PER_BENCHMARK / 2
_UNREACHED = (
    "the delay reached none of its benchmarks (is the program a script that starts another one "
    "without the environment that it was given?)"
)


class _TriesOfOneSlowdown(msgspec.Struct):
    """All comparisons of a program with copies that are slower by the same share."""

    injected: float
    told: list[TryVerdict] = msgspec.field(default_factory=list)
    took_s: float = 0.0  # seconds that the last of these comparisons took

    @property
    def words(self) -> str:
        return f"{percent(self.injected)} slower" if self.injected else "a copy of it"


class TrustSession:
    """Compares a program again and again with copies of itself, until the budget is spent.

    Use it once.
    """

    def __init__(
        self,
        plan: TrustPlan,
        sides: ProgramAndCopy,
        names: Sequence[str],
        runtime: Runtime,
        folder: Path,
    ) -> None:
        self._plan, self._sides, self._names, self._runtime = plan, sides, list(names), runtime
        self._trying = TryComparisons(plan, sides, runtime, folder)
        self._kinds = [
            _TriesOfOneSlowdown(one) for one in (0.0, *(() if sides.why_not else plan.slowdowns))
        ]
        self._random = random.Random(plan.measuring.seed)
        self._began_s = runtime.clock.now_s()
        self._each = len(self._names)  # benchmarks that one cycle of comparisons measures
        # Seconds that one benchmark may take in one comparison, at most.
        self._most_s = SECONDS_PER_BENCHMARK
        self._why_not_slowed = sides.why_not
        self._failures: dict[str, Failure] = {}
        self._looked_at: set[str] = set()
        self._floor: Floor | None = None
        self._placement_sd: dict[str, float] = {}
        self._notes: list[str] = []

    def run(self) -> None:
        """Run cycles until there is no time for another comparison, or a signal comes."""
        try:
            self._learn_costs()
            self._cycle(is_first=True)
            while self._has_time_for_a_cycle():
                self._cycle(is_first=False)
        except Interrupted:
            self._notes.append("interrupted: the comparison that was under way does not count")

    def answer(self, placement: Placement, *, interrupted: bool) -> Trust:
        """The result of `assay trust`, from everything measured so far."""
        settings = self._plan.settings
        return Trust(
            target=self._sides.program.label,
            seed=self._plan.measuring.seed,
            budget_s=self._plan.budget_s,
            spent_s=round(self._spent_s(), 1),
            margin=settings.margin,
            alpha=settings.alpha,
            benchmarks=len(self._names),
            looked_at=len(self._looked_at),
            slowdowns=self._plan.slowdowns,
            how="" if self._why_not_slowed else HOW,
            why_not_slowed=self._why_not_slowed,
            tries=tuple(_summary_of_tries(one, settings.margin) for one in self._kinds if one.told),
            placement=self._placement(placement),
            floor=median_and_largest(self._floor.by_benchmark) if self._floor else None,
            floor_rounds=self._floor.rounds if self._floor else 0,
            host={name: str(value) for name, value in read_facts().items()},
            failures=tuple(self._failures.values()),
            notes=tuple(self._notes),
            interrupted=interrupted,
        )

    def _learn_costs(self) -> None:
        """Launch some benchmarks on trial, to find out how many of them a cycle can measure."""
        base, candidate = self._sides.unslowed_pair()
        sides: dict[Side | None, Target] = {Side.BASE: base, Side.CANDIDATE: candidate}
        session = self._runtime.session(sides, launch_settings(self._plan.measuring))
        costs_s: list[float] = []
        for name in self._random.sample(self._names, min(_TRIALS, len(self._names))):
            if costs_s and self._spent_s() > _TRIAL_SHARE * self._plan.budget_s:
                break
            self._runtime.watcher.preparing(name, len(costs_s), len(self._names))
            if session.prepare(name) is None:
                costs_s.append(session.expected_round_s(name))
        self._share_out(fmean(costs_s) if costs_s else 0.0)

    def _share_out(self, round_s: float) -> None:
        """Decide and announce how many benchmarks a cycle can do if a round takes `round_s`."""
        rounds_s = _ROUNDS * round_s
        # A benchmark whose rounds are slow may take longer than others.
        self._most_s = max(SECONDS_PER_BENCHMARK, rounds_s)
        # This is how many seconds one benchmark needs in a cycle.
        needed_s = self._comparisons_in_a_cycle * max(rounds_s, _EACH_S)
        paid = int(self._left_s() / needed_s)
        self._each = min(len(self._names), max(1, paid))
        every, budget = count(len(self._names), "benchmark"), duration(self._plan.budget_s)
        if paid < 1:
            text = f"{every}: {budget} are less than one takes, which is about {duration(needed_s)}"
        elif self._each < len(self._names):
            text = f"{every}: {budget} pay for {self._each} of them at a time, drawn by lot"
        else:
            text = f"{every}: all of them, again and again for {budget}"
        self._runtime.watcher.announce(text)

    def _cycle(self, *, is_first: bool) -> None:
        """Compare the program with its copy, and with the copy slowed by each share, always
        with the same benchmarks.
        """
        drawn = set(self._random.sample(self._names, self._each))
        names = [name for name in self._names if name in drawn]
        for place, kind in enumerate(tuple(self._kinds)):
            if kind not in self._kinds:
                break
            if not is_first and self._left_s() < kind.took_s:
                return
            parts = self._comparisons_in_a_cycle - place if is_first else 1
            self._compare_with_copy(
                kind, names, min(self._left_s() / parts, self._most_s * len(names))
            )
        if is_first and self._sides.links:
            self._compare_placements(names, min(self._left_s(), self._most_s * len(names)))

    @property
    def _comparisons_in_a_cycle(self) -> int:
        """How many comparisons the first cycle makes: with the copy, with each slowdown, and one
        between links, if the program was linked several times in random orders.
        """
        return len(self._kinds) + bool(self._sides.links)

    def _compare_placements(self, names: Sequence[str], budget_s: float) -> None:
        """Compare links of the program with each other, once, to see what code placement alone
        does. Raises `Interrupted`.
        """
        self._runtime.watcher.announce(f"{len(self._sides.links)} links of it with each other")
        result = self._trying.placed(names, max(budget_s, 0.01), self._random.getrandbits(31))
        if result.interrupted_by is not None:
            raise Interrupted(result.interrupted_by)
        known = ((one.benchmark, one.placement_sd) for one in result.judgement.comparisons)
        self._placement_sd = {name: sd for name, sd in known if sd is not None}

    def _placement(self, asked: Placement) -> Placement:
        return msgspec.structs.replace(asked, spread=median_and_largest(self._placement_sd))

    def _compare_with_copy(
        self, kind: _TriesOfOneSlowdown, names: Sequence[str], budget_s: float
    ) -> None:
        """Compare the program with its copy, slowed or not.

        Raises `Interrupted` if a signal cut it short.
        """
        began_s = self._spent_s()
        self._runtime.watcher.announce(f"compared with {kind.words}")
        try:
            said = self._trying.one(
                kind.injected, names, max(budget_s, 0.01), self._random.getrandbits(31)
            )
        except NoBenchmarksError:  # there was not even time for one round
            return
        if said.result.interrupted_by is not None:
            raise Interrupted(said.result.interrupted_by)
        kind.took_s = self._spent_s() - began_s
        self._keep(kind, said)

    def _keep(self, kind: _TriesOfOneSlowdown, said: TryResult) -> None:
        if kind.injected and not any(was_slowed(one.added, kind.injected) for one in said.told):
            self._why_not_slowed = _UNREACHED
            del self._kinds[1:]
            return
        kind.told.extend(said.told)
        self._looked_at.update(one.benchmark for one in said.told)
        self._failures.update((one.benchmark, one) for one in said.result.failures)
        if kind.injected == 0.0 and self._floor is None:
            self._floor = floor_of(said.result.samples)

    def _has_time_for_a_cycle(self) -> bool:
        """Whether the time left is enough for another cycle; False if nothing
        could be measured so far.
        """
        took_s = max(kind.took_s for kind in self._kinds)
        return self._left_s() > took_s and any(kind.told for kind in self._kinds)

    def _spent_s(self) -> float:
        return self._runtime.clock.now_s() - self._began_s

    def _left_s(self) -> float:
        return self._plan.budget_s - self._spent_s()


def _summary_of_tries(kind: _TriesOfOneSlowdown, margin: float) -> Tries:
    margin = margin_for(kind.injected, margin)
    return judged_tries(kind.told, injected=kind.injected, margin=margin)
