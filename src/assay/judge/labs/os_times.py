"""What a run of the OS lab says of a call's time, and when it has enough launches.

    times = os_times(record.samples)
    times[0].typical, times[0].low, times[0].high
    history.add(samples, spent_s)
    history.settled()

A launch's figure is the median of its samples. A run's is the mean of its launches' without
the outermost twentieth on each side, with Tukey and McLaughlin's interval. With fewer than six
launches, figure and interval are the median of all samples together, which say nothing about
further launches. Why: docs/decisions/0025. Values are added one after the other, neither by
numpy nor by `sum`, whose last digits differ between versions: libMicro's report shows them.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate

import msgspec
import numpy as np

from assay.model import Sample, by_benchmark
from assay.os_lab import OsTime

# The tables by which these were chosen are in decisions 24 and 25, but for `SAMPLES` and
# `_MOST_COUNTED`, which no decision names.
ENOUGH_LAUNCHES = 6  # fewest launches from whose medians an interval is made
FEWEST_LAUNCHES, MOST_LAUNCHES = 24, 400  # launches of a run, at least and at most
CHEAP_S = 1.5  # seconds: a run that took less has at least twice the fewest launches
NARROW = 0.015  # a run ends once half of its interval is at most this share of its time of a call
LONGEST_S = 8.0  # seconds that all launches of a run take together, at most
SAMPLES = 12  # samples of a launch, where the run does not say how many
_FORTIETH = 40  # one in 40 in each tail: 2.5 %
_MOST_COUNTED = 1000  # values for which ranks are exact; beyond, by the normal approximation
# Coefficients of Student's t quantile at 97.5 % as a series in powers of 1 / degrees of freedom
# (Abramowitz and Stegun, 26.7.5).
_T_TERMS = (1.959964, 2.372271, 2.822499, 2.555850, 1.589340)


class RunHistory(msgspec.Struct):
    """The launches of a run so far, by which it is decided whether another is needed.

    `figures_ns` has the median time of a call in each launch, `spent_s` the seconds of all.
    """

    figures_ns: list[float] = msgspec.field(default_factory=list)
    spent_s: float = 0.0

    def add(self, samples: Sequence[float], spent_s: float) -> None:
        """Add one launch: its samples in ns, not empty, and the seconds that it took."""
        self.figures_ns.append(upper_median(samples))
        self.spent_s += spent_s

    def settled(self, fewest: int = FEWEST_LAUNCHES, longest_s: float = LONGEST_S) -> bool:
        """Whether more launches would tell little, or cost too much (decision 25).

        As it is asked after every launch, an interval of few launches is now and then narrow by
        chance, around a figure that is off. So cheap launches are 48 before the first look: of that
        many with a deviation of 5 % the interval is narrow whatever they are.
        """
        count = len(self.figures_ns)
        if count < fewest or (count < 2 * fewest and self.spent_s < CHEAP_S):
            return False
        if count >= MOST_LAUNCHES or self.spent_s >= longest_s:
            return True
        typical_ns, low_ns, high_ns = trimmed_mean(self.figures_ns)
        return high_ns - low_ns <= 2 * NARROW * typical_ns

    def settled_within(self, longest_s: float) -> bool:
        """Whether the run may end; after `longest_s` seconds, launches for an interval suffice."""
        is_over = self.spent_s >= longest_s
        return self.settled(ENOUGH_LAUNCHES if is_over else FEWEST_LAUNCHES, longest_s)


def os_times(samples: Iterable[Sample]) -> tuple[OsTime, ...]:
    """The time of a call for each benchmark, in its time unit, in the order they appear.

    Raises `KeyError` where a sample has no `real_time`. The method is in decision 25.
    """
    return tuple(_os_time(name, group) for name, group in by_benchmark(samples).items())


def upper_median(values: Sequence[float]) -> float:
    """The median of at least one value; of two middle ones the upper, as libMicro has it."""
    return sorted(values)[len(values) // 2]


def time_of_run(launches: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """A run's time of a call and both ends of its interval at 95 %, in the unit of the samples.

    Six launches or more: their trimmed mean. Fewer: the median of all samples, of which there must
    be at least one (decision 25).
    """
    if len(launches) >= ENOUGH_LAUNCHES:
        return trimmed_mean([upper_median(each) for each in launches])
    ordered = sorted(time for each in launches for time in each)
    low, high = median_ranks(len(ordered))
    return upper_median(ordered), ordered[low], ordered[high]


def trimmed_mean(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean without the outermost twentieth on each side, at least one value, and both ends of
    its interval at 95 %: Student's t on the winsorized deviation (Tukey and McLaughlin 1963). In
    the unit of the values, of which there must be at least four.
    """
    count, cut = len(values), max(1, len(values) // 20)
    kept = sorted(values)[cut : count - cut]
    winsorized = [kept[0]] * cut + kept + [kept[-1]] * cut
    error = deviation(winsorized, mean_of(winsorized)) * math.sqrt(count) / len(kept)
    reach = _student_t(len(kept) - 1) * error
    mean = mean_of(kept)
    return mean, max(0.0, mean - reach), mean + reach


def mean_of(values: Sequence[float]) -> float:
    """The mean of at least one value."""
    return sum_in_order(values) / len(values)


def deviation(values: Sequence[float], mean: float) -> float:
    """The standard deviation of a sample; 0 of a single value."""
    squares = sum_in_order((value - mean) * (value - mean) for value in values)
    return math.sqrt(squares / (len(values) - 1)) if len(values) > 1 else 0.0


def sum_in_order(values: Iterable[float]) -> float:
    """The sum, added one value after the other, so that its last digit is the same everywhere."""
    added = 0.0
    for value in values:
        added += value
    return added


@lru_cache(maxsize=1024)
def median_ranks(count: int) -> tuple[int, int]:
    """The ranks, from 0, of the values between which the median lies with 95 % or more.

    Where there are too few values for that, the outermost. How many lie below the median is
    binomial(n, 1/2): exact up to 1000, a normal approximation beyond.
    """
    if count > _MOST_COUNTED:
        reach = 1.96 * math.sqrt(count / 4)
        return math.floor(count / 2 - reach), math.ceil(count / 2 + reach)
    # Ways for k or fewer values to lie below the median.
    at_most = list(accumulate(math.comb(count, k) for k in range(count + 1)))
    every = at_most[-1]
    low = sum(_FORTIETH * ways <= every for ways in at_most) - 1
    return max(low, 0), min(count - 1 - low, count - 1)


def _student_t(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, within 0.2 % from 3 degrees of freedom on: a series in
    powers of 1/freedom (Abramowitz and Stegun 26.7.5)."""
    return sum_in_order(term / float(freedom**power) for power, term in enumerate(_T_TERMS))


def _os_time(name: str, group: list[Sample]) -> OsTime:
    launches = [sample.values["real_time"] for sample in group]
    every = np.concatenate([np.asarray(each) for each in launches])
    typical, low, high = time_of_run(launches)
    p95, p99 = (float(np.quantile(every, share)) for share in (0.95, 0.99))
    processes = _count_from_sample(group[0], "processes") or 1
    return OsTime(
        benchmark=name,
        unit=group[0].time_unit,
        typical=typical,
        low=low,
        high=high,
        p95=p95,
        p99=p99,
        samples=len(every),
        calls=_count_from_sample(group[0], "calls_per_sample"),
        launches=len(group),
        of_launches=len(group) >= ENOUGH_LAUNCHES,
        processes=processes,
        threads=group[0].threads // processes,
    )


def _count_from_sample(sample: Sample, counter: str) -> int:
    return int(sample.values.get(counter, (0.0,))[0])
