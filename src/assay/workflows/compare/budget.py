"""How long a comparison may take, and what is announced about that before it begins.

    budget = Budget.of(measuring, {"BM_copy": 0.03}, fewest=15)
    budget.limit_s, budget.guaranteed
    budget.announcement()

The default budget lasts until every benchmark has the rounds that an interval needs. A budget given
by the user is kept even if it is too small, which the announcement says.
"""

from collections.abc import Mapping

import msgspec

from assay.show.words.format import count, duration
from assay.workflows.common.plan import Measuring

# Seconds; the default budget is so much for each benchmark, more if an interval takes longer.
SECONDS_PER_BENCHMARK = 5.0
SPARE = 1.1  # the default budget is at least this times what the fewest rounds should take


class Budget(msgspec.Struct, frozen=True):
    """How long a comparison may measure, and how long the fewest rounds for
    an interval should take.
    """

    benchmarks: int
    fewest: int  # fewest rounds of a benchmark, without which the judge gives no interval
    least_s: float
    limit_s: float
    most_rounds: int | None
    asked_s: float | None

    @staticmethod
    def of(measuring: Measuring, round_s: Mapping[str, float], fewest: int) -> "Budget":
        """The budget of a comparison; `round_s` is the expected time of each benchmark's round."""
        least_s = sum(fewest * cost for cost in round_s.values())
        limit_s = sum(
            max(SECONDS_PER_BENCHMARK, SPARE * fewest * cost) for cost in round_s.values()
        )
        if measuring.rounds is not None:
            limit_s = float("inf")
        if measuring.budget_s is not None:
            limit_s = measuring.budget_s
        return Budget(len(round_s), fewest, least_s, limit_s, measuring.rounds, measuring.budget_s)

    @property
    def guaranteed(self) -> bool:
        """Whether every benchmark gets the fewest rounds, however long they take."""
        return self.asked_s is None

    def announcement(self) -> str:
        """One line for the user, who also learns here if the budget is too small."""
        rounds, takes = count(self.fewest, "round"), _about(self.least_s)
        if self.most_rounds is not None and self.most_rounds < self.fewest:
            return (
                f"{rounds} of each benchmark are the least for a verdict; --rounds is "
                f"{self.most_rounds}: no benchmark will have an interval"
            )
        if self.asked_s is not None and self.asked_s < self.least_s:
            return (
                f"{rounds} of each benchmark need {takes}; --budget is "
                f"{_span(self.asked_s)}: some benchmarks will have no interval "
                "(first come those that seem changed, then the cheap ones)"
            )
        limit = "" if self.limit_s == float("inf") else f"; budget {_span(self.limit_s)}"
        named = count(self.benchmarks, "benchmark")
        return f"{named}: {rounds} of each are the least for a verdict, {takes}{limit}"


def _about(seconds: float) -> str:
    span = _span(seconds)
    return f"about {span}" if span[0].isdigit() else span


def _span(seconds: float) -> str:
    return duration(max(1.0, seconds)) if seconds > 0.5 else "less than a second"
