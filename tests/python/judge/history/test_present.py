"""The level at the newest run: covered by its interval, whatever the level did before."""

import numpy as np
import pytest

from assay.judge.history.present import present_level

Rng = np.random.Generator


def still(rng: Rng, runs: int) -> np.ndarray:
    return np.zeros(runs)


def drift(rng: Rng, runs: int) -> np.ndarray:
    return np.linspace(0.0, 0.1, runs)


def step(rng: Rng, runs: int) -> np.ndarray:
    return np.where(np.arange(runs) >= rng.integers(1, runs), 0.08, 0.0)


@pytest.mark.parametrize("runs", [4, 24, 90])
@pytest.mark.parametrize("level", [still, drift, step])
def test_the_interval_covers_the_level_now(level: object, runs: int) -> None:
    covered = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        true = level(rng, runs)  # type: ignore[operator]
        found = present_level(true + 0.01 * rng.standard_normal(runs))
        assert found is not None
        covered.append(found.low <= true[-1] <= found.high)
    assert np.mean(covered) >= 0.85


def test_many_runs_of_one_level_tell_it_closely() -> None:
    logs = 0.01 * np.random.default_rng(1).standard_normal(64)
    found = present_level(logs)
    assert found is not None
    assert found.high - found.low < 0.03
    assert found.low < 0.0 < found.high


def test_two_runs_have_an_interval_that_makes_sense() -> None:
    found = present_level(np.log([100.0, 101.0]))
    assert found is not None
    assert np.log(50.0) < found.low < np.log(100.0)
    assert np.log(101.0) < found.high < np.log(200.0)


def test_one_run_tells_of_no_scatter() -> None:
    assert present_level(np.log([100.0])) is None


def test_one_wild_run_at_the_end_does_not_move_it_far() -> None:
    logs = 0.005 * np.random.default_rng(2).standard_normal(40)
    logs[-1] = 0.5
    found = present_level(logs)
    assert found is not None
    assert found.level < 0.05


def test_runs_that_are_all_alike_have_their_level() -> None:
    found = present_level(np.zeros(30))
    assert found is not None
    assert found.level == pytest.approx(0.0, abs=1e-6)
    assert -0.01 < found.low < found.high < 0.01
