"""How a judgement was made, in words: the one place where its values become text."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from assay.judging import (
    Control,
    Drift,
    Holm,
    Method,
    MethodName,
    NothingCanDiffer,
    OneAfterTheOther,
)
from assay.model import Comparison

_ASSUMED = "assumed"
_METHODS: Mapping[MethodName, str] = {
    MethodName.ROUNDS: "rounds, interval valid at every look",
    MethodName.ROUNDS_OVER_LINKS: (
        "rounds over several links, interval for the code wherever it is placed"
    ),
    MethodName.EXACT: "exact: the count does not vary",
    MethodName.EXACT_SO_FAR: (
        "so far: the count did not vary yet, in too few launches to call it exact"
    ),
    MethodName.REPEATED: "exact: every launch counts the same",
    MethodName.NEARLY_REPEATED: (
        "counted: the launches of a side differ by less than a tenth of the margin"
    ),
    MethodName.REPEATED_SO_FAR: "so far: a change is told when a few more launches repeat it",
    MethodName.IDENTITY: "identity: both sides are the same program",
    MethodName.NOT_JUDGED: "not judged",
}


def control(made: Control) -> str:
    """How large the chance of a false alarm is, and on which condition that holds, in words;
    no full stop at its end.
    """
    match made:
        case Holm():
            return _holm(made)
        case NothingCanDiffer():
            return "no chance of a false alarm: nothing can differ"
        case _:
            assert_never(made)


def method(made: Method) -> str:
    """How an interval was computed, in words; no full stop at its end."""
    if isinstance(made, OneAfterTheOther):
        drift = f"{made.drift.size:.0%} allowed for ({_source(made.drift)})"
        return f"one after the other, drift of {drift}"
    return _METHODS[made]


def methods(comparisons: Sequence[Comparison]) -> list[str]:
    """The methods of all comparisons, each once, in the order in which they are met."""
    met = dict.fromkeys(one.method for one in comparisons)
    return list(dict.fromkeys(method(one) for one in met))


def _holm(made: Holm) -> str:
    family = "1 comparison" if made.family == 1 else f"{made.family} comparisons"
    said = (
        f"Holm over {family}: at most {100 * made.alpha:.3g} % chance of any false alarm "
        "in the whole suite"
    )
    if made.drift is None:
        return said
    return (
        f"{said}, if no time moved by more than {100 * made.drift.size:.0f} % "
        f"({_source(made.drift)}) between the files, "
        "whether the host drifted or a process was placed elsewhere"
    )


def _source(drift: Drift) -> str:
    return _ASSUMED if drift.source is None else drift.source
