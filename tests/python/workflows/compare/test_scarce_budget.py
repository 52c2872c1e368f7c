"""A budget too small for all decides what it can: a simulated suite of a thousand benchmarks."""

import random
from dataclasses import dataclass, field

import numpy as np
import pytest

from assay.judge.paired.first_rounds import benchmarks_standing_out
from assay.workflows.compare.allocation import PASS_AT_LEAST_S, Allocation, AllocationRules

FEWEST, SETTLING = 15, 24
MARGIN = 0.02


@dataclass
class Thousand:
    """Benchmarks of unlike cost, some changed by 10 to 300 %; noise of a round is 2 %."""

    seed: int
    changed_share: float = 0.03
    rounds: dict[str, int] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    spent_s: float = 0.0

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        names = [f"b{i:04d}" for i in range(1_000)]
        self.costs = dict(zip(names, 0.03 * np.exp(0.7 * rng.standard_normal(1_000)), strict=True))
        self.effects = {
            name: float(rng.uniform(0.1, 1.1)) if rng.random() < self.changed_share else 0.0
            for name in names
        }
        self.near_the_margin = {name for name in names if rng.random() < 0.1}
        self._rng = rng

    @property
    def all_need_s(self) -> float:
        return FEWEST * sum(self.costs.values())

    def run(self, budget_s: float) -> "Thousand":
        rules = AllocationRules(FEWEST, budget_s, guaranteed=False, settling=SETTLING)
        allocation = Allocation(self.costs, rules)
        assert allocation.is_scarce
        seen: dict[str, list[float]] = {}
        luck = random.Random(self.seed)
        while names := allocation.next_pass(budget_s - self.spent_s):
            luck.shuffle(names)
            for name in names:
                if allocation.permits(name, budget_s - self.spent_s):
                    self._round(allocation, name, seen)
            allocation.prefer(benchmarks_standing_out(seen, MARGIN))
        return self

    def _round(self, allocation: Allocation, name: str, seen: dict[str, list[float]]) -> None:
        self.spent_s += self.costs[name]
        self.rounds[name] = rounds = self.rounds.get(name, 0) + 1
        allocation.measured(name, self.costs[name])
        noise = 0.02 * float(self._rng.standard_normal())
        seen.setdefault(name, []).append(self.effects[name] + noise)
        if rounds >= FEWEST:
            needs = FEWEST + 3 if self.effects[name] else SETTLING
            is_open = name in self.near_the_margin or rounds < needs
            self.settled |= set() if is_open else {name}
            needed = rounds if name in self.near_the_margin else max(1, needs - rounds)
            allocation.judged(name, needed=needed, settled=not is_open)


@pytest.mark.parametrize("seed", range(3))
def test_a_quarter_of_the_time_settles_a_fifth_and_what_changed(seed: int) -> None:
    suite = Thousand(seed)
    suite.run(0.25 * suite.all_need_s)
    assert len(suite.settled) >= 200
    changed = {name for name, effect in suite.effects.items() if effect} - suite.near_the_margin
    assert len(changed & suite.settled) >= 0.9 * len(changed)
    assert len(suite.rounds) == 1_000, "everyone was looked at once"


def test_nobody_gets_its_rounds_in_a_burst() -> None:
    """A pass of a few at a time is as long as any other."""
    costs = {f"b{i}": 0.01 for i in range(1_000)}
    allocation = Allocation(
        costs, AllocationRules(FEWEST, 10.0, guaranteed=False, settling=SETTLING)
    )
    for name in costs:
        allocation.measured(name, 0.01)
    passed = allocation.next_pass(10.0)
    assert sum(costs[name] for name in passed) >= PASS_AT_LEAST_S - 1e-9
    assert len(passed) < 50


def test_what_seems_changed_comes_before_what_is_cheap() -> None:
    costs = {f"b{i}": 0.1 + 0.01 * i for i in range(100)}
    allocation = Allocation(
        costs, AllocationRules(FEWEST, 40.0, guaranteed=False, settling=SETTLING)
    )
    for name in costs:
        allocation.measured(name, costs[name])
    assert "b0" in allocation.next_pass(30.0)
    allocation.prefer(["b70"])
    assert allocation.next_pass(30.0)[0] == "b70"


def test_a_budget_that_pays_for_all_is_not_scarce() -> None:
    costs = dict.fromkeys("abc", 1.0)
    assert not Allocation(costs, AllocationRules(FEWEST, 3 * FEWEST, guaranteed=False)).is_scarce
    assert not Allocation(costs, AllocationRules(FEWEST, 1.0)).is_scarce


def test_what_stands_out_lies_beyond_what_rounds_usually_differ_by() -> None:
    rng = np.random.default_rng(1)
    ratios = {f"b{i}": [0.01 * float(rng.standard_normal())] for i in range(200)}
    assert len(benchmarks_standing_out(ratios, MARGIN)) <= 2
    ratios |= {"much": [0.7], "less": [-0.2], "lucky": [0.08, 0.0, 0.01]}
    found = benchmarks_standing_out(ratios, MARGIN)
    assert found[:2] == ["much", "less"]
    assert "lucky" not in found
    assert benchmarks_standing_out({"alone": [0.7]}, MARGIN) == []
