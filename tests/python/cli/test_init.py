"""`assay init`: what is told from a project's files, and that what it writes can be used."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from other_users import ASSAY, NOBODY, why_not

from assay.cli import invoke
from assay.project.project import read_project

GBENCH = "target_link_libraries(parse_bench PRIVATE core benchmark::benchmark)\n"
PROJECTS: dict[str, tuple[dict[str, str], tuple[str, ...], str]] = {
    "CMake with Google Benchmark": (
        {
            "CMakeLists.txt": "add_executable(app a.cpp)\nadd_subdirectory(perf)\n",
            "perf/CMakeLists.txt": f"add_executable(parse_bench b.cpp)\n{GBENCH}",
        },
        ("cmake -S . -B build -DCMAKE_BUILD_TYPE=Release", "cmake --build build"),
        "build/perf/parse_bench",
    ),
    "CMake with a program": (
        {"CMakeLists.txt": "# add_executable(old a.c)\nadd_executable(app a.c)\n"},
        ("cmake -S . -B build -DCMAKE_BUILD_TYPE=Release", "cmake --build build"),
        "cmd:build/app",
    ),
    "CMake of Assay's function": (
        {"CMakeLists.txt": "add_executable(x a.c)\nassay_add_benchmark(words_bench SOURCES w.c)\n"},
        ("cmake -S . -B build -DCMAKE_BUILD_TYPE=Release", "cmake --build build"),
        "build/words_bench",
    ),
    "Meson": (
        {"meson.build": "executable('b', 'b.cpp', dependencies: dependency('benchmark'))\n"},
        ("meson setup build --buildtype=release", "meson compile -C build"),
        "build/b",
    ),
    "Cargo with a bench": (
        {"Cargo.toml": '[package]\nname = "app"\n', "benches/sort.rs": ""},
        ("cargo build --release", "cargo bench --no-run --bench sort"),
        "cmd:cargo bench --bench sort",
    ),
    "Cargo with a program": (
        {"Cargo.toml": '[package]\nname = "app"\n'},
        ("cargo build --release",),
        "cmd:target/release/app",
    ),
    "Go": (
        {"go.mod": "module x\n", "parse/p_test.go": "func BenchmarkX(b *testing.B) {}\n"},
        ("go test -c -o build/bench.test ./parse",),
        "cmd:build/bench.test -test.run=^$ -test.bench=.",
    ),
    "make": (
        {"Makefile": "CC := cc\nall: run_bench\nrun_bench: b.c\n\t$(CC) -O2 -o $@ b.c\n"},
        ("make run_bench",),
        "cmd:./run_bench",
    ),
    "pytest": (
        {"pyproject.toml": "", "tests/test_a.py": "def test_x(benchmark):\n    benchmark(f)\n"},
        ("python3 -m compileall -q .",),
        "cmd:python3 -m pytest -q tests/test_a.py",
    ),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lay(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


@pytest.mark.parametrize("kind", PROJECTS)
def test_a_project_is_told_from_its_files(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    files, commands, run = PROJECTS[kind]
    lay(files)
    assert invoke(["init"]) == 0
    project = read_project(Path("assay.toml"))
    assert project.build.commands == commands
    assert project.suite(None)[1].run == run
    out = capsys.readouterr().out
    assert f"wrote assay.toml for a project of {kind.split()[0]}" in out
    assert f"measures      {run}" in out


def test_one_that_is_there_stays(capsys: pytest.CaptureFixture[str]) -> None:
    lay({"assay.toml": "# mine\n", "Makefile": "all:\n"})
    assert invoke(["init"]) == 2
    assert "is there already, and stays as it is" in capsys.readouterr().err
    assert Path("assay.toml").read_text() == "# mine\n"


def test_where_nothing_is_known_it_says_what_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["init"]) == 2
    error = capsys.readouterr().err
    assert "nothing of CMake, Meson, Cargo, Go, make or pytest is here" in error
    assert "[suites.main]" in error
    assert not Path("assay.toml").exists()


HOSTILE = {
    "names that are commands": {"Cargo.toml": '[[bin]]\nname = "x\\"; touch evil #\\n[build]"\n'},
    "no TOML": {"Cargo.toml": "[[[["},
    "a program of no text": {"Cargo.toml": "bin = 3\npackage = 4\nbench = [1]\n"},
    "no UTF-8": {"CMakeLists.txt": "add_executable(\udcff x)\n"},
    "a number of 5,000 digits": {"Cargo.toml": f"version = {'1' * 5_000}\n"},
    "a nested table": {"Cargo.toml": f"a = {'[' * 100_000}\n"},
    "a test with a line break in its name": {
        "setup.py": "",
        "test_\n[x].py": "def test_x(benchmark):",
    },
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_it_writes_of_odd_files_can_be_read(kind: str) -> None:
    for name, text in HOSTILE[kind].items():
        Path(name).write_bytes(text.encode(errors="surrogateescape"))
    assert invoke(["init"]) == 0
    assert set(read_project(Path("assay.toml")).configuration.suites) == {"main"}
    assert "; touch evil" not in read_project(Path("assay.toml")).suite(None)[1].run.replace(
        "'x\"; touch evil #\n[build]'", ""
    )


ODD = os.fsdecode(b"test_\xff.py")
NO_UTF8: dict[str, dict[str, str]] = {
    "a test": {"setup.py": "", "test_b.py": "", ODD: "def test_a(benchmark): pass"},
    "a folder of tests": {
        "setup.py": "",
        "test_b.py": "",
        f"{ODD}/test_a.py": "def test_a(benchmark): pass",
    },
    "a folder of CMake": {
        "CMakeLists.txt": "",
        f"{ODD}/CMakeLists.txt": "add_executable(a a.c)",
    },
    "a folder of Meson": {"meson.build": "", f"{ODD}/meson.build": "executable('a', 'a.c')"},
    "a folder of Go": {"go.mod": "", f"{ODD}/a_test.go": "func BenchmarkA(b *testing.B) {}"},
    "a bench of Cargo": {"Cargo.toml": "", f"benches/{os.fsdecode(bytes([255]))}.rs": ""},
}


@pytest.mark.parametrize("kind", NO_UTF8)
def test_a_name_that_is_no_text_is_left_out(kind: str) -> None:
    lay(NO_UTF8[kind])
    assert invoke(["init"]) == 0
    assert read_project(Path("assay.toml")).suite(None)[1].run


MANY = 40_000
LONG = " " * 900_000
LARGE: dict[str, dict[str, str]] = {
    "links that do not end": {
        "CMakeLists.txt": "".join(f"add_executable(x{n} a.c)\n" for n in range(10_000))
        + "target_link_libraries ( x" * 30_000
    },
    "spaces in CMake": {"CMakeLists.txt": f"add_executable{LONG}"},
    "programs of Meson that do not end": {"meson.build": "executable ( 'x'" * MANY},
    "spaces in Meson": {"meson.build": f"executable{LONG}"},
    "a long name in Go": {"go.mod": "", "a_test.go": "func Benchmark" + "a" * 900_000},
    "a rule of many folders": {"Makefile": "a/" * 400_000},
    "a rule before many empty lines": {"Makefile": "a" + "\n" * 900_000},
    "a rule and many outputs": {"Makefile": "bench: a\n" + "-o " * 300_000},
    "tests that do not end": {"setup.py": "", "test_a.py": "def test_a(" * 80_000},
    "a long name of a test": {"setup.py": "", "test_a.py": "def test_" + "a" * 900_000},
    "tables of Cargo": {"Cargo.toml": "[[bin]]\n" * MANY},
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_large_file_takes_no_longer_than_it_is_long(kind: str) -> None:
    """What took its length squared took an hour here: it does not fail, it does not end."""
    lay(LARGE[kind])
    assert invoke(["init"]) == 0


def test_a_program_is_linked_with_the_library_in_any_way_of_writing(here: Path) -> None:
    lay(
        {
            "CMakeLists.txt": "add_executable(first a.c)\nADD_EXECUTABLE( Second b.c )\n"
            'Target_Link_Libraries(\n  "Second"\n  PRIVATE\n  benchmark::benchmark)\n'
        }
    )
    assert invoke(["init"]) == 0
    assert read_project(Path("assay.toml")).suite(None)[1].run == "build/Second"


@pytest.mark.skipif(os.geteuid() == 0 and bool(why_not()), reason=why_not() or "as root")
def test_a_folder_that_may_be_listed_only_is_passed_by() -> None:
    """To root nothing is closed, so that root asks as somebody else."""
    with tempfile.TemporaryDirectory() as name:
        folder, closed = Path(name), Path(name) / "closed"
        closed.mkdir()
        (folder / "setup.py").touch()
        (closed / "test_a.py").write_text("def test_a(benchmark): pass")
        folder.chmod(0o777)
        closed.chmod(0o444)
        done = subprocess.run(
            [*(NOBODY if os.geteuid() == 0 else ()), str(ASSAY), "init"],
            cwd=folder,
            env={**os.environ, "HOME": name},
            capture_output=True,
            text=True,
            check=False,
        )
        closed.chmod(0o755)
        assert done.returncode == 0, done.stderr
        assert (folder / "assay.toml").is_file()
