import re
from pathlib import Path

import pytest
from conftest import ScriptedExecutor, finished, gbench_json, row

from assay.errors import LaunchError, MeasurementError
from assay.measure.effort import Effort
from assay.measure.executor import FinishedProcess, Launch
from assay.measure.targets.gbench import GBenchTarget, escape
from assay.record.reader import parse

ODD = ["BM<int*>/8", 'q"uo\\te', "a/b:c d", "(x|y)+?^$[1]{2}", "größe/日本", "."]


@pytest.mark.parametrize("name", ODD)
def test_an_escaped_name_matches_itself_and_nothing_else(name: str) -> None:
    pattern = re.compile(f"^{escape(name)}$")
    assert pattern.search(name)
    assert [other for other in [*ODD, "x", name + "0", "0" + name] if pattern.search(other)] == [
        name
    ]


def test_only_characters_that_every_engine_lets_one_escape_are_escaped() -> None:
    assert escape("]}-/<>:,\"' ü") == "]}-/<>:,\"' ü"


def target(executor: ScriptedExecutor, **more: bool) -> GBenchTarget:
    return GBenchTarget(("/bench", "--fast"), "bench", executor, parse, 5.0, **more)


def writing(text: str) -> ScriptedExecutor:
    """An executor whose process writes `text` as its JSON."""

    def answer(launch: Launch) -> FinishedProcess:
        for word in launch.argv:
            if word.startswith("--benchmark_out="):
                Path(word.partition("=")[2]).write_text(text)
        return finished()

    return ScriptedExecutor(answer)


def test_lists_names_with_spaces_and_quotes() -> None:
    executor = ScriptedExecutor(lambda _: finished('BM_a\nodd "name" <x> ü\n\n'))
    assert target(executor).benchmarks("") == ("BM_a", 'odd "name" <x> ü')


def listing(names: list[str], *, heeds_filters: bool = True) -> ScriptedExecutor:
    """An executor whose process lists names as Google Benchmark does."""

    def answer(launch: Launch) -> FinishedProcess:
        asked = [word.partition("=")[2] for word in launch.argv if "_filter=" in word]
        kept = [name for name in names if not asked or re.search(asked[0], name)]
        return finished("".join(f"{name}\n" for name in (kept if heeds_filters else names)))

    return ScriptedExecutor(answer)


def test_a_name_with_a_line_break_is_one_benchmark_and_so_are_two_of_one_name() -> None:
    names = ["x", "BM_x\ny", "last", "last", "z\nz"]
    assert target(listing(names)).benchmarks("") == ("x", "BM_x\ny", "last", "z\nz")
    assert target(listing(["a\nb"])).benchmarks("") == ("a\nb",)


def test_a_program_that_heeds_no_filter_has_as_many_benchmarks_as_lines() -> None:
    assert target(listing(["a", "b"], heeds_filters=False)).benchmarks("") == ("a", "b")


def test_a_failing_listing_says_what_it_did() -> None:
    executor = ScriptedExecutor(lambda _: finished(exit_code=3, stderr_tail="boom"))
    with pytest.raises(MeasurementError, match=r'bench: .*exited with code 3 .*"boom"'):
        target(executor).benchmarks("")


@pytest.mark.parametrize(("accepts", "flag"), [(True, "300x"), (False, "0.00214286")])
def test_new_versions_get_an_iteration_count_old_ones_seconds(accepts: bool, flag: str) -> None:
    executor = writing(gbench_json([row("BM_a")]))
    probing = ScriptedExecutor(lambda _: finished(exit_code=0 if accepts else 1))
    assert target(probing).with_probed_engine().counts_iterations is accepts
    target(executor, counts_iterations=accepts).launch("BM_a", Effort(0.003, 7, 300), None)
    assert f"--benchmark_min_time={flag}" in executor.launches[-1].argv


def test_a_launch_gives_all_repetitions_as_one_sample() -> None:
    executor = writing(gbench_json([row("BM_a", real) for real in (10, 11, 12)]))
    launched = target(executor).launch("BM_a", Effort(), 1)
    assert launched.sample.values["real_time"] == (10, 11, 12)
    assert executor.launches[0].cpu == 1
    assert "--benchmark_filter=^BM_a$" in executor.launches[0].argv
    assert executor.launches[0].argv[:2] == ("/bench", "--fast")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "wrote no JSON"),
        ("rubbish", "cannot be used: .*is not JSON"),
        (gbench_json([]), "without measuring anything"),
        (gbench_json([row("BM_b")]), "measured 'BM_b' instead"),
        (gbench_json([row("BM_a", -1.0)]), "real_time = -1"),
        (
            gbench_json([row("BM_a", error_occurred=True, error_message="no server")]),
            "reported an error: no server",
        ),
    ],
)
def test_what_cannot_be_used_is_a_launch_error(text: str, message: str) -> None:
    with pytest.raises(LaunchError, match=message):
        target(writing(text)).launch("BM_a", Effort(), None)


def test_a_crash_names_the_signal() -> None:
    executor = ScriptedExecutor(lambda _: finished(exit_code=None, signal=11))
    with pytest.raises(LaunchError, match="crashed with SIGSEGV"):
        target(executor).launch("BM_a", Effort(), None)


def test_a_path_is_made_longer_and_leads_to_the_same_file() -> None:
    short = GBenchTarget(("/usr/bin/env", "-x"), "env", writing(""), parse, 5.0)
    longer = short.named_as_long_as(20)
    assert len(longer.argv[0]) == 20
    assert Path(longer.argv[0]).samefile("/usr/bin/env")
    assert longer.argv[1:] == ("-x",)
    assert short.named_as_long_as(3) == short
