"""One case: a call as told, or launches until its figure is settled. No process runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import cast

import pytest

from assay.judge.labs.os_times import ENOUGH_LAUNCHES, FEWEST_LAUNCHES
from assay.model import Failure, Record, Sample
from assay.os_lab import OsCommand
from assay.workflows.os_lab.case import LONGEST_CASE_S, OsCaseResult, measure_case
from assay.workflows.os_lab.lab import OsLab, OsMeasurement

Words = tuple[str, ...]


@dataclass
class ScriptedLab:
    """The launch of that number gives that time, or what a function makes of it."""

    time_ns: Callable[[int], float] = lambda _: 5.0
    takes_s: float = 0.0
    failure_at: int = 1000
    failure: tuple[Failure, ...] = (Failure(benchmark="nop", what="open: no such file"),)
    asked: list[Words] = field(default_factory=list)

    def commands(self, lines: Sequence[Words]) -> tuple[OsCommand, ...]:
        effort = {"-C", "-D", "--launches"}
        return tuple(
            OsCommand("nop", 1, 1, (), frozenset({"effort"} if effort & set(words) else ()))
            for words in lines
        )

    def measure(self, words: Words) -> OsMeasurement:
        number = len(self.asked)
        self.asked.append(words)
        failed = number == self.failure_at
        time_ns = self.time_ns(number)
        sample = Sample(benchmark="nop", values={"real_time": (time_ns,)}, label=" ".join(words))
        record = Record(
            context={"executable": "assay-os " + " ".join(words), "num_cpus": 2},
            facts={},
            samples=() if failed else (sample,),
            failures=self.failure if failed else (),
        )
        return OsMeasurement(record, self.takes_s, f"said {number}")


def measured(lab: ScriptedLab, *words: str) -> OsCaseResult:
    return measure_case(cast(OsLab, lab), words)


@pytest.mark.parametrize("effort", ["-C", "-D", "--launches"])
def test_effort_asked_for_is_one_call(effort: str) -> None:
    lab = ScriptedLab(lambda n: 10.0 * (1 + n % 2), takes_s=0.5)
    found = measured(lab, "nop", "-S", effort, "3")
    assert lab.asked == [("nop", "-S", effort, "3")]
    assert (len(found.record.samples), found.elapsed_s) == (1, 0.5)


def test_else_it_is_launched_until_the_interval_is_narrow() -> None:
    lab = ScriptedLab(lambda n: 100.0 + 10 * (n % 2) if n < 60 else 105.0, takes_s=0.04)
    found = measured(lab, "nop", "-S")
    assert set(lab.asked) == {("nop", "-C", "12", "-D", "0.140", "--launches", "1", "-S")}, (
        "the options stand before what may follow a --"
    )
    assert FEWEST_LAUNCHES < len(lab.asked) < LONGEST_CASE_S / 0.04
    assert [sample.launch for sample in found.record.samples] == list(range(len(lab.asked)))
    assert {sample.label for sample in found.record.samples} == {"nop -S"}
    assert found.record.context == {"executable": "assay-os nop -S", "num_cpus": 2}
    assert found.elapsed_s == pytest.approx(0.04 * len(lab.asked))
    assert found.said.startswith("said 0\nsaid 1\n")


def test_it_ends_with_its_time_where_launches_never_agree() -> None:
    # So many seconds add up to the longest time exactly, without a remainder.
    lab = ScriptedLab(lambda n: 10.0 * (1 + n % 2), takes_s=LONGEST_CASE_S / 64)
    measured(lab, "nop")
    assert len(lab.asked) == 64


def test_a_dear_case_has_as_many_launches_as_an_interval_needs() -> None:
    lab = ScriptedLab(takes_s=LONGEST_CASE_S)
    measured(lab, "nop")
    assert len(lab.asked) == ENOUGH_LAUNCHES


def test_cheap_launches_are_twice_as_many_though_they_agree() -> None:
    lab = ScriptedLab()
    measured(lab, "nop")
    assert len(lab.asked) == 2 * FEWEST_LAUNCHES


@pytest.mark.parametrize("place", [0, 7])
def test_a_launch_that_fails_ends_it_and_leaves_no_figure(place: int) -> None:
    lab = ScriptedLab(failure_at=place)
    found = measured(lab, "nop")
    assert len(lab.asked) == place + 1
    assert found.record.samples == ()
    assert found.record.failures == lab.failure


@pytest.mark.parametrize("words", [("nop",), ("nop", "-C", "6")])
def test_no_samples_are_a_failure(words: Words) -> None:
    found = measured(ScriptedLab(failure_at=0, failure=()), *words)
    assert [(f.benchmark, f.what) for f in found.record.failures] == [("nop", "gave no samples")]


def test_the_command_and_the_words_are_told() -> None:
    counter = count(1)
    found = measured(ScriptedLab(lambda _: float(next(counter))), "nop", "-C", "1")
    assert (found.command.name, found.words) == ("nop", ("nop", "-C", "1"))
