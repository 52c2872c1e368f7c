"""Makes comparisons of numbers: from an effect and its interval to verdict, notes and advice."""

import math
from collections.abc import Sequence
from statistics import median

import msgspec
from msgspec.structs import replace

from assay.judge.effects import FindingsBesideCentre, Floats, PairGroup, RoundsNeeded
from assay.judge.family import decision, exact_counts, repeatable_counts
from assay.judge.family.exact_counts import ExactCount, relative_change
from assay.judge.family.repeatable_counts import RepeatedCount
from assay.judging import Method, MethodName
from assay.model import Comparison, Design, Pair, Settings, Verdict
from assay.remarks import Remark, RemarkName
from assay.units import Better
from assay.units import metric as lookup


class IntervalRules(msgspec.Struct, frozen=True):
    """The margin and the error level by which the intervals of a group of pairs were made."""

    margin: float
    level: float  # chance that an interval does not hold
    single: bool  # outside the family: judged by itself, and no gate asks it


def comparisons(
    group: PairGroup,
    ends: tuple[Floats, Floats],
    beside: Sequence[FindingsBesideCentre],
    rules: IntervalRules,
) -> list[Comparison]:
    """One comparison for each row of `group`, whose intervals' ends are `ends`.

    Ends are relative to base (0.05 is 5 % more), NaN where there is no interval. How the verdict
    follows from them: decisions 3 and 28.
    """
    e = group.effects
    columns = [column.tolist() for column in (e.base, e.candidate, e.change, *ends, e.p_value)]
    fewest = group.fewest(rules.level)
    asides = zip(beside, group.needed(rules.margin, rules.level), group.noise(), strict=True)
    rows = enumerate(zip(zip(*columns, strict=True), asides, strict=True))
    return [
        _comparison(group, row, numbers, rules, (fewest, *more)) for row, (numbers, more) in rows
    ]


def _comparison(
    group: PairGroup,
    row: int,
    numbers: tuple[float, ...],
    rules: IntervalRules,
    more: tuple[int | None, FindingsBesideCentre, tuple[RoundsNeeded, ...], float],
) -> Comparison:
    pair, effects, margin = group.pairs[row], group.effects, rules.margin
    fewest, beside, needed, noise = more
    better = lookup(pair.metric).better
    low, high = _interval_with_estimate(numbers[2], numbers[3:5], margin)
    base, candidate, change = _estimate_in_interval(numbers[:3], low, high)
    centre, p_value = decision.verdict_of_interval(low, high, margin, better), numbers[5]
    beside = _with_scatter(centre, beside)
    verdict = _verdict(centre, beside)
    known, is_open = not math.isnan(low), verdict is Verdict.UNDECIDED
    span = decision.ChangeInterval(change, low, high, margin)
    return Comparison(
        benchmark=pair.base.benchmark,
        metric=pair.base.metric,
        unit=pair.base.unit,
        base=base,
        candidate=candidate,
        change=change,
        low=low if known else None,
        high=high if known else None,
        verdict=verdict,
        rounds=effects.rounds,
        design=pair.design,
        method=effects.method,
        p_value=None if math.isnan(p_value) else p_value,
        lean=decision.leaning_verdict(change, margin, better) if is_open else None,
        rounds_needed=_rounds_needed(span, effects.rounds, fewest, beside, needed)
        if is_open
        else None,
        findable=decision.detectable_effect(span) if known else None,
        notes=group.notes(row),
        findings=beside.findings,
        single=rules.single,
        rounds_wanted=None if known else fewest,
        noise=None if math.isnan(noise) else noise,
        placement_sd=group.placement_sd(row),
    )


def _with_scatter(centre: Verdict, beside: FindingsBesideCentre) -> FindingsBesideCentre:
    """The findings, with one on scatter where the centre got better, but not all samples together.

    See decision 46, "More scatter is not speed".
    """
    if centre is not Verdict.FASTER or beside.scatter is None:
        return replace(beside, scatter=None)
    return replace(beside, findings=(*beside.findings, beside.scatter))


def _verdict(centre: Verdict, beside: FindingsBesideCentre) -> Verdict:
    """The verdict: what the centre shows, then what was found besides; "same" requires both."""
    if beside.scatter is not None:
        return beside.findings[0].verdict
    if centre.is_change:
        return centre
    if beside.findings:
        return beside.findings[0].verdict
    return centre if beside.calm else Verdict.UNDECIDED


def _rounds_needed(
    span: decision.ChangeInterval,
    rounds: int,
    fewest: int | None,
    beside: FindingsBesideCentre,
    needed: tuple[RoundsNeeded, ...],
) -> int | None:
    """About how many more rounds an undecided comparison takes; None: more may not help."""
    if fewest is None:
        return None
    if math.isnan(span.low):
        return max(1, fewest - rounds)
    least = sorted(
        min(one.above, one.below, max(one.inside, beside.rounds_to_calm)) for one in needed
    )[len(needed) // 2]
    return max(1, math.ceil(least)) if least < decision.NEVER else None


def _interval_with_estimate(
    change: float, ends: tuple[float, ...], margin: float
) -> tuple[float, float]:
    """The interval, stretched to hold the estimate where that does not change the verdict.

    The estimate may lie outside when later rounds contradict those that narrowed the interval.
    """
    low, high = ends
    wider = min(low, change), max(high, change)
    same = decision.verdict_of_interval(
        low, high, margin, Better.LOWER
    ) is decision.verdict_of_interval(*wider, margin, Better.LOWER)
    return wider if same else (low, high)


def _estimate_in_interval(level: tuple[float, ...], low: float, high: float) -> tuple[float, ...]:
    """The estimate, moved into its interval where it would contradict an earlier verdict."""
    base, candidate, change = level
    moved = min(max(change, low), high)
    if moved == change or math.isnan(low):
        return level
    middle, root = math.sqrt(base * candidate), math.sqrt(1.0 + moved)
    return middle / root, middle * root, moved


def exact_comparison(pair: Pair, count: ExactCount, settings: Settings, level: float) -> Comparison:
    """The comparison of a count that does not vary: its change is its interval, once there are
    enough launches for `level`. Before that it is undecided (decision 6)."""
    change = count.change
    verdict = decision.verdict_of_interval(
        change, change, settings.margin, lookup(pair.metric).better
    )
    there, wanted = exact_counts.launches_of_smaller_side(pair), exact_counts.launches_wanted(level)
    enough = there >= wanted
    known = Verdict.SAME if verdict is Verdict.UNDECIDED else verdict
    made = _comparison_without_findings(
        pair,
        (count.base, count.candidate, change),
        verdict=known if enough else Verdict.UNDECIDED,
        interval=change if enough else None,
        method=MethodName.EXACT if enough else MethodName.EXACT_SO_FAR,
        notes=(RemarkName.FROM_NONE,) if count.is_from_none else (),
    )
    if enough:
        return made
    sequential = pair.design is Design.SEQUENTIAL
    return msgspec.structs.replace(
        made,
        lean=known,
        rounds=there,
        rounds_wanted=wanted,
        rounds_needed=None if sequential else wanted - there,
    )


def repeated_comparison(
    pair: Pair, found: RepeatedCount, settings: Settings, level: float
) -> Comparison:
    """The comparison of a count that every launch of its side repeats (decision 39).

    "Same" takes one launch a side, a change as many as `level` asks for.
    """
    better = lookup(pair.metric).better
    verdict = decision.verdict_of_interval(found.low, found.high, settings.margin, better)
    if verdict is Verdict.UNDECIDED:  # the change lies exactly at the margin
        verdict = Verdict.SAME
    there, wanted = (
        exact_counts.launches_of_smaller_side(pair),
        repeatable_counts.launches_wanted(level),
    )
    enough = there >= wanted or not verdict.is_change
    made = _comparison_without_findings(
        pair,
        (found.base, found.candidate, found.change),
        verdict=verdict if enough else Verdict.UNDECIDED,
        interval=None,
        method=found.method,
        notes=(),
    )
    if enough:
        return msgspec.structs.replace(made, low=found.low, high=found.high, rounds=there)
    return msgspec.structs.replace(
        made,
        method=MethodName.REPEATED_SO_FAR,
        lean=verdict,
        rounds=there,
        rounds_wanted=wanted,
        rounds_needed=None if pair.design is Design.SEQUENTIAL else wanted - there,
    )


def unjudged_comparison(pair: Pair, why_not: RemarkName, *, single: bool = False) -> Comparison:
    """The comparison of a pair of which no ratio can be made: its medians, and no verdict.

    `why_not` becomes its note.
    """
    base, candidate = _median(pair.base.launches), _median(pair.candidate.launches)
    change = relative_change(base, candidate)
    made = _comparison_without_findings(
        pair,
        (base, candidate, change if math.isfinite(change) else 0.0),
        verdict=Verdict.UNDECIDED,
        interval=None,
        method=MethodName.NOT_JUDGED,
        notes=(why_not,),
    )
    return msgspec.structs.replace(made, single=single)


def _comparison_without_findings(
    pair: Pair,
    numbers: tuple[float, float, float],
    *,
    verdict: Verdict,
    interval: float | None,
    method: Method,
    notes: tuple[Remark, ...],
) -> Comparison:
    return Comparison(
        benchmark=pair.base.benchmark,
        metric=pair.base.metric,
        unit=pair.base.unit,
        base=numbers[0],
        candidate=numbers[1],
        change=numbers[2],
        low=interval,
        high=interval,
        verdict=verdict,
        rounds=min(len(pair.base.launches), len(pair.candidate.launches)),
        design=pair.design,
        method=method,
        notes=notes,
    )


def _median(launches: tuple[tuple[float, ...], ...]) -> float:
    """The median of the values that are finite; 0 where none is."""
    values = [value for launch in launches for value in launch if math.isfinite(value)]
    if not values:
        return 0.0
    # The mean of two of the largest floats overflows to infinity.
    return min(max(float(median(values)), min(values)), max(values))
