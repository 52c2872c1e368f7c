"""One is one: no text of Assay has a plural behind a number that can be 1."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

from assay.plurals import count

# What is counted in Assay's texts. Behind a number each is worded by `count`.
_COUNTED = re.compile(
    r" (?:more |other |further )?(?:rounds|launches|benchmarks|samples|commits|runs|histories|"
    r"repetitions|comparisons|processes|answers|searches|classes|members|conditions|functions|files)\b"
)

# Records keep how a family was judged in these words, with digits that have no comma.
_KEPT_SO = "made.family"


def plurals_behind_numbers(text: str) -> Iterator[str]:
    """Places of f-strings where a value is followed by a plural that is written out."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, after in zip(node.values, node.values[1:], strict=False):
            match value, after:
                case ast.FormattedValue(number), ast.Constant(str(words)):
                    if _COUNTED.match(words) and not _is_fixed(number):
                        yield f"{node.lineno}: {{{ast.unparse(number)}}}{words}"


def _is_fixed(number: ast.expr) -> bool:
    """Whether it is a constant, a text of two numbers ("1 of 3"), or a total of hundreds (`of`)."""
    match number:
        case ast.Attribute() if ast.unparse(number) == _KEPT_SO:
            return True
        case ast.Name(name):
            return name.isupper() or name == "of"
        case ast.Call(ast.Name("count" | "_share")):
            return True
    return False


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (1, "round", "1 round"),
        (0, "round", "0 rounds"),
        (1234, "launch", "1,234 launches"),
        (2, "class", "2 classes"),
        (2, "history", "2 histories"),
        (2, "day", "2 days"),
        (1, "search", "1 search"),
    ],
)
def test_a_number_and_its_noun(number: int, noun: str, said: str) -> None:
    assert count(number, noun) == said


def test_no_text_has_a_plural_behind_a_number() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{place}"
        for path in sorted(Path(ROOT / "src" / "assay").rglob("*.py"))
        for place in plurals_behind_numbers(path.read_text())
    ]
    assert found == []


def test_a_plural_behind_a_number_is_seen() -> None:
    assert list(plurals_behind_numbers('f"{len(found)} rounds dropped"')) == [
        "1: {len(found)} rounds dropped"
    ]
    assert (
        list(
            plurals_behind_numbers(
                'f"{ROUNDS} rounds", f"{count(3, noun)} rounds", f"{_share(3)} rounds"'
            )
        )
        == []
    )
