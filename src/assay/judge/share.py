"""How the level of one pair, its chance of a false alarm, is shared among what is asked of it.

All parts were chosen in decision 28, the one of repeatable counts in decision 39.
"""

import msgspec


class LevelShares(msgspec.Struct, frozen=True):
    """How one error level is divided among the tests of a pair, as shares of that level.

    In a family they sum to 1, together with the shares for counts and for failed launches.
    """

    centre: float
    slow_launches: float = 0.0
    fast_launches: float = 0.0
    slow_samples: float = 0.0
    fast_samples: float = 0.0


# Slow launches need a large share: where nothing changed, a round that is far out is as likely on
# either side, so six on one side have a chance of 1/64, whatever the statistic.
IN_FAMILY = LevelShares(0.53, 0.35, 0.02, 0.04, 0.01)  # (decision 28)
BY_ITSELF = LevelShares(1.0)  # for a pair outside the family: an interval, and no other test
# Share of alpha for changes of counts that should repeat; the rest is for what is judged by rounds.
# A half, by decision 39.
REPEATABLE = 0.5
COUNTS = 0.02  # share of alpha for counts that do not vary
FAILED_LAUNCHES = 0.03  # share of alpha for launches that fail, of all benchmarks together
