"""judge(): all pairs at once, with the chance of a false alarm controlled over the whole suite.

    >>> judge((), Settings()).comparisons
    ()

Cost: linear in the number of pairs, which are judged as matrices of equal shape.
"""

from collections.abc import Sequence

from assay.judge.family import multiplicity
from assay.judge.family.control import false_alarm_control
from assay.judge.family.family import Family, FamilyScope
from assay.judge.family.strength import strength
from assay.model import Comparison, Floor, Judgement, Pair, Settings
from assay.remarks import CorrelatedSuite, Remark


def judge(
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    floor: Floor | None = None,
    asked: FamilyScope = FamilyScope(),  # noqa: B008 (immutable)
) -> Judgement:
    """Judge `pairs` together; comparisons come back in the order given.

    Samples are in each series' unit; changes, ends and margins are relative to base (0.05 is 5 %
    more). `floor` is an A/A measurement of this host, which bounds drift where sides were measured
    one after the other. Pairs of any numbers are taken: what cannot be judged has no verdict.
    Methods: decisions 3 (intervals), 4 (the whole suite), 5 (one after the other), 6 (counts),
    28 (slow launches) and 46.
    """
    suite = Family(pairs, settings, floor, asked)
    suite.settle()
    comparisons = suite.comparisons()
    return Judgement(
        comparisons=comparisons,
        settings=settings,
        control=false_alarm_control(pairs, suite.family, settings, floor),
        discoveries=_discoveries(comparisons, settings.alpha),
        floor=floor,
        notes=_remarks_on_suite(suite.autocorrelation),
        strength=strength(comparisons, settings.margin),
    )


def _remarks_on_suite(autocorrelation: float | None) -> tuple[Remark, ...]:
    return (CorrelatedSuite(autocorrelation),) if autocorrelation else ()


def _discoveries(comparisons: Sequence[Comparison], alpha: float) -> tuple[tuple[str, str], ...]:
    tested = [(one, one.p_value) for one in comparisons if one.p_value is not None]
    chosen = multiplicity.discoveries([p for _, p in tested], alpha)
    return tuple((tested[i][0].benchmark, tested[i][0].metric) for i in chosen)
