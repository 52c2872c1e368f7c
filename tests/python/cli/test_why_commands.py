"""assay why on commands: the whole of their process is counted."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done

Assay = Callable[..., Done]

SOURCE = """
#include <atomic>
#include <cstdio>
#ifdef ATOMIC
std::atomic<unsigned> seen{0};
#else
unsigned seen = 0;
#endif
__attribute__((noinline)) void count() {
  seen += 1;  // counts
}
__attribute__((noinline)) unsigned mix(unsigned x) {
#ifdef SLOW
  for (int i = 0; i < 4; ++i) x = x * 1664525u + 1013904223u;  // more
  asm volatile("" : "+r"(x));
#endif
  return x * 2654435761u;
}
int main() {
  unsigned sum = 0;
  for (int i = 0; i < 100000; ++i) sum += mix(i), count();
  return std::printf("%u\\n", sum) < 0;
}
"""


Both = tuple[Path, Path]


@pytest.fixture(scope="module")
def all_three(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    folder = tmp_path_factory.mktemp("commands")
    (folder / "mix.cpp").write_text(SOURCE)
    for name, flags in (("before", ()), ("after", ("-DSLOW",)), ("atomic", ("-DATOMIC",))):
        command = ["c++", "-O2", "-g", *flags, "mix.cpp", "-o", name]
        subprocess.run(command, cwd=folder, check=True)
    return folder / "before", folder / "after", folder / "atomic"


@pytest.fixture
def both(all_three: tuple[Path, Path, Path]) -> Both:
    return all_three[:2]


def test_the_function_of_a_command_is_named(assay: Assay, both: Both) -> None:
    before, after = both
    done = assay("why", f"cmd:{before}", f"cmd:{after}", "--stages", "work")
    assert done.code == 0, done.err
    assert "more instructions: `mix(unsigned int)` does more at mix.cpp:" in done.out
    assert "one run of its process, start and end included" in done.out
    same = assay("why", f"cmd:{before}", f"cmd:{before}", "--stages", "work")
    assert "  1. " not in same.out


def test_a_shell_is_not_counted_instead_of_what_it_starts(assay: Assay, both: Both) -> None:
    before, after = both
    done = assay("why", f"cmd:{before} | cat", f"cmd:{after} | cat", "--stages", "work")
    assert done.code == 3
    assert "needs a shell" in done.out


def test_the_same_number_of_dearer_instructions(
    assay: Assay, all_three: tuple[Path, Path, Path]
) -> None:
    """A plain counter that became atomic executes as many instructions as before."""
    before, _, atomic = all_three
    done = assay("why", f"cmd:{before}", f"cmd:{atomic}", "--stages", "work,code")
    line = next(n for n, text in enumerate(SOURCE.split("\n"), 1) if "// counts" in text)
    said = "`count()` now executes a locked instruction (atomic)"
    assert f"{said} at mix.cpp:{line}" in done.out.splitlines()[0]
    assert f"{said} at mix.cpp:{line}, 100,000 times an iteration more" in done.out
    assert "  1. " not in done.out
