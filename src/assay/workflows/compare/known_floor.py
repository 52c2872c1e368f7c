"""The floor that goes with a comparison: one kept for this host, or this session's own."""

from collections.abc import Sequence

from assay.judge.floor import from_session, message
from assay.measure.host.facts import read_facts
from assay.model import Design, Floor, Pair, Settings
from assay.record import floor_cache


def known_floor(pairs: Sequence[Pair], settings: Settings, design: Design) -> Floor | None:
    """A floor measured by `assay floor` for just these benchmarks, else an estimate.

    `pairs` are those of the metrics that are judged: what others scatter is no floor of theirs.
    """
    if not pairs:
        return None
    names, metrics = ({getattr(one, of) for one in pairs} for of in ("benchmark", "metric"))
    kept = floor_cache.load(floor_cache.key(read_facts(), names, metrics))
    if kept is not None or design is Design.SEQUENTIAL:
        return kept
    return from_session(pairs, settings)


def warning(floor: Floor | None, settings: Settings) -> tuple[str, ...]:
    """What to say when the margin asked for is below the floor. A margin of 0 asks for it."""
    if floor is None or settings.margin == 0:
        return ()
    said = message(floor, settings)
    return (said,) if said else ()
