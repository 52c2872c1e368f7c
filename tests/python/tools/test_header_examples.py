"""A header without an example, or with one that is not compiled, is seen."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT

HEADER = """\
// Purpose: to add,
// and to subtract.
//
//   Sum sum;                // nothing yet
//   for (int i : {1, 2}) {
//     sum.add(i);
//   }
//
//   sum.total();
//
// Words it knows:
//
//   none
#pragma once
"""
COMPILED = """\
TEST(Sum, Adds) {
  Sum sum;  // nothing yet

  for (int i : {1, 2}) {
    sum.add(i);
  }
  EXPECT_TRUE(sum.any());
    sum.total();
}
"""


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("header_examples")


def lost(examples: ModuleType, folder: Path, header: str, compiled: str) -> list[str]:
    (folder / "sum.hpp").write_text(header)
    (folder / "sum.cpp").write_text(compiled)
    (folder / "other.cpp").write_text("int other();\n")
    return list(examples.lost([folder / "sum.hpp"], examples.compiled(folder)))


def test_an_example_is_compiled_whatever_its_spaces(examples: ModuleType, tmp_path: Path) -> None:
    assert lost(examples, tmp_path, HEADER, COMPILED) == []


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        ("    sum.add(i);\n", "has not the line of its example 'sum.add(i);'"),
        ("    sum.total();\n", "has not the line of its example 'sum.total();'"),
    ],
)
def test_a_line_that_is_not_compiled(
    examples: ModuleType, tmp_path: Path, gone: str, said: str
) -> None:
    (line,) = lost(examples, tmp_path, HEADER, COMPILED.replace(gone, ""))
    assert line.startswith(f"{tmp_path / 'sum.hpp'}:1: ")
    assert line.endswith(said)


def test_lines_that_do_not_stand_together(examples: ModuleType, tmp_path: Path) -> None:
    apart = COMPILED.replace("    sum.add(i);\n", "    EXPECT_GT(i, 0);\n    sum.add(i);\n")
    (line,) = lost(examples, tmp_path, HEADER, apart)
    assert line.endswith("has not its example in one piece, from 'Sum sum; // nothing yet' on")


def test_a_header_without_example_or_purpose(examples: ModuleType, tmp_path: Path) -> None:
    bare = "// Purpose: to add.\n//\n// Thread safety: none.\n#pragma once\n"
    (line,) = lost(examples, tmp_path, bare, COMPILED)
    assert line.endswith("no example in its opening comment")
    (line,) = lost(examples, tmp_path, HEADER.replace("// Purpose: to", "// To"), COMPILED)
    assert line.endswith("does not begin with '// Purpose: '")


def test_public_headers_and_those_of_the_rooms(examples: ModuleType, tmp_path: Path) -> None:
    names = ["base/a.hpp", "base/a.cpp", "primitives/a.hpp", "index/crash/a.hpp", "index/b.hpp"]
    sources = {name: tmp_path / name for name in names}
    expected = [sources["base/a.hpp"], sources["primitives/a.hpp"], sources["index/b.hpp"]]
    assert examples.headers(sources, ["primitives/a.hpp"]) == expected


def test_no_example_of_this_tree_is_lost(examples: ModuleType) -> None:
    arrows = importlib.import_module("native_arrows")
    public = arrows.public_headers(ROOT / "cmake" / "AssayInstall.cmake")
    headers = examples.headers(arrows.sources(ROOT / "native", ROOT / "labs"), public)
    files = examples.compiled(ROOT / "tests" / "native" / "header_examples")
    assert len(headers) >= 100
    assert list(examples.lost(headers, files)) == []
    for lines in files:  # and every one of these files holds the example of some header
        others = [other for other in files if other is not lines]
        assert list(examples.lost(headers, others))
