"""The catalogue in rounds: order, journal, resumption, budget, failures. No process runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from assay.errors import LaunchError, NoBenchmarksError
from assay.model import Failure, Record, Sample
from assay.record.reader import read
from assay.workflows.interrupts import Interrupted
from assay.workflows.os_lab import CatalogueRun, OsLab, OsMeasured
from assay.workflows.os_lab_all import (
    LAUNCHES,
    ROUNDS,
    CataloguePlan,
    CatalogueResult,
    run_catalogue,
    visit_options,
)

RUNS = tuple(
    CatalogueRun(name, name, (name, "-N", name), origin)
    for name, origin in (("nop", "libMicro"), ("exec", "libMicro"), ("statx", "Linux"))
)


class StillClock:
    """Stands still until told."""

    now = 0.0

    def now_s(self) -> float:
        return self.now


def measured(name: str, failure: str = "") -> OsMeasured:
    failures = (Failure(benchmark=name, what=failure),) if failure else ()
    sample = Sample(benchmark=name, values={"real_time": (5.0, 6.0)})
    samples = () if failure else (sample,) * LAUNCHES
    return OsMeasured(Record(context={}, facts={}, samples=samples, failures=failures), "", "")


@dataclass
class ScriptedLab:
    """Answers each command line; remembers them."""

    answer: Callable[[str], OsMeasured] = measured
    asked: list[tuple[str, ...]] = field(default_factory=list)
    cleaned: int = 0

    def catalogue(self) -> tuple[CatalogueRun, ...]:
        return RUNS

    def measure(self, words: tuple[str, ...]) -> OsMeasured:
        self.asked.append(words)
        return self.answer(words[0])

    def clean(self) -> None:
        self.cleaned += 1

    @property
    def names(self) -> list[str]:
        return [words[0] for words in self.asked]


def run(lab: ScriptedLab, plan: CataloguePlan, clock: StillClock | None = None) -> CatalogueResult:
    return run_catalogue(plan, cast(OsLab, lab), clock or StillClock(), lambda *_: None)


def test_rounds_over_all_runs(tmp_path: Path) -> None:
    lab = ScriptedLab()
    result = run(lab, CataloguePlan(output=tmp_path / "os.json"))
    assert lab.names == ["nop", "exec", "statx"] * ROUNDS
    record = read(tmp_path / "os.json")
    assert [(s.benchmark, s.launch) for s in record.samples] == [
        (name, number) for name in ("nop", "exec", "statx") for number in range(ROUNDS * LAUNCHES)
    ]
    assert result.left == 0
    assert list(tmp_path.iterdir()) == [tmp_path / "os.json"], "the journal is still there"


def test_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    def stop_at_exec(name: str) -> OsMeasured:
        if name == "exec":
            raise Interrupted(2)
        return measured(name)

    plan = CataloguePlan(output=tmp_path / "os.json")
    first = ScriptedLab(stop_at_exec)
    result = run(first, plan)
    assert result.left == 3 * ROUNDS - 1
    assert first.cleaned == 1
    assert not (tmp_path / "os.json").exists()
    with (tmp_path / "os.json.journal").open("ab") as file:
        file.write(b'{"row": {"name": "cut sh')  # killed in the middle of a line
    second = ScriptedLab()
    assert run(second, plan).left == 0
    assert second.names == (["nop", "exec", "statx"] * ROUNDS)[1:]
    assert len(read(tmp_path / "os.json").samples) == 3 * ROUNDS * LAUNCHES


def test_what_fails_is_given_up(tmp_path: Path) -> None:
    def answer(name: str) -> OsMeasured:
        if name == "nop":
            raise LaunchError("it crashed")
        return measured(name, "skipped: this host: no statx" if name == "statx" else "")

    lab = ScriptedLab(answer)
    result = run(lab, CataloguePlan(output=tmp_path / "os.json"))
    assert lab.names.count("nop") == lab.names.count("statx") == 1
    assert lab.names.count("exec") == ROUNDS
    assert {f.benchmark: f.what for f in result.record.failures} == {
        "nop": "it crashed",
        "statx": "skipped: this host: no statx",
    }
    assert result.left == 0


def test_budget_is_shared_and_kept(tmp_path: Path) -> None:
    clock = StillClock()

    def slow(name: str) -> OsMeasured:
        clock.now += 1.0
        return measured(name)

    lab = ScriptedLab(slow)
    plan = CataloguePlan(output=tmp_path / "os.json", budget_s=5.0)
    result = run(lab, plan, clock)
    assert len(lab.asked) == 5
    assert result.left == 3 * ROUNDS - 5
    longest = [float(words[words.index("-D") + 1]) for words in lab.asked]
    assert longest[0] == pytest.approx(5.0 / 18 - 0.05, abs=1e-3)
    assert all(one > 0 for one in longest)


def test_filter_and_origin(tmp_path: Path) -> None:
    lab = ScriptedLab()
    run(lab, CataloguePlan(filter="^(nop|statx)$", origin="Linux", output=tmp_path / "a.json"))
    assert set(lab.names) == {"statx"}
    with pytest.raises(NoBenchmarksError):
        run(lab, CataloguePlan(filter="none", output=tmp_path / "b.json"))


def test_more_options_come_last(tmp_path: Path) -> None:
    lab = ScriptedLab()
    run(lab, CataloguePlan(output=tmp_path / "a.json", more=("--dir", "x")))
    assert all(words[-2:] == ("--dir", "x") for words in lab.asked)


def test_visit_is_a_sixth_of_a_run() -> None:
    assert visit_options(("nop",), 3.0)[:4] == ("-C", "34", "-D", "0.500")
    assert visit_options(("fork", "-C", "50"), 3.0)[:2] == ("-C", "9")
