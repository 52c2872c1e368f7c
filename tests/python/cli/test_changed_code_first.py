"""A suite of a hundred real benchmarks, of which a change altered two: these are settled first."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done

BENCHMARKS = 100
SOURCE = """
#include <benchmark/benchmark.h>
__attribute__((noinline)) long shared(long x) { return x * 3 + 1; }
__attribute__((noinline)) long changed(long x) {
  for (int i = 0; i < ROUNDS; ++i) benchmark::DoNotOptimize(x += i);
  return x;
}
"""
ONE = """
static void BM_{number}(benchmark::State& state) {{
  for (auto _ : state) benchmark::DoNotOptimize({called}(state.iterations() + {number}));
}}
BENCHMARK(BM_{number});
"""
REACH_IT = (41, 77)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("suite")
    bodies = [
        ONE.format(number=number, called="changed" if number in REACH_IT else "shared")
        for number in range(BENCHMARKS)
    ]
    (folder / "bench.cpp").write_text(f"{SOURCE}{''.join(bodies)}BENCHMARK_MAIN();\n")
    made = []
    for name, rounds in (("old", 100), ("new", 200)):
        words = ["g++", "-O1", f"-DROUNDS={rounds}", "bench.cpp", "-o", name]
        subprocess.run([*words, "-lbenchmark", "-lpthread"], check=True, cwd=folder)
        made.append(folder / name)
    return made[0], made[1]


def test_benchmarks_that_reach_changed_code_are_settled_first(
    assay: Callable[..., Done], programs: tuple[Path, Path], tmp_path: Path
) -> None:
    record = tmp_path / "out.json"
    done = assay(
        "compare", *map(str, programs), "--budget", "8s", "--min-time", "0.1ms", "-o", str(record),
        "--no-store", cwd=tmp_path,
    )  # fmt: skip
    assert "2 of 100 benchmarks reach code that changed: they are measured first" in done.err
    rows = json.loads(record.read_text())["benchmarks"]
    rounds = dict.fromkeys((f"BM_{number}" for number in range(BENCHMARKS)), 0)
    for row in rows:
        rounds[row["run_name"]] = max(rounds[row["run_name"]], row["assay"]["round"] + 1)
    first = {f"BM_{number}" for number in REACH_IT}
    least = min(rounds[name] for name in first)
    others = sorted(rounds[name] for name in rounds.keys() - first)
    # An interval; whether it leads to a verdict within the budget hangs on the machine's noise.
    assert least >= 12
    assert others[len(others) // 2] < least / 2, "of a budget too small for all"
