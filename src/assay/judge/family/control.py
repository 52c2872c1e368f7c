"""What a judgement promises about false alarms, in words, with its condition (decisions 4, 5)."""

from collections.abc import Sequence

from assay.judge.unpaired.sequential import ASSUMED, drift_of
from assay.model import Design, Floor, Pair, Settings

CONTROL = "Holm over {family}: at most {alpha:.3g} % chance of any false alarm in the whole suite"
# Two files cannot tell a slower program from an hour in which the host was slower, so the promise
# has a condition.
IF_STILL = (
    "{control}, if no time moved by more than {drift:.0f} % ({source}) between the files, "
    "whether the host drifted or a process was placed elsewhere"
)


def control(pairs: Sequence[Pair], family: int, settings: Settings, floor: Floor | None) -> str:
    """The sentence on error control over all pairs; `family` is how many comparisons share alpha.

    `floor` bounds the drift of sides that were measured one after the other.
    """
    said = CONTROL.format(family=_counted(family), alpha=100 * settings.alpha)
    if not any(pair.design is Design.SEQUENTIAL for pair in pairs):
        return said
    source = floor.source if floor else ASSUMED
    return IF_STILL.format(control=said, drift=100 * drift_of(floor), source=source)


def _counted(family: int) -> str:
    return "1 comparison" if family == 1 else f"{family} comparisons"
