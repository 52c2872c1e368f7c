"""What a judgement would have caught, and what it leaves open at worst.

A gate that passes says only that nothing got slower by as much as it could have seen. That is the
margin, the half of the interval that lies towards the gate's edge, and the scatter of the centre of
so many rounds. Without the latter a slowdown of that size would be caught every second time only;
with it, in at least 95 of 100 tries (decision 46).
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

import msgspec

from assay.judge.family.undecided import shortage_of_undecided
from assay.judge.paired.suite_autocorrelation import FEWEST_IN_FAMILY
from assay.judging import MethodName
from assay.model import Comparison, Strength, Verdict
from assay.units import Better, metric

# A slowdown is called caught if it is larger by so many standard errors of the centre (a round's
# noise / root of n), for the centre scatters (decision 46).
_LUCK = 2.1
_MOST_LUCK = 50.0  # largest exponent, a round number, so that its exponential is finite
# Room for a wider interval next time: a share of the half interval, in logarithms (decision 46).
_OF_WIDTH = 0.9
_OF_WIDTH_ALONE = 1.6  # `_OF_WIDTH` for fewer than five benchmarks: more varied intervals
# Share of the undecided comparisons that is called "most", without the few worst. Not tuned, and
# only a figure that is printed depends on it (decision 50).
_MOST = 6 / 7


def strength(comparisons: Sequence[Comparison], margin: float) -> Strength:
    """What a judgement would have caught, over all that was judged in the family (decision 46).

    Sizes are relative to base: 0.05 is 5 %. A count that does not vary shows any change, so
    `every` and `half` are about the others.
    """
    asked = [one for one in comparisons if not one.single]
    varying = [one for one in asked if not _is_exact_count(one)] or asked
    alone = len({one.benchmark for one in asked}) < FEWEST_IN_FAMILY
    spare = _OF_WIDTH_ALONE if alone else _OF_WIDTH
    caught = sorted(
        _smallest_caught_change(one, margin, spare) for one in varying if _can_get_worse(one)
    )
    ends = sorted(
        _upper_end(one)
        for one in asked
        if one.verdict is Verdict.UNDECIDED and one.low is not None and _can_get_worse(one)
    )
    within = _most_within(ends)
    return Strength(
        every=_finite(caught[-1]) if caught else None,
        half=_finite(caught[(len(caught) - 1) // 2]) if caught else None,
        unjudged=sum(one.low is None for one in varying),
        undecided=sum(one.low is not None and one.verdict is Verdict.UNDECIDED for one in asked),
        worst=ends[-1] if ends else None,
        most=0 if within is None else bisect_right(ends, within),
        most_within=within,
        lacking=dict(
            Counter(
                shortage_of_undecided(o, margin) for o in asked if o.verdict is Verdict.UNDECIDED
            )
        ),
        judged=len(varying),
        metrics=len({one.metric for one in varying}),
    )


def with_missing_time(found: Strength, comparisons: Sequence[Comparison]) -> Strength:
    """`found` with the seconds until every comparison would have an interval, where it is known how
    long a round takes."""
    without: dict[str, float] = {}
    for one in comparisons:
        if one.low is not None or one.single or one.rounds_wanted is None or one.round_s is None:
            continue
        missing_s = max(0, one.rounds_wanted - one.rounds) * one.round_s
        without[one.benchmark] = max(missing_s, without.get(one.benchmark, 0.0))
    missing = sum(without.values())
    return msgspec.structs.replace(found, missing_s=missing) if missing else found


def _is_exact_count(one: Comparison) -> bool:
    """Whether the comparison is of a count that does not vary, or has not varied so far."""
    if one.low is None:
        return one.method is MethodName.EXACT_SO_FAR
    return one.low == one.high


def _most_within(ends: Sequence[float]) -> float | None:
    """What most of the sorted `ends` do not exceed; None where that is the largest of them."""
    most = math.floor(_MOST * len(ends))
    return ends[most - 1] if most and ends[most - 1] < ends[-1] else None


def _can_get_worse(one: Comparison) -> bool:
    """Whether a comparison can show a slowdown: without a better direction, its metric cannot."""
    return metric(one.metric).better is not Better.NEITHER


def _smallest_caught_change(one: Comparison, margin: float, spare: float) -> float:
    """The smallest change for the worse whose interval would lie beyond the margin.

    Intervals are of ratios: around another effect they are wider by the same factor. A repeated
    measurement would have another centre and width: `_margin_for_chance` is the room for that.
    """
    if one.low is None or one.high is None or one.low <= -1.0 < one.change:
        return math.inf
    if one.low == one.high:
        return margin
    if _less_is_better(one):
        width = max(1.0, (1.0 + one.change) / (1.0 + one.low))
        return (1.0 + margin) * width * _margin_for_chance(one, width, spare) - 1.0
    width = max(1.0, (1.0 + one.high) / (1.0 + one.change))
    return 1.0 - (1.0 - margin) / (width * _margin_for_chance(one, width, spare))


def _margin_for_chance(one: Comparison, width: float, spare: float) -> float:
    """The factor by which the change must be larger so that 19 of 20 measurements catch it.

    The centre scatters as its rounds do, and the interval is wider or narrower each time.
    """
    if one.noise is None or one.rounds < 1:
        return math.pow(width, spare)
    centre = math.exp(min(_LUCK * one.noise / math.sqrt(one.rounds), _MOST_LUCK))
    return math.pow(width, spare) * centre


def _upper_end(one: Comparison) -> float:
    """How much worse the candidate may be: the end of the interval on the worse side."""
    assert one.low is not None
    assert one.high is not None
    return one.high if _less_is_better(one) else -one.low


def _less_is_better(one: Comparison) -> bool:
    return metric(one.metric).better is Better.LOWER


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
