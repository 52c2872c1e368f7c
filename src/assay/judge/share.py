"""How the chance of a false alarm about one pair is shared out among what is asked of it."""

from typing import NamedTuple


class Share(NamedTuple):
    """Parts of one level; with the part of counts they sum to 1."""

    centre: float
    slow_launches: float = 0.0
    fast_launches: float = 0.0
    slow_samples: float = 0.0
    fast_samples: float = 0.0


# Launches that are slow now and then need a large share: each such round is the toss
# of one coin, six of them have chance 1/64, and no statistic makes that less.
IN_FAMILY = Share(0.56, 0.35, 0.02, 0.04, 0.01)
BY_ITSELF = Share(1.0)  # an interval and nothing else
COUNTS = 0.02  # of the level of the whole judgement
