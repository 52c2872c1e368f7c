"""The documents lead somewhere: files and functions they name exist, and links do not break.

A newcomer's questions are answered in at most three files, the README being the first.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

# Question, the files opened, and what stands in the last one.
ROUTES = [
    (
        "where is the interval computed",
        ("docs/architecture.md", "src/assay/judge/paired/confidence_sequence.py"),
        r"^def interval\(",
    ),
    (
        "where is a PiBench flag parsed",
        ("docs/architecture.md", "labs/index/options/command_line.cpp"),
        r"--read_ratio",
    ),
    ("add a system call", ("docs/architecture.md", "labs/os/CASES.md"), r"^# Writing a case$"),
    (
        "where does the report's table come from",
        ("docs/architecture.md", "src/assay/show/rows/columns.py"),
        r"^def comparison_table\(",
    ),
    (
        "what runs when `assay overhead` is killed",
        ("docs/architecture.md", "src/assay/measure/conditions/undo_journal.py"),
        r"^def settle_abandoned\(",
    ),
]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "schema" / "README.md",
    ROOT / "labs" / "os" / "CASES.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
# Python rooms and native ones may be named without what is above them.
ABOVE = ("", "src/assay", "src/assay/show/page", "native", "labs", "labs/os", "labs/index")
SUFFIXES = "py|cpp|hpp|md|txt|toml|js|sh|json|cmake|cfg"
TOPS = "src|native|labs|tests|tools|docs|examples|schema|cmake|benchmarks|judge|show|workflows"
# With folders and a suffix; a source file's name by itself; a folder or unit by its path.
PATH = re.compile(
    rf"`((?:[\w.*-]+/)+[\w.*-]*\.(?:{SUFFIXES})|[\w-]+\.(?:py|cpp|hpp)|(?:{TOPS})/[\w/*-]+)`"
)
NAMED = re.compile(r"`([\w.]+)` of (?:both )?(?:\[[^]]*\]\()?`([\w/.-]+\.(?:py|cpp|hpp|js))`")
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)")
MADE = ("build/", "performance-output/")  # files that a build makes
OF_OTHERS = "0031-what-was-taken-from-others.md"  # names files of other projects
PLACEHOLDER = re.compile(r"[A-Z]{3,}(?!.*\.md$)")  # VERB, FORMAT, NAME stand for something


@pytest.mark.parametrize(("question", "files", "pattern"), ROUTES, ids=lambda one: str(one)[:40])
def test_an_answer_is_at_most_three_files_away(
    question: str, files: tuple[str, ...], pattern: str
) -> None:
    assert len(files) <= 2, "the README is the first of the three"
    opened = "README.md"
    for file in files:
        text = (ROOT / opened).read_text()
        assert file in text or f"({Path(file).relative_to('docs')}" in text, (
            f"{opened} does not lead to {file}: {question}"
        )
        opened = file
    assert re.search(pattern, (ROOT / opened).read_text(), re.MULTILINE), f"{opened}: {question}"


def found(path: str, document: Path) -> list[Path]:
    """The files a document means by `path`."""
    places = (*(ROOT / above for above in ABOVE), document.parent)
    if "/" not in path:
        tops = ("src", "native", "labs", "tests", "examples", "tools")
        places = (*places, *(ROOT / top for top in tops))
        path = f"**/{path}"
    patterns = (path.rstrip("/"), f"{path.rstrip('/')}.*")
    return [each for place in places for pattern in patterns for each in place.glob(pattern)]


def named_paths(text: str) -> Iterator[str]:
    for path in PATH.findall(text):
        if path.startswith(MADE) or re.match(r"x(_test)?\.", path):  # x.hpp: any unit
            continue
        if not PLACEHOLDER.search(path) or path.endswith("README.md"):
            yield path


@pytest.mark.parametrize(
    "document",
    [one for one in DOCUMENTS if one.name != OF_OTHERS],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_files_that_a_document_names_exist(document: Path) -> None:
    gone = {path for path in named_paths(document.read_text()) if not found(path, document)}
    assert not gone


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    for target, anchor in LINK.findall(document.read_text()):
        if target.startswith(("http", "mailto")):
            continue
        file = document.parent / target if target else document
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in {slug(line) for line in headings(file)}, f"{target}#{anchor}"


def headings(file: Path) -> list[str]:
    return re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)


def slug(heading: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_functions_that_the_map_names_are_where_it_says() -> None:
    document = ROOT / "docs" / "architecture.md"
    names = NAMED.findall(re.sub(r"\s+", " ", document.read_text()))
    assert len(names) >= 40
    for name, path in names:
        (file,) = found(path, document)
        for part in name.split("."):
            assert re.search(rf"\b{part}\b", file.read_text()), f"{path}: no {part}"


def test_the_index_of_documents_names_each() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    linked = {(ROOT / "docs" / target).resolve() for target, _ in LINK.findall(index)}
    pages = {path for path in DOCUMENTS if path.is_relative_to(ROOT / "docs")}
    listed_elsewhere = {path for path in pages if path.parent.name == "reference"}
    assert pages - listed_elsewhere - linked == {ROOT / "docs" / "README.md"}
