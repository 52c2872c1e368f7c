"""What is found on real noise: 40 rounds of 17 benchmarks of a noisy 2-core VM."""

import numpy as np
from judging import real_rounds, rounds_of, settings

from assay.judge.verdict import judge
from assay.model import Comparison, Pair, Verdict


def shifted(change: float) -> list[Pair]:
    """Identical binaries, the candidate's times raised by `change`."""
    return [
        rounds_of(base.tolist(), (candidate * (1.0 + change)).tolist(), name)
        for name, (base, candidate) in real_rounds().items()
    ]


def found(pairs: list[Pair], margin: float) -> int:
    made = judge(pairs, settings(margin)).comparisons
    assert Verdict.FASTER not in {one.verdict for one in made}
    return sum(one.verdict is Verdict.SLOWER for one in made)


def half_width(comparisons: tuple[Comparison, ...]) -> float:
    widths = [(c.high - c.low) / 2 for c in comparisons if c.low is not None and c.high is not None]
    assert len(widths) == len(comparisons)
    return float(np.median(widths))


def test_five_percent_built_in_is_found_beyond_two_in_every_benchmark() -> None:
    pairs = [
        rounds_of(base.tolist(), candidate.tolist(), name)
        for name, (base, candidate) in real_rounds("five_percent").items()
    ]
    assert found(pairs, 0.02) >= 16


def test_five_percent_added_is_found() -> None:
    assert found(shifted(0.05), 0.02) >= 14
    assert found(shifted(0.05), 0.0) == 17


def test_two_and_one_percent_added_are_found_in_most() -> None:
    assert found(shifted(0.02), 0.0) >= 11
    assert found(shifted(0.01), 0.0) >= 9


def test_intervals_are_narrower_than_the_sign_tests() -> None:
    """The sign-test sequence of docs/field.md had a median half-width of 1.2 % on such rounds."""
    assert half_width(judge(shifted(0.0), settings(0.0)).comparisons) < 0.0115


def test_identical_binaries_are_proven_the_same_where_noise_allows() -> None:
    made = judge(shifted(0.0), settings(0.02)).comparisons
    assert sum(one.verdict is Verdict.SAME for one in made) >= 9
