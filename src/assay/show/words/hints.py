"""Hints beside a verdict: what would decide it, or what changed only sometimes.

hint(one)    'leans slower, about 40 s more'
             '3 of 15 rounds; about 40 s more'
             'in about 1 of 5 launches, by 30 %'
"""

from fractions import Fraction

from assay.model import Comparison, Finding, Verdict
from assay.show.words import format

# Seconds of one benchmark; if a verdict needs more, the hint does not advise more time.
_LONGEST_S = 600.0
# Where the seconds of a round are not known: if a verdict needs more rounds, none are advised.
_MOST_ROUNDS = 1_000
_RAREST_OF_FEW = 0.15  # smaller shares are written as "1 of N", larger ones such as "2 of 3"


def hint(one: Comparison) -> str:
    """What would decide a verdict, or what changed sometimes; empty if the verdict says all."""
    said = _hint_of_verdict(one)
    if one.placement_sd is None:
        return said
    moves = f"placement alone moves it by {format.percent(one.placement_sd)}"
    return f"{said}; {moves}" if said else moves


def _hint_of_verdict(one: Comparison) -> str:
    if one.findings:
        return "; ".join(_hint_of_finding(finding) for finding in one.findings)
    if one.verdict is Verdict.PLACEMENT:
        return "same machine code"
    if one.verdict is Verdict.SAME and one.code is not None and one.code.same:
        return "same machine code"
    if one.verdict is not Verdict.UNDECIDED:
        return ""
    return _hint_without_interval(one) if one.low is None else _hint_if_undecided(one)


def _hint_if_undecided(one: Comparison) -> str:
    leaning = one.lean is not None and one.lean is not Verdict.UNDECIDED
    parts = [f"leans {one.lean}"] if leaning else []
    more = _effort_to_decide(one)
    if more:
        parts.append(more)
    elif one.findable is not None:
        parts.append(f"out of reach here; {format.percent(one.findable)} is within reach")
    return ", ".join(parts)


def _hint_without_interval(one: Comparison) -> str:
    """The hint for a comparison that has no interval yet."""
    more = _effort_to_decide(one)
    if one.rounds_wanted is None:
        return more or "too few samples"
    rounds = f"{one.rounds} of {format.count(one.rounds_wanted, 'round')}"
    return f"{rounds}; {more}" if more else rounds


def _effort_to_decide(one: Comparison) -> str:
    """How much longer a verdict would take, in rounds if the time of a round is not known."""
    rounds = one.rounds_needed
    if rounds is None and one.low is None and one.rounds_wanted is not None:
        rounds = max(1, one.rounds_wanted - one.rounds)
    if rounds is None:
        return ""
    if one.round_s is None:
        counted = format.count(rounds, "more round")
        return f"about {counted}" if rounds <= _MOST_ROUNDS else ""
    seconds = rounds * one.round_s
    return f"about {format.duration(max(1.0, seconds))} more" if seconds <= _LONGEST_S else ""


def _hint_of_finding(finding: Finding) -> str:
    if finding.of == "samples":
        return f"slow samples: all in all {format.change(finding.size)}"
    if finding.of == "scatter":
        return (
            f"its fastest samples are faster, all together are not{_ratio_of_scatter(finding.size)}"
        )
    return f"in about {_share(finding.share)} launches, by {format.percent(abs(finding.size))}"


def _ratio_of_scatter(more: float) -> str:
    """By how much the candidate's samples scatter more than the base's; empty if they do not."""
    return f": they scatter {1 + more:.1f} times as much" if more > 0 else ""


def _share(share: float) -> str:
    """A share as a ratio of small numbers, such as '1 of 5', '2 of 3' or '1 of 40'."""
    if share < _RAREST_OF_FEW:
        return f"1 of {round(1 / max(share, 1e-6)):,}"
    few = Fraction(share).limit_denominator(6)
    return f"{few.numerator} of {few.denominator}"
