"""How a judgement was made, in words: the one place where its values become text."""

from typing import assert_never

from assay.judging import Control, Drift, Holm, NothingCanDiffer

_ASSUMED = "assumed"


def control(made: Control) -> str:
    """What is promised about false alarms, and on which condition; no full stop at its end."""
    match made:
        case Holm():
            return _holm(made)
        case NothingCanDiffer():
            return "no chance of a false alarm: nothing can differ"
        case _:
            assert_never(made)


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
