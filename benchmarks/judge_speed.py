"""How long judging takes: pairing, judging, one look, compare.py's table.

    python benchmarks/judge_speed.py [BENCHMARKS ...]

Each line: how many benchmarks, what was done, seconds, peak memory added. Made-up
samples, as the reader gives them; reading files is not in here.
"""

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from assay.judge.compare_py import table
from assay.judge.family.family import FamilyScope
from assay.judge.look import judge_benchmark
from assay.judge.pairing import pair_sides
from assay.judge.verdict import judge
from assay.model import Design, Pair, Sample, Series, Settings

SETTINGS = Settings()


def main() -> int:
    """Time everything at each size asked for."""
    for size in [int(arg) for arg in sys.argv[1:]] or [1_000, 10_000]:
        base, candidate = samples(size, 10, 1), samples(size, 10, 2)
        for design in (Design.SEQUENTIAL, Design.INTERLEAVED):
            pairs = timed(size, f"pair, {design}", partial(paired, base, candidate, design))
            timed(size, f"judge, {design}", partial(judge, pairs, SETTINGS))
        rows = [table.rows_of_samples(side) for side in (base, candidate)]
        timed(size, "compare.py's table", partial(table.report, *rows))
    many = rounds(200)
    asked = FamilyScope(None, family=20)
    timed(1, "look at 200 rounds", lambda: judge_benchmark([many], SETTINGS, asked=asked))
    timed(
        1, "look at 1,000 rounds", lambda: judge_benchmark([rounds(1_000)], SETTINGS, asked=asked)
    )
    return 0


def timed(size: int, what: str, work: Callable[[], Any]) -> Any:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - started
    added = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{size:8d}  {what:24s} {seconds:8.4f} s  {added:+7.0f} MB", flush=True)
    return result


def samples(benchmarks: int, repetitions: int, seed: int) -> list[Sample]:
    times = 100.0 * np.exp(
        0.01 * np.random.default_rng(seed).standard_normal(benchmarks * repetitions)
    )
    return [
        Sample(
            benchmark=f"BM_Something/{i // repetitions}",
            values={"real_time": (value,), "cpu_time": (value,)},
            round=i % repetitions,
        )
        for i, value in enumerate(times.tolist())
    ]


def paired(base: list[Sample], candidate: list[Sample], design: Design) -> tuple[Pair, ...]:
    return pair_sides(base, candidate, design=design, metrics=None, settings=SETTINGS).pairs


def rounds(count: int) -> Pair:
    times = 100.0 * np.exp(0.01 * np.random.default_rng(3).standard_normal((2, count, 7)))
    base, candidate = (
        Series("B", "real_time", "ns", tuple(map(tuple, side.tolist()))) for side in times
    )
    return Pair(base, candidate, Design.INTERLEAVED, tuple(i % 2 == 0 for i in range(count)))


if __name__ == "__main__":
    sys.exit(main())
