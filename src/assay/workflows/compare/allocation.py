"""Decides which benchmarks get the next rounds. The budget is shared by time, not by rounds.

    allocation = Allocation({"BM_copy": 0.03}, AllocationRules(fewest=15, budget_s=5.0))
    for name in allocation.next_pass(left_s): ...
    allocation.measured("BM_copy", 0.031)
    allocation.judged("BM_copy", needed=40, settled=False)

Every benchmark first gets the fewest rounds that an interval needs, if its share of the budget pays
for them. Then rounds go where a verdict is expected soonest: the rounds that the judge says are
missing, times the cost of a round, doubled each time such a forecast was wrong. It uses no clock
and starts no processes.

If the budget does not even pay for the fewest rounds of all (`AllocationRules.scarce`), it decides
what it can. Each benchmark gets one round; then come those that seem to have changed (`prefer`),
then the cheap ones, a few at a time until they are settled. The rest stays as it is.

A pass never measures a single cheap benchmark only: others that want rounds fill it up to a quarter
of a second. One side of a benchmark was once slow for three seconds, and its 166 rounds, all
measured in just these seconds, called it slower (decision 27).
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

# While other benchmarks can still get a verdict, one benchmark gets at most this many times its
# equal share of the budget (budget / number of benchmarks).
SHARES_AT_MOST = 3.0
# Seconds that a pass (one round each of the chosen benchmarks) lasts at least: others are added to
# it, so that a short disturbance cannot hit all rounds of one benchmark.
PASS_AT_LEAST_S = 0.25


class AllocationRules(msgspec.Struct, frozen=True):
    """The limits within which benchmarks get rounds: the budget in
    seconds, and numbers of rounds.
    """

    fewest: int  # fewest rounds of a benchmark, without which the judge gives no interval
    budget_s: float = float("inf")
    guaranteed: bool = True  # True: every benchmark gets `fewest` rounds, even beyond the budget
    most_rounds: int | None = None
    settling: int = 0  # rounds after which a verdict usually is final; 0, or at least `fewest`

    def scarce(self, round_s: Mapping[str, float]) -> bool:
        """Whether the budget, which must be kept, does not pay for the fewest rounds of all."""
        return not self.guaranteed and self.fewest * sum(round_s.values()) > self.budget_s


class Account(msgspec.Struct):
    """The time that one benchmark has used so far, and a forecast of what it still needs."""

    round_s: float  # seconds of a round: from trial launches at first, then the average
    rounds: int = 0
    lost: int = 0  # rounds that do not count, because one of their launches failed
    spent_s: float = 0.0
    # Rounds that a verdict still takes, by the judge's forecast; None: no forecast.
    needed: int | None = None
    looked_at: int = 0  # rounds there were when the judge made that forecast
    failures: int = 0  # forecasts that proved too low; each doubles the next forecast
    # If there is no verdict after so many rounds, the forecast was too low.
    trusted_until: int | None = None

    def charge(self, seconds: float, *, lost: bool) -> None:
        """Add the time of a round.

        If one of its launches failed (`lost`), the round does not count, but makes the average cost
        of those that do higher.
        """
        self.lost += lost
        self.rounds += not lost
        self.spent_s += seconds
        self.round_s = self.spent_s / max(1, self.rounds)

    @property
    def rounds_begun(self) -> int:
        """Rounds begun so far, failed ones included; also the number of the next round."""
        return self.rounds + self.lost

    def look(self, needed: int | None) -> None:
        """Take the judge's new forecast of the rounds missing, and note
        whether an older one failed.
        """
        self.needed, self.looked_at = needed, self.rounds
        if self.trusted_until is not None and self.rounds >= self.trusted_until:
            self.failures += 1
            self.trusted_until = None
        if needed is None:
            return
        if self.trusted_until is None:
            self.trusted_until = self.rounds + needed * 2**self.failures

    def expected_s(self) -> float | None:
        """Seconds until a verdict; None if it cannot be forecast."""
        if self.needed is None:
            return None
        missing = max(1, self.needed - (self.rounds - self.looked_at))
        return float(missing * self.round_s * 2**self.failures)


class Allocation:
    """Decides which benchmarks get the next rounds.

    It keeps an account of time and rounds for each.
    """

    def __init__(self, round_s: Mapping[str, float], rules: AllocationRules) -> None:
        self._rules = rules
        self._open = {name: Account(cost) for name, cost in round_s.items()}
        self._all = dict(self._open)
        self._share_s = rules.budget_s / max(1, len(self._all))
        self._pass: list[str] = []
        self._stale = True  # whether `_pass`, the benchmarks to measure next, must be chosen again
        self._begun = False
        self.is_scarce = rules.scarce(round_s)
        self._preferred: list[str] = []
        self._first: frozenset[str] = frozenset()

    @property
    def still_open(self) -> int:
        """How many benchmarks still want more rounds, as their verdicts may change."""
        return len(self._open)

    def account(self, name: str) -> Account:
        """The account of the benchmark `name`, whether or not it wants more rounds."""
        return self._all[name]

    def next_pass(self, left_s: float) -> list[str]:
        """The benchmarks to measure next, once each; empty if no round is wanted or fits."""
        if self._stale:
            self._pass, self._stale = self._choose_pass(left_s), False
        names = self._permitted(self._pass, left_s)
        if not names and self._pass:
            self._pass = self._choose_pass(left_s)
            names = self._permitted(self._pass, left_s)
        return names

    def permits(self, name: str, left_s: float) -> bool:
        """Whether another round of `name` may begin: it fits into the time left, or is guaranteed,
        or is the very first round of the comparison.
        """
        account = self._open.get(name)
        if account is None:
            return False
        if self._rules.guaranteed and account.rounds < self._rules.fewest:
            return True
        return account.round_s <= left_s or (not self._begun and left_s > 0)

    def measured(self, name: str, seconds: float, *, lost: bool = False) -> None:
        """Note a round of `name` and its time; `lost`: one of its launches failed."""
        account = self._all[name]
        account.charge(seconds, lost=lost)
        self._begun = True
        if self._rules.most_rounds is not None and account.rounds >= self._rules.most_rounds:
            self.close(name)
        self._stale = self._stale or account.rounds <= self._rules.fewest

    def judged(self, name: str, *, needed: int | None, settled: bool) -> None:
        """Note a look at `name`: how many more rounds it needs, or that it is settled."""
        self._all[name].look(needed)
        self._stale = True
        if settled:
            self.close(name)

    def close(self, name: str) -> None:
        """Stop measuring a benchmark: it is settled, has all its rounds, or was given up."""
        self._open.pop(name, None)
        self._stale = True

    def put_first(self, names: Iterable[str]) -> None:
        """Get verdicts on these benchmarks first, for example because they execute changed code.

        Each waits its turn again once it has the fewest rounds and three shares of the budget. If
        the fewest rounds of all of these take half the budget, being first would say too little,
        and the order is left as it is.
        """
        known = frozenset(names) & self._open.keys()
        least_s = self._rules.fewest * sum(self._open[name].round_s for name in known)
        if least_s <= self._rules.budget_s / 2:
            self._first, self._stale = known, True

    def prefer(self, names: Sequence[str]) -> None:
        """Where the budget is too small for all: measure these benchmarks first, in this order,
        because they seem to have changed.
        """
        if self._preferred != names:
            self._preferred, self._stale = list(names), True

    def _choose_pass(self, left_s: float) -> list[str]:
        payable = self._permitted(self._open, left_s)
        if first := [one for one in payable if one in self._first and self._is_early(one)]:
            return self._filled_pass(first, payable)
        if self.is_scarce:
            return self._pass_in_scarce_budget(payable, left_s)
        if first := self._below_fewest_rounds(payable):
            return first
        payable = [name for name in payable if not self._is_too_late(name, left_s)] or payable
        return self._soonest_to_settle(payable, left_s) or payable

    def _permitted(self, names: Iterable[str], left_s: float) -> list[str]:
        return [name for name in names if self.permits(name, left_s)]

    def _pass_in_scarce_budget(self, names: list[str], left_s: float) -> list[str]:
        """The next benchmarks where the budget is too small for all.

        First each gets one round, the cheapest first; then a few at a time are measured until they
        have a verdict.
        """
        if unseen := [name for name in names if self._open[name].rounds_begun == 0]:
            return sorted(unseen, key=lambda name: self._open[name].round_s)
        missing_s = {name: self._missing_s(self._open[name]) for name in names}
        altered = sorted(self._first & missing_s.keys(), key=lambda name: missing_s[name])
        preferred = dict.fromkeys((*altered, *self._preferred))
        first = [name for name in preferred if name in missing_s]
        others = sorted(missing_s.keys() - set(first), key=lambda name: (missing_s[name], name))
        ordered = (*first, *others)
        within = [name for name in ordered if missing_s[name] <= left_s]
        useful = within or [name for name in ordered if not self._is_too_late(name, left_s)]
        return self._filled_pass([], useful or ordered)

    def _missing_s(self, account: Account) -> float:
        """Seconds until a benchmark should have a verdict; infinite without a forecast, or if an
        earlier forecast failed.
        """
        if account.rounds < self._rules.fewest:
            usual = max(self._rules.fewest, self._rules.settling)
            return (usual - account.rounds) * account.round_s
        expected_s = account.expected_s()
        return float("inf") if expected_s is None or account.failures else expected_s

    def _below_fewest_rounds(self, names: list[str]) -> list[str]:
        """Benchmarks with too few rounds for an interval: those whose equal share of the budget
        pays for another round; if there are none, all of them, where these rounds are guaranteed.
        """
        young = [name for name in names if self._open[name].rounds < self._rules.fewest]
        paying = [name for name in young if self._can_pay(self._open[name])]
        return paying or (young if self._rules.guaranteed else [])

    def _is_too_late(self, name: str, left_s: float) -> bool:
        """Whether even all the time left would not give a benchmark an interval."""
        account = self._open[name]
        return (self._rules.fewest - account.rounds) * account.round_s > left_s

    def _can_pay(self, account: Account) -> bool:
        return account.spent_s + account.round_s <= self._share_s

    def _soonest_to_settle(self, names: list[str], left_s: float) -> list[str]:
        """The benchmarks to measure next: those that should get a verdict soonest without using
        more than three equal shares of the budget, then others as long as the pass is short.
        """
        guesses = {name: self._expected_s(name) for name in names}
        expected_s = {name: guess for name, guess in guesses.items() if guess is not None}
        modest = {
            name: s
            for name, s in expected_s.items()
            if self._is_within_three_shares(self._open[name])
        }
        first = affordable(modest or expected_s, left_s)
        if not first:
            return []
        others = sorted(expected_s.keys() - set(first), key=lambda name: expected_s[name])
        hopeless = [name for name, guess in guesses.items() if guess is None]
        return self._filled_pass(first, [*(n for n in others if n in modest), *others, *hopeless])

    def _filled_pass(self, names: list[str], others: Sequence[str]) -> list[str]:
        """The benchmarks `names`, with others added until a pass over all
        of them takes long enough.
        """
        filled = dict.fromkeys(names)
        pass_s = sum(self._open[name].round_s for name in filled)
        for name in others:
            if pass_s >= PASS_AT_LEAST_S:
                break
            if name not in filled:
                filled[name] = None
                pass_s += self._open[name].round_s
        return list(filled)

    def _is_early(self, name: str) -> bool:
        account = self._open[name]
        return account.rounds < self._rules.fewest or self._is_within_three_shares(account)

    def _is_within_three_shares(self, account: Account) -> bool:
        return account.spent_s + account.round_s <= SHARES_AT_MOST * self._share_s

    def _expected_s(self, name: str) -> float | None:
        account = self._open[name]
        if account.rounds < self._rules.fewest:
            return (self._rules.fewest - account.rounds) * account.round_s
        return account.expected_s()


def affordable(expected_s: Mapping[str, float], left_s: float) -> list[str]:
    """Benchmarks soonest to settle whose times together fit into `left_s`; at least one."""
    chosen: list[str] = []
    for name in sorted(expected_s, key=lambda name: expected_s[name]):
        left_s -= expected_s[name]
        if chosen and left_s < 0:
            break
        chosen.append(name)
    return chosen
