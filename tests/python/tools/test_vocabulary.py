"""Retired words are found where they are used again, and names that two classes share."""

from pathlib import Path

import pytest
from conftest import ROOT
from vocabulary import retired_words, shared_class_names, stale_examples, used_again

GLOSSARY = """# Glossary

| sample | no retired word |

## Retired words

| retired | say instead |
| --- | --- |
| sitting | session |
| an echo | autocorrelation |
"""
RETIRED = {"sitting": "session", "an echo": "autocorrelation"}


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_the_table_is_read(tmp_path: Path) -> None:
    assert retired_words(file(tmp_path, "glossary.md", GLOSSARY)) == RETIRED
    assert "sitting" in retired_words(ROOT / "docs" / "glossary.md")


@pytest.mark.parametrize("text", ["", "## Retired words\n", "| sitting | session |\n"])
def test_a_glossary_without_the_table_retires_nothing_silently(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match="no table"):
        retired_words(file(tmp_path, "glossary.md", text))


@pytest.mark.parametrize(
    "line", ["one Sitting of it", "_sitting = 1", "class X:  # an echo", "SITTING", "a sitting."]
)
def test_a_retired_word_is_found_in_prose_and_names(tmp_path: Path, line: str) -> None:
    (found,) = used_again(file(tmp_path, "x.py", f"x = 1\n{line}\n"), RETIRED)
    assert found.startswith(f"{tmp_path}/x.py:2: ")


def test_other_words_and_files_are_let_be(tmp_path: Path) -> None:
    assert not list(used_again(file(tmp_path, "x.py", "babysittings; an echoing room\n"), RETIRED))
    assert not list(used_again(file(tmp_path, "x.json", "sitting\n"), RETIRED))
    assert not list(used_again(Path("docs/decisions/0001-one-executable.md"), RETIRED))


def test_classes_of_one_name_are_told(tmp_path: Path) -> None:
    first = file(tmp_path, "a.py", "class Part: ...\nclass _Row: ...\n")
    second = file(tmp_path, "b.py", "class _Row: ...\n\nclass Part: ...\n")
    (line,) = shared_class_names([first, second])
    assert line == f"{second}:3: a class Part is in {first}:1, too"


def test_an_example_that_uses_what_is_gone_is_told(tmp_path: Path) -> None:
    example = '"""Makes it.\n\n    Part(Whole(Path("x")), Counter(), call(), a.B())\n"""\n'
    used = file(tmp_path, "a.py", f"{example}from collections import Counter\n")
    other = file(tmp_path, "b.py", "class Part: ...\n")
    (line,) = stale_examples([used, other])
    assert line == f"{used}:1: the example uses Whole, which is defined nowhere"
