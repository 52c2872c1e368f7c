"""Who is named for a chain of calls, of programs that the compiler here builds."""

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from assay.measure.executor import ProcessExecutor, find_launcher
from assay.measure.profile.traced.call_stacks import Callers, ReturnAddress, Stack
from assay.resources import ResourceSpot

SOURCE = """
namespace {
volatile int seen;
__attribute__((noinline)) void library(int x) { seen = x; }
inline void inner(int x) { library(x + 1); seen = x; }          // line 5
__attribute__((noinline)) void jumps(int x) { library(x); }     // line 6
__attribute__((noinline)) void outer(int x) {
  jumps(x);                                                     // line 8
  inner(x);                                                     // line 9
  seen = 1;
}
}
int main(int argc, char**) { outer(argc); return seen; }
"""
EXECUTOR = ProcessExecutor(find_launcher())


def built(folder: Path, *flags: str) -> Path:
    (folder / "a.cpp").write_text(SOURCE)
    subprocess.run(["c++", "-O2", *flags, "a.cpp", "-o", "bench"], cwd=folder, check=True)
    return folder / "bench"


def calls_in(program: Path, function: str) -> list[int]:
    """The addresses behind each call instruction of one function."""
    command = ["objdump", "-d", "--no-show-raw-insn", "-C", str(program)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = text.split(f"{function}>:\n")[1].split("\n\n")[0].splitlines()
    return [int(after.split(":")[0], 16) for line, after in pairwise(lines) if "call" in line]


def spot(*stack: ReturnAddress) -> ResourceSpot:
    return Callers([stack], EXECUTOR).spot("allocation", stack)


LIBC = ReturnAddress("/usr/lib/libc.so.6", 0x10, "malloc", is_return=False)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("stacks"), "-g")


def test_a_function_that_jumped_away_is_named_all_the_same(program: Path) -> None:
    first = calls_in(program, "outer(int)")[0]
    found = spot(LIBC, ReturnAddress(str(program), first))
    assert found.function.endswith("jumps(int)")
    assert (Path(found.place.file).name, found.place.line, found.via) == ("a.cpp", 6, "malloc")


def test_without_debug_information_the_symbol_is_named(tmp_path: Path) -> None:
    program = built(tmp_path)
    first = calls_in(program, "outer(int)")[0]
    found = spot(LIBC, ReturnAddress(str(program), first))
    assert (found.function, found.place.line) == ("(anonymous namespace)::outer(int)", 0)


def test_a_stripped_program_has_addresses(tmp_path: Path) -> None:
    program = built(tmp_path)
    (first, *_) = calls_in(program, "outer(int)")
    subprocess.run(["strip", program], check=True)
    assert spot(LIBC, ReturnAddress(str(program), first)).function == hex(first - 1)


@pytest.mark.parametrize(
    "stack",
    [
        (),
        (LIBC,),
        (
            LIBC,
            ReturnAddress("/usr/lib/x86_64-linux-gnu/libbenchmark.so.1", 0x99),
            ReturnAddress("/a/bench", 0x1380),
        ),
        (
            ReturnAddress("[vdso]", 0xBE1),
            ReturnAddress("unexpected_backtracing_error", 0x7FFD547D26A0),
        ),
    ],
)
def test_nobody_is_named_for_what_the_engine_or_the_system_does(stack: Stack) -> None:
    assert spot(*stack).function == ""
