"""How many gates fail by placement alone, and how many with what Assay knows of placement?

    .venv/bin/python -m benchmarks.placement_pairs PAIRS [--out FILE] [--budget-s N] [--most N]

PAIRS is a JSON list of pairs of Google Benchmark executables that do the same, or nearly:

    {"set": "snappy", "kind": "relink", "base": "order00/bench", "candidate": "order01/bench",
     "filter": "^BM_UFlat/4/1$"}

Each pair is compared as `assay gate` would. Printed, by set and kind: pairs whose gate fails as
it did before code was compared (times alone), and as it does now; rows called changed then and
now, and rows whose estimate differs by more than 2 %. Every gate that fails now is named with its
rows, to be looked at. Run it with nothing else running; it takes up to 5 s a benchmark.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.tools import ROOT

MARGIN = 0.02
ASSAY = ROOT / ".venv" / "bin" / "assay"
SLOWER = ("slower", "sometimes slower")


class Pair(NamedTuple):
    """What one comparison said."""

    set: str
    kind: str
    name: str
    rows: list[dict[str, Any]]  # of the headline's metric
    code: int

    @property
    def failed_before(self) -> bool:
        """By times alone: a row that is wholly above the margin, whatever its code."""
        return any(_slower_by_time(one) for one in self.rows)

    @property
    def fails(self) -> bool:
        return self.code == 1


def main() -> int:
    """0: something was compared."""
    options = _options()
    asked = json.loads(options.pairs.read_text())[: options.most]
    done = []
    for pair in asked:
        done.append(_compared(pair, options))
        _tell(done[-1])
    _print_table(done)
    if options.out:
        options.out.write_text(json.dumps([one._asdict() for one in done], indent=1))
    return 0 if any(one.rows for one in done) else 2


def _compared(pair: dict[str, str], options: argparse.Namespace) -> Pair:
    folder = options.pairs.parent
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "result.json"
        words = [
            *(str(ASSAY), "compare", str(folder / pair["base"]), str(folder / pair["candidate"])),
            *("--filter", pair["filter"], "--gate", "--quiet", "--json", str(out)),
        ]
        if options.budget_s:
            words.append(f"--budget={options.budget_s:g}s")
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        document = json.loads(out.read_text()) if out.exists() else {"comparisons": []}
    rows = [one for one in document["comparisons"] if one["metric"] == "real_time"]
    name = pair.get("name") or pair["candidate"]
    return Pair(pair["set"], pair["kind"], name, rows, run.returncode)


def _slower_by_time(row: dict[str, Any]) -> bool:
    is_slower = row["low"] is not None and row["low"] > MARGIN
    return is_slower or row["verdict"] in SLOWER


def _changed_by_time(row: dict[str, Any]) -> bool:
    if row["low"] is None:
        return False
    outside = row["low"] > MARGIN or row["high"] < -MARGIN
    return outside or row["verdict"] not in ("same", "undecided", "placement")


def _tell(pair: Pair) -> None:
    print(
        f"{pair.set} {pair.kind} {pair.name}: exit {pair.code}, {len(pair.rows)} rows", flush=True
    )
    for row in pair.rows:
        if row["verdict"] not in ("same", "undecided"):
            code = (row.get("code") or {}).get("why", "not looked at")
            ends = f"[{100 * row['low']:.1f}, {100 * row['high']:.1f}]"
            change = f"{100 * row['change']:+.1f} % {ends}"
            print(f"    {row['benchmark']}: {row['verdict']} {change}; {code}")


def _print_table(pairs: list[Pair]) -> None:
    groups: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for one in pairs:
        groups[one.set, one.kind].append(one)
        groups["all", one.kind].append(one)
    print(
        "set, kind: pairs; gates failing by times alone, now; rows; changed by times, now; over 2 %"
    )
    for (which, kind), some in sorted(groups.items()):
        rows = [row for one in some for row in one.rows]
        now = sum(row["verdict"] not in ("same", "undecided", "placement") for row in rows)
        print(
            f"{which}, {kind}: {len(some)}; {sum(one.failed_before for one in some)}, "
            f"{sum(one.fails for one in some)}; {len(rows)}; {sum(map(_changed_by_time, rows))}, "
            f"{now}; {sum(abs(row['change']) > MARGIN for row in rows)}"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--budget-s", type=float, default=0.0)
    parser.add_argument("--most", type=int)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
