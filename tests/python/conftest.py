"""What many tests need: a scripted executor, a simulated target, the built executables."""

import json
import os
import random
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from object_store import ObjectStore, object_store
from patience import PATIENCE_S

from assay.errors import LaunchError
from assay.measure.effort import Effort
from assay.measure.executor import FinishedProcess, Launch
from assay.measure.targets.target import LaunchResult
from assay.model import Record, Sample

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"  # where each comes from: its README.md
with suppress(ImportError):  # an environment for a few tests has none
    from hypothesis import settings

    settings.register_profile("assay", deadline=None)  # a busy machine is no defect
    settings.load_profile("assay")
for told in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):  # of whatever terminal tests run in
    os.environ.pop(told, None)
for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # as by nohup, or by a shell's `&`
    if signal.getsignal(ignored) is signal.SIG_IGN:  # Assay would ignore it, too
        is_ctrl_c = ignored == signal.SIGINT
        signal.signal(ignored, signal.default_int_handler if is_ctrl_c else signal.SIG_DFL)
NATIVE = Path(os.environ.get("ASSAY_NATIVE_BUILD", ROOT / "build" / "release"))


def finished(stdout: str = "", **changes: object) -> FinishedProcess:
    """A process that ended well, but for `changes`."""
    values: dict[str, object] = {
        "exit_code": 0,
        "signal": None,
        "timed_out": False,
        "wall_ns": 2_000_000,
        "user_ns": 1_500_000,
        "system_ns": 250_000,
        "max_rss_bytes": 1 << 20,
        "max_threads": 1,
        "stdout": stdout,
        "stderr_tail": "",
    }
    return FinishedProcess(**{**values, **changes})  # type: ignore[arg-type]


@dataclass
class ScriptedExecutor:
    """Answers each launch with what a function says; remembers what was asked."""

    answer: Callable[[Launch], FinishedProcess]
    launches: list[Launch] = field(default_factory=list)

    def run(self, launch: Launch) -> FinishedProcess:
        self.launches.append(launch)
        return self.answer(launch)

    def abandon(self) -> None:
        """Nothing runs on after `run`."""


@dataclass
class SimulatedTarget:
    """Benchmarks whose time is a level with noise; seeded, instant, no processes."""

    levels: dict[str, float]
    label: str = "simulated"
    noise: float = 0.004
    seed: int = 1
    broken: dict[str, str] = field(default_factory=dict)
    efforts: list[Effort] = field(default_factory=list)
    threads: int = 1

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        return tuple(self.levels)

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        if benchmark in self.broken:
            raise LaunchError(self.broken[benchmark])
        self.efforts.append(effort)
        level = self.levels[benchmark] * self._random.lognormvariate(0, self.noise)
        times = tuple(
            level * (1 + abs(self._random.gauss(0, self.noise))) for _ in range(effort.repetitions)
        )
        sample = Sample(
            benchmark=benchmark,
            values={"real_time": times, "cpu_time": times},
            cpu=cpu,
            iterations=1000,
        )
        record = Record(context={"num_cpus": 2}, facts={}, samples=(sample,))
        return LaunchResult(sample, record, finished(max_threads=self.threads))


class SteppingClock:
    """Moves on by a fixed step at every reading."""

    def __init__(self, step_s: float = 0.01) -> None:
        self.now, self.step_s = 0.0, step_s

    def now_s(self) -> float:
        self.now += self.step_s
        return self.now


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture(scope="session")
def native() -> Callable[[str], Path]:
    """Path of an executable of the native build; fails, not skips, when it is missing."""

    def find(name: str) -> Path:
        for folder in (NATIVE / "tests", NATIVE / "tests" / "native", NATIVE / "libexec" / "assay"):
            if (folder / name).exists():
                return folder / name
        pytest.fail(f"{name} is not built under {NATIVE}: run ./dev test, which builds it")

    return find


@dataclass(frozen=True)
class Done:
    """What a run of the command line left behind."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def assay() -> Callable[..., Done]:
    """Runs the installed `assay` as a user would."""

    def run(
        *arguments: object, cwd: Path | None = None, timeout: float = PATIENCE_S, **env: str
    ) -> Done:
        done = subprocess.run(
            [*assay_command(), *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=cwd,
            timeout=timeout,
            env={**os.environ, **env},
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


def assay_command() -> list[str]:
    """The installed script, as on a user's PATH."""
    script = Path(sysconfig.get_path("scripts")) / "assay"
    assert script.exists(), f"assay is not installed beside {sys.executable}: run ./dev setup"
    return [str(script)]


def gbench_json(rows: list[dict[str, object]], **context: object) -> str:
    """A Google Benchmark file holding `rows`."""
    return json.dumps({"context": context, "benchmarks": rows})


def row(name: str, real: float = 10.0, cpu: float = 9.0, **more: object) -> dict[str, object]:
    """One iteration row."""
    return {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "iterations": 100,
        "real_time": real,
        "cpu_time": cpu,
        "time_unit": "ns",
        **more,
    }


@pytest.fixture(scope="session")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    """A real object store on loopback, one for all tests of a process."""
    with object_store(tmp_path_factory.mktemp("objects")) as there:
        yield there
