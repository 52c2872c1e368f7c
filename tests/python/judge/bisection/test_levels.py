"""Any number of changes: levels along a line of commits, and the commit after the last fast one."""

import numpy as np
import pytest

from assay.judge.bisection.levels import Levels, MeasuredCommit, infer_levels
from assay.judge.bisection.settings import SearchSettings

SLOTS = 400


def rounds(level: float, seed: int) -> tuple[float, ...]:
    rng = np.random.default_rng(seed)
    return tuple((level + 0.002 * rng.standard_normal() + 0.008 * rng.standard_normal(3)).tolist())


def told(levels_at: dict[int, float]) -> Levels:
    nodes = [MeasuredCommit(slot, rounds(level, slot)) for slot, level in levels_at.items()]
    return infer_levels(nodes, SLOTS, SearchSettings())


def mass(found: Levels, first: int, last: int) -> float:
    return float(found.culprit[first : last + 1].sum())


def test_one_rise_lies_between_the_last_fast_commit_and_the_first_slow_one() -> None:
    found = told({100: 0.0, 190: 0.0, 200: 0.3, 300: 0.3, 400: 0.3})
    assert mass(found, 191, 200) > 0.9
    assert found.culprit.sum() + found.none == pytest.approx(1.0, abs=1e-6)


def test_what_was_partly_taken_back_is_blamed_where_it_rose() -> None:
    """The case of cctz: +234 %, of which a later commit took back 95 points."""
    found = told({50: 0.0, 60: 1.2, 200: 1.2, 210: 0.87, 300: 0.87, 400: 0.87})
    assert mass(found, 51, 60) > 0.9
    assert found.means[[2, 3, 4]] == pytest.approx([1.2, 1.2, 0.87], abs=0.03)
    assert found.changed[[1, 3]] == pytest.approx([1.0, 1.0], abs=0.01)


def test_of_two_lasting_rises_the_last_is_blamed() -> None:
    found = told({50: 0.0, 60: 0.2, 200: 0.2, 300: 0.2, 310: 0.4, 400: 0.4})
    assert mass(found, 301, 310) > 0.9


def test_a_rise_that_was_undone_is_not_blamed() -> None:
    found = told({50: 0.0, 60: 0.2, 70: 0.2, 80: 0.5, 100: 0.5, 110: 0.2, 200: 0.2, 400: 0.2})
    assert mass(found, 51, 60) > 0.8


def test_where_bad_is_as_fast_as_good_it_is_none() -> None:
    assert told({50: 0.0, 100: 0.3, 200: 0.0, 400: 0.0}).none > 0.99


def test_a_hidden_dip_is_reckoned_with_where_little_was_measured() -> None:
    """Between two slow commits the rest of the line may have been fast for a while."""
    few = told({100: 0.0, 110: 0.3, 400: 0.3})
    more = told({100: 0.0, 110: 0.3, 170: 0.3, 230: 0.3, 290: 0.3, 340: 0.3, 400: 0.3})
    assert mass(few, 111, 400) > 2.0 * mass(more, 111, 400) > 0.0


def test_a_commit_off_the_line_tells_of_the_place_it_left() -> None:
    line = {100: 0.0, 400: 0.3}
    nodes = [MeasuredCommit(slot, rounds(level, slot)) for slot, level in line.items()]
    beside = MeasuredCommit(250, rounds(0.3, 7), away=3)
    before = infer_levels(nodes, SLOTS, SearchSettings())
    after = infer_levels([nodes[0], beside, nodes[1]], SLOTS, SearchSettings())
    assert mass(before, 101, 250) < 0.7
    assert 0.8 < mass(after, 101, 250) < mass(told({100: 0.0, 250: 0.3, 400: 0.3}), 101, 250) + 0.05


def test_the_evidence_tells_one_change_from_several() -> None:
    """Levels that no one change explains are far likelier here than as noise alone."""
    steady = told({100: 0.0, 200: 0.3, 300: 0.3, 400: 0.3}).log_evidence
    jumping = told({100: 0.0, 200: 0.6, 300: 0.1, 400: 0.3}).log_evidence
    assert steady > jumping
