"""What a suite measures, in how much time: no process is started here."""

from pathlib import Path

import pytest

from assay.errors import MeasurementError, UsageError
from assay.workflows.suite import (
    SuitePlan,
    executables,
    few_sizes_of_each,
    measuring_within_time,
    names_up_to_size,
)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "suites" / "toys"
    folder.mkdir(parents=True)
    for path in (tmp_path / "assay-launch", folder / "b", folder / "a"):
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    (folder / "notes.txt").write_text("not a group")
    monkeypatch.setenv("ASSAY_LIBEXEC", str(tmp_path))
    return folder


def test_groups_are_the_executables_of_the_suites_folder(installed: Path) -> None:
    assert [path.name for path in executables("toys")] == ["a", "b"]
    assert executables("toys", ["b"]) == [installed / "b"]


def test_what_is_not_there_is_said_with_what_is(installed: Path) -> None:
    with pytest.raises(UsageError, match="--only c: toys has no such group; there is a, b"):
        executables("toys", ["a", "c"])
    with pytest.raises(
        MeasurementError, match="the suite 'other' is not part of this installation"
    ):
        executables("other")


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("suite", ["toys", "restore"])
@pytest.mark.parametrize("benchmarks", [1, 50, 300, 800])
def test_time_is_shared_out_so_that_all_end_within_it(
    suite: str, benchmarks: int, quick: bool
) -> None:
    limit_s = 90 if quick else 600
    measuring = measuring_within_time(benchmarks, SuitePlan(suite, quick=quick))
    assert measuring.rounds is not None
    assert measuring.budget_s is not None
    assert measuring.budget_s < limit_s
    effort = measuring.effort
    # Finding the number of iterations costs as much again as measuring; a process 20 ms.
    launch_s = 2 * effort.min_time_s * effort.repetitions + 0.02
    least_s = 2 * 0.0002 * effort.repetitions + 0.02  # less of each would measure nothing
    assert launch_s * benchmarks * (measuring.rounds + 1) < limit_s or launch_s <= least_s


def test_a_quick_run_keeps_the_ends_and_the_middle_of_each_members_sizes() -> None:
    names = [f"f<{member}>/size:{size}" for member in "AB" for size in (1, 2, 4, 8, 16, 32)]
    kept = few_sizes_of_each([*names, "g<A>", "plain", "plain/2"])
    assert [name for name in kept if "<A>/" in name] == [
        "f<A>/size:1",
        "f<A>/size:4",
        "f<A>/size:32",
    ]
    assert kept[-3:] == ["g<A>", "plain", "plain/2"]


def test_what_takes_too_long_by_its_size_is_left_out() -> None:
    names = [*(f"f<A>/nested/{size}/manual_time" for size in (10, 100, 1000)), "g<A>", "plain/9999"]
    assert names_up_to_size(names, 100) == [names[0], names[1], "g<A>", "plain/9999"]
