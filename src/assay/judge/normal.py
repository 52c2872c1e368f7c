"""Tails of the normal distribution: 1 - cdf, by Python's `statistics`, loses their digits.

Scipy has both, and importing it costs a quarter of a second.
"""

import math


def upper_tail(z: float) -> float:
    """P(Z >= z) for a standard normal."""
    return 0.5 * math.erfc(z / math.sqrt(2.0))


def probability_within(limit: float, error: float) -> float:
    """P(|X| <= limit) for a normal X around 0 with this standard deviation; 1 where that is 0."""
    return math.erf(limit / (error * math.sqrt(2.0))) if error > 0.0 else 1.0
