"""The real launcher and real processes."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import LaunchError
from assay.measure.executor import KEPT_BYTES, Launch, ProcessExecutor


@pytest.fixture
def executor(native: Callable[[str], Path]) -> ProcessExecutor:
    return ProcessExecutor(native("assay-launch"))


def shell(script: str, timeout_s: float = 10, **more: object) -> Launch:
    return Launch(("/bin/sh", "-c", script), timeout_s, **more)  # type: ignore[arg-type]


def test_what_a_process_says_and_costs(executor: ProcessExecutor) -> None:
    done = executor.run(shell("echo out; echo err >&2; sleep 0.05"))
    assert done.ok
    assert done.stdout == "out\n"
    assert done.stderr_tail == "err"
    assert 50e6 < done.wall_ns < 5e9
    assert 0 < done.max_rss_bytes < 64 << 20


def test_peak_memory_is_the_childs_and_not_ours(executor: ProcessExecutor) -> None:
    ballast = bytearray(200 << 20)
    ballast[::4096] = b"x" * len(ballast[::4096])
    assert executor.run(shell(":")).max_rss_bytes < 20 << 20


@pytest.mark.parametrize(
    ("script", "words"),
    [("exit 3", "exited with code 3"), ("kill -SEGV $$", "crashed with SIGSEGV")],
)
def test_how_it_ended_in_words(executor: ProcessExecutor, script: str, words: str) -> None:
    done = executor.run(shell(script))
    assert not done.ok
    assert done.describe() == words


def test_a_hang_is_killed_with_its_children(executor: ProcessExecutor) -> None:
    mark = f"3{os.getpid()}"
    began_s = time.monotonic()
    done = executor.run(shell(f"sleep {mark} & sleep {mark}", timeout_s=0.3))
    assert done.timed_out
    assert "timeout" in done.describe()
    assert time.monotonic() - began_s < 5
    assert not _running(f"sleep {mark}")


def test_one_that_ignores_sigterm_is_killed_all_the_same(executor: ProcessExecutor) -> None:
    mark = f"4{os.getpid()}"
    done = executor.run(shell(f"trap '' TERM; sleep {mark}; sleep {mark}", timeout_s=0.3))
    assert done.timed_out
    assert not _running(f"sleep {mark}")


def test_a_background_child_does_not_outlive_its_launch(executor: ProcessExecutor) -> None:
    mark = f"5{os.getpid()}"
    executor.run(shell(f"sleep {mark} >/dev/null 2>&1 &"))
    assert not _running(f"sleep {mark}")


def test_a_program_that_cannot_start(executor: ProcessExecutor) -> None:
    with pytest.raises(LaunchError, match="/no/such/thing: cannot start"):
        executor.run(Launch(("/no/such/thing",), 5))


def test_pinning_holds_for_the_child_only(executor: ProcessExecutor) -> None:
    cpu = max(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    done = executor.run(shell("grep Cpus_allowed_list /proc/self/status", cpu=cpu))
    assert done.stdout.split() == ["Cpus_allowed_list:", str(cpu)]
    assert os.sched_getaffinity(0) == before


def test_threads_are_noticed(executor: ProcessExecutor) -> None:
    code = "import threading,time; t=threading.Thread(target=time.sleep,args=(.3,)); t.start()"
    assert (
        executor.run(Launch((sys.executable, "-c", code), 20, count_threads=True)).max_threads == 2
    )
    assert executor.run(shell("sleep 0.1", count_threads=True)).max_threads == 1


def _running(command: str) -> bool:
    for _ in range(20):
        if subprocess.run(["pgrep", "-f", f"^{command}$"], capture_output=True).returncode:
            return False
        time.sleep(0.05)
    return True


def test_daemons_in_sessions_of_their_own_are_ended_and_counted(executor: ProcessExecutor) -> None:
    mark = f"6{os.getpid()}"
    started = f"until pgrep -xf 'sleep {mark}' >/dev/null; do sleep 0.01; done"
    done = executor.run(shell(f"setsid sh -c 'setsid sleep {mark} & :' & wait; {started}"))
    assert done.ok
    assert done.left_behind == 1
    assert not _running(f"sleep {mark}")
    assert executor.run(shell(":")).left_behind == 0


def test_daemons_of_one_that_hangs_are_ended_too(executor: ProcessExecutor) -> None:
    mark = f"7{os.getpid()}"
    done = executor.run(shell(f"setsid sleep {mark} & sleep {mark}", timeout_s=0.3))
    assert done.timed_out
    assert not _running(f"sleep {mark}")


def test_of_a_flood_the_end_is_kept_in_bounded_memory(executor: ProcessExecutor) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    flood = "head -c 600000000 /dev/zero | tr '\\0' x; echo the end; exit 3"
    done = executor.run(shell(flood, timeout_s=120))
    assert done.printed_bytes == 600_000_008
    assert done.stdout.endswith("xxxthe end\n")
    assert len(done.stdout) == KEPT_BYTES
    assert done.describe() == "exited with code 3 and printed 600 MB"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10, "KiB"
