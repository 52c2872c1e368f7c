"""Does the interval over placements hold the truth, and what does it cost in rounds?

    .venv/bin/python -m benchmarks.placement_known MANIFEST [--budget-s N] [--most N]

MANIFEST is a JSON list of pairs with known added work, each side linked in several orders:

    {"name": "venc-05", "base": ["base/0/bench", ...], "candidate": ["candidate/0/bench", ...],
     "filter": "^BM_", "truth": {"BM_Work": 0.05, "BM_Other": 0.0}}

Each pair is compared over all its links, and once by its first link of each side. Printed: rows
whose interval holds the truth, rows called changed where the truth is nothing, and rounds.
"""

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from msgspec.structs import replace

from assay.cli.common.runtime import open_runtime
from assay.measure.targets.gbench import GBenchTarget
from assay.measure.targets.linked import LinkedTarget, targets_of_links
from assay.measure.targets.target import Target
from assay.model import Comparison, Side, Verdict
from assay.workflows.common.matching import Filters
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.targets import TargetContext, resolve
from assay.workflows.compare.live import LiveComparison
from assay.workflows.compare.result import judge_sides, samples_of_side

SEED = 5


class Row(NamedTuple):
    """What was found of one benchmark, and what is true."""

    truth: float
    found: Comparison

    @property
    def holds(self) -> bool:
        low, high = self.found.low, self.found.high
        return low is not None and high is not None and low <= self.truth <= high

    @property
    def is_false(self) -> bool:
        changed = self.found.verdict in (Verdict.SLOWER, Verdict.FASTER)
        return self.truth == 0.0 and changed


def main() -> int:
    """0: something was judged."""
    options = _options()
    pairs = json.loads(options.manifest.read_text())[: options.most]
    over, alone = list[Row](), list[Row]()
    for pair in pairs:
        over += _compared(pair, len(pair["base"]), options.budget_s)
        alone += _compared(pair, 1, options.budget_s)
        print(f"{pair['name']}: {_told(over[-len(pair['truth']) :])}", flush=True)
    _print_table("over placements", over)
    _print_table("one link a side", alone)
    return 0 if over else 2


def _compared(pair: dict[str, Any], links: int, budget_s: float) -> list[Row]:
    with open_runtime(quiet=True) as runtime:
        sides: dict[Side | None, Target] = {
            side: _target(pair[str(side)][:links], runtime) for side in Side
        }
        plan = ComparePlan("base", "candidate", filters=Filters(pair["filter"]))
        plan = replace(plan, measuring=Measuring(seed=SEED, budget_s=budget_s or None))
        live = LiveComparison(plan, sides, runtime)
        record = live.measure(sorted(pair["truth"]))
        live.journal_path.unlink(missing_ok=True)
    result = judge_sides(
        plan, samples_of_side(record, Side.BASE), samples_of_side(record, Side.CANDIDATE), record
    )
    return [
        Row(pair["truth"][one.benchmark], one)
        for one in result.judgement.comparisons
        if one.metric == "real_time"
    ]


def _target(programs: list[str], runtime: Runtime) -> Target:
    target = resolve(programs[0], TargetContext(runtime.executor, 600.0))
    assert isinstance(target, GBenchTarget)
    every = targets_of_links(target, [Path(one) for one in programs])
    return LinkedTarget(every) if len(every) > 1 else target


def _told(rows: list[Row]) -> str:
    return ", ".join(
        f"{100 * one.truth:g} %: {100 * (one.found.low or 0):.1f} .. "
        f"{100 * (one.found.high or 0):.1f}, links {100 * (one.found.placement_sd or 0):.1f}"
        for one in rows
    )


def _print_table(name: str, rows: list[Row]) -> None:
    judged_rows = [one for one in rows if one.found.low is not None]
    unchanged = [one for one in rows if one.truth == 0.0]
    print(
        f"{name}: {sum(one.holds for one in judged_rows)} of {len(judged_rows)} intervals hold the "
        f"truth; {sum(one.is_false for one in unchanged)} of {len(unchanged)} unchanged are called "
        f"changed; {median(one.found.rounds for one in rows):.0f} rounds (median)"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--budget-s", type=float, default=0.0)
    parser.add_argument("--most", type=int)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
