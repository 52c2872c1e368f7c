"""Words and names: none that is retired, none that two classes share, none that is gone.

    retired = retired_words(Path("docs/glossary.md"))    {"sitting": "session", ...}
    list(used_again(Path("src/assay/x.py"), retired))    ["src/assay/x.py:3: sitting: say session"]

The glossary says which words are retired and what is said instead. Decisions and the changelog
keep theirs: they tell what was.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

HEADING = "## Retired words"
READ = (".py", ".hpp", ".cpp", ".h", ".md", ".html", ".js", ".css", ".sh", ".txt")
PAST = ("docs/decisions/", "CHANGELOG.md", "docs/glossary.md")
THEMSELVES = ("tools/vocabulary.py", "tests/python/tools/test_vocabulary.py")

_CALLED = re.compile(r"(?<![\w.:])([A-Z][a-z]\w+)\(")
_OF_PYTHON = {"Path"}
_ROW = re.compile(r"^\| (?P<word>[a-z ]+) \| (?P<instead>[^|]+) \|$", re.MULTILINE)


def retired_words(glossary: Path) -> dict[str, str]:
    """Each retired word, and what is said instead."""
    _, found, table = glossary.read_text().partition(HEADING)
    rows = {row["word"]: row["instead"].strip() for row in _ROW.finditer(table)}
    rows.pop("retired", None)  # the heading of the table
    if not found or not rows:
        raise ValueError(f"{glossary} has no table under {HEADING!r}")
    return rows


def used_again(path: Path, retired: dict[str, str]) -> Iterator[str]:
    """Lines of a file that use a retired word, also as a part of a name."""
    if path.suffix not in READ or path.as_posix().startswith((*PAST, *THEMSELVES)):
        return
    words = re.compile(rf"(?<![a-z])({'|'.join(map(re.escape, retired))})(?![a-z])", re.IGNORECASE)
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if match := words.search(line):
            word = match[0].lower()
            yield f"{path}:{number}: {word}: say {retired[word]} (docs/glossary.md)"


def stale_examples(paths: Iterable[Path]) -> Iterator[str]:
    """Classes that the example at the head of a module uses, and that no module defines."""
    trees = {path: ast.parse(path.read_text()) for path in paths}
    every = [node for tree in trees.values() for node in ast.walk(tree)]
    known = {node.name for node in every if isinstance(node, ast.ClassDef)}
    for path, tree in trees.items():
        imported = {
            one.asname or one.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for one in node.names
        }
        for name in _CALLED.findall(ast.get_docstring(tree) or ""):
            if name not in known | imported | _OF_PYTHON:
                yield f"{path}:1: the example uses {name}, which is defined nowhere"


def shared_class_names(paths: Iterable[Path]) -> Iterator[str]:
    """Public classes of one name in two modules, of which a reader finds the wrong one."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(f"{path}:{node.lineno}")
    for name, places in sorted(found.items()):
        if len(places) > 1:
            yield f"{places[1]}: a class {name} is in {places[0]}, too"
