"""A program slowed by libassay_delay.so, seen from the outside."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import NATIVE, ScriptedExecutor, finished

from assay.measure.delay import DelayingExecutor, filter_argument_of
from assay.measure.effort import Effort
from assay.measure.executor import FinishedProcess, Launch, ProcessExecutor
from assay.measure.targets.gbench import GBenchTarget
from assay.record import reader

MARK = 0x31594C4544595341
LIBRARY = Path("/lib/libassay_delay.so")


def delayed(content: bytes | None, **env: str) -> tuple[DelayingExecutor, Launch]:
    """One launch in which the library wrote this."""

    def answer(launch: Launch) -> FinishedProcess:
        if content is not None:
            Path(launch.env["ASSAY_DELAY_FILE"]).write_bytes(content)
        return finished()

    inner = ScriptedExecutor(answer)
    by = DelayingExecutor(inner, LIBRARY, 0.05)
    by.run(Launch(("bench", "--benchmark_filter=^BM_a$"), 1.0, env=env))
    return by, inner.launches[0]


def test_what_was_added_is_told_for_each_launch() -> None:
    by, launch = delayed(struct.pack("<Qqqqq", MARK, 9, 2000, 101, 4))
    assert by.added == {"--benchmark_filter=^BM_a$": [0.0505]}
    assert by.reached
    assert launch.env["ASSAY_DELAY_SHARE"] == "0.050000000"


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"\0" * 40,
        struct.pack("<Qqqqq", MARK, 9, 2000, 101, 4)[:-1],
        struct.pack("<Qqqqq", MARK + 1, 9, 2000, 101, 4),
        struct.pack("<Qqqqq", MARK, 9, 2000, -5, 4),
        struct.pack("<Qqqqq", MARK, 9, -2000, 5, 4),
    ],
)
def test_what_it_did_not_write_is_not_told(content: bytes | None) -> None:
    by, _ = delayed(content)
    assert by.added == {}
    assert not by.reached


def test_a_program_that_reads_no_clock_is_reached_and_not_slowed() -> None:
    by, _ = delayed(struct.pack("<Qqqqq", MARK, 9, 0, 0, 1))
    assert by.reached
    assert by.added == {}


def test_what_the_user_preloads_comes_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "theirs.so")
    assert delayed(None)[1].env["LD_PRELOAD"] == f"{LIBRARY}:theirs.so"
    assert delayed(None, LD_PRELOAD="suite.so")[1].env["LD_PRELOAD"] == f"{LIBRARY}:suite.so"
    monkeypatch.delenv("LD_PRELOAD")
    assert delayed(None)[1].env["LD_PRELOAD"] == str(LIBRARY)


def test_a_launch_is_known_by_its_filter() -> None:
    assert filter_argument_of(("bench", "--benchmark_filter=x", "-y")) == "--benchmark_filter=x"
    assert filter_argument_of(("bench",)) == ""


@pytest.mark.parametrize("name", ["hash_std", "spin/real_time/threads:2", "copy_memory/256"])
def test_a_real_benchmark_reports_the_time_that_was_added(
    name: str, native: Callable[[str], Path]
) -> None:
    """No launch can be quicker than its delay, however busy the machine: half as long again."""
    folder = NATIVE / "libexec" / "assay"
    by = DelayingExecutor(
        ProcessExecutor(folder / "assay-launch"), folder / "libassay_delay.so", 0.5
    )
    target = GBenchTarget((str(native("plain_benchmark")),), "bench", by, reader.parse, 60.0)
    effort = Effort(min_time_s=0.01, repetitions=3)
    launched = target.launch(name, effort, None)
    assert launched.sample.values["real_time"]
    (added,) = next(iter(by.added.values()))
    assert added >= 0.499
