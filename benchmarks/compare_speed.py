"""Comparing two files of N benchmarks x 10 repetitions each, made here.

Promised: 10,000 within 1.5 s from start to end, 100,000 within
15 s, time linear in N, peak memory under 8x the two files.
"""

import json
import random
import tempfile
from pathlib import Path

from benchmarks.tools import ASSAY, peak_bytes_and_s, promised

REPETITIONS = 10
LIMITS_S = {1_000: None, 10_000: 1.5, 100_000: 15.0}


def main() -> bool:
    kept = []
    seconds = {}
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        for count, limit_s in LIMITS_S.items():
            files = [_write(Path(folder) / f"{side}.json", count, side) for side in (0, 1)]
            size = sum(file.stat().st_size for file in files)
            command = [ASSAY, "compare", *map(str, files), "--json", f"{folder}/out.json", "-q"]
            runs = [peak_bytes_and_s(command) for _ in range(3 if count < 50_000 else 1)]
            seconds[count] = min(run[1] for run in runs)
            compared = len(json.loads(Path(folder, "out.json").read_bytes())["comparisons"])
            if compared != 2 * count:
                raise SystemExit(f"compared {compared}, not {2 * count}")
            print(
                f"  {count:>7,}: {size / 1e6:.0f} MB, {seconds[count]:.2f} s, "
                f"{runs[0][0] / size:.1f} x the files in memory"
            )
            if limit_s is not None:
                kept.append(promised(f"{count:,} benchmarks", seconds[count], limit_s, "s"))
                kept.append(promised("peak memory", runs[0][0] / size, 8, "x the files"))
    growth = (seconds[100_000] / seconds[10_000]) / 10
    kept.append(promised("time of 10x the benchmarks over 10x the time", growth, 1.2, ""))
    return all(kept)


def _write(path: Path, count: int, side: int) -> Path:
    """About 290 bytes a row, as Google Benchmark writes them."""
    rng = random.Random(side)
    with path.open("w") as out:
        out.write('{\n  "context": {"num_cpus": 2},\n  "benchmarks": [\n')
        for i in range(count):
            level = rng.uniform(10, 1000)
            rows = [
                _row(i, repetition, level * rng.lognormvariate(0, 0.01))
                for repetition in range(REPETITIONS)
            ]
            out.write(",\n".join(rows) + (",\n" if i + 1 < count else "\n"))
        out.write("  ]\n}\n")
    return path


def _row(i: int, repetition: int, value: float) -> str:
    name = f"BM_find<int>/{i}"
    return (
        f'    {{\n      "name": "{name}",\n      "run_name": "{name}",\n'
        f'      "run_type": "iteration",\n      "repetitions": {REPETITIONS},\n'
        f'      "repetition_index": {repetition},\n      "threads": 1,\n'
        f'      "iterations": 100000,\n      "real_time": {value:.16e},\n'
        f'      "cpu_time": {value * 0.99:.16e},\n      "time_unit": "ns"\n    }}'
    )
