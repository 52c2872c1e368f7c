import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done, ScriptedExecutor, finished

from assay.measure.effort import Effort
from assay.measure.executor import FinishedProcess, Launch
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.counted import CountedTarget
from assay.measure.targets.preload import AllocationTally, PreloadingExecutor, tally_of
from assay.units import Better, metric

LINE = {
    "pid": 1,
    "program": "/bin/x",
    "counted": True,
    "allocs": 10,
    "reallocs": 2,
    "frees": 9,
    "bytes": 500,
    "leaked_bytes": 48,
    "peak_bytes": 300,
}


def line(**changes: object) -> str:
    return json.dumps({**LINE, **changes}) + "\n"


def test_processes_of_a_launch_are_added_up_but_for_the_peak() -> None:
    tally, _ = tally_of(line() + line(allocs=5, peak_bytes=900))
    assert tally == AllocationTally(15, 4, 18, 1000, 96, 900)


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "linked statically"), (line() + line(counted=False), "/bin/x has a malloc of its own")],
)
def test_what_cannot_be_counted_has_a_reason_and_no_zeros(text: str, words: str) -> None:
    tally, reason = tally_of(text)
    assert tally is None
    assert words in reason


def test_each_measured_launch_is_followed_by_one_that_counts() -> None:
    def answer(launch: Launch) -> FinishedProcess:
        file = launch.env.get("ASSAY_ALLOCATIONS_FILE")
        if file:
            Path(file).write_text(line())
        return finished(wall_ns=9_000_000 if file else 3_000_000)

    executor = ScriptedExecutor(answer)
    counting = PreloadingExecutor(executor, Path("/lib/ours.so"))
    plain = CommandTarget(("true",), "cmd:true", "true", executor, 5.0)
    again = CommandTarget(("true",), "cmd:true", "true", counting, 5.0)
    sample = CountedTarget(plain, again, counting).launch("true", Effort(), None).sample
    assert sample.values["real_time"] == (3.0,)
    assert sample.values["allocs"] == (10.0,)
    assert sample.values["peak_bytes"] == (300.0,)
    assert executor.launches[1].env["LD_PRELOAD"].startswith("/lib/ours.so")
    assert "LD_PRELOAD" not in executor.launches[0].env


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        *[("launch_allocs", "1"), ("launch_bytes", "B"), ("launch_peak_bytes", "B")],
        *[("cycles:u", "1"), ("dram-read-bytes", "B"), ("task-clock", "ns")],
        ("cpu-migrations", "1"),
    ],
)
def test_its_metrics_have_units_and_less_is_better(name: str, unit: str) -> None:
    assert metric(name).unit == unit
    assert metric(name).better is Better.LOWER


def test_a_command_nobody_built_with_us(
    assay: Callable[..., Done], native: Callable[[str], Path], tmp_path: Path
) -> None:
    program = native("known_allocations")
    out = tmp_path / "out.json"
    libexec = str(native("assay-launch").parent)
    done = assay(
        *("run", f"cmd:{program}", "--allocations", "--rounds", 2, "-q", "-o", out),
        ASSAY_LIBEXEC=libexec,
    )
    assert done.code == 0, done.err
    row = json.loads(out.read_text())["benchmarks"][0]
    assert 107 <= row["allocs"] <= 110
    assert row["reallocs"] == 10
    assert row["leaked_bytes"] >= 10_000
    assert row["peak_bytes"] >= 110_000


def test_a_benchmark_executable_of_others_counts_whole_launches(
    assay: Callable[..., Done], native: Callable[[str], Path], tmp_path: Path
) -> None:
    program = native("plain_benchmark")
    out = tmp_path / "out.json"
    done = assay(
        *("run", program, "--filter", "^malloc_free/32$", "--allocations", "--rounds", 1, "-q"),
        *("-o", out),
        ASSAY_LIBEXEC=str(native("assay-launch").parent),
    )
    assert done.code == 0, done.err
    row = json.loads(out.read_text())["benchmarks"][0]
    assert row["launch_allocs"] > 1000
    assert "allocs" not in row


def test_a_program_with_its_own_malloc_is_said_so(
    assay: Callable[..., Done], native: Callable[[str], Path]
) -> None:
    done = assay(
        *("run", f"cmd:{native('own_malloc')}", "--allocations", "--rounds", 1, "-q"),
        ASSAY_LIBEXEC=str(native("assay-launch").parent),
    )
    assert done.code == 3
    assert "has a malloc of its own" in done.out + done.err
