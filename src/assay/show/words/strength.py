"""What a judgement would have found and what it leaves open, in sentences.

"This gate would have caught a slowdown of 4.1 % in every benchmark, of 2.6 % in half of them."
"Of the 93 undecided none is slower by more than 37 %, 80 of them by no more than 8 %."
"Undecided for want of time: 60, of precision (effect near the margin): 20, of a quiet host: 13."
"""

from assay.judging import Shortage
from assay.model import Judgement, Strength
from assay.show.words import failed_launches, format

_LACKING = {
    Shortage.TIME: "of time",
    Shortage.PRECISION: "of precision (effect near the margin)",
    Shortage.QUIET_HOST: "of a quiet host",
}


def sentences(
    judgement: Judgement, *, gated: bool, what: str = "comparison", each: str = ""
) -> list[str]:
    """Sentences on failed launches, on the slowdown that was detectable, and
    on undecided benchmarks.

    `what` names the measurement and `each` one row of it; empty: benchmark or comparison.
    """
    failed = failed_launches.sentences(judgement)
    found = judgement.strength
    if found is None or not found.judged:
        return failed
    each = each or ("benchmark" if found.metrics == 1 else "comparison")
    lines = [*failed, _slowdown_found(found, f"This {'gate' if gated else what}", each)]
    lines += [_lack_of_time(found)] if found.unjudged and found.missing_s else []
    lines += [_worst_undecided(found)] if found.worst is not None else []
    lines += [_reasons_for_undecided(found)] if found.lacking else []
    return [line for line in lines if line]


def _slowdown_found(found: Strength, what: str, noun: str) -> str:
    said = [f"{what} would have caught"]
    if found.every is not None:
        said.append(f"a slowdown of {_size(found.every)} in every {noun}")
        if found.half is not None and _size(found.half) != _size(found.every):
            said[-1] += f", of {_size(found.half)} in half of them"
    elif found.half is not None:
        said.append(f"a slowdown of {_size(found.half)} in half of the {noun}s")
    elif not found.unjudged:
        return ""  # all metrics are counters or the like, which cannot get slower
    else:
        said.append("no slowdown")
    if found.unjudged:
        without = "has no interval" if found.unjudged == 1 else "have no interval"
        said[-1] += f"; {found.unjudged:,} of {format.count(found.judged, noun)} {without}"
    return " ".join(said) + "."


def _lack_of_time(found: Strength) -> str:
    """How many benchmarks lacked the time for an interval, and how much more budget they need."""
    assert found.missing_s is not None
    more = format.duration(max(1.0, found.missing_s))
    return f"Not looked at long enough: {found.unjudged:,}; a budget larger by {more} would do."


def _size(change: float) -> str:
    """A change in percent, or as a factor if percent would mislead."""
    return format.percent(change) if change < 9.0 else f"{1 + change:,.0f} times"


def _worst_undecided(found: Strength) -> str:
    """How much slower an undecided benchmark may be, by the interval that reaches furthest."""
    worst = max(0.0, found.worst or 0.0)
    slower = f"slower by more than {_size(worst)}" if worst else "slower"
    if found.undecided == 1:
        return f"The undecided one is not {slower}."
    said = f"Of the {found.undecided:,} undecided with an interval none is {slower}"
    if found.most_within is not None and found.most_within > 0:
        said += f", {found.most:,} of them by no more than {_size(found.most_within)}"
    return f"{said}."


def _reasons_for_undecided(found: Strength) -> str:
    """For each reason how many benchmarks are undecided: time, precision or a quiet host."""
    counts = [(words, found.lacking.get(kind, 0)) for kind, words in _LACKING.items()]
    told = ", ".join(f"{words}: {count:,}" for words, count in counts if count)
    return f"Undecided for want {told}."
