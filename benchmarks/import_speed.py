"""Reading a million samples from files of other tools, made here.

Promised: at most 5 s each, whatever the format. The file is read by a fresh interpreter; its
start is not counted, the modules that the format needs are.
"""

import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from benchmarks.tools import promised

SAMPLES = 1_000_000
LIMIT_S = 5.0
TRIES = 3
_READ = """
import sys, time
from pathlib import Path
from assay.record import reader
began_s, began_cpu_s = time.perf_counter(), time.process_time()
record = reader.read(Path(sys.argv[1]))
took_s, cpu_s = time.perf_counter() - began_s, time.process_time() - began_cpu_s
longest = (max(map(len, one.values.values())) for one in record.samples)
print(took_s, cpu_s, sum(longest), len(record.samples))
"""


def main() -> bool:
    kept = [_kept(name, write) for name, write in _FILES.items()]
    return all(kept)


def _kept(name: str, write: Callable[[], bytes]) -> bool:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        path = Path(folder) / "results.json"
        path.write_bytes(write())
        size = path.stat().st_size
        took_s, cpu_s, launches = min(_read(path) for _ in range(TRIES))
    what = f"{name}, {size / 1e6:.0f} MB, {launches:,} launches, {cpu_s:.1f} s of CPU"
    return promised(what, took_s, LIMIT_S, "s")


def _read(path: Path) -> tuple[float, float, int]:
    """Seconds, of them of CPU, and launches."""
    command = [sys.executable, "-c", _READ, str(path)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    if int(said[2]) != SAMPLES:
        raise SystemExit(f"read {said[2]} samples, not {SAMPLES}")
    return float(said[0]), float(said[1]), int(said[3])


def _times(count: int) -> Iterator[float]:
    rng = random.Random(1)
    return (rng.lognormvariate(-10, 0.05) for _ in range(count))


def _google_benchmark(**counters: float) -> bytes:
    """100,000 benchmarks of ten repetitions each."""
    rows = [
        {"name": f"BM_find<int>/{i // 10}", "run_name": f"BM_find<int>/{i // 10}"}
        | {"run_type": "iteration", "repetitions": 10, "repetition_index": i % 10, "threads": 1}
        | {"iterations": 1000, "real_time": time, "cpu_time": time, "time_unit": "ns"}
        | counters
        for i, time in enumerate(_times(SAMPLES))
    ]
    return msgspec.json.encode({"context": {"num_cpus": 2}, "benchmarks": rows})


def _hyperfine() -> bytes:
    """1,000 commands of a thousand runs each: a million launches."""
    times = list(_times(SAMPLES))
    results = [
        {"command": f"work {i}", "mean": 1.0, "times": times[i * 1000 : (i + 1) * 1000]}
        for i in range(1000)
    ]
    return msgspec.json.encode({"results": results})


def _pyperf() -> bytes:
    """1,000 benchmarks of 100 processes with ten values each."""
    times = list(_times(SAMPLES))
    benchmarks = [
        {
            "metadata": {"name": f"bench {i}", "unit": "second"},
            "runs": [
                {"metadata": {"duration": 0.1}, "values": times[k * 10 : (k + 1) * 10]}
                for k in range(i * 100, (i + 1) * 100)
            ],
        }
        for i in range(1000)
    ]
    return msgspec.json.encode({"benchmarks": benchmarks, "version": "1.0"})


def _go_test() -> bytes:
    """100,000 benchmarks of ten repetitions each."""
    lines = (
        f"BenchmarkFind/n={i // 10}-2 \t 1000\t {time * 1e9:.1f} ns/op\t 16 B/op\t 2 allocs/op"
        for i, time in enumerate(_times(SAMPLES))
    )
    return "\n".join(("goos: linux", "pkg: words", *lines)).encode()


_FILES: dict[str, Callable[[], bytes]] = {
    "Google Benchmark": _google_benchmark,
    "Google Benchmark with a counter": lambda: _google_benchmark(keys=3.0),
    "pyperf": _pyperf,
    "hyperfine": _hyperfine,
    "go test": _go_test,
}


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
