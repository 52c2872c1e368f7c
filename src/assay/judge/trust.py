"""How often verdicts were right where the true slowdown is known: shares with intervals.

    tries = judged_tries(told, injected=0.05, margin=settings.margin)
    tries.right         CountedShare(count=19, of=20, low=0.75, high=0.999)
    share_with_interval(19, 20)

An interval is Clopper and Pearson's (Biometrika 1934): exact where all tries are independent and
equally likely to succeed. The benchmarks of one suite are not quite that, but no better one is
known.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median

import msgspec

from assay.model import Verdict
from assay.trust import CountedShare, Injection, Spread, Tries, TryVerdict, VerdictOutcome

_OUTSIDE = 0.05  # chance that the true share lies outside the interval: 95 % by convention
# Share of the slowdown asked for; where less was added, the delay did not reach the benchmark.
# Not tuned; docs/guides/trust.md says it to the user.
_AS_ASKED = 0.75
_SLOWER = (Verdict.SLOWER, Verdict.SOMETIMES_SLOWER)
_FASTER = (Verdict.FASTER, Verdict.SOMETIMES_FASTER)
# In margins: a slowdown of this many or more is judged with the margin as it is. So 5 and 10 %
# are judged with the default margin of 2 %, as a gate would judge them (docs/guides/trust.md).
_ENOUGH = 2.5
# A slowdown below `_ENOUGH` margins is judged with a margin of this share of itself: 2 % with
# 0.5 %, the margin at which decision 3 tells how often 2 % are found.
_PART = 0.25


def share_with_interval(count: int, of: int) -> CountedShare:
    """`count` of `of`, with the interval of the true share at 95 % (Clopper and Pearson 1934).

    Of 0 tries the interval is 0 to 1.
    """
    if of == 0:
        return CountedShare(0, 0, 0.0, 1.0)
    half = _OUTSIDE / 2
    low = (
        0.0
        if count == 0
        else _solved_by_bisection(lambda p: 1.0 - _binomial_distribution(count - 1, of, p) < half)
    )
    high = (
        1.0
        if count == of
        else _solved_by_bisection(lambda p: _binomial_distribution(count, of, p) > half)
    )
    return CountedShare(count, of, low, high)


def margin_for(injected: float, margin: float) -> float:
    """The margin with which an injected slowdown is judged, at most the usual `margin`.

    It must lie well below the slowdown, else none is ever found. Fractions: 0.05 is 5 %.
    """
    is_enough = injected == 0.0 or injected >= _ENOUGH * margin
    return margin if is_enough else min(margin, _PART * injected)


def was_slowed(added: float | None, injected: float) -> bool:
    """Whether the launches of a benchmark were slowed by at least three quarters of `injected`.

    There is no upper bound: more is added only while another program has the CPU, and that slows
    whatever runs then. Fractions; `added` None: not measured.
    """
    return added is not None and added >= _AS_ASKED * injected


def judged_tries(told: Sequence[TryVerdict], *, injected: float, margin: float) -> Tries:
    """What all comparisons with one slowdown said, and how often that was right.

    `injected` is the slowdown, 0 for a copy, `margin` the one it was judged with; fractions. A
    benchmark that the slowdown did not reach does not count.
    """
    every = tuple(
        msgspec.structs.replace(one, answer=_verdict_outcome(one, injected)) for one in told
    )
    counted = [one for one in every if one.answer is not VerdictOutcome.NOT_SLOWED]
    wrong_seeds = {one.seed for one in counted if one.answer is VerdictOutcome.WRONG}
    seeds = {one.seed for one in counted}
    with_interval = [one for one in counted if one.low is not None and one.high is not None]
    return Tries(
        injected=injected,
        margin=margin,
        comparisons=len(seeds),
        told=every,
        right=_share_of(counted, VerdictOutcome.RIGHT),
        wrong=_share_of(counted, VerdictOutcome.WRONG),
        open=_share_of(counted, VerdictOutcome.OPEN),
        wrong_suites=share_with_interval(len(wrong_seeds), len(seeds)),
        covered=share_with_interval(
            sum(_interval_contains(one, injected) for one in with_interval), len(with_interval)
        ),
        injection=_measured_injection(every, injected) if injected else None,
    )


def median_by_benchmark(added: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median over each benchmark's launches: one that lost the CPU does not decide it."""
    return {name: median(shares) for name, shares in added.items() if shares}


def median_and_largest(by_benchmark: Mapping[str, float]) -> Spread | None:
    """Median and largest of the values by benchmark, in their unit; None where there are none."""
    if not by_benchmark:
        return None
    worst = max(by_benchmark, key=lambda name: by_benchmark[name])
    return Spread(
        median=median(by_benchmark.values()),
        most=by_benchmark[worst],
        worst=worst,
        benchmarks=len(by_benchmark),
    )


def _verdict_outcome(one: TryVerdict, injected: float) -> VerdictOutcome:
    if injected == 0.0:
        if one.verdict.is_change:
            return VerdictOutcome.WRONG
        return VerdictOutcome.RIGHT if one.verdict is Verdict.SAME else VerdictOutcome.OPEN
    if not was_slowed(one.added, injected):
        return VerdictOutcome.NOT_SLOWED
    if one.verdict in _SLOWER:
        return VerdictOutcome.RIGHT
    return VerdictOutcome.WRONG if one.verdict in (*_FASTER, Verdict.SAME) else VerdictOutcome.OPEN


def _measured_injection(told: Sequence[TryVerdict], injected: float) -> Injection | None:
    """How much slower the injected delay made benchmarks, as measured; None: it reached none."""
    slowed = [one for one in told if one.answer is not VerdictOutcome.NOT_SLOWED]
    added = [one.added for one in slowed if one.added is not None]
    if not added:
        return None
    missed = (one.benchmark for one in told if one.answer is VerdictOutcome.NOT_SLOWED)
    changes = [one.change for one in slowed if one.change is not None]
    return Injection(
        least=min(added),
        median=median(added),
        most=max(added),
        seen=median(changes) if changes else None,
        not_slowed=tuple(dict.fromkeys(missed)),
    )


def _share_of(told: Sequence[TryVerdict], answer: VerdictOutcome) -> CountedShare:
    return share_with_interval(sum(one.answer is answer for one in told), len(told))


def _interval_contains(one: TryVerdict, injected: float) -> bool:
    return one.low is not None and one.high is not None and one.low <= injected <= one.high


def _binomial_distribution(count: int, of: int, p: float) -> float:
    """The binomial distribution: the chance of `count` or fewer of `of`, each with a chance `p`
    between 0 and 1, which it is never."""
    whole = math.lgamma(of + 1)
    logs = (
        whole
        - math.lgamma(k + 1)
        - math.lgamma(of - k + 1)
        + k * math.log(p)
        + (of - k) * math.log1p(-p)
        for k in range(count + 1)
    )
    return math.fsum(map(math.exp, logs))


def _solved_by_bisection(is_below: Callable[[float], bool]) -> float:
    """The number between 0 and 1 up to which `is_below` holds, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return 0.5 * (low + high)
