"""The catalogue in rounds: order, journal, resumption, budget, failures. No process runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import cast

import msgspec
import pytest

from assay.errors import LaunchError, NoBenchmarksError
from assay.interrupts import Interrupted
from assay.judge.labs.os_times import (
    CHEAP_S,
    FEWEST_LAUNCHES,
    LONGEST_S,
    MOST_LAUNCHES,
    RunHistory,
)
from assay.model import Failure, Record, Sample
from assay.os_lab import CatalogueRun
from assay.record.reader import read
from assay.workflows.common.output import Destination
from assay.workflows.os_lab.catalogue import (
    CataloguePlan,
    CatalogueResult,
    run_catalogue,
    visit_options,
)
from assay.workflows.os_lab.lab import OsLab, OsMeasurement

CHEAP_ROUNDS = 2 * FEWEST_LAUNCHES  # of a run that takes no time, as by a clock that stands still
RUNS = tuple(
    CatalogueRun(name, name, (name, "-N", name), origin)
    for name, origin in (("nop", "libMicro"), ("exec", "libMicro"), ("statx", "Linux"))
)


class StillClock:
    """Stands still until told."""

    now = 0.0

    def now_s(self) -> float:
        return self.now


def measured(name: str, failure: str = "") -> OsMeasurement:
    failures = (Failure(benchmark=name, what=failure),) if failure else ()
    sample = Sample(benchmark=name, values={"real_time": (5.0, 6.0)})
    samples = () if failure else (sample,)
    return OsMeasurement(Record(context={}, facts={}, samples=samples, failures=failures))


@dataclass
class ScriptedLab:
    """Answers each command line; remembers them."""

    answer: Callable[[str], OsMeasurement] = measured
    asked: list[tuple[str, ...]] = field(default_factory=list)
    cleaned: int = 0

    def catalogue(self) -> tuple[CatalogueRun, ...]:
        return RUNS

    def measure(self, words: tuple[str, ...]) -> OsMeasurement:
        self.asked.append(words)
        return self.answer(words[0])

    def clean(self) -> None:
        self.cleaned += 1

    @property
    def names(self) -> list[str]:
        return [words[0] for words in self.asked]


def run(lab: ScriptedLab, plan: CataloguePlan, clock: StillClock | None = None) -> CatalogueResult:
    return run_catalogue(plan, cast(OsLab, lab), clock or StillClock(), lambda *_: None)


def test_rounds_over_all_runs_until_they_are_settled(tmp_path: Path) -> None:
    lab = ScriptedLab()
    result = run(lab, CataloguePlan(keep=Destination(tmp_path / "os.json")))
    assert lab.names == ["nop", "exec", "statx"] * CHEAP_ROUNDS
    record = read(tmp_path / "os.json")
    assert [(s.benchmark, s.launch) for s in record.samples] == [
        (name, number) for name in ("nop", "exec", "statx") for number in range(CHEAP_ROUNDS)
    ]
    assert result.left == 0
    assert list(tmp_path.iterdir()) == [tmp_path / "os.json"], "the journal is still there"


def unsteady(name: str, by: Callable[[int], float]) -> Callable[[str], OsMeasurement]:
    """`name` takes other times than the others: visit n takes by(n)."""
    asked = count()

    def answer(other: str) -> OsMeasurement:
        done = measured(other)
        if other != name:
            return done
        sample = Sample(benchmark=name, values={"real_time": (by(next(asked)),)})
        return OsMeasurement(msgspec.structs.replace(done.record, samples=(sample,)))

    return answer


def test_an_unsteady_run_is_visited_until_its_interval_is_narrow(tmp_path: Path) -> None:
    lab = ScriptedLab(unsteady("exec", lambda n: 10.0 if n >= 24 else 10.0 + n))
    run(lab, CataloguePlan(keep=Destination(tmp_path / "os.json")))
    assert lab.names.count("nop") == CHEAP_ROUNDS
    visits = lab.names.count("exec")
    assert CHEAP_ROUNDS + 20 < visits < MOST_LAUNCHES
    assert lab.names[-1] == "exec"
    figures = [10.0 + n if n < 24 else 10.0 for n in range(visits)]
    assert settled(figures)
    assert not settled(figures[:-1])


def test_a_run_without_a_narrow_interval_ends(tmp_path: Path) -> None:
    lab = ScriptedLab(unsteady("exec", lambda n: 10.0 * (1 + n % 2)))
    assert run(lab, CataloguePlan(keep=Destination(tmp_path / "os.json"))).left == 0
    assert lab.names.count("exec") == MOST_LAUNCHES


def test_a_run_that_had_its_time_ends(tmp_path: Path) -> None:
    clock = StillClock()
    by_turns = unsteady("exec", lambda n: 10.0 * (1 + n % 2))

    def slow(name: str) -> OsMeasurement:
        clock.now += LONGEST_S / 30.5
        return by_turns(name)

    lab = ScriptedLab(slow)
    run(lab, CataloguePlan(keep=Destination(tmp_path / "os.json")), clock)
    assert lab.names.count("exec") == 31


def test_a_steady_run_has_twice_the_rounds_until_it_has_taken_its_time(tmp_path: Path) -> None:
    clock = StillClock()

    def slow(name: str) -> OsMeasurement:
        clock.now += CHEAP_S / 30.5 if name == "exec" else 0.0
        return measured(name)

    lab = ScriptedLab(slow)
    run(lab, CataloguePlan(keep=Destination(tmp_path / "os.json")), clock)
    assert lab.names.count("exec") == 31
    assert lab.names.count("nop") == CHEAP_ROUNDS


def test_a_visit_that_gives_nothing_is_a_failure(tmp_path: Path) -> None:
    nothing = OsMeasurement(Record(context={}, facts={}, samples=()))
    lab = ScriptedLab(lambda name: nothing if name == "exec" else measured(name))
    failures = run(lab, CataloguePlan(keep=Destination(tmp_path / "os.json"))).record.failures
    assert [(f.benchmark, f.what) for f in failures] == [("exec", "gave no samples")]


def settled(figures: list[float]) -> bool:
    return RunHistory(figures).settled()


def test_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    def stop_at_exec(name: str) -> OsMeasurement:
        if name == "exec":
            raise Interrupted(2)
        return measured(name)

    plan = CataloguePlan(keep=Destination(tmp_path / "os.json"))
    first = ScriptedLab(stop_at_exec)
    result = run(first, plan)
    assert result.left == 3 * FEWEST_LAUNCHES - 1
    assert first.cleaned == 1
    assert not (tmp_path / "os.json").exists()
    with (tmp_path / "os.json.journal").open("ab") as file:
        file.write(b'{"row": {"name": "cut sh')  # killed in the middle of a line
    second = ScriptedLab()
    assert run(second, plan).left == 0
    assert second.names == (["nop", "exec", "statx"] * CHEAP_ROUNDS)[1:]
    assert len(read(tmp_path / "os.json").samples) == 3 * CHEAP_ROUNDS


def test_what_fails_is_given_up(tmp_path: Path) -> None:
    def answer(name: str) -> OsMeasurement:
        if name == "nop":
            raise LaunchError("it crashed")
        return measured(name, "skipped: this host: no statx" if name == "statx" else "")

    lab = ScriptedLab(answer)
    result = run(lab, CataloguePlan(keep=Destination(tmp_path / "os.json")))
    assert lab.names.count("nop") == lab.names.count("statx") == 1
    assert lab.names.count("exec") == CHEAP_ROUNDS
    assert {f.benchmark: f.what for f in result.record.failures} == {
        "nop": "it crashed",
        "statx": "skipped: this host: no statx",
    }
    assert result.left == 0


def test_budget_is_shared_and_kept(tmp_path: Path) -> None:
    clock = StillClock()

    def slow(name: str) -> OsMeasurement:
        clock.now += 1.0
        return measured(name)

    lab = ScriptedLab(slow)
    plan = CataloguePlan(keep=Destination(tmp_path / "os.json"), budget_s=5.0)
    result = run(lab, plan, clock)
    assert len(lab.asked) == 5
    assert result.left == 3 * FEWEST_LAUNCHES - 5
    longest = [float(words[words.index("-D") + 1]) for words in lab.asked]
    assert longest[0] == pytest.approx(5.0 / (3 * FEWEST_LAUNCHES) - 0.05, abs=1e-3)
    assert all(one > 0 for one in longest)


@pytest.mark.parametrize(("budget_s", "rounds"), [(0.2, 12), (1.5, 16), (9.0, CHEAP_ROUNDS)])
def test_a_small_budget_has_fewer_rounds(tmp_path: Path, budget_s: float, rounds: int) -> None:
    lab = ScriptedLab()
    run(lab, CataloguePlan(keep=Destination(tmp_path / "os.json"), budget_s=budget_s))
    assert lab.names == ["nop", "exec", "statx"] * rounds


def test_filter_and_origin(tmp_path: Path) -> None:
    lab = ScriptedLab()
    run(
        lab,
        CataloguePlan(
            filter="^(nop|statx)$", origin="Linux", keep=Destination(tmp_path / "a.json")
        ),
    )
    assert set(lab.names) == {"statx"}
    with pytest.raises(NoBenchmarksError):
        run(lab, CataloguePlan(filter="none", keep=Destination(tmp_path / "b.json")))


def test_more_options_come_last(tmp_path: Path) -> None:
    lab = ScriptedLab()
    run(lab, CataloguePlan(keep=Destination(tmp_path / "a.json"), more=("--dir", "x")))
    assert all(words[-2:] == ("--dir", "x") for words in lab.asked)


def test_visit_is_a_part_of_a_run() -> None:
    assert visit_options(("nop",), 0.1)[:4] == ("-C", "12", "-D", "0.100")
    assert visit_options(("fork", "-C", "50"), 0.1)[:2] == ("-C", "2")
