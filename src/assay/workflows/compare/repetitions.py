"""Chooses how many repetitions each launch of a benchmark makes, from its first rounds.

better = better_repetitions(samples, session.effort(name), session.costs(name), round_s)
"""

from collections.abc import Sequence

from assay.judge.judgeable import reason_unjudgeable
from assay.judge.repetitions import CHOICES, cheapest_repetitions, noise_by_repetitions
from assay.measure.effort import Effort, LaunchCosts
from assay.model import Sample, Side

# Rounds without which the noise of repetitions is not known well enough to choose their number.
ROUNDS = 12
_METRIC = "real_time"
# If one repetition takes less than this, a launch makes at least `_LEAST_CHEAP` of them, so that
# occasional slow samples are seen.
_CHEAP_S = 0.004
_LEAST_CHEAP = 5


def better_repetitions(
    samples: Sequence[Sample], effort: Effort, costs: LaunchCosts, round_s: float
) -> int:
    """The number of repetitions a launch that gives the most precision for its time: with the least
    squared noise x time. It stays as it is if no other number is better.
    """
    now = effort.repetitions
    base, candidate = _launches(samples, Side.BASE), _launches(samples, Side.CANDIDATE)
    one_s = costs.repetition_s(effort)
    least = _LEAST_CHEAP if one_s < _CHEAP_S else 1
    choices = (now, *(count for count in CHOICES if least <= count < now))
    whole = all(len(launch) == now for launch in (*base, *candidate))
    if len(choices) == 1 or len(base) != len(candidate) or len(base) < ROUNDS or not whole:
        return now
    if reason_unjudgeable((*base, *candidate)) is not None:
        return now
    noise = noise_by_repetitions(base, candidate, _METRIC, choices)
    saved_s = {count: 2 * (now - count) * one_s for count in choices}
    # Saving repetitions saves no more than 90 % of a round, even if the trial launch suggested so.
    cost_s = {count: max(0.1 * round_s, round_s - saved_s[count]) for count in choices}
    return cheapest_repetitions(noise, cost_s, now)


def _launches(samples: Sequence[Sample], side: Side) -> list[tuple[float, ...]]:
    ours = sorted((s for s in samples if s.side is side), key=lambda s: s.round or 0)
    return [sample.values[_METRIC] for sample in ours if sample.values.get(_METRIC)]
