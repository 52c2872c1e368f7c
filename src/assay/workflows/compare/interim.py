"""The state of a running comparison: every benchmark as judged at its latest look.

looks = InterimResults(plan, design, benchmarks=16)
looks.begin_pass()
if looks.is_look_due("BM_copy", rounds=24):
    latest = looks.update("BM_copy", samples)
looks.open("BM_copy")      # comparisons that keep it measured

A look judges all rounds of a benchmark, so looks come at growing distances: their cost for each
round is about the same at the end of a session as at its beginning.

A settled verdict stays. The family has its final size from the first look on, even if a benchmark
is given up. The suite's autocorrelation is applied to rounds measured after it was known, just as
when the record is judged again later.
"""

from collections.abc import Sequence

from assay.judge.family.family import FamilyScope
from assay.judge.judgeable import is_judgeable
from assay.judge.look import is_settled, judge_benchmark, shared_autocorrelation
from assay.judge.paired.confidence_sequence import minimum_rounds
from assay.judge.paired.first_rounds import benchmarks_standing_out
from assay.judge.paired.interleaved import log_ratios
from assay.judge.paired.placements import ROUNDS_EACH
from assay.judge.paired.suite_autocorrelation import FEWEST_IN_FAMILY
from assay.judge.paired.tails import least_rounds_to_calm
from assay.judge.pairing import pair_sides
from assay.judge.share import IN_FAMILY
from assay.model import Comparison, Design, Pair, Sample, Side
from assay.units import metric
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.links import link_by_round
from assay.workflows.compare.metrics import chosen_metrics, deciding_metrics

_LOOK_AGAIN = 8  # a benchmark is judged again when it has an eighth (1/8) more rounds
# The first time a benchmark is judged: with fewer rounds, autocorrelation cannot be estimated.
_LISTEN_FROM = 4
# Autocorrelation in the suite is estimated again when there are a seventh (1/7) more rounds.
_ESTIMATE_AGAIN = 7


class InterimResults:
    """Judges benchmarks again and again while they are measured, and keeps the latest verdicts."""

    def __init__(
        self, plan: ComparePlan, design: Design, *, benchmarks: int, links: int = 1
    ) -> None:
        self._plan, self._design = plan, design
        self._benchmarks = max(1, benchmarks)
        self._family = self._benchmarks * max(1, len(set(plan.metrics)))
        self._latest: dict[str, list[Comparison]] = {}
        # Benchmark -> both sides' values of its first metric, to estimate autocorrelation.
        self._pairs: dict[str, Pair] = {}
        self._looked: dict[str, int] = {}  # benchmark -> rounds it had when it was last judged
        self._changed: dict[str, int] = {}
        self._autocorrelations: list[tuple[int, float | None]] = [(0, None)]
        # `_launches` is the number of the last launch; `_estimated_at` is how many rounds all
        # benchmarks had when autocorrelation was last estimated.
        self._launches = self._estimated_at = 0
        target = 2.0 * self._family / (IN_FAMILY.centre * plan.settings.alpha)
        self._placement = link_by_round(plan.measuring.seed, links)
        # Benchmark -> log ratios of its first rounds, as a hint before it can be judged.
        self._glances: dict[str, list[float]] = {}
        self.settling = least_rounds_to_calm()
        self.fewest = max(minimum_rounds(target), ROUNDS_EACH * links if links > 1 else 0)

    def begin_pass(self) -> None:
        """Begin a pass: a round of each benchmark whose turn it is.

        The autocorrelation of all rounds of the suite is estimated again after a seventh more.
        """
        if self._benchmarks < FEWEST_IN_FAMILY:
            return
        rounds = sum(len(pair.base.launches) for pair in self._pairs.values())
        if rounds < self._estimated_at + max(1, self._estimated_at // _ESTIMATE_AGAIN):
            return
        self._estimated_at = rounds
        autocorrelation = shared_autocorrelation(
            [one for one in self._pairs.values() if is_judgeable(one)]
        )
        if autocorrelation != self._autocorrelations[-1][1]:
            self._autocorrelations.append((self._launches + 1, autocorrelation))

    def is_look_due(self, benchmark: str, rounds: int) -> bool:
        """Whether a benchmark has an eighth more rounds than at its last look, or gets no more."""
        last = self._looked.get(benchmark, 0)
        if rounds == self._plan.measuring.rounds or rounds == self.fewest:
            return True
        return rounds >= max(_LISTEN_FROM, last + max(1, last // _LOOK_AGAIN))

    def update(self, benchmark: str, samples: Sequence[Sample]) -> list[Comparison]:
        """Judge a benchmark by all its samples so far.

        Before there can be an interval, its rounds only help to estimate the autocorrelation.
        """
        self._launches = max(self._launches, *(sample.launch for sample in samples))
        pairs = self._deciding_pairs(samples)
        rounds = self._looked[benchmark] = len(samples) // 2
        asked = deciding_metrics(self._plan.metrics, [one.metric for one in pairs])
        first = next((one for one in pairs if one.metric in asked), None)
        if first is not None:
            self._pairs[benchmark] = first
        if rounds < self.fewest and rounds != self._plan.measuring.rounds:
            return self.latest(benchmark)
        others = sum(self._changed.values()) - self._changed.get(benchmark, 0)
        found = judge_benchmark(
            pairs, self._plan.settings, asked=FamilyScope(asked, self._family), changed=others
        )
        self._latest[benchmark] = list(found)
        self._changed[benchmark] = sum(_is_statistical_change(one) for one in found)
        return self._latest[benchmark]

    def note_latest_ratio(self, benchmark: str, rounds: int, samples: Sequence[Sample]) -> None:
        """Note the log ratio of a benchmark's latest round, as a hint of a change
        before it can be judged.
        """
        if rounds > self.fewest:
            return
        pairs = self._deciding_pairs(samples[-2:])
        asked = deciding_metrics(self._plan.metrics, [one.metric for one in pairs])
        first = [one for one in pairs if one.metric in asked and is_judgeable(one)]
        if first:
            ratio = float(log_ratios(first[:1])[0, 0])
            self._glances.setdefault(benchmark, []).append(ratio)

    def stand_out(self) -> list[str]:
        """Benchmarks whose first rounds hint at a change, the largest change
        first; none is judged yet.
        """
        return benchmarks_standing_out(self._glances, self._plan.settings.margin)

    def _deciding_pairs(self, samples: Sequence[Sample]) -> tuple[Pair, ...]:
        """Both sides' values of the metrics whose verdicts decide how long to measure.

        Other metrics are judged only once, at the end.
        """
        base = [sample for sample in samples if sample.side is Side.BASE]
        candidate = [sample for sample in samples if sample.side is Side.CANDIDATE]
        shared = chosen_metrics(self._plan.metrics, base, candidate)
        asked = deciding_metrics(self._plan.metrics, shared)
        return pair_sides(
            base,
            candidate,
            design=self._design,
            metrics=[name for name in shared if name in asked or metric(name).is_count],
            settings=self._plan.settings,
            autocorrelations=self._autocorrelations,
            placement=self._placement,
        ).pairs

    def forget(self, benchmark: str) -> None:
        """Drop a benchmark that was given up; the size of the family stays the same."""
        self._latest.pop(benchmark, None)
        self._pairs.pop(benchmark, None)

    def facts(self) -> dict[str, object]:
        """Facts with which the record can be judged again to the same verdicts: estimates of
        autocorrelation, and the size of the family; and how many benchmarks it is of.
        """
        return {
            "echoes": [list(step) for step in self._autocorrelations],
            "family": self._family,
            "planned": self._benchmarks,
        }

    def latest(self, benchmark: str) -> list[Comparison]:
        """A benchmark's comparisons as they were last judged; empty if it never was."""
        return self._latest.get(benchmark, [])

    def settled(self, benchmark: str) -> bool:
        """Whether more rounds of a benchmark would change none of its verdicts."""
        return bool(self.latest(benchmark)) and not self.open(benchmark)

    def open(self, benchmark: str) -> list[Comparison]:
        """A benchmark's comparisons that a gate asks about and whose verdicts
        more rounds could change.
        """
        return [one for one in self.latest(benchmark) if not (is_settled(one) or one.single)]

    def rounds_needed(self, benchmark: str) -> int | None:
        """About how many more rounds settle a benchmark; None if that cannot be forecast."""
        needs = [one.rounds_needed for one in self.open(benchmark)]
        known = [need for need in needs if need is not None]
        return max(known) if known and len(known) == len(needs) else None


def _is_statistical_change(one: Comparison) -> bool:
    """Whether a comparison found a change by statistics.

    Counts that do not vary are exact, and need none.
    """
    return not one.single and _is_sampled(one) and one.verdict.is_change


def _is_sampled(one: Comparison) -> bool:
    return not metric(one.metric).is_count or one.p_value is not None
