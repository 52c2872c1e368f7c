"""Holm's steps, and what is listed for exploration."""

import numpy as np

from assay.judge.effects import Rows
from assay.judge.family.multiplicity import discoveries, step_down


def test_a_p_value_just_at_its_share_is_listed() -> None:
    assert discoveries([0.5, 0.25], 0.5) == [0, 1]
    assert discoveries([0.500001, 0.250001], 0.5) == []
    assert discoveries([0.9, 0.01, 0.02, 0.03], 0.04) == [1, 2, 3]
    assert discoveries([0.03, 0.02], 0.03) == [0, 1]  # the second carries the first
    assert discoveries([], 0.05) == []
    assert discoveries([1.0], 0.05) == []


def test_each_change_frees_its_share() -> None:
    asked: list[tuple[float, list[int]]] = []
    p_values = np.array([0.5, 0.01, 0.014, 0.04])

    def found_at(level: float, waiting: Rows) -> np.ndarray:
        asked.append((level, waiting.tolist()))
        return np.asarray(p_values[waiting] <= level)

    assert step_down(4, 5, 0.06, found_at) == 3
    assert asked == [
        (0.06 / 5, [0, 1, 2, 3]),
        (0.06 / 4, [0, 2, 3]),
        (0.06 / 3, [0, 3]),
    ]


def test_none_are_judged_where_there_are_none() -> None:
    assert step_down(0, 0, 0.05, lambda level, waiting: waiting < 0) == 0


def test_no_comparison_gets_more_than_the_whole_level() -> None:
    """Even where more had changed elsewhere than there seemed to be."""
    for size in (0, 1):
        levels: list[float] = []

        def found_at(level: float, waiting: Rows, levels: list[float] = levels) -> np.ndarray:
            levels.append(level)
            return waiting == waiting[0]

        assert step_down(3, size, 0.06, found_at) == 3
        assert levels == [0.06] * 3
