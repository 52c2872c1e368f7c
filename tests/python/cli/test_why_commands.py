"""assay why on commands: the whole of their process is counted."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done

Assay = Callable[..., Done]

SOURCE = """
#include <cstdio>
__attribute__((noinline)) unsigned mix(unsigned x) {
#ifdef SLOW
  for (int i = 0; i < 4; ++i) x = x * 1664525u + 1013904223u;  // more
  asm volatile("" : "+r"(x));
#endif
  return x * 2654435761u;
}
int main() {
  unsigned sum = 0;
  for (int i = 0; i < 100000; ++i) sum += mix(i);
  return std::printf("%u\\n", sum) < 0;
}
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("commands")
    (folder / "mix.cpp").write_text(SOURCE)
    for name, flags in (("before", ()), ("after", ("-DSLOW",))):
        command = ["c++", "-O2", "-g", *flags, "mix.cpp", "-o", name]
        subprocess.run(command, cwd=folder, check=True)
    return folder / "before", folder / "after"


def test_the_function_of_a_command_is_named(assay: Assay, both: tuple[Path, Path]) -> None:
    before, after = both
    done = assay("why", f"cmd:{before}", f"cmd:{after}", "--stages", "work")
    assert done.code == 0, done.err
    assert "more instructions: `mix(unsigned int)` does more at mix.cpp:" in done.out
    assert "one run of its process, start and end included" in done.out
    same = assay("why", f"cmd:{before}", f"cmd:{before}", "--stages", "work")
    assert "  1. " not in same.out


def test_a_shell_is_not_counted_instead_of_what_it_starts(
    assay: Assay, both: tuple[Path, Path]
) -> None:
    before, after = both
    done = assay("why", f"cmd:{before} | cat", f"cmd:{after} | cat", "--stages", "work")
    assert done.code == 3
    assert "needs a shell" in done.out
