"""judge(): every pair at once, controlled over the whole suite.

    >>> judge((), Settings()).comparisons
    ()

Cost: linear in the number of pairs, which are judged as matrices of equal shape.
"""

from collections.abc import Sequence

from assay.judge.family import multiplicity
from assay.judge.family.family import Asked, Family
from assay.judge.family.strength import strength
from assay.judge.unpaired.sequential import ASSUMED, drift_of
from assay.model import Comparison, Design, Floor, Judgement, Pair, Settings

CONTROL = "Holm over {family}: at most {alpha:.3g} % chance of any false alarm in the whole suite"
# Nothing in two files tells a slower program from a slower hour: the promise has a condition.
IF_STILL = (
    "{control}, if no time moved by more than {drift:.0f} % ({source}) between the files, "
    "whether the host drifted or a process was placed elsewhere"
)


def judge(
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    floor: Floor | None = None,
    asked: Asked = Asked(),  # noqa: B008 (immutable)
) -> Judgement:
    """Judge `pairs` together; comparisons come back in the order given."""
    suite = Family(pairs, settings, floor, asked)
    suite.settle()
    comparisons = suite.comparisons()
    return Judgement(
        comparisons=comparisons,
        settings=settings,
        control=_control(pairs, suite.family, settings, floor),
        discoveries=_discoveries(comparisons, settings.alpha),
        floor=floor,
        notes=_notes(suite.echo),
        strength=strength(comparisons, settings.margin),
    )


def _control(pairs: Sequence[Pair], family: int, settings: Settings, floor: Floor | None) -> str:
    control = CONTROL.format(family=_counted(family), alpha=100 * settings.alpha)
    if not any(pair.design is Design.SEQUENTIAL for pair in pairs):
        return control
    source = floor.source if floor else ASSUMED
    return IF_STILL.format(control=control, drift=100 * drift_of(floor), source=source)


def _notes(echo: float | None) -> tuple[str, ...]:
    if not echo:
        return ()
    return (f"rounds are not independent over the whole suite ({echo:.2f}): intervals widened",)


def _counted(family: int) -> str:
    return "1 comparison" if family == 1 else f"{family} comparisons"


def _discoveries(comparisons: Sequence[Comparison], alpha: float) -> tuple[tuple[str, str], ...]:
    tested = [(one, one.p_value) for one in comparisons if one.p_value is not None]
    chosen = multiplicity.discoveries([p for _, p in tested], alpha)
    return tuple((tested[i][0].benchmark, tested[i][0].metric) for i in chosen)
