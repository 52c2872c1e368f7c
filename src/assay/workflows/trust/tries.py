"""One try: the program compared with its copy, which is the same or slower by a known share.

    said = TryComparisons(plan, sides, runtime, folder).one(0.05, names, budget_s=30.0, seed=7)
    said.told, said.result

It is an ordinary comparison, except for two things. Both sides execute the same machine code;
`compare` would notice, and excuse any difference, so here that is not checked. And the
announcements of a comparison are left out, as those of many tries would hide the result.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.judge.trust import margin_for, median_by_benchmark
from assay.measure.delay import DelayingExecutor
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.target import Target
from assay.model import Comparison, Failure, Side
from assay.progress import RunProgress, Watcher
from assay.trust import TryVerdict
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.matching import Filters
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import ComparePlan
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare.result import CompareResult
from assay.workflows.compare.workflow import compare_live
from assay.workflows.trust.plan import TrustPlan
from assay.workflows.trust.sides import ProgramAndCopy, shares_added_to

METRIC = "real_time"


class TryResult(msgspec.Struct, frozen=True):
    """The verdicts of one comparison of a program with its copy, and
    everything that it measured.
    """

    told: tuple[TryVerdict, ...]
    result: CompareResult


class UnannouncedWatcher:
    """A watcher that passes on everything except announcements."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def announce(self, text: str) -> None:
        """Does nothing: announcements of single comparisons would hide the result."""

    def preparing(self, benchmark: str, done: int, total: int) -> None:
        self._watcher.preparing(benchmark, done, total)

    def asking(self, benchmark: str, what: str, done: int, total: int) -> None:
        self._watcher.asking(benchmark, what, done, total)

    def launching(self, benchmark: str, side: Side | None) -> None:
        self._watcher.launching(benchmark, side)

    def round_done(self, state: RunProgress, latest: Sequence[Comparison]) -> None:
        self._watcher.round_done(state, latest)

    def failed(self, failure: Failure) -> None:
        self._watcher.failed(failure)


class TryComparisons:
    """Compares a program with its copy again and again, with the same settings."""

    def __init__(
        self, plan: TrustPlan, sides: ProgramAndCopy, runtime: Runtime, folder: Path
    ) -> None:
        self._plan, self._sides, self._folder = plan, sides, folder
        self._runtime = replace(runtime, watcher=UnannouncedWatcher(runtime.watcher))

    def one(self, injected: float, names: Sequence[str], budget_s: float, seed: int) -> TryResult:
        """Compare the program with a copy that is slower by the share `injected` (0: not slowed).

        Raises `AssayError`, `Interrupted`.
        """
        margin = margin_for(injected, self._plan.settings.margin)
        base, candidate, by = self._targets(injected)
        result = self._compare_targets((base, candidate), names, margin, budget_s, seed)
        added = (
            median_by_benchmark({name: shares_added_to(by, name) for name in names}) if by else {}
        )
        rows = [one for one in result.judgement.comparisons if one.metric == METRIC]
        return TryResult(
            tuple(_try_verdict(one, seed, added.get(one.benchmark)) for one in rows), result
        )

    def placed(self, names: Sequence[str], budget_s: float, seed: int) -> CompareResult:
        """Compare links of the same code with each other: how much placement alone does.

        With a margin of 0 nothing is settled as the same before its rounds are spent.
        """
        return self._compare_targets(self._sides.placed(), names, 0.0, budget_s, seed)

    def _compare_targets(
        self,
        targets: tuple[Target, Target],
        names: Sequence[str],
        margin: float,
        budget_s: float,
        seed: int,
    ) -> CompareResult:
        record = self._folder / "record.json"
        plan = ComparePlan(
            targets[0].label,
            targets[1].label,
            measuring=replace(self._plan.measuring, budget_s=budget_s, seed=seed),
            settings=msgspec.structs.replace(self._plan.settings, margin=margin),
            filters=Filters(filter_for_exactly(names)),
            metrics=(METRIC,),
            keep=Destination(output=record),
            looks_at_code=False,
        )
        result = compare_live(plan, targets, self._runtime, Revisions())
        record.unlink(missing_ok=True)
        return result

    def _targets(
        self, injected: float
    ) -> tuple[GBenchTarget, GBenchTarget, DelayingExecutor | None]:
        if injected:
            return self._sides.slowed_pair(injected)
        return *self._sides.unslowed_pair(), None


def filter_for_exactly(names: Sequence[str]) -> str:
    """A filter that matches exactly these names."""
    return rf"\A(?:{'|'.join(map(re.escape, names))})\Z"


def _try_verdict(one: Comparison, seed: int, added: float | None) -> TryVerdict:
    return TryVerdict(
        benchmark=one.benchmark,
        seed=seed,
        verdict=one.verdict,
        change=one.change if one.rounds else None,
        low=one.low,
        high=one.high,
        rounds=one.rounds,
        added=added,
    )
