"""One launcher for many launches: what holds from one launch to the next."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from patience import PATIENCE_S

from assay.errors import LaunchError, MeasurementError
from assay.measure.executor import FinishedProcess, Launch, ProcessExecutor
from assay.measure.launch_server import LaunchServer
from assay.measure.placed_executor import PlacedExecutor


@pytest.fixture
def executor(native: Callable[[str], Path]) -> ProcessExecutor:
    return ProcessExecutor(native("assay-launch"))


def shell(script: str, timeout_s: float = 30, **more: object) -> Launch:
    return Launch(("/bin/sh", "-c", script), timeout_s, **more)  # type: ignore[arg-type]


def until(path: Path) -> str:
    """A line of shell that waits for `path`."""
    return f"while [ ! -e {path} ]; do sleep 0.01; done"


def eventually(holds: Callable[[], bool]) -> bool:
    deadline_s = time.monotonic() + PATIENCE_S
    while not (held := holds()) and time.monotonic() < deadline_s:
        time.sleep(0.01)
    return held


def gone(pid: int) -> bool:
    """Ended, or ended and not yet reaped by whoever inherited it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_launches_share_one_launcher(executor: ProcessExecutor) -> None:
    parents = {executor.run(shell("echo $PPID")).stdout for _ in range(3)}
    assert len(parents) == 1


def test_each_launch_has_the_environment_of_its_moment(
    executor: ProcessExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_TEST_MINE", "1")
    first = executor.run(Launch(("env",), 10, env={"ASSAY_TEST_ADDED": "ü\n="})).stdout
    monkeypatch.delenv("ASSAY_TEST_MINE")
    second = executor.run(Launch(("env",), 10)).stdout
    assert "ASSAY_TEST_MINE=1\n" in first
    assert "ASSAY_TEST_ADDED=ü\n=\n" in first
    assert second.splitlines() == [f"{name}={value}" for name, value in os.environ.items()]


def test_a_program_is_looked_for_in_the_path_of_its_own_environment(
    executor: ProcessExecutor, tmp_path: Path
) -> None:
    program = tmp_path / "assay-test-program"
    program.write_text("#!/bin/sh\necho found\n")
    program.chmod(0o755)
    launch = Launch((program.name,), 10, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert executor.run(launch).stdout == "found\n"
    with pytest.raises(LaunchError, match="assay-test-program: cannot start"):
        executor.run(Launch((program.name,), 10))


def test_each_launch_works_where_we_are(
    executor: ProcessExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor.run(shell(":"))
    monkeypatch.chdir(tmp_path)
    assert executor.run(shell("pwd")).stdout == f"{tmp_path}\n"


def test_a_launch_in_a_folder_of_its_own(executor: ProcessExecutor, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "program").write_text("#!/bin/sh\npwd; echo $WORD $MORE\n")
    (tmp_path / "there" / "program").chmod(0o755)
    placed = PlacedExecutor(executor, tmp_path / "there", {"WORD": "1", "MORE": "2"})
    done = placed.run(Launch(("./program",), 10, env={"MORE": "3"}))
    assert done.stdout == f"{tmp_path}/there\n1 3\n"
    assert executor.run(shell("pwd; echo $WORD")).stdout == f"{Path.cwd()}\n\n"
    with pytest.raises(LaunchError, match="gone: cannot start in it: No such file or directory"):
        executor.run(shell(":", folder=tmp_path / "gone"))
    assert executor.run(shell("echo on")).stdout == "on\n"


def test_the_next_launch_is_not_pinned_as_the_last(executor: ProcessExecutor) -> None:
    allowed = "grep Cpus_allowed_list /proc/self/status"
    free = executor.run(shell(allowed)).stdout
    pinned = executor.run(shell(allowed, cpu=max(os.sched_getaffinity(0)))).stdout
    assert executor.run(shell(allowed)).stdout == free
    assert pinned != free or len(os.sched_getaffinity(0)) == 1


def test_what_cannot_start_leaves_a_launcher_that_can(executor: ProcessExecutor) -> None:
    before = executor.run(shell("echo $PPID")).stdout
    for launch in (Launch(("/no/such/thing",), 5), Launch(("/",), 5), shell(":", cpu=100_000)):
        with pytest.raises(LaunchError, match="cannot start"):
            executor.run(launch)
    assert executor.run(shell("echo $PPID")).stdout == before
    with pytest.raises(LaunchError, match="NUL byte"):
        executor.run(shell("a\0b"))
    assert executor.run(shell("echo again")).stdout == "again\n"


def test_none_outlives_its_launch_to_write_into_another(
    executor: ProcessExecutor, tmp_path: Path
) -> None:
    away, go, wrote = tmp_path / "away", tmp_path / "go", tmp_path / "wrote"
    late = f"touch {away}; {until(go)}; echo late; touch {wrote}"
    executor.run(shell(f"setsid sh -c '{late}' & {until(away)}"))
    assert executor.run(shell(f"touch {go}; sleep 0.1; echo mine")).stdout == "mine\n"
    assert not wrote.exists()


def test_a_launch_sees_only_its_three_files(executor: ProcessExecutor) -> None:
    executor.run(shell(":"))
    assert executor.run(Launch(("ls", "/proc/self/fd"), 10)).stdout.split() == ["0", "1", "2", "3"]


def test_after_a_timeout_the_next_launch_works(executor: ProcessExecutor) -> None:
    assert executor.run(shell("sleep 600", timeout_s=0.1)).timed_out
    assert executor.run(shell("echo again")).stdout == "again\n"


def test_one_asked_to_end_may_do_so_in_its_own_way(
    executor: ProcessExecutor, tmp_path: Path
) -> None:
    said, ready = tmp_path / "said", tmp_path / "ready"
    script = f"trap 'touch {said}; exit' TERM; touch {ready}; while :; do sleep 0.01; done"
    timeout_s = 0.5
    while not ready.exists():  # a busy host starts it late: it must be asked after its trap
        done = executor.run(shell(script, timeout_s=timeout_s))
        timeout_s *= 2
    assert done.timed_out
    assert said.exists()


def test_an_interrupt_leaves_nothing_and_the_next_launch_works(
    executor: ProcessExecutor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"

    def interrupted(server: LaunchServer, timeout_s: float | None) -> bytes | None:
        assert eventually(lambda: pids.exists() and len(pids.read_text().split()) == 2)
        monkeypatch.undo()
        raise KeyboardInterrupt

    executor.run(shell(":"))
    monkeypatch.setattr(LaunchServer, "answer", interrupted)
    with pytest.raises(KeyboardInterrupt):
        executor.run(shell(f"sleep 600 & echo $$ $! > {pids}; wait"))
    for pid in map(int, pids.read_text().split()):
        assert eventually(lambda pid=pid: gone(pid))  # type: ignore[misc]
    assert executor.run(shell("echo again")).stdout == "again\n"


def test_two_threads_may_launch_at_once(executor: ProcessExecutor, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    scripts = [f"touch {mine}; {until(other)}; echo $PPID" for mine, other in
               ((one, two), (two, one))]  # fmt: skip
    with ThreadPoolExecutor(2) as pool:
        parents = list(pool.map(lambda script: executor.run(shell(script)).stdout, scripts))
    assert len(set(parents)) == 2
    # The threads have ended; what they started serves on.
    assert executor.run(shell("echo $PPID")).stdout in parents


def test_abandon_ends_what_runs_in_other_threads(executor: ProcessExecutor, tmp_path: Path) -> None:
    ready, ends = tmp_path / "ready", list[FinishedProcess]()
    launch = shell(f"trap '' TERM; touch {ready}; while :; do sleep 0.1; done", timeout_s=600)
    thread = threading.Thread(target=lambda: ends.append(executor.run(launch)))
    thread.start()
    assert eventually(ready.exists)
    executor.abandon()
    thread.join(PATIENCE_S)
    assert [done.signal for done in ends] == [signal.SIGKILL]
    assert executor.run(shell("echo again")).stdout == "again\n"


def test_a_launcher_that_was_killed_is_replaced(executor: ProcessExecutor) -> None:
    done = executor.run(shell("kill -KILL $PPID; sleep 600"))
    assert done.signal == signal.SIGKILL
    assert executor.run(shell("kill -TERM $PPID; sleep 600")).signal == signal.SIGKILL
    idle = int(executor.run(shell("echo $PPID")).stdout)
    os.kill(idle, signal.SIGKILL)
    assert eventually(lambda: gone(idle))
    assert executor.run(shell("echo again")).stdout == "again\n"


@pytest.fixture
def parent(native: Callable[[str], Path], tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A Python that runs a program, which has a child of its own; `pids` names all three."""
    script = f"sleep 600 & echo $PPID $$ $! > {tmp_path}/pids; wait"
    code = (
        "from pathlib import Path; from assay.measure.executor import Launch, ProcessExecutor;"
        f"ProcessExecutor(Path({str(native('assay-launch'))!r}))"
        f".run(Launch(('/bin/sh', '-c', {script!r}), 600))"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        yield process


def test_nothing_outlives_our_own_end(parent: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    assert eventually(lambda: pids.exists() and len(pids.read_text().split()) == 3)
    parent.kill()
    for pid in map(int, pids.read_text().split()):
        assert eventually(lambda pid=pid: gone(pid))  # type: ignore[misc]


def test_launchers_at_rest_end_with_their_executor(native: Callable[[str], Path]) -> None:
    executor = ProcessExecutor(native("assay-launch"))
    launcher = int(executor.run(shell("echo $PPID")).stdout)
    assert not gone(launcher)
    del executor
    assert gone(launcher)


def test_a_launcher_of_another_version_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "assay-launch"
    other.write_text("#!/bin/sh\necho unknown option >&2; exit 2\n")
    other.chmod(0o755)
    with pytest.raises(MeasurementError, match=r"not the launcher of this version.*pip install"):
        ProcessExecutor(other).run(shell(":"))
