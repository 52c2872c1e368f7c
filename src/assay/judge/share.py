"""How the chance of a false alarm about one pair is shared out among what is asked of it."""

from typing import NamedTuple


class Share(NamedTuple):
    """Parts of one level; with those of counts and of failed launches they sum to 1."""

    centre: float
    slow_launches: float = 0.0
    fast_launches: float = 0.0
    slow_samples: float = 0.0
    fast_samples: float = 0.0


# Slow launches need a large share: where nothing changed, a round that is far out lies on
# either side like a tossed coin. Six on one side have chance 1/64, whatever the statistic.
IN_FAMILY = Share(0.53, 0.35, 0.02, 0.04, 0.01)
BY_ITSELF = Share(1.0)  # an interval and nothing else
REPEATABLE = 0.5  # of counts that should repeat: this to tell a change, the rest if they do not
COUNTS = 0.02  # of the level of the whole judgement
FAILED_LAUNCHES = 0.03  # of the level of what is judged by rounds, all benchmarks together
