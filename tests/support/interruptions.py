"""Runs `assay`, stops it at a known step, ends it there, and sees what it left behind.

    stage = Stage(tmp_path)
    running = stage.started(("run", stage.bench, "-o", "r.json"), at=Launch("launch2"))
    running.reached()              # waits until its second launch runs, which stands still
    code = running.ended_by(signal.SIGTERM)
    stage.left_behind()            # processes, folders, mounts, cgroups: in words

No test here relies on a duration: a step announces itself, then stands still until it is ended.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from conftest import assay_command
from patience import PATIENCE_S

MARK = "ASSAY_TEST_MARK"  # an environment variable of everything that a run starts

# Programs that stand still, with a child process, in the launch they are told to.
_STANDING = f"""#!{sys.executable} -S
import json, os, subprocess, sys, time
def step(kind):
    log = os.environ["STAGE"] + "/" + kind
    with open(log, "a") as file:
        file.write(".")
    if os.environ["STOP_AT"] in (kind, kind + str(os.path.getsize(log))):
        subprocess.Popen(["sleep", "10000"])
        open(os.environ["STAGE"] + "/reached", "w").close()
        time.sleep(10000)
def result(name, place, context):
    row = dict(name=name, run_name=name, run_type="iteration", iterations=10, real_time=1.5,
               cpu_time=1.25, time_unit="us", threads=1, items_per_second=4e6)
    with open(place, "w") as file:
        file.write(json.dumps(dict(context=context, benchmarks=[row])))
"""
BENCH = (
    _STANDING
    + """
flags = dict(word.split("=", 1) for word in sys.argv[1:])
if "--benchmark_list_tests" in flags:
    step("list")
    print("BM_one/8\\nBM_two/8")
else:
    step("launch")
    name = flags["--benchmark_filter"].strip("^$").replace("\\\\", "")
    result(name, flags["--benchmark_out"], {})
"""
)
INDEX = (
    _STANDING
    + """
said = dict(zip(sys.argv, sys.argv[1:]))
step("launch")
result(said["--label"] + "/all", said["--json"], dict(assay=dict(schema=1)))
"""
)
BUILD = _STANDING + 'step("build")\n'
# Read by every Python that starts: one function of Assay announces itself and stands still.
HOOK = """
import importlib.abc, importlib.machinery, os, sys, time
module, _, name = os.environ.get("STOP_IN", "").partition(":")

def stand_still():
    reached = os.environ["STAGE"] + "/reached"
    if not os.path.exists(reached):
        open(reached, "w").close()
        while not os.path.exists(os.environ["STAGE"] + "/go"):
            time.sleep(0.002)

class Stops(importlib.abc.MetaPathFinder):
    def find_spec(self, asked, path, target=None):
        if asked != module:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(asked)
        run = spec.loader.exec_module
        def exec_module(made):
            if not name:
                stand_still()
            run(made)
            if name:
                wrap(made)
        spec.loader.exec_module = exec_module
        return spec

def wrap(made):
    *owners, last = name.split(".")
    owner = made
    for one in owners:
        owner = getattr(owner, one)
    original = getattr(owner, last)
    def stopped(*args, **named):
        stand_still()
        return original(*args, **named)
    setattr(owner, last, stopped)

if module:
    import importlib.util
    sys.meta_path.insert(0, Stops())
"""


@dataclass(frozen=True)
class Launch:
    """The step is the start of a process: "launch3" is the third one, "build" is any."""

    which: str


@dataclass(frozen=True)
class Call:
    """The step is a call of a function of Assay, or an import of a module: "module:function"."""

    where: str


@dataclass(frozen=True)
class Program:
    """The step is that so many processes of this name, started by the run, exist."""

    name: str
    count: int = 1


At = Launch | Call | Program


@dataclass
class Running:
    """A running `assay` that is to be ended at a step."""

    stage: "Stage"
    process: "subprocess.Popen[str]"
    at: At

    def reached(self) -> None:
        """Wait until it has reached the step."""
        there = self.stage.folder / "reached"

        def is_there() -> bool:
            assert self.process.poll() is None, f"it ended before {self.at}: {self._said()}"
            if isinstance(self.at, Program):
                return self.stage.programs().count(self.at.name) >= self.at.count
            return there.exists()

        waited_for(is_there, f"{self.at} to be reached")

    def ended_by(self, number: signal.Signals) -> tuple[int, str, str]:
        """Send the signal; returns the exit code and what it wrote on both streams."""
        self.process.send_signal(number)
        (self.stage.folder / "go").touch()
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err

    def _said(self) -> str:
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return f"code {self.process.returncode}\n{out}\n{err}"


@dataclass
class Stage:
    """A folder that contains everything that a run of `assay` may change."""

    folder: Path
    bench: Path = field(init=False)
    _mounts: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self._mounts = mounts()
        for name in ("home", "tmp", "hook", "work"):
            (self.folder / name).mkdir()
        self.bench = self.program(self.work / "bench", BENCH)
        (self.folder / "hook" / "sitecustomize.py").write_text(HOOK)

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def program(self, path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def environment(self, at: At, more: Mapping[str, str]) -> dict[str, str]:
        hidden = ("XDG_STATE_HOME", "XDG_CACHE_HOME", "CI")
        ours = {name: value for name, value in os.environ.items() if name not in hidden}
        return {
            **ours,
            "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"),
            "PYTHONPATH": str(self.folder / "hook"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "STAGE": str(self.folder),
            "STOP_AT": at.which if isinstance(at, Launch) else "",
            "STOP_IN": at.where if isinstance(at, Call) else "",
            MARK: str(self.folder),
            **more,
        }

    def started(self, words: tuple[str, ...], at: At, ignoring: str = "", **more: str) -> Running:
        """Start it in the working folder, with signals as on a terminal, however tests are run."""
        signals = [
            "--default-signal=INT,TERM,HUP",
            *([f"--ignore-signal={ignoring}"] * bool(ignoring)),
        ]
        process = subprocess.Popen(
            ["env", *signals, *assay_command(), *words],
            cwd=self.work,
            env=self.environment(at, more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return Running(self, process, at)

    def next_start(self) -> None:
        """Start `assay` again, which cleans up what an earlier run left."""
        env = self.environment(Program(""), {})
        subprocess.run([*assay_command(), "--version"], env=env, check=True, capture_output=True)

    def left_behind(self) -> list[str]:
        """Wait for the processes to end, then list what is left where the user wanted nothing."""
        waited_for(lambda: not self.programs(), "processes to end", self.programs)
        undo = self.folder / "home" / ".local" / "state" / "assay" / "undo"
        found = [str(one) for one in (self.folder / "tmp").iterdir()]
        found += [str(undo)] * undo.exists()
        found += [str(one) for one in self.work.rglob(".assay-*") if one.is_file()]
        new = mounts() - self._mounts
        ours = [one for one in new if one.startswith(str(self.folder)) or not _is_of_a_test(one)]
        return found + sorted(ours) + self._elsewhere()

    def _elsewhere(self) -> list[str]:
        """What is left in shared places: the OS lab's folders in memory, and our cgroups."""
        ours = str(self.folder)
        labs = [one.parent for one in Path("/dev/shm").glob("assay-os-*/folders")]
        found = [str(one) for one in labs if ours in _text(one / "folders")]
        return found + [str(one) for one in Path("/sys/fs/cgroup").glob("**/*assay*/")]

    def programs(self) -> list[str]:
        """The names of the processes that runs of this stage started, without zombies."""
        return list(self._programs())

    def _programs(self) -> Iterator[str]:
        wanted = f"{MARK}={self.folder}".encode()
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if wanted in (place / "environ").read_bytes().split(b"\0"):
                    yield (place / "comm").read_text().strip()
            except OSError:  # it has ended, or belongs to another user
                continue


def _is_of_a_test(mount: str) -> bool:
    """Whether another test made it, which runs at the same time and unmounts it itself."""
    return "/pytest-" in mount


def mounts() -> set[str]:
    return {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it was removed meanwhile
        return ""


def waited_for(
    true: Callable[[], bool], what: str, told: Callable[[], object] = lambda: ""
) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < ends_s, f"waited {PATIENCE_S:g} s for {what}: {told()}"
        time.sleep(0.005)
