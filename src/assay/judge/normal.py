"""The standard normal distribution, without scipy: importing that costs a quarter of a second."""

import math


def upper_tail(z: float) -> float:
    """P(Z >= z) for a standard normal."""
    return 0.5 * math.erfc(z / math.sqrt(2.0))


def normal_quantile(p: float) -> float:
    """The z with P(Z <= z) = p for 0 < p < 1, by bisection on erfc: exact, slow, rarely needed."""
    low, high = -40.0, 40.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        if upper_tail(-middle) < p:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def within(limit: float, error: float) -> float:
    """P(|X| <= limit) for a normal X around 0 with this standard deviation; 1 where that is 0."""
    return math.erf(limit / (error * math.sqrt(2.0))) if error > 0.0 else 1.0
