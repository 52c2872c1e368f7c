import msgspec
import pytest
from comparisons import comparison

from assay.judge.family.undecided import reason


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
    assert reason(one, margin) == expected
