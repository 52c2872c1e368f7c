"""Files are read together where the compiler takes them together, and none is lost."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT

COMMAND = '/usr/bin/ccache /usr/bin/clang++-14 -DX=\\"a\\" -I/inc -std=c++20 -o a.o -c /src/a.cpp'


@pytest.fixture
def tidy_batch(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module("tidy_batch")


def test_options_are_without_compiler_and_files(tidy_batch: ModuleType) -> None:
    assert tidy_batch.options_of(COMMAND) == ('-DX="a"', "-I/inc", "-std=c++20")


def test_files_of_other_options_or_folders_are_never_together(tidy_batch: ModuleType) -> None:
    files = {
        Path(f"/src/{n % 3}/{n}.cpp"): f"c++ -O{n % 2} -c /src/{n % 3}/{n}.cpp" for n in range(120)
    }
    batches = list(tidy_batch.batches_of(files.items()))
    assert sorted(path for batch in batches for path in batch.files) == sorted(files)
    assert all(len(batch.files) <= tidy_batch.AT_MOST for batch in batches)
    for batch in batches:
        for path in batch.files:
            assert batch.options == (files[path].split()[1], "-iquote", str(path.parent))


def test_files_that_clash_are_read_apart(tidy_batch: ModuleType, tmp_path: Path) -> None:
    texts = {
        "one": "namespace { int same() { return 1; } } int one() { return same(); }",
        "two": "namespace { int same() { return 2; } } int two() { return same(); }",
        "three": "int three() { return 3; }",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.cpp").write_text(text)
    files = tuple(tmp_path / f"{name}.cpp" for name in texts)
    batch = tidy_batch.Batch(files, ("-std=c++20",))
    parts = [part.files for part in tidy_batch.compatible(batch, tmp_path, "batch")]
    assert parts == [(files[0], files[2]), (files[1],)]


def test_an_include_is_a_duplicate_only_in_its_own_file(
    tidy_batch: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "a.cpp").write_text("#include <map>\nint a();\n")
    (tmp_path / "b.cpp").write_text("#include <map>\n#include <set>\n#include <map>\n")
    batch = tidy_batch.Batch((tmp_path / "a.cpp", tmp_path / "b.cpp"), ())
    assert batch.text().splitlines() == [
        "#include <map>", "int a();", "", "#include <set>", "#include <map>",
    ]  # fmt: skip


# What each needs in order to be seen: a declaration, the analyzer, the file that is compiled.
FINDINGS = {
    "modernize-use-nullptr": "int* bad() { return 0; }",
    "clang-analyzer-core.DivideZero": "int bad(int a) { int z = 0; return a / z; }",
    "misc-unused-alias-decls": "namespace bad {} namespace unused = bad;",
}


@pytest.mark.parametrize("check", FINDINGS)
def test_a_finding_in_a_batch_is_found(tidy_batch: ModuleType, tmp_path: Path, check: str) -> None:
    tidy = importlib.import_module("tidy")
    (tmp_path / ".clang-tidy").write_text(f"Checks: '-*,{check}'\n")
    (tmp_path / "good.cpp").write_text("int* good() { return nullptr; }\n")
    (tmp_path / "bad.cpp").write_text(FINDINGS[check] + "\n")
    for names, is_clean in ((["good"], True), (["good", "bad"], False)):
        files = tuple(tmp_path / f"{name}.cpp" for name in names)
        batch = tidy_batch.Batch(files, ("-std=c++20",))
        assert tidy.is_clean(batch, tmp_path, "batch") is is_clean
