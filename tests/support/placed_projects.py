"""Small projects for each kind of build, with functions whose addresses can be read."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

LIBRARY = """\
unsigned zeta(unsigned x) { return x * 3 + 1; }
unsigned alpha(unsigned x) { return x / 7; }
unsigned middle(unsigned x) { while (x > 9) x = x / 3 - 1; return x; }
"""
PROGRAM = """\
#include <stdio.h>
unsigned zeta(unsigned), alpha(unsigned), middle(unsigned);
int main(void) { printf("%u\\n", zeta(alpha(middle(12345)))); return 0; }
"""
SOURCES = {"work_c": LIBRARY, "main_c": PROGRAM}
OWN = ("alpha", "middle", "zeta")

CMAKE = """\
cmake_minimum_required(VERSION 3.22)
project(tiny C)
set(CMAKE_C_FLAGS "-Wall")
add_library(work STATIC work.c)
add_executable(bench main.c)
target_link_libraries(bench PRIVATE work)
"""
CMAKE_COMMANDS = ("cmake -S . -B build -DCMAKE_BUILD_TYPE=Release", "cmake --build build")
# As configure scripts do: setting CFLAGS also replaces the optimisation.
MAKE = """\
CFLAGS ?= -O2
bench: main.o work.o
\t$(CC) $(LDFLAGS) -o $@ main.o work.o
%.o: %.c
\t$(CC) $(CFLAGS) -Werror -c -o $@ $<
"""


def functions(program: Path, names: Sequence[str] = OWN) -> dict[str, int]:
    """Name and address of these functions of a program, ordered by address."""
    text = subprocess.run(["nm", "-n", program], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in text.splitlines()]
    found = {row[2]: int(row[0], 16) for row in rows if row[-1] in names}
    assert len(found) == len(names), text
    return found
