"""Simulated suites: no processes, no clock; time is what the rounds are said to cost."""

import random
from dataclasses import dataclass, field

import pytest

from assay.workflows.compare.allocation import (
    PASS_AT_LEAST_S,
    SHARES_AT_MOST,
    Allocation,
    AllocationRules,
    affordable,
)

FEWEST = 15


@dataclass(frozen=True)
class Kind:
    """A benchmark: what a round takes, and after how many rounds it is settled (None: never)."""

    round_s: float
    settles_at: int | None
    hopeless: bool = False  # the judge says nobody can say when


@dataclass
class Suite:
    """Measures what the allocation asks for, as a session would, until it asks for no more."""

    kinds: dict[str, Kind]
    rules: AllocationRules
    rounds: dict[str, int] = field(default_factory=dict)
    spent_s: dict[str, float] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    first: tuple[str, ...] = ()
    clock_s: float = 0.0

    def run(self, seed: int = 1) -> "Suite":
        luck = random.Random(seed)
        self.rounds = dict.fromkeys(self.kinds, 0)
        self.spent_s = dict.fromkeys(self.kinds, 0.0)
        costs = {name: kind.round_s for name, kind in self.kinds.items()}
        allocation = Allocation(costs, self.rules)
        allocation.put_first(self.first)
        while names := allocation.next_pass(self._left_s()):
            luck.shuffle(names)
            for name in names:
                if allocation.permits(name, self._left_s()):
                    self._round(allocation, name)
        return self

    def _left_s(self) -> float:
        return self.rules.budget_s - self.clock_s

    def _round(self, allocation: Allocation, name: str) -> None:
        kind = self.kinds[name]
        self.clock_s += kind.round_s
        self.rounds[name] += 1
        self.spent_s[name] += kind.round_s
        allocation.measured(name, kind.round_s)
        rounds = self.rounds[name]
        if rounds >= FEWEST:
            settled = kind.settles_at is not None and rounds >= kind.settles_at
            self.settled |= {name} if settled else set()
            allocation.judged(name, needed=self._needed(kind, rounds), settled=settled)

    @staticmethod
    def _needed(kind: Kind, rounds: int) -> int | None:
        """Near the margin the judge always hopes: half as many rounds again."""
        if kind.hopeless:
            return None
        return max(1, rounds // 2 if kind.settles_at is None else kind.settles_at - rounds)


def test_one_near_the_margin_does_not_eat_what_others_would_settle_with() -> None:
    kinds = {f"b{i}": Kind(0.05, 60 + i) for i in range(50)}
    kinds["near"] = Kind(0.05, None)
    suite = Suite(kinds, AllocationRules(FEWEST, budget_s=200.0)).run()
    assert len(suite.settled) >= 40
    assert suite.spent_s["near"] <= SHARES_AT_MOST * 200.0 / len(kinds) + 0.05


def test_the_cheapest_are_settled_first_when_not_all_can_be() -> None:
    kinds = {f"soon{i}": Kind(0.05, 40) for i in range(20)}
    kinds |= {f"late{i}": Kind(0.05, 400) for i in range(20)}
    needed_s = 20 * 40 * 0.05 + 20 * FEWEST * 0.05
    suite = Suite(kinds, AllocationRules(FEWEST, budget_s=needed_s + 5.0)).run()
    assert {name for name in kinds if name.startswith("soon")} <= suite.settled


def test_two_dear_ones_do_not_starve_eighteen_cheap_ones() -> None:
    kinds = {f"cheap{i}": Kind(0.03, 60) for i in range(18)}
    kinds |= {"dear0": Kind(6.0, 30), "dear1": Kind(6.0, 30)}
    suite = Suite(kinds, AllocationRules(FEWEST, budget_s=90.0, guaranteed=False)).run()
    assert {name for name in kinds if name.startswith("cheap")} <= suite.settled
    assert suite.clock_s <= 90.0


def test_nobody_has_more_than_a_share_before_all_had_theirs() -> None:
    kinds = {f"cheap{i}": Kind(0.03, None) for i in range(18)}
    kinds |= {"dear0": Kind(2.0, None), "dear1": Kind(2.0, None)}
    share_s = 60.0 / len(kinds)
    allocation = Allocation(
        {name: kind.round_s for name, kind in kinds.items()},
        AllocationRules(FEWEST, budget_s=60.0, guaranteed=False),
    )
    spent = dict.fromkeys(kinds, 0.0)
    while names := allocation.next_pass(60.0):
        for name in names:
            allocation.measured(name, kinds[name].round_s)
            spent[name] += kinds[name].round_s
        if all(allocation.account(name).rounds >= FEWEST for name in kinds if "cheap" in name):
            break
    assert max(spent.values()) <= share_s


def test_a_default_budget_gives_everyone_an_interval_however_dear() -> None:
    kinds = {f"cheap{i}": Kind(0.03, None) for i in range(18)}
    kinds |= {"dear0": Kind(6.0, None), "dear1": Kind(6.0, None)}
    suite = Suite(kinds, AllocationRules(FEWEST, budget_s=100.0)).run()
    assert min(suite.rounds.values()) == FEWEST


def test_the_hopeless_come_last_and_get_what_nobody_else_wants() -> None:
    kinds = {f"b{i}": Kind(0.05, 50) for i in range(10)}
    kinds |= {f"hopeless{i}": Kind(0.05, None, hopeless=True) for i in range(10)}
    tight = Suite(
        kinds, AllocationRules(FEWEST, budget_s=10 * 50 * 0.05 + 10 * FEWEST * 0.05 + 0.2)
    ).run()
    assert len(tight.settled) == 10
    ample = Suite(kinds, AllocationRules(FEWEST, budget_s=60.0)).run()
    assert ample.rounds["hopeless0"] > 2 * FEWEST
    assert ample.clock_s > 59.0


def test_time_goes_to_nobody_who_cannot_have_an_interval_while_others_want_it() -> None:
    kinds = {"dear": Kind(5.0, 30), "hopeless": Kind(0.05, None, hopeless=True)}
    suite = Suite(kinds, AllocationRules(FEWEST, budget_s=40.0, guaranteed=False)).run()
    assert suite.spent_s["dear"] <= 20.0
    assert suite.spent_s["hopeless"] >= 19.0


def test_rounds_are_a_limit() -> None:
    kinds = {f"b{i}": Kind(0.05, None) for i in range(3)}
    suite = Suite(kinds, AllocationRules(FEWEST, most_rounds=20)).run()
    assert set(suite.rounds.values()) == {20}


def test_a_failed_guess_counts_double() -> None:
    allocation = Allocation({"a": 1.0}, AllocationRules(FEWEST))
    for _ in range(FEWEST):
        allocation.measured("a", 1.0)
    allocation.judged("a", needed=10, settled=False)
    assert allocation.account("a").expected_s() == 10.0
    for _ in range(10):
        allocation.measured("a", 1.0)
    allocation.judged("a", needed=10, settled=False)
    assert allocation.account("a").expected_s() == 20.0


def test_nobody_takes_more_than_three_shares_while_others_would_settle() -> None:
    allocation = Allocation({"greedy": 1.0, "patient": 1.0}, AllocationRules(1, budget_s=20.0))
    allocation.measured("patient", 1.0)
    allocation.judged("patient", needed=1000, settled=False)
    for _ in range(30):
        allocation.measured("greedy", 1.0)
    allocation.judged("greedy", needed=1, settled=False)
    assert allocation.next_pass(100.0) == ["patient"]
    allocation.close("patient")
    assert allocation.next_pass(100.0) == ["greedy"]


def test_rounds_had_since_the_look_are_not_expected_again() -> None:
    allocation = Allocation({"a": 1.0}, AllocationRules(1))
    allocation.measured("a", 1.0)
    allocation.judged("a", needed=10, settled=False)
    for _ in range(4):
        allocation.measured("a", 1.0)
    assert allocation.account("a").expected_s() == 6.0


def test_what_is_affordable_is_a_head_of_the_soonest() -> None:
    assert affordable({"far": 50.0, "near": 2.0, "mid": 5.0}, 10.0) == ["near", "mid"]
    assert affordable({"far": 50.0, "near": 20.0}, 10.0) == ["near"]
    assert affordable({}, 10.0) == []


def test_nobody_gets_its_rounds_in_a_burst_while_others_want_some() -> None:
    names = [f"b{i}" for i in range(40)]
    allocation = Allocation(dict.fromkeys(names, 0.02), AllocationRules(1, budget_s=60.0))
    for name in names:
        allocation.measured(name, 0.02)
        allocation.judged(name, needed=150 if name == "b7" else 5_000, settled=False)
    passed = allocation.next_pass(4.0)  # pays for one verdict only
    assert passed[0] == "b7"
    assert sum(allocation.account(name).round_s for name in passed) >= PASS_AT_LEAST_S
    assert len(passed) == len(set(passed)) < len(names)


def test_a_pass_of_dear_rounds_is_not_filled() -> None:
    allocation = Allocation({"soon": 1.0, "late": 1.0}, AllocationRules(1, budget_s=60.0))
    for name, needed in (("soon", 3), ("late", 500)):
        allocation.measured(name, 1.0)
        allocation.judged(name, needed=needed, settled=False)
    assert allocation.next_pass(5.0) == ["soon"]


def test_a_benchmark_that_failed_wants_no_more() -> None:
    allocation = Allocation({"a": 1.0, "b": 1.0}, AllocationRules(FEWEST))
    allocation.close("a")
    assert allocation.next_pass(100.0) == ["b"]
    allocation.close("b")
    assert allocation.next_pass(100.0) == []
    assert allocation.still_open == 0


@pytest.mark.parametrize("seed", range(150))
def test_whatever_the_suite_the_limit_holds_and_everyone_gets_the_fewest(seed: int) -> None:
    luck = random.Random(seed)
    kinds = {
        f"b{i}": Kind(
            round_s=10 ** luck.uniform(-2, 0.5),
            settles_at=luck.choice([None, FEWEST, 40, 400]),
            hopeless=luck.random() < 0.2,
        )
        for i in range(luck.randint(1, 40))
    }
    least_s = FEWEST * sum(kind.round_s for kind in kinds.values())
    budget_s = least_s * luck.uniform(0.05, 3.0)
    default = Suite(kinds, AllocationRules(FEWEST, budget_s=budget_s)).run(seed)
    assert min(default.rounds.values()) >= FEWEST
    assert default.clock_s <= max(budget_s, least_s) + 1e-6
    asked = Suite(kinds, AllocationRules(FEWEST, budget_s=budget_s, guaranteed=False)).run(seed)
    dearest_s = max(kind.round_s for kind in kinds.values())
    assert asked.clock_s <= max(budget_s, dearest_s) + 1e-6
    if budget_s >= len(kinds) * FEWEST * dearest_s:
        assert min(asked.rounds.values()) >= FEWEST
    left_over = set(kinds) - asked.settled
    cheapest_s = min((kinds[name].round_s for name in left_over), default=float("inf"))
    assert budget_s - asked.clock_s < cheapest_s, "time was left that somebody could have used"


def passes_until_settled(allocation: Allocation, wanted: set[str], left_s: float) -> list[str]:
    """The names measured until all of `wanted` have the fewest rounds."""
    measured: list[str] = []
    while wanted and left_s > 0:
        for name in allocation.next_pass(left_s):
            measured.append(name)
            allocation.measured(name, 0.05)
            left_s -= 0.05
            if allocation.account(name).rounds >= FEWEST:
                allocation.judged(name, needed=1, settled=True)
                wanted.discard(name)
    return measured


@pytest.mark.parametrize("budget_s", [2000.0, 40.0], ids=["ample", "scarce"])
def test_what_executes_changed_code_is_settled_first(budget_s: float) -> None:
    costs = {f"b{i}": 0.05 for i in range(100)}
    changed = {"b41", "b42", "b97"}
    rules = AllocationRules(FEWEST, budget_s, guaranteed=budget_s > 100, settling=FEWEST)
    allocation = Allocation(costs, rules)
    allocation.put_first([*changed, "unknown"])
    measured = passes_until_settled(allocation, set(changed), budget_s)
    others = [name for name in measured if name not in changed]
    assert len(others) <= 3 * FEWEST, "two or three fill each pass"
    assert all(allocation.account(name).rounds == FEWEST for name in changed)


def test_where_half_the_suite_changed_the_order_stays() -> None:
    costs = {f"b{i}": 0.05 for i in range(10)}
    rules = AllocationRules(FEWEST, budget_s=10 * FEWEST * 0.05)
    allocation = Allocation(costs, rules)
    allocation.put_first([f"b{i}" for i in range(6)])
    assert set(allocation.next_pass(rules.budget_s)) == costs.keys()


def test_what_is_first_and_never_settled_leaves_the_others_their_share() -> None:
    kinds = {f"b{i}": Kind(0.05, 20) for i in range(20)}
    kinds["b3"] = Kind(0.05, None, hopeless=True)
    rules = AllocationRules(FEWEST, budget_s=30 * 20 * 0.05)
    suite = Suite(kinds, rules, first=("b3",)).run()
    assert suite.settled == kinds.keys() - {"b3"}
