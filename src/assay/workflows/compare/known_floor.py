"""The floor for a comparison: one measured earlier on this host, or an estimate."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from assay.judge.floor import below_floor, from_pairs, from_session
from assay.judge.pairing import pair_sides
from assay.measure.host.facts import read_facts
from assay.model import Design, Floor, Pair, Sample, Settings
from assay.record import floor_cache
from assay.remarks import Remark

FLOOR_ROUNDS = 24
_Sides = tuple[tuple[Sample, ...], tuple[Sample, ...]]


def floor_of(samples: _Sides) -> Floor | None:
    """The floor, that is the noise of an A/A comparison, from its samples.

    None if there are too few rounds.
    """
    settings = Settings()
    paired = pair_sides(
        *samples, design=Design.INTERLEAVED, metrics=("real_time",), settings=settings
    )
    date = datetime.now(UTC).date().isoformat()
    return from_pairs(paired.pairs, settings, source=f"A against A on {date}")


def keep_floor(floor: Floor, samples: _Sides) -> Path:
    """Keep a floor for this host and these benchmarks; returns its path. Raises `InputError`."""
    names = {sample.benchmark for sample in samples[0]}
    return floor_cache.save_floor(floor, floor_cache.floor_key_of(read_facts(), names))


def known_floor(pairs: Sequence[Pair], settings: Settings, design: Design) -> Floor | None:
    """The floor that `assay floor` measured for these benchmarks; else an
    estimate from the rounds.

    `pairs` are those of the metrics that are judged: other metrics vary by other amounts.
    """
    if not pairs:
        return None
    names, metrics = ({getattr(one, of) for one in pairs} for of in ("benchmark", "metric"))
    kept = floor_cache.load_floor(floor_cache.floor_key_of(read_facts(), names, metrics))
    if kept is not None or design is Design.SEQUENTIAL:
        return kept
    return from_session(pairs, settings)


def warning(floor: Floor | None, settings: Settings) -> tuple[Remark, ...]:
    """A warning if the margin is below the floor, unless the margin is 0, which asks for that."""
    if floor is None or settings.margin == 0:
        return ()
    found = below_floor(floor, settings)
    return () if found is None else (found,)
