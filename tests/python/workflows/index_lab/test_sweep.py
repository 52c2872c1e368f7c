"""Plans of sweeps, and sweeps over plug-ins that only pretend."""

import json
from pathlib import Path

import pytest
from conftest import ROOT, ScriptedExecutor, finished

from assay.errors import InputError, MeasurementError
from assay.measure.clock import MonotonicClock
from assay.measure.executor import FinishedProcess, Launch
from assay.progress import Silence
from assay.record import reader
from assay.workflows.common.output import Destination
from assay.workflows.common.runtime import Runtime
from assay.workflows.contents.run import of_sweep
from assay.workflows.index_lab.plan import SweepPlan, read_plan
from assay.workflows.index_lab.sweep import keep_sweep, run_sweep

PLAN = """
plugins = ["one", "two"]
threads = [1, 2]
rounds = 3
[mixes]
reads = { read = 1.0 }
[flags]
records = 1_000
seconds = 2
verify = true
"""
RATES = {"one": 1e6, "two": 2e6}


def plan_in(folder: Path, text: str = PLAN) -> SweepPlan:
    file = folder / "sweep.toml"
    file.write_text(text)
    return read_plan(file)


def flag(launch: Launch, name: str) -> str:
    return launch.argv[launch.argv.index(name) + 1]


def pretended(launch: Launch) -> FinishedProcess:
    """What assay-index would write: twice the throughput with two threads."""
    label, threads = flag(launch, "--label"), int(flag(launch, "--threads"))
    rate = RATES[launch.argv[1]] * threads
    row = {
        "name": f"{label}/all",
        "run_type": "iteration",
        "iterations": 1000,
        "real_time": 1e9 / rate,
        "cpu_time": 1e9 / rate,
        "time_unit": "ns",
        "threads": threads,
        "items_per_second": rate,
        "assay": {"series": {"throughput": {"t": [0.1, 0.2], "v": [rate, rate]}}},
    }
    document = {"context": {"num_cpus": 2, "assay": {"schema": 1}}, "benchmarks": [row]}
    Path(flag(launch, "--json")).write_text(json.dumps(document))
    return finished()


def stage_of(executor: ScriptedExecutor) -> Runtime:
    return Runtime(executor, MonotonicClock(), Silence())


def test_the_example_is_a_plan() -> None:
    plan = read_plan(ROOT / "examples" / "index" / "sweep.toml")
    assert len(plan.points) == 2 * 2 * 2 * 2
    assert len({point.label for point in plan.points}) == len(plan.points)


def test_flags_of_a_point(tmp_path: Path) -> None:
    point = plan_in(tmp_path).points[-1]
    words = " ".join(point.flags)
    assert (point.label, point.threads) == ("two/reads/uniform/8+8/threads:2", 2)
    assert "--read_ratio 1.0 --insert_ratio 0.0" in words
    assert "--distribution uniform --key_size 8 --value_size 8" in words
    assert "--records=1000 --seconds=2 --verify=true --mode=time" in words


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("plugins = []", "`plugins` is empty"),
        ("rounds = 0", "count from 1"),
        ("threads = [0]", "count from 1"),
        ("speed = 3", "sweep.toml:2:1: unknown key `speed`"),
        ("sizes = ['8']", "size `8` is not understood"),
        ("mixes = { odd = { read = 0.5 } }", "do not sum to 1"),
        ("mixes = { odd = { fly = 1.0 } }", "`fly = 1.0`"),
        ("flags = { threads = 3 }", "the sweep sets it itself"),
        ("environment = { three = { A = '1' } }", "of no plug-in"),
        ("rounds = ", "is not TOML"),
    ],
)
def test_a_wrong_plan_says_what_is_wrong(tmp_path: Path, change: str, complaint: str) -> None:
    text = change if change.startswith("plugins") else f'plugins = ["one"]\n{change}'
    with pytest.raises(InputError) as caught:
        plan_in(tmp_path, text)
    assert complaint in caught.value.message


def test_a_plan_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_plan(tmp_path / "none.toml")


def test_rounds_visit_every_point_and_plug_ins_take_turns(tmp_path: Path) -> None:
    executor = ScriptedExecutor(pretended)
    output = tmp_path / "sweep.json"
    result = run_sweep(plan_in(tmp_path), Destination(output), stage_of(executor))
    assert len(executor.launches) == 2 * 2 * 3
    pairs = [executor.launches[i : i + 2] for i in range(0, 12, 2)]
    assert all({launch.argv[1] for launch in pair} == {"one", "two"} for pair in pairs)
    assert len({pair[0].argv[1] for pair in pairs}) == 2  # the order is not always the same
    assert all(flag(a, "--seed") == flag(b, "--seed") for a, b in pairs)
    assert keep_sweep(result) == str(output)
    read = reader.read(output)
    assert [sample.round for sample in read.samples] == [0] * 4 + [1] * 4 + [2] * 4
    assert read.facts.written["design"] == "interleaved"
    assert not result.record.failures
    assert not (tmp_path / "sweep.json.parts").exists()


def test_what_a_report_shows(tmp_path: Path) -> None:
    executor = ScriptedExecutor(pretended)
    result = run_sweep(plan_in(tmp_path), Destination(tmp_path / "sweep.json"), stage_of(executor))
    points = {(point.plugin, point.threads): point for point in of_sweep(result.record).sweep}
    assert points["two", 2].middle == pytest.approx(4e6)
    assert points["one", 1].launches == 3


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    def dies_at_the_fifth(launch: Launch) -> FinishedProcess:
        if len(first.launches) == 5:
            raise KeyboardInterrupt
        return pretended(launch)

    plan, output = plan_in(tmp_path), tmp_path / "sweep.json"
    first = ScriptedExecutor(dies_at_the_fifth)
    with pytest.raises(KeyboardInterrupt):
        run_sweep(plan, Destination(output), stage_of(first))
    second = ScriptedExecutor(pretended)
    result = run_sweep(plan, Destination(output), stage_of(second))
    assert len(second.launches) == 12 - 4
    assert len(result.record.samples) == 12


def test_a_plug_in_that_crashes_is_named_and_the_others_stay(tmp_path: Path) -> None:
    def crashes(launch: Launch) -> FinishedProcess:
        if launch.argv[1] == "one":
            return finished(exit_code=3, stderr_tail="assay-index: one: crashed\n")
        return pretended(launch)

    result = run_sweep(
        plan_in(tmp_path), Destination(tmp_path / "s.json"), stage_of(ScriptedExecutor(crashes))
    )
    assert len(result.record.failures) == 6
    assert "one: crashed" in result.record.failures[0].what
    assert {sample.benchmark.split("/")[0] for sample in result.record.samples} == {"two"}


def test_bad_input_ends_the_sweep_at_once(tmp_path: Path) -> None:
    executor = ScriptedExecutor(lambda _: finished(exit_code=2, stderr_tail="no such plug-in\n"))
    with pytest.raises(InputError, match="no such plug-in"):
        run_sweep(plan_in(tmp_path), Destination(tmp_path / "sweep.json"), stage_of(executor))
    assert len(executor.launches) == 1


def test_nothing_measured_is_no_record(tmp_path: Path) -> None:
    executor = ScriptedExecutor(lambda _: finished(exit_code=3, stderr_tail="crashed\n"))
    with pytest.raises(MeasurementError, match="crashed"):
        run_sweep(plan_in(tmp_path), Destination(tmp_path / "sweep.json"), stage_of(executor))
    assert not (tmp_path / "sweep.json").exists()
