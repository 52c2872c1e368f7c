"""assay why's memory and system calls, on real executables built here."""

import json
import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.cli.common.runtime import open_runtime
from assay.errors import LaunchError, MeasurementError
from assay.measure.profile.traced.loops import LoopLibrary
from assay.measure.targets.gbench import GBenchTarget
from assay.model import Record
from assay.show.export.why_json import document
from assay.show.terminal.why import print_why
from assay.workflows.why.plan import WhyPlan, WhyResult
from assay.workflows.why.workflow import why

Build = Callable[..., Path]
Ask = Callable[..., "Answer"]

SOURCE = """
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

struct Log {
  std::vector<char> bytes = std::vector<char>(500);
  int file = open("/dev/null", O_WRONLY);
  ~Log() { close(file); }
  __attribute__((noinline)) unsigned long seal() {
#ifdef COPY
    std::vector<char> copy(bytes);  // the copy
    benchmark::DoNotOptimize(copy.data());
#endif
#ifdef CALL
    if (write(file, "x", 1) != 1) std::abort();  // the call
#endif
    return bytes.size();
  }
};

static void BM_seal(benchmark::State& state) {
  Log log;
#ifdef SET_UP
  for (int i = 0; i < 100; ++i) benchmark::DoNotOptimize(std::string(1000, 'x'));
#endif
  for (auto _ : state) benchmark::DoNotOptimize(log.seal());
#ifdef DIE
  __builtin_trap();
#endif
}
BENCHMARK(BM_seal);

static void BM_threads(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(BM_threads)->Threads(2);

#ifdef OWN_MALLOC
static char pool[1 << 26];
static std::size_t used;
extern "C" void* malloc(std::size_t size) {
  used = (used + 15) & ~std::size_t{15};
  void* const block = pool + used;
  used += size;
  return used < sizeof pool ? block : nullptr;
}
extern "C" void free(void*) {}
extern "C" void* calloc(std::size_t count, std::size_t size) { return malloc(count * size); }
extern "C" void* realloc(void*, std::size_t size) { return malloc(size); }
#endif

BENCHMARK_MAIN();
"""
SEAL = "Log::seal()"


def _never_read(_data: bytes, _origin: str) -> Record:
    raise AssertionError


class Answer:
    """What came out, as values, as JSON and as text."""

    def __init__(self, result: WhyResult, text: str) -> None:
        self.result, self.text = result, text
        self.json: dict[str, Any] = document(
            result.findings(),
            targets=("a", "b"),
            only=((), ()),
            failures=result.failures,
            unavailable=result.unavailable,
        )

    @property
    def failure(self) -> str:
        return " ".join(one.what for one in self.result.failures)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds it once for each set of flags."""
    made: dict[tuple[str, ...], Path] = {}

    def built(*flags: str, debug: str = "-g") -> Path:
        words = ("-O2", debug, *flags)
        if words not in made:
            folder = tmp_path_factory.mktemp("resources")
            (folder / "log.cpp").write_text(SOURCE)
            command = ["c++", "-std=c++20", *words, "log.cpp", "-o", "bench"]
            subprocess.run([*command, "-lbenchmark", "-lpthread"], cwd=folder, check=True)
            made[words] = folder / "bench"
        return made[words]

    return built


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    def asked(stage: str, base: Path, candidate: Path, only: str = "seal") -> Answer:
        with open_runtime(quiet=True) as runtime:
            result = why(WhyPlan(str(base), str(candidate), only, stages=(stage,)), runtime)
        print_why(
            result.findings(),
            only=((), ()),
            failures=result.failures,
            unavailable=result.unavailable,
            interrupted=False,
        )
        return Answer(result, capsys.readouterr().out)

    return asked


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SOURCE.splitlines(), 1) if text in line)


def test_who_allocates_and_where(ask: Ask, build: Build) -> None:
    found = ask("memory", build(), build("-DCOPY"))
    assert "memory: 1 more allocation an iteration (from none), 0 before; +500 B" in found.text
    assert f"1. `{SEAL}` allocates 1 more time an iteration, +500 B: in `std::vector<" in found.text
    assert f"called at log.cpp:{line_of('// the copy')}" in found.text
    (one,) = found.json["benchmarks"]
    allocations = one["memory"]["allocations"]
    assert allocations["named"] == [SEAL]
    assert allocations["whole"] == {
        "count": allocations["iterations"],
        "bytes": 500 * allocations["iterations"],
    }
    assert allocations["unexplained"] == {"count": 0, "bytes": 0}
    assert one["memory"]["frees"]["whole"]["count"] == allocations["iterations"]


def test_who_asks_the_kernel_and_where(ask: Ask, build: Build) -> None:
    found = ask("syscalls", build(), build("-DCALL"))
    assert "system calls: 1 more system call an iteration (from none), 0 before" in found.text
    line = line_of("// the call")
    assert f"1. `{SEAL}` makes 1 more time an iteration: write at log.cpp:{line}" in found.text
    assert "traced by strace" in found.text
    (one,) = found.json["benchmarks"]
    assert one["syscalls"]["tool"] == "strace"
    assert one["syscalls"]["calls"]["named"] == [SEAL]


@pytest.mark.parametrize("stage", ["memory", "syscalls"])
def test_the_same_executable_differs_in_nothing(ask: Ask, build: Build, stage: str) -> None:
    found = ask(stage, build("-DCOPY", "-DCALL"), build("-DCOPY", "-DCALL"))
    assert ": nothing: 1 " in found.text


def test_what_is_before_the_loop_is_not_of_it(ask: Ask, build: Build) -> None:
    assert "nothing: 0 allocations" in ask("memory", build(), build("-DSET_UP")).text


def test_without_debug_information_there_are_no_lines(ask: Ask, build: Build) -> None:
    found = ask("memory", build(), build("-DCOPY", debug="-g0"))
    assert f"1. `{SEAL}` allocates 1 more time" in found.text
    assert "the candidate has no debug information: build it with -g for lines" in found.text


def test_a_stripped_executable_has_no_names(ask: Ask, build: Build) -> None:
    found = ask("memory", build(), build("-DCOPY", "-s"))
    assert "1 more allocation an iteration" in found.text
    assert "the candidate is stripped: its functions have no names" in found.text


def test_a_crash_of_one_side_is_told_of_it(ask: Ask, build: Build) -> None:
    for stage in ("memory", "syscalls"):
        found = ask(stage, build(), build("-DDIE"))
        assert "while its loop was watched it crashed with SIGILL" in found.failure
        assert "(candidate)" in found.text


def test_several_threads_are_refused(ask: Ask, build: Build) -> None:
    found = ask("memory", build(), build(), only="threads")
    assert "several threads run its loop" in found.failure


def test_a_malloc_of_its_own_is_not_taken_for_none(ask: Ask, build: Build) -> None:
    found = ask("memory", build(), build("-DOWN_MALLOC", "-fno-builtin"))
    assert "it has a malloc of its own, which is not seen" in found.failure


@pytest.mark.parametrize(
    ("flag", "said"),
    [
        ("-static", "linked statically, so that no library can be loaded into it"),
        ("-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1", "it uses musl"),
    ],
)
def test_what_our_library_cannot_be_loaded_into(tmp_path: Path, flag: str, said: str) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["cc", flag, "a.c", "-o", "bench"], cwd=tmp_path, check=True)
    with open_runtime(quiet=True) as runtime:
        executor = runtime.executor
        bench = (str(tmp_path / "bench"),)
        target = GBenchTarget(bench, "bench", executor, _never_read, 10.0)
        with pytest.raises(LaunchError, match=said):
            LoopLibrary(executor).run(target, "BM_any", 0.01)


def test_another_processor_is_said_not_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    told = "is recorded on x86-64 only, and this machine is aarch64$"
    with open_runtime(quiet=True) as runtime, pytest.raises(MeasurementError, match=told):
        LoopLibrary(runtime.executor)


def test_where_strace_is_missing_the_rest_is_answered(
    build: Build, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda name, **more: None if name == "strace" else found(name, **more)
    )
    with open_runtime(quiet=True) as runtime:
        plan = WhyPlan(str(build()), str(build("-DCOPY")), "seal", stages=("memory", "syscalls"))
        result = why(plan, runtime)
    (missing,) = result.unavailable
    assert (missing.stage, missing.why) == (
        "syscalls",
        "strace is not installed: it counts system calls; apt-get install strace",
    )
    assert result.explained[0].memory is not None


def test_where_the_library_is_missing_it_is_said(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.measure.profile.traced.loops.LIBRARY", "libassay_missing.so")
    missing = pytest.raises(MeasurementError, match=r"libassay_missing\.so is not installed")
    with open_runtime(quiet=True) as runtime, missing:
        why(WhyPlan(str(build()), str(build()), "seal", stages=("memory",)), runtime)


def test_json_can_be_written(ask: Ask, build: Build) -> None:
    json.dumps(ask("memory", build(), build("-DCOPY")).json)
