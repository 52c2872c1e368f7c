"""What a running comparison knows so far: every benchmark judged after its last round.

looks = Looks(plan, design, benchmarks=16)
looks.new_pass()
latest = looks.update("BM_copy", samples)
looks.open("BM_copy")      # comparisons that keep it measured
"""

from collections.abc import Sequence

from assay.judge.counts import METHOD as EXACT
from assay.judge.look import family, look, priority, settled, shared_echo
from assay.judge.pairing import pair
from assay.judge.wealth import fewest
from assay.model import Comparison, Design, Pair, Sample, Side, Verdict
from assay.workflows.metrics import chosen, deciding
from assay.workflows.plan import ComparePlan

_CHANGED = (Verdict.SLOWER, Verdict.FASTER, Verdict.DIFFERENT)


class Looks:
    """The latest comparisons of each benchmark. Changes only through its methods."""

    def __init__(self, plan: ComparePlan, design: Design, *, benchmarks: int) -> None:
        self._plan, self._design = plan, design
        self._unseen = benchmarks
        self._latest: dict[str, list[Comparison]] = {}
        self._pairs: dict[str, tuple[Pair, ...]] = {}
        self._echo: float | None = None
        self._looked: dict[str, int] = {}  # rounds at the last look
        self.fewest = fewest(2.0 * max(1, benchmarks) / plan.settings.alpha)

    def new_pass(self) -> None:
        """Find out, once a pass, how much of a round echoes in the next."""
        pairs = [each for pairs in self._pairs.values() for each in pairs]
        self._echo = shared_echo(pairs, self._plan.settings) if pairs else None

    def due(self, benchmark: str, rounds: int) -> bool:
        """Whether its rounds grew by an eighth since the last look, or it will have no more."""
        last = self._looked.get(benchmark, 0)
        if rounds == self._plan.measuring.rounds or rounds == self.fewest:
            return True
        return rounds > self.fewest and rounds >= last + max(1, last // 8)

    def update(self, benchmark: str, samples: Sequence[Sample]) -> list[Comparison]:
        """Judge a benchmark again, all its samples considered."""
        base = [sample for sample in samples if sample.side is Side.BASE]
        candidate = [sample for sample in samples if sample.side is Side.CANDIDATE]
        settings = self._plan.settings
        metrics = chosen(self._plan.metrics, base, candidate)
        pairs = pair(base, candidate, design=self._design, metrics=metrics, settings=settings).pairs
        self._unseen -= benchmark not in self._latest
        self._pairs[benchmark] = pairs
        self._looked[benchmark] = len(base)
        shared = self._family(benchmark, family(pairs, settings))
        self._latest[benchmark] = [
            look(each, settings, family=shared, echo=self._echo) for each in pairs
        ]
        return self._latest[benchmark]

    def forget(self, benchmark: str) -> None:
        """A benchmark that was given up takes no share of alpha any more."""
        self._unseen -= benchmark not in self._latest
        self._latest.pop(benchmark, None)
        self._pairs.pop(benchmark, None)

    def facts(self) -> dict[str, object]:
        """What the record should keep of the looks."""
        return {}

    def latest(self, benchmark: str) -> list[Comparison]:
        """The comparisons of its last look; none before the first usable round."""
        return self._latest.get(benchmark, [])

    def settled(self, benchmark: str) -> bool:
        """Whether more rounds of it would change nothing."""
        return bool(self.latest(benchmark)) and not self.open(benchmark)

    def open(self, benchmark: str) -> list[Comparison]:
        """Comparisons not settled, of the metrics that matter for going on."""
        latest = self.latest(benchmark)
        matter = deciding(self._plan.metrics, [one.metric for one in latest])
        return [one for one in latest if one.metric in matter and not settled(one)]

    def priority(self, benchmark: str) -> float:
        """A benchmark is settled when its last metric is: the hardest one counts."""
        return min((priority(one) for one in self.open(benchmark)), default=1.0)

    def rounds_needed(self, benchmark: str) -> int | None:
        """About how many more rounds settle it; None when nobody can say."""
        needs = [one.rounds_needed for one in self.open(benchmark)]
        known = [need for need in needs if need is not None]
        return max(known) if known and len(known) == len(needs) else None

    def _family(self, benchmark: str, statistical: int) -> int:
        """Comparisons of the suite not found changed so far: Holm's step.

        `statistical` is how many this benchmark has; exact ones are no tests.
        Benchmarks not looked at yet are taken to have as many.
        """
        others = [
            one
            for name, latest in self._latest.items()
            for one in latest
            if name != benchmark and one.method != EXACT
        ]
        changed = sum(one.verdict in _CHANGED for one in others)
        return max(1, statistical * (1 + self._unseen) + len(others) - changed)
