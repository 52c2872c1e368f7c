import msgspec
import pytest
from comparisons import comparison

from assay.judge.family.undecided import shortage_of_undecided


@pytest.mark.parametrize(
    ("change", "ends", "noise", "margin", "expected"),
    [
        (0.5, None, 0.5, 0.02, "time"),  # no interval yet, however noisy
        (0.021, (0.0, 0.04), 0.01, 0.02, "precision"),
        (-0.021, (-0.04, 0.0), 0.01, 0.02, "precision"),  # the other edge
        (0.021, (-0.3, 0.34), 0.5, 0.02, "quiet host"),  # so wide says nothing of where it lies
        (0.021, (-0.3, 0.34), 0.01, 0.02, "time"),
        (0.021, (0.0195, 0.0225), 0.01, 0.02, "time"),  # not near for so narrow an interval
        (0.0, (-0.04, 0.04), 0.05, 0.02, "quiet host"),
        (0.0, (-0.04, 0.04), 0.03, 0.02, "time"),
        (0.0, (-0.04, 0.04), None, 0.02, "time"),
        (0.06, (-0.01, 0.13), 0.2, 0.02, "quiet host"),
        (0.001, (-0.02, 0.02), 0.1, 0.0, "precision"),  # with no margin zero is the edge
        (0.01, (-0.01, 0.03), 0.016, 0.0, "quiet host"),
        (0.01, (-0.01, 0.03), 0.014, 0.0, "time"),
    ],
)
def test_what_an_undecided_one_lacked(
    change: float,
    ends: tuple[float, float] | None,
    noise: float | None,
    margin: float,
    expected: str,
) -> None:
    one = msgspec.structs.replace(comparison(change, ends), noise=noise)
    assert shortage_of_undecided(one, margin) == expected


@pytest.mark.parametrize(
    ("change", "half", "noise", "margin", "expected"),
    [
        # A quarter of the margin from its edge, and of half the interval where that is smaller.
        (0.625, 0.5, None, 0.5, "precision"),
        (0.6251, 0.5, None, 0.5, "time"),
        (0.375, 0.5, None, 0.5, "precision"),
        (0.3749, 0.5, None, 0.5, "time"),
        (0.5625, 0.25, None, 0.5, "precision"),
        (0.5626, 0.25, None, 0.5, "time"),
        (0.7, 1.0, None, 0.5, "time"),
        (0.125, 0.5, None, 0.0, "precision"),
        (0.1251, 0.5, None, 0.0, "time"),
        # Half an interval of two margins is the widest that tells where the effect lies.
        (0.5, 1.0, None, 0.5, "precision"),
        (0.5, 1.0001, None, 0.5, "time"),
        # Noise beyond one and a half margins, and no margin below 1 %.
        (1.5, 0.5, 0.75, 0.5, "time"),
        (1.5, 0.5, 0.7501, 0.5, "quiet host"),
        (1.5, 0.5, 0.0150001, 0.001, "quiet host"),
        (1.5, 0.5, 0.0149999, 0.001, "time"),
    ],
)
def test_where_each_reason_begins(
    change: float, half: float, noise: float | None, margin: float, expected: str
) -> None:
    one = comparison(change, (change - half, change + half))
    assert shortage_of_undecided(msgspec.structs.replace(one, noise=noise), margin) == expected
