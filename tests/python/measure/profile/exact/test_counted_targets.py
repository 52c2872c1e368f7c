"""Which of callgrind's counts a launch keeps, and what is said where there is none."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import ScriptedExecutor, finished

from assay.errors import LaunchError
from assay.measure.effort import Effort
from assay.measure.executor import FinishedProcess, Launch
from assay.measure.profile.exact.instructions import (
    CountedCommand,
    CountedLoop,
    counts_by_iterations,
    with_iterations,
)
from assay.measure.profile.exact.loop_files import BEGIN, END
from assay.measure.profile.exact.pinned import Valgrind
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.model import Sample
from assay.record import reader

VALGRIND = Valgrind(("valgrind",), "3.19.0")


def out_file(launch: Launch) -> str:
    (found,) = (word.partition("=")[2] for word in launch.argv if "out-file" in word)
    return found


def loops(*runs: Sequence[tuple[int, int]], seconds: float = 0.001) -> ScriptedExecutor:
    """Answers the n-th launch with loops of (iterations, instructions)."""
    left = list(runs)

    def answer(launch: Launch) -> FinishedProcess:
        log = ""
        for number, (iterations, total) in enumerate(left.pop(0)):
            log += f"-- LOG(2): Running BM for {iterations}\n"
            for place, trigger in enumerate((f"--dump-before={BEGIN}", f"--dump-after={END}")):
                text = f"desc: Trigger: {trigger}\n\ntotals: {total if place else 999_999}\n"
                path = Path(f"{out_file(launch)}.{2 * number + place + 1}")
                path.write_text(text)
                log += f"--77-- Dump to {path}\n"
            log += f"-- LOG(2): Ran in {seconds}/{seconds}\n"
        return finished(stderr_tail=log)

    return ScriptedExecutor(answer)


def counted(executor: ScriptedExecutor) -> Sample:
    target = GBenchTarget(("/home/me/bench",), "bench", executor, reader.parse, 60.0)
    return CountedLoop(target, VALGRIND).launch("BM", Effort(), None).sample


def test_the_loop_is_counted_for_each_power_of_ten() -> None:
    sample = counted(loops([(1, 510), (10, 600), (100, 1500), (743, 7930)]))
    assert counts_by_iterations(sample) == {1: 510, 10: 600, 100: 1500}
    assert (sample.iterations, sample.values) == (100, {"instructions": (15.0,)})
    assert with_iterations(sample, 10).values == {"instructions": (60.0,)}


def test_a_number_of_iterations_of_its_own_is_kept() -> None:
    assert counts_by_iterations(counted(loops([(50, 5000)]))) == {50: 5000}


def test_where_one_iteration_takes_long_ten_are_asked_for() -> None:
    executor = loops([(1, 510), (7, 900)], [(1, 510), (10, 5100), (15, 7000)], seconds=0.02)
    assert counts_by_iterations(counted(executor)) == {1: 510, 10: 5100}
    first, second = (launch.argv[-3] for launch in executor.launches)
    assert (first, second) == ("--benchmark_min_time=0.05", "--benchmark_min_time=0.22")


def test_of_a_very_long_one_the_first_has_to_do() -> None:
    executor = loops([(1, 10**10), (2, 2 * 10**10)], seconds=7.0)
    assert counts_by_iterations(counted(executor)) == {1: 10**10}
    assert len(executor.launches) == 1


def test_several_threads_are_refused() -> None:
    target = GBenchTarget(("/home/me/bench",), "bench", loops(), reader.parse, 60.0)
    with pytest.raises(LaunchError, match="several threads run its loop"):
        CountedLoop(target, VALGRIND).launch("BM/threads:2", Effort(), None)


def command(*totals: int, cut: bool = False) -> Sample:
    """A command that leaves one file for each process."""

    def answer(launch: Launch) -> FinishedProcess:
        for number, total in enumerate(totals):
            path = Path(out_file(launch).replace("%p", str(100 + number)))
            path.write_text("events: Ir\n" if cut else f"events: Ir\n\ntotals: {total}\n")
        return finished()

    target = CommandTarget(("gzip",), "cmd:gzip", "gzip", ScriptedExecutor(answer), 60.0)
    return CountedCommand(target, VALGRIND).launch("gzip", Effort(), None).sample


def test_a_command_is_counted_whole() -> None:
    assert command(123_456).values == {"instructions": (123456.0,)}


def test_a_command_with_processes_of_its_own_is_refused() -> None:
    with pytest.raises(LaunchError, match="starts processes of its own"):
        command(5, 6)


def test_a_file_that_was_cut_is_refused() -> None:
    with pytest.raises(LaunchError, match="without its total"):
        command(5, cut=True)
