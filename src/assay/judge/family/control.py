"""What a judgement promises of false alarms, in words, with the condition it has."""

from collections.abc import Sequence

from assay.judge.unpaired.sequential import ASSUMED, drift_of
from assay.model import Design, Floor, Pair, Settings

CONTROL = "Holm over {family}: at most {alpha:.3g} % chance of any false alarm in the whole suite"
# Nothing in two files tells a slower program from a slower hour: the promise has a condition.
IF_STILL = (
    "{control}, if no time moved by more than {drift:.0f} % ({source}) between the files, "
    "whether the host drifted or a process was placed elsewhere"
)


def control(pairs: Sequence[Pair], family: int, settings: Settings, floor: Floor | None) -> str:
    """Of all pairs together; `floor` bounds the drift of sides measured one after the other."""
    said = CONTROL.format(family=_counted(family), alpha=100 * settings.alpha)
    if not any(pair.design is Design.SEQUENTIAL for pair in pairs):
        return said
    source = floor.source if floor else ASSUMED
    return IF_STILL.format(control=said, drift=100 * drift_of(floor), source=source)


def _counted(family: int) -> str:
    return "1 comparison" if family == 1 else f"{family} comparisons"
