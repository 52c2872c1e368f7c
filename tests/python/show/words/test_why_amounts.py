"""Amounts, functions and places within sentences of `assay why`."""

from fractions import Fraction

import pytest

from assay.findings import Difference
from assay.show.words import why_amounts as words
from assay.work import Place


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(812), "812"),
        (Fraction(1_234_567), "1,234,567"),
        (Fraction(1, 8), "0.125"),
        (Fraction(7, 3), "2.33"),
        (Fraction(9_996, 100), "100"),
        (Fraction(201, 2), "100"),
        (Fraction(2_469, 2), "1,234"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(-2_469, 2), "-1,234"),
        (Fraction(1_007, 10), "101"),
        (Fraction(999, 10), "99.9"),
        (Fraction(0), "0"),
    ],
)
def test_an_amount(number: Fraction, text: str) -> None:
    assert words.amount(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(Fraction(1), "1 call"), (Fraction(2), "2 calls"), (Fraction(1, 2), "0.5 calls")],
)
def test_an_amount_with_its_noun(number: Fraction, text: str) -> None:
    assert words.count_text(number, "call") == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "all others"),
        (1, "1 other and all smaller ones"),
        (1_200, "1,200 others and all smaller ones"),
    ],
)
def test_functions_that_are_not_named(number: int, text: str) -> None:
    assert words.unnamed_functions(number) == text


@pytest.mark.parametrize(
    ("difference", "text"),
    [
        (Difference("instruction", 50, 812), "812 more instructions"),
        (Difference("free", 50, -1), "1 fewer free"),
        (Difference("free", 50, 5, iterations=2), "2.5 more frees"),
        (Difference("free", 50, -2, iterations=2), "1 fewer free"),
        (Difference("free", 50, 1), "1 more free"),
    ],
)
def test_how_much_more(difference: Difference, text: str) -> None:
    assert words.more_or_less(difference) == text


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place("src/db/wal.cc", 88), " at wal.cc:88"),
        (Place("wal.cc", 1), " at wal.cc:1"),
        (Place("wal.cc", 0), ""),
        (Place(f"db/{'f' * 81}", 7), f" at {'f' * 39}…{'f' * 40}:7"),
    ],
)
def test_a_place(place: Place, text: str) -> None:
    assert words.place_text(place) == text
    assert words.place_text(place, "by") == text.replace(" at ", " by ")


def test_a_function_is_code_and_not_the_longest() -> None:
    assert words.AN_ITERATION == "an iteration"
    assert words.function("Wal::append") == "`Wal::append`"
    assert words.function("f" * 80) == f"`{'f' * 80}`"
    assert words.function("f" * 81) == f"`{'f' * 39}…{'f' * 40}`"
