"""Which of callgrind's files is which loop, and what is said where there is none."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from conftest import ScriptedExecutor, finished

from assay.errors import LaunchError, MeasurementError
from assay.measure.executor import FinishedProcess, Launch
from assay.measure.profile.exact.callgrind import Callgrind
from assay.measure.profile.exact.loop_files import BEGIN, END
from assay.measure.targets.gbench import GBenchTarget
from assay.record import reader

BEFORE, AFTER, LAST = f"--dump-before={BEGIN}", f"--dump-after={END}", "Program termination"


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")


def writes(triggers: Sequence[str], log: str, **changes: object) -> ScriptedExecutor:
    """Leaves one file for each trigger, in which the n-th costs n; numbers go past 9."""

    def answer(launch: Launch) -> FinishedProcess:
        (out,) = (word.partition("=")[2] for word in launch.argv if "out-file" in word)
        for number, trigger in enumerate(triggers, 1):
            body = f"desc: Trigger: {trigger}\npositions: instr line\nevents: Ir\n"
            body += f"ob=/home/me/bench\nfl=a.cpp\nfn=BM()\n0x1 1 {number}\ntotals: {number}\n"
            Path(f"{out}.{number}").write_text(body)
        return finished(stderr_tail=log, **changes)

    def any_program(launch: Launch) -> FinishedProcess:
        return answer(launch) if "--tool=callgrind" in launch.argv else finished()

    return ScriptedExecutor(any_program)


def dumped(*numbers: int) -> str:
    """What valgrind says of its files."""
    return "".join(f"--77-- Dump to /tmp/a folder/part.{number}\n" for number in numbers)


def running(*counts: int, first: int = 1) -> str:
    """What engine and valgrind say together; `first`: the number of the first file."""
    said = ""
    for number, count in enumerate(counts):
        files = dumped(first + 2 * number, first + 2 * number + 1)
        said += f"-- LOG(2): Running BM for {count}\n{files}-- LOG(2): Ran in 0.5/0.25\n"
    return said


def target(executor: ScriptedExecutor, **changes: bool) -> GBenchTarget:
    return GBenchTarget(("/home/me/bench",), "bench", executor, reader.parse, 60.0, **changes)


SIX = [BEFORE, AFTER] * 6 + [LAST]


def test_each_loop_has_its_iterations_and_its_files() -> None:
    executor = writes(SIX, running(1, 10, 100, 1000, 10_000, 21_345))
    with Callgrind(executor).runs(target(executor), "BM", 0.05) as runs:
        assert runs.counts == (1, 10, 100, 1000, 10_000, 21_345)
        assert runs.slowest_s == 0.5
        profile = runs.profile(10_000)
        assert (profile.setup.total, profile.loop.total) == (9, 10)
        folder = runs.loops[0].inside.parent
    assert not folder.exists()


def test_a_loop_that_is_not_logged_is_given_to_no_other() -> None:
    """A memory manager's, after the last one that was timed; and a second run of all of them."""
    log = running(1, 10) + dumped(5, 6) + running(1, 10, first=7) + dumped(11, 12)
    executor = writes(SIX, log)
    with Callgrind(executor).runs(target(executor), "BM", 0.05) as runs:
        assert runs.counts == (1, 10, 1, 10)
        assert [loop.inside.name for loop in runs.loops] == [
            "part.2",
            "part.4",
            "part.8",
            "part.10",
        ]
        assert runs.profile(10).loop.total == 10


def test_of_a_log_whose_beginning_is_lost_the_last_loops_are_known() -> None:
    log = "x" * 5000 + "\n" + running(10_000, 21_345, first=9)
    executor = writes(SIX, log)
    with Callgrind(executor).runs(target(executor), "BM", 0.05) as runs:
        assert runs.counts == (10_000, 21_345)
        assert runs.profile(21_345).loop.total == 12


def test_what_it_is_asked_for() -> None:
    executor = writes([BEFORE, AFTER], running(1))
    for counts_iterations, amount in ((False, "0.05"), (True, "0.05s")):
        asked = target(executor, counts_iterations=counts_iterations)
        with Callgrind(executor).runs(asked, "BM<int>/8", 0.05):
            launch = executor.launches[-1]
        assert f"--benchmark_min_time={amount}" in launch.argv
        assert "--benchmark_filter=^BM<int>/8$" in launch.argv
        assert launch.argv[:3] == ("/usr/bin/setarch", "-R", "/usr/bin/valgrind")
        assert launch.env["LD_BIND_NOW"] == "1"
        assert {"--cache-sim=yes", "--branch-sim=yes", "--LL=8388608,16,64"} < set(launch.argv)


@pytest.mark.parametrize(
    ("triggers", "log", "changes", "said"),
    [
        ([LAST], running(1), {}, "it never called benchmark::State::StartKeepRunning()"),
        ([AFTER, LAST], running(1), {}, "it never called"),
        ([BEFORE, LAST], running(1), {}, "it never called"),
        ([BEFORE, AFTER], "", {}, "does not say how many iterations"),
        ([BEFORE, AFTER], running(1, 10), {}, "10 iterations that callgrind did not count"),
        (
            [BEFORE, AFTER] * 2,
            "-- LOG(2): Running BM for 1\n" + dumped(1, 2, 3, 4),
            {},
            "several threads run its loop",
        ),
        ([], "", {"exit_code": None, "signal": 11}, "under callgrind it crashed with SIGSEGV"),
        ([], "", {"timed_out": True}, "ran past the timeout"),
        (
            [],
            "it cannot be\n==77== Events    : Ir\n--77-- Dumping done.\n",
            {"exit_code": 3},
            'exited with code 3 (it said: "it cannot be")',
        ),
        (
            [],
            "vex amd64->IR: unhandled instruction bytes: 0x62 0xF1\n==77== valgrind: "
            "Unrecognised instruction at address 0x1091a9.\n",
            {"exit_code": None, "signal": 4},
            "build with -march=x86-64-v3",
        ),
    ],
)
def test_what_goes_wrong_is_said(
    triggers: list[str], log: str, changes: dict[str, object], said: str
) -> None:
    executor = writes(triggers, log, **changes)
    with (
        pytest.raises(LaunchError) as raised,
        Callgrind(executor).runs(target(executor), "BM", 0.05),
    ):
        pass
    assert said in raised.value.message


@pytest.mark.parametrize("damage", [lambda text: text[:-9], lambda text: text + "rubbish\n"])
def test_a_damaged_file_is_a_failed_launch(damage: Callable[[str], str]) -> None:
    executor = writes([BEFORE, AFTER], running(1))
    with Callgrind(executor).runs(target(executor), "BM", 0.05) as runs:
        inside = runs.loops[0].inside
        inside.write_text(damage(inside.read_text()))
        with pytest.raises(LaunchError):
            runs.profile(1)


@pytest.mark.parametrize("name", ["BM/threads:2", "BM/real_time/threads:16"])
def test_threads_are_refused_before_anything_runs(name: str) -> None:
    executor = writes([BEFORE, AFTER], running(1))
    with (
        pytest.raises(LaunchError, match="several threads"),
        Callgrind(executor).runs(target(executor), name, 0.05),
    ):
        pass
    assert not any("--tool=callgrind" in one.argv for one in executor.launches)


def test_one_thread_is_none_too_many() -> None:
    executor = writes([BEFORE, AFTER], running(1))
    with Callgrind(executor).runs(target(executor), "BM/threads:1", 0.05) as runs:
        assert runs.counts == (1,)


def test_without_valgrind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(MeasurementError, match="valgrind is not installed"):
        Callgrind(writes([], ""))
