"""How many repetitions a launch should have, judged by the rounds there are.

    noise = noises(base_launches, candidate_launches, "real_time", (15, 8, 5))
    cheapest(noise, seconds_of_a_round, 15)

A launch of few repetitions is the beginning of one of many: the noise of a
round with fewer is what its first samples alone would have given. The time to
an interval of a given width is proportional to noise squared times the time of
a round.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.judge.estimate import launch_estimates

CHOICES = (15, 8, 5, 3, 2, 1)
GAIN = 0.15  # a change promises at least this much: a few rounds tell noise roughly
_TAIL = 3.0  # deviations beyond so many robust sigmas count as that many

Launches = Sequence[Sequence[float]]


def noises(
    base: Launches, candidate: Launches, metric: str, choices: Sequence[int]
) -> dict[int, float]:
    """The noise of a round, had each launch ended after so many repetitions."""
    return {
        count: _scale(
            np.log(launch_estimates([launch[:count] for launch in candidate], metric))
            - np.log(launch_estimates([launch[:count] for launch in base], metric))
        )
        for count in choices
    }


def cheapest(noise: Mapping[int, float], round_s: Mapping[int, float], now: int) -> int:
    """The count with the least noise squared x time; `now` unless another gains enough."""
    product = {count: noise[count] ** 2 * round_s[count] for count in noise}
    best = min(product, key=lambda count: (product[count], -count))
    return best if product[best] < (1.0 - GAIN) * product[now] else now


def _scale(ratios: np.ndarray) -> float:
    """The standard deviation around the median, tails clipped."""
    away = np.abs(ratios - np.median(ratios))
    sigma = 1.4826 * float(np.median(away))
    return float(np.sqrt(np.mean(np.minimum(away, _TAIL * sigma) ** 2)))
