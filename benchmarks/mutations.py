"""Our own files, damaged at random and read again: 10,000 of each kind (`tests/support/mutations`).

./dev bench mutations
.venv/bin/python -m benchmarks.mutations --kind parquet --count 1000 --seed 1
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from mutations import KINDS, Finding, campaign

COUNT = 10_000


def main() -> int:
    """The exit code is 1 when something was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=1)
    asked, _ = parser.parse_known_args()
    findings: list[Finding] = []
    for kind in asked.kind or KINDS:
        began_s = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            found = campaign(kind, asked.count, asked.seed, Path(folder))
        took_s = time.monotonic() - began_s
        print(f"{kind}: {asked.count:,} mutations, {len(found)} findings, {took_s:.0f} s")
        findings += found
    for one in findings[:20]:
        print(f"--- {one.kind} {one.seed}\n{one.error}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
