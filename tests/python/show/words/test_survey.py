"""Probabilities in a survey of a store."""

import pytest

from assay.show.words import survey


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.5, "50.0 %"),
        (0.9949, "99.4 %"),
        (0.998, "99.8 %"),
        (0.999, "99.90 %"),
        (0.9995, "99.95 %"),
        (0.9999, "99.990 %"),
        (0.99999, "99.9990 %"),
        (0.9999989, "99.9998 %"),
        (0.999999, "> 99.9999 %"),
        (1.0, "> 99.9999 %"),
    ],
)
def test_a_probability_is_never_rounded_up_to_a_hundred(value: float, said: str) -> None:
    assert survey.certainty(value) == said
