"""What a judgement promises about false alarms, with its condition (decisions 4, 5)."""

from collections.abc import Sequence

from assay.judge.unpaired.sequential import drift_of
from assay.judging import Holm
from assay.model import Design, Floor, Pair, Settings


def false_alarm_control(
    pairs: Sequence[Pair], family: int, settings: Settings, floor: Floor | None
) -> Holm:
    """What is promised about false alarms over all pairs; `family` is how many share alpha.

    `floor` bounds the drift of sides that were measured one after the other.
    """
    drifts = any(pair.design is Design.SEQUENTIAL for pair in pairs)
    drift = drift_of(floor) if drifts else None
    return Holm(family=family, alpha=settings.alpha, drift=drift)
