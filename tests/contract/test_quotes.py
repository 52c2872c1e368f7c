"""Code in documents is code that is compiled and run: each quotation is in the file it names.

A quotation is a fenced block below a line `<!-- quoted: path/of/file -->`.
"""

import re
from pathlib import Path

import pytest
from conftest import ROOT

DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
QUOTATION = re.compile(r"^<!-- quoted: (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```(?:cpp|c|cmake|yaml)$", re.MULTILINE)


def quotations(text: str) -> list[tuple[str, str]]:
    """File and code of each quotation in a document."""
    return QUOTATION.findall(text)


def is_in(code: str, file: Path) -> bool:
    """Whether `code` stands in `file` as whole lines, one after the other."""
    return "\n" + code in "\n" + file.read_text()


def test_there_are_quotations_to_check() -> None:
    for name, fewest in (
        ("docs/guides/first-benchmark.md", 3),
        ("docs/guides/ctest-and-ci.md", 1),
        ("README.md", 1),
    ):
        assert len(quotations((ROOT / name).read_text())) >= fewest, name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_quotation_is_in_its_file(document: Path) -> None:
    for file, code in quotations(document.read_text()):
        assert is_in(code, ROOT / file), f"{document.name}: not in {file}:\n{code}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_code_is_quoted_not_made_up(document: Path) -> None:
    text = document.read_text()
    assert len(CODE.findall(text)) == len([1 for _, code in quotations(text) if code]), (
        f"{document.name}: a block of code names no file: <!-- quoted: path --> above it"
    )


def test_a_changed_quotation_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_text("int a;\nint b;\n")
    ((_, code),) = quotations("<!-- quoted: a.cpp -->\n```cpp\nint b;\n```\n")
    assert is_in(code, file)
    assert not is_in("int c;\n", file)
    assert not is_in("nt b;\n", file)
