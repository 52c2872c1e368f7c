"""How many repetitions a launch should have, estimated from the rounds so far.

    noise = noise_by_repetitions(base_launches, candidate_launches, "real_time", (15, 8, 5))
    cheapest_repetitions(noise, seconds_of_a_round, 15)

A launch of few repetitions is the beginning of one of many, so the noise of a round with fewer is
what the first samples alone would have given. The time until an interval has a given width is
proportional to noise squared times the time of a round (decision 26).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.judge.estimate import launch_estimates

CHOICES = (15, 8, 5, 3, 2, 1)  # repetitions of a launch (decision 26)
# Another number of repetitions must save this share of noise squared x time, because few rounds
# show the noise only roughly (decision 26).
GAIN = 0.15
# Robust sigmas at which deviations are clipped, so that a wild launch does not choose the number.
# The usual bound of normal noise; not tuned, and no verdict depends on it.
_TAIL = 3.0

Launches = Sequence[Sequence[float]]


def noise_by_repetitions(
    base: Launches, candidate: Launches, metric: str, choices: Sequence[int]
) -> dict[int, float]:
    """The noise of a round if each launch had ended after so many repetitions, by their number.

    It is the standard deviation of the log ratio. Both sides have as many launches, in rounds.
    """
    return {
        count: _clipped_deviation(
            np.log(launch_estimates([launch[:count] for launch in candidate], metric))
            - np.log(launch_estimates([launch[:count] for launch in base], metric))
        )
        for count in choices
    }


def cheapest_repetitions(noise: Mapping[int, float], round_s: Mapping[int, float], now: int) -> int:
    """The number of repetitions with the least noise squared x time (decision 26).

    `round_s` is the seconds of a round for each number. It is `now` unless another gains `GAIN`.
    """
    product = {count: noise[count] ** 2 * round_s[count] for count in noise}
    best = min(product, key=lambda count: (product[count], -count))
    return best if product[best] < (1.0 - GAIN) * product[now] else now


def _clipped_deviation(ratios: np.ndarray) -> float:
    """The standard deviation around the median, with deviations clipped."""
    away = np.abs(ratios - np.median(ratios))
    sigma = 1.4826 * float(np.median(away))
    return float(np.sqrt(np.mean(np.minimum(away, _TAIL * sigma) ** 2)))
