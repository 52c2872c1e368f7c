"""Real executables, built here: what is read of their symbols, compilers and instructions."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from assay.errors import InputError
from assay.machine_code import Instruction
from assay.measure.executor import Executor, Launch
from assay.measure.profile.program.binary import Binary, Section, Symbol
from assay.measure.profile.program.bodies import CodeReader, reason_unreadable
from assay.measure.profile.program.demangle import demangled
from assay.measure.profile.program.disassembly import instructions
from assay.measure.profile.program.sources import read_source

SOURCE = """
#include <cstdio>
#include <cstring>
static double scaled(double value) __attribute__((noinline));
static double scaled(double value) { return value * FACTOR; }
int table[4] = {1, 2, 3, 4};
struct Wal { void append(char* to, const char* from, unsigned long size); };
PADDING
__attribute__((noinline)) void Wal::append(char* to, const char* from, unsigned long size) {
  if (size > 8) puts("long");
  memcpy(to, from, size);
  table[size & 3] += 1;
}
int main(int argc, char** argv) {
  char to[64];
  Wal().append(to, argv[0], argc);
  return int(scaled(argc)) + to[0];
}
"""
Build = Callable[..., str]


class Processes:
    """An executor without a launcher."""

    def run(self, launch: Launch) -> SimpleNamespace:
        done = subprocess.run(launch.argv, capture_output=True, text=True)
        return SimpleNamespace(ok=done.returncode == 0, stdout=done.stdout)


EXECUTOR = cast(Executor, Processes())


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    made: dict[tuple[str, ...], str] = {}

    def built(*flags: str, compiler: str = "g++", factor: str = "1.5", padding: str = "") -> str:
        key = (compiler, factor, padding, *flags)
        if key not in made:
            folder = tmp_path_factory.mktemp("code")
            text = SOURCE.replace("FACTOR", factor).replace("PADDING", padding)
            (folder / "wal.cpp").write_text(text)
            words = [compiler, "-O2", "-g", *flags, "wal.cpp", "-o", "bench"]
            subprocess.run(words, cwd=folder, check=True)
            made[key] = str(folder / "bench")
        return made[key]

    return built


def function(path: str, name: str) -> tuple[Instruction, ...]:
    """Its instructions, found by its name as `nm` has it."""
    listed = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    address = next(int(line.split()[0], 16) for line in listed.splitlines() if name in line)
    with Binary(path) as binary:
        symbol = binary.function_at(address)
        assert symbol is not None
        assert symbol == binary.function_at(address + symbol.size - 1)
        return instructions(binary, symbol)


@pytest.mark.parametrize("flags", [(), ("-no-pie",), ("-static",), ("-fno-plt",)])
def test_calls_and_data_have_names_wherever_they_lie(build: Build, flags: tuple[str, ...]) -> None:
    code = function(build(*flags), "append")
    text = " | ".join(one.text for one in code)
    assert "memcpy" in text
    assert "puts" in text
    assert "table" in text
    if flags != ("-fno-plt",):  # there a call reads the address: `call qword ptr [puts]`
        assert any("puts" in one.callee for one in code)


@pytest.mark.parametrize("flags", [(), ("-no-pie",)])
def test_code_that_only_lies_elsewhere_reads_the_same(build: Build, flags: tuple[str, ...]) -> None:
    more = "int other(int x) { return x * 7 + table[x & 1]; }"
    there, here = function(build(*flags), "append"), function(build(*flags, padding=more), "append")
    assert here[0].address != there[0].address
    assert [one.code for one in here] == [one.code for one in there]


def test_another_constant_is_other_code(build: Build) -> None:
    """The instructions are the same but for what they read."""
    there, here = function(build(), "scaled"), function(build(factor="2.5"), "scaled")
    assert [one.code for one in there] != [one.code for one in here]
    assert "constant 3ff8000000000000" in there[0].code


def test_compilers_say_who_they_are(build: Build) -> None:
    with Binary(build()) as gcc, Binary(build(compiler="clang++-14")) as clang:
        assert gcc.compiler().startswith("GCC: ")
        assert "clang version 14" in clang.compiler()
        assert reason_unreadable(gcc) == ""


def test_a_stripped_executable_is_refused_in_words(build: Build, tmp_path: Path) -> None:
    subprocess.run(["strip", "-o", tmp_path / "bench", build()], check=True)
    with Binary(str(tmp_path / "bench")) as binary:
        assert reason_unreadable(binary).startswith("it is stripped: ")
        assert binary.function_at(0x1000) is None


@pytest.mark.parametrize("content", [b"", b"#!/bin/sh\n", b"\x7fELF\x02\x01" + b"\xff" * 60])
def test_what_is_no_executable_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bench"
    path.write_bytes(content)
    with pytest.raises(InputError, match="cannot be read as an executable"):
        Binary(str(path))


def test_a_cut_executable_is_refused_or_says_less(build: Build, tmp_path: Path) -> None:
    """Whatever is missing: no other error, and no end without an answer."""
    whole = Path(build()).read_bytes()
    for size in range(64, len(whole), len(whole) // 40):
        path = tmp_path / "bench"
        path.write_bytes(whole[:size])
        try:
            with Binary(str(path)) as binary:
                binary.function_at(0x1140)
                binary.bytes_at(0x1140, 100)
        except InputError:
            continue


def test_bodies_are_of_what_ran_with_names_as_people_write_them(build: Build) -> None:
    path = build()
    main, append = function(path, " T main"), function(path, "append")
    counts = {path: {append[0].address: 70, append[1].address: 7, main[0].address: 1}}
    code = CodeReader(EXECUTOR)
    bodies, more = code.bodies({**counts, "/no/such/file": {1: 1}})
    assert [(one.name, one.executed) for one in bodies] == [
        ("Wal::append(char*, char const*, unsigned long)", 77),
        ("main", 1),
    ]
    assert more == 0
    lines = code.lines(bodies[0], counts)
    assert (lines[0].times, lines[1].times, lines[2].times) == (70, 7, 0)
    assert lines[0].place.file.endswith("wal.cpp")


class Made(Binary):
    """Bytes of another machine."""

    def __init__(self, code: bytes) -> None:
        self.machine, self.is_fixed, self._code = "aarch64", False, code
        self.sections = (Section(".text", 1, 6, 0x1000, 0, len(code), 0),)

    def bytes_at(self, address: int, size: int) -> bytes:
        return self._code[address - 0x1000 :][:size]

    def named_at(self, address: int) -> str:
        return "memcpy" if address == 0x2000 else ""


def test_code_of_arm_is_read() -> None:
    words = (0x94000400, 0xB4000040, 0x90000000, 0x910D0800, 0xD65F03C0)
    binary = Made(b"".join(one.to_bytes(4, "little") for one in words))
    found = instructions(binary, Symbol(0x1000, 20, "f"))
    assert [(one.code, one.callee) for one in found] == [
        ("bl memcpy", "memcpy"),
        ("cbz x0, +2", ""),
        ("adrp x0, data", ""),
        ("add x0, x0, #low", ""),
        ("ret", ""),
    ]


def test_names_that_mean_nothing_stay_as_they_are() -> None:
    long = "_Z" + "x" * 20_000
    assert demangled(["_ZN3Wal6appendEv", "main", "-x", "_Z!", long], EXECUTOR) == {
        "_ZN3Wal6appendEv": "Wal::append()",
        "main": "main",
        "-x": "-x",
        "_Z!": "_Z!",
        long: long,
    }


def test_a_source_that_is_gone_or_newer_is_said_to_be(tmp_path: Path) -> None:
    source, binary = tmp_path / "wal.cpp", tmp_path / "bench"
    source.write_text("int x;\n")
    assert read_source(str(tmp_path / "gone.cpp"), str(binary)).why.startswith("its text is not")
    binary.write_bytes(b"")
    os.utime(source, (1, 1))
    assert read_source(str(source), str(binary)).why == ""
    os.utime(source, (2**33, 2**33))
    assert "changed after" in read_source(str(source), str(binary)).why
