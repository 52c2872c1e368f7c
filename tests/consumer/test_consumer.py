"""The package from outside: CMake projects that use assay, installed and as a subdirectory."""

import fcntl
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import NATIVE, ROOT, assay_command
from patience import PATIENCE_S
from placed_projects import LIBRARY, PROGRAM, functions
from project import Case, Project, must, reported, run

# One worker runs all of them: the builds are shared, and benchmarks run one at a time.
pytestmark = pytest.mark.xdist_group("consumer")

CONSUMER = ROOT / "tests" / "consumer"
EXAMPLE = ROOT / "examples" / "03_cmake_project"
PROMISED = ROOT / "tests" / "contract" / "promised"

MISDEEDS = {
    "skips": 'a benchmark reported an error: skips: no "device"; none',
    "throws": "it exited with code 1; a benchmark reported an error: throws: a benchmark threw an "
    "exception: thrown on purpose",
    "crashes": "it crashed: Segmentation fault; a benchmark reported an error: crashes: the "
    "process ended before this benchmark's result was written",
    "exits_early": "a benchmark reported an error: exits_early: the process ended before",
    "exits_with_7": "it exited with code 7",
    "hangs": "it ran past its TIMEOUT and was killed",
    "measures_nothing": "it measured nothing and wrote no results",
}
GATES = {
    "regressed": "the candidate is slower",
    "undecided": "a benchmark is undecided or was not judged",
    "missing": "no such file",
}
HEALTHY = {"fast", "behaves"}
LISTED = {f"bench:{name}" for name in (*HEALTHY, *MISDEEDS)} | {
    f"compare:{name}" for name in ("improved", *GATES)
}


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Where the package is, installed for these tests, and where the command is."""
    prefix = tmp_path_factory.mktemp("prefix")
    must(run("cmake", "--install", str(NATIVE), "--prefix", str(prefix)))
    return [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DASSAY_EXECUTABLE={assay_command()[0]}"]


@pytest.fixture(scope="module")
def installed(options: list[str], tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(CONSUMER, tmp_path_factory.mktemp("installed"))
    said = must(project.configure(*options))
    assert "CMake Warning" not in said.text, said.text
    must(project.build())
    return project


@pytest.fixture(scope="module")
def tested(installed: Project) -> dict[str, Case]:
    """What ctest says of everything, run once."""
    junit = installed.tree / "junit.xml"
    installed.ctest("--output-junit", str(junit))
    return reported(junit)


@pytest.fixture(scope="module")
def snippet(
    options: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., tuple[int, str]]:
    """Configures a project of a few lines; the compilers are looked for once."""
    project = Project(tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("snippet"))
    (project.source / "a.cpp").write_text("int main() {}\n")

    def configure(code: str, *more: str, **env: str) -> tuple[int, str]:
        (project.source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\n" + code
        )
        said = project.configure(*options, *more, **env)
        return said.code, " ".join(said.text.split())

    return configure


# ---- what ctest sees -------------------------------------------------------------------------


def test_ctest_lists_what_was_declared(installed: Project) -> None:
    assert installed.listed() == LISTED


def test_each_runs_alone_and_can_be_left_out(installed: Project) -> None:
    for name, properties in installed.properties().items():
        assert properties["RUN_SERIAL"] is True, name
        assert properties["LABELS"] == ["benchmark"], name


def test_everything_listed_was_run(tested: dict[str, Case]) -> None:
    assert tested.keys() == LISTED


@pytest.mark.parametrize("name", sorted(HEALTHY))
def test_a_healthy_benchmark_passes(tested: dict[str, Case], name: str) -> None:
    assert tested[f"bench:{name}"].status == "run", tested[f"bench:{name}"].output


@pytest.mark.parametrize("name", sorted(MISDEEDS))
def test_one_that_goes_wrong_fails_and_says_why(tested: dict[str, Case], name: str) -> None:
    one = tested[f"bench:{name}"]
    assert one.status == "fail", one.output
    assert f"error: {name}: {MISDEEDS[name]}" in one.output


def test_what_was_measured_before_it_went_wrong_is_kept_apart(
    tested: dict[str, Case], installed: Project
) -> None:
    assert not installed.results("crashes").exists()
    assert '"iterations"' in installed.results("crashes.failed").read_text()


def test_a_timeout_ends_the_benchmark_itself(tested: dict[str, Case], installed: Project) -> None:
    found = subprocess.run(["pgrep", "-f", str(installed.tree / "hangs")], stdout=subprocess.PIPE)
    assert found.stdout == b""


def test_verbose_shows_the_figures(installed: Project) -> None:
    said = must(installed.ctest("-R", "bench:fast", "--verbose"))
    assert "hashes_bytes/1000" in said.text
    assert "100% tests passed, 0 tests failed out of 1" in said.text


def test_enabled_benchmarks_are_tests_and_unknown_ones_are_said(
    options: list[str], tmp_path: Path
) -> None:
    project = Project(CONSUMER, tmp_path)
    said = must(project.configure(*options, "-DASSAY_ENABLED_BENCHMARKS=slow;fost"))
    assert project.listed() == LISTED | {"bench:slow"}
    assert said.holds("no benchmark 'fost', which ASSAY_ENABLED_BENCHMARKS names")


# ---- targets ---------------------------------------------------------------------------------


def test_run_target_prints_and_writes(installed: Project) -> None:
    said = must(installed.build("run-slow"))
    assert "hashes_bytes/1000" in said.text
    document = json.loads(installed.results("slow").read_text())
    assert document["context"]["assay"]["build"]["optimised"] is True
    (row,) = document["benchmarks"]
    assert row["name"] == "hashes_bytes/1000"
    assert row["real_time"] > 0


def test_arguments_arrive_as_written_at_an_unchanged_google_benchmark_source(
    installed: Project,
) -> None:
    must(installed.build("run-text_bench"))
    names = [row["name"] for row in installed.rows("text_bench") if row["run_type"] == "iteration"]
    assert names == ["text a;b", "text a;b"]


def test_bench_runs_all_even_after_one_failed(installed: Project) -> None:
    for name in (*MISDEEDS, "fast", "slow", "text_bench", "behaves"):
        installed.results(name).unlink(missing_ok=True)
    said = installed.build("bench")
    assert said.code != 0
    assert said.holds("error: bench: 7 of 11 benchmarks failed: skips, throws,")
    for name in ("fast", "slow", "text_bench", "behaves"):
        assert all(row["iterations"] > 0 for row in installed.rows(name))
    assert not any(installed.results(name).exists() for name in MISDEEDS)


def test_two_started_at_once_run_one_after_the_other(installed: Project) -> None:
    """The first is this test, which holds the lock of the build tree until the other waits."""
    must(installed.build("behaves"))
    waiting = "waiting for another benchmark of this build tree to end"
    said: list[str] = []
    folder = installed.results("behaves").parent
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        second = subprocess.Popen(
            installed.script("run-behaves"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert second.stdout
        while waiting not in (line := second.stdout.readline()):
            assert line, f"it did not wait: {said}"
            said.append(line)
    assert second.wait(PATIENCE_S) == 0


def test_a_run_that_measures_nothing_leaves_no_old_results(installed: Project) -> None:
    must(installed.build("run-fast"))
    said = installed.build("run-fast", BENCHMARK_FILTER="nothing")
    assert said.code != 0
    assert said.holds("fast: it measured nothing")
    assert not installed.results("fast").exists()


# ---- gates -----------------------------------------------------------------------------------


def test_a_gate_passes_an_improvement(tested: dict[str, Case], installed: Project) -> None:
    assert tested["compare:improved"].status == "run", tested["compare:improved"].output
    document = json.loads(installed.results("compare-improved").read_text())
    verdicts = {one["metric"]: one["verdict"] for one in document["comparisons"]}
    assert verdicts["real_time"] == "faster"
    assert installed.results("compare-improved.record").exists()


@pytest.mark.parametrize("name", sorted(GATES))
def test_a_gate_fails_and_says_why(tested: dict[str, Case], name: str) -> None:
    one = tested[f"compare:{name}"]
    assert one.status == "fail", one.output
    assert GATES[name] in one.output


def test_without_the_command_a_gate_is_disabled_never_passed(
    options: list[str], tmp_path: Path
) -> None:
    project = Project(CONSUMER, tmp_path / "tree")
    said = must(project.configure(options[0], PATH="/usr/bin:/bin"))
    assert said.holds("no `assay` command found: the test compare:improved is disabled")
    project.ctest("-R", "compare:", "--output-junit", str(tmp_path / "junit.xml"))
    found = reported(tmp_path / "junit.xml")
    assert {name: one.status for name, one in found.items()} == {
        f"compare:{name}": "disabled" for name in ("improved", *GATES)
    }


# ---- what is wrong is said -------------------------------------------------------------------


def test_a_debug_build_warns_when_configured_and_when_run(
    options: list[str], tmp_path: Path
) -> None:
    project = Project(CONSUMER, tmp_path)
    said = must(project.configure(*options, build_type="Debug"))
    assert said.holds("benchmarks are built without optimisation (CMAKE_BUILD_TYPE is 'Debug')")
    assert must(project.build("run-fast")).holds("this benchmark was built without optimisation")


CXX = "project(p LANGUAGES CXX)\nenable_testing()\nfind_package(assay REQUIRED)\n"
WRONG = {
    "assay_add_benchmark(b LIBRARIES c)": "assay_add_benchmark(b): no SOURCES",
    "assay_add_benchmark(b CTEST x SOURCES a.cpp)": "no such argument: x",
    "assay_add_benchmark(b SOURCES a.cpp TIMEOUT 1m)": "TIMEOUT 1m: not a whole number",
    "assay_add_benchmark(b SOURCES a.cpp TIMEOUT)": "nothing follows TIMEOUT",
    "add_custom_target(bench)\nassay_add_benchmark(b SOURCES a.cpp)": "a target 'bench' already",
    "assay_add_comparison(c BASE a)": "assay_add_comparison(c): it takes both BASE and CANDIDATE",
}


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_call_stops_configuring(snippet: Callable[..., tuple[int, str]], call: str) -> None:
    code, text = snippet(CXX + call)
    assert code != 0
    assert WRONG[call] in text


def test_a_right_call_does_not(snippet: Callable[..., tuple[int, str]]) -> None:
    code, text = snippet(CXX + "assay_add_benchmark(b SOURCES a.cpp CTEST)")
    assert code == 0, text
    assert "Warning" not in text


def test_a_project_without_cxx_is_told(snippet: Callable[..., tuple[int, str]]) -> None:
    code, text = snippet("project(p LANGUAGES C)\nfind_package(assay REQUIRED)\n")
    assert code != 0
    assert "say project(... LANGUAGES C CXX)" in text


def test_tests_that_ctest_would_not_see_are_said(snippet: Callable[..., tuple[int, str]]) -> None:
    code, text = snippet(
        CXX.replace("enable_testing()\n", "") + "assay_add_benchmark(b SOURCES a.cpp CTEST)"
    )
    assert code == 0, text
    assert "ctest will not see bench:b: call enable_testing() in" in text


def test_a_library_installed_as_a_debug_build_warns(
    snippet: Callable[..., tuple[int, str]],
) -> None:
    library = (
        "add_library(d STATIC IMPORTED)\n"
        "set_target_properties(d PROPERTIES IMPORTED_CONFIGURATIONS DEBUG\n"
        "                                   IMPORTED_LOCATION_DEBUG d.a)\n"
    )
    code, text = snippet(CXX + library + "assay_add_benchmark(b SOURCES a.cpp LIBRARIES d)")
    assert code == 0, text
    assert "assay: d was installed as a debug build" in text


# ---- the same as a subdirectory, and the example ---------------------------------------------


def test_as_a_subdirectory_it_is_the_same(options: list[str], tmp_path: Path) -> None:
    project = Project(CONSUMER, tmp_path)
    must(project.configure(f"-DASSAY_SOURCE={ROOT}", options[1]))
    assert project.listed() == LISTED
    must(project.build("fast", "skips"))
    assert must(project.ctest("-R", "bench:fast", "--verbose")).holds("hashes_bytes/1000")
    assert project.ctest("-R", "bench:skips", "-V").holds(MISDEEDS["skips"])
    assert [row["name"] for row in project.rows("fast")] == ["hashes_bytes/1000"]
    assert project.ctest("-R", "bench:slow", "--no-tests=error").code != 0


def test_the_example_builds_runs_and_passes_its_gate(options: list[str], tmp_path: Path) -> None:
    project = Project(EXAMPLE, tmp_path)
    must(project.configure(*options))
    must(project.build())
    assert project.listed() == {"bench:words_once_bench", "compare:words"}
    assert must(project.ctest()).holds("100% tests passed, 0 tests failed out of 2")
    must(project.build("bench"))
    for name in ("words_grow_bench", "words_once_bench"):
        assert [row["name"] for row in project.rows(name)] == ["joins_words/4", "joins_words/64"]


@pytest.mark.parametrize("version", sorted(one.parent.name for one in PROMISED.glob("*/consumer")))
def test_a_project_of_a_version_before_builds_and_runs(
    options: list[str], tmp_path: Path, version: str
) -> None:
    """As it was written then (docs/stability.md); its sources are never changed."""
    project = Project(PROMISED / version / "consumer", tmp_path)
    must(project.configure(*options))
    must(project.build())
    assert project.listed() == {"bench:benchmarks", "compare:work", "uses"}
    must(project.ctest("-R", "^(bench:benchmarks|uses)$", "--output-on-failure"))
    rows = {row["name"] for row in project.rows("benchmarks")}
    assert {"BM_work", "BM_counted", "BM_latencies", "BM_allocations"} <= rows


def test_placement_is_held_where_that_is_asked_for(options: list[str], tmp_path: Path) -> None:
    """Of benchmarks, and of the libraries they name that the project builds."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "work.c").write_text(LIBRARY)
    (source / "bench.cpp").write_text(f'extern "C" {{\n{PROGRAM}}}\n')
    (source / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(held C CXX)\nfind_package(assay REQUIRED)\n"
        "add_library(work STATIC work.c)\nadd_library(its::work ALIAS work)\n"
        "assay_add_benchmark(program SOURCES bench.cpp LIBRARIES its::work)\n"
    )
    held = {}
    for asked in ("OFF", "ON"):
        project = Project(source, tmp_path / asked)
        must(project.configure(*options, f"-DASSAY_HOLD_PLACEMENT={asked}"))
        must(project.build("program"))
        places = functions(project.tree / "program")
        held[asked] = list(places) == sorted(places) and not any(
            one % 64 for one in places.values()
        )
    assert held == {"OFF": False, "ON": True}
