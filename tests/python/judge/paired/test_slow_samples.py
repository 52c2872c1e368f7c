"""Slow samples inside launches: pauses that the undisturbed samples do not show."""

import numpy as np
import pytest
from judging import AUTOCORRELATED, NOISES, Floats, rounds_of, settings
from msgspec.structs import replace

from assay.judge.family.family import FamilyScope
from assay.judge.look import judge_benchmark
from assay.judge.paired.beside import BetsBesideCentre
from assay.judge.paired.slow_samples import SlowSamples
from assay.model import Comparison, Pair, Verdict

TRIES, ROUNDS, SAMPLES = 60, 60, 15
SAMPLE_MS, PAUSE_MS, EVERY_MS = 0.5, 1.0, 10.0


def launches(rng: np.random.Generator, every_ms: float | None) -> Floats:
    """15 samples of half a millisecond each; a pause after so much running, at any phase."""
    noise = 0.01 * rng.standard_normal((ROUNDS, 1)) + 0.01 * rng.standard_normal((ROUNDS, SAMPLES))
    took = SAMPLE_MS * np.exp(noise)
    if every_ms is None:
        return took
    ran = np.cumsum(took, axis=1) + rng.uniform(0.0, every_ms, (ROUNDS, 1))
    before = np.concatenate((ran[:, :1] - took[:, :1], ran[:, :-1]), axis=1)
    pauses = np.floor(ran / every_ms) - np.floor(before / every_ms)
    return np.asarray(took + PAUSE_MS * pauses)


def paused(seed: int, base: float | None, candidate: float | None) -> Pair:
    rng = np.random.default_rng(seed)
    return rounds_of(launches(rng, base).tolist(), launches(rng, candidate).tolist())


def judged(pair: Pair) -> Comparison:
    """Among 20 comparisons whose rounds are known not to echo."""
    told = replace(pair, autocorrelations=(0.0,) * ROUNDS)
    return judge_benchmark([told], settings(), asked=FamilyScope(None, 20))[0]


def alone(pair: Pair) -> Comparison:
    return judge_benchmark([pair], settings())[0]


def test_a_pause_of_a_millisecond_in_ten_is_found() -> None:
    made = [judged(paused(seed, None, EVERY_MS)) for seed in range(TRIES)]
    found = [one for one in made if one.verdict in (Verdict.SOMETIMES_SLOWER, Verdict.SLOWER)]
    assert len(found) >= 0.95 * TRIES
    told = [f for one in found for f in one.findings if f.of == "samples"]
    assert len(told) >= 0.95 * TRIES
    # A launch of 7.5 ms has a pause in three of four, which makes its samples 13 % more.
    assert np.median([one.size for one in told]) == pytest.approx(0.12, abs=0.03)
    assert np.median([one.share for one in told]) == pytest.approx(0.05, abs=0.02)


def test_of_a_benchmark_alone_they_are_found_as_well_and_hardly_any_called_the_same() -> None:
    """Whether its rounds are autocorrelated is not known; that would move all of a launch."""
    made = [alone(paused(seed, None, EVERY_MS)) for seed in range(TRIES)]
    assert sum(one.verdict is Verdict.SOMETIMES_SLOWER for one in made) >= 0.95 * TRIES
    assert sum(one.verdict is Verdict.SAME for one in made) <= 0.05 * TRIES


@pytest.mark.parametrize("noise", AUTOCORRELATED)
def test_launches_that_are_autocorrelated_as_a_whole_make_no_slow_samples(noise: str) -> None:
    """Both sides pause alike; autocorrelation moves all samples of a launch, and its centre."""
    autocorrelation = 0.01 * NOISES[noise](np.random.default_rng(9), (2 * TRIES, ROUNDS))
    made = []
    for seed, moved in enumerate(np.exp(autocorrelation)):
        pair = paused(seed, EVERY_MS, EVERY_MS)
        slower = (np.array(pair.candidate.launches) * moved[:, None]).tolist()
        made.append(alone(rounds_of(pair.base.launches, slower)))
    assert sum(f.of == "samples" for one in made for f in one.findings) <= 0.05 * len(made)


def test_the_centre_does_not_show_it() -> None:
    """Else the tests of the slow samples would test something else."""
    made = [judged(paused(seed, None, EVERY_MS)) for seed in range(10)]
    assert all(abs(one.change) < 0.02 for one in made)


def test_pauses_of_the_base_alone_are_found_the_other_way_round() -> None:
    made = [judged(paused(seed, EVERY_MS, None)) for seed in range(20)]
    assert sum(one.verdict is Verdict.SOMETIMES_FASTER for one in made) >= 15
    assert not any(one.verdict is Verdict.SOMETIMES_SLOWER for one in made)


def test_the_same_pauses_on_both_sides_are_found_within_alpha() -> None:
    made = [judged(paused(seed, EVERY_MS, EVERY_MS)) for seed in range(3 * TRIES)]
    assert sum(bool(one.findings) for one in made) <= 0.05 * 3 * TRIES


def test_without_pauses_nothing_is_found() -> None:
    made = [judged(paused(seed, None, None)) for seed in range(TRIES)]
    assert sum(bool(one.findings) for one in made) <= 0.05 * TRIES


def test_a_launch_of_two_samples_has_no_slow_part() -> None:
    edges = (0.02, -0.02)
    full = paused(1, None, EVERY_MS)
    assert SlowSamples.bets_on_pairs([full], 0.0, edges) is not None
    cut = rounds_of(
        [one[:2] for one in full.base.launches], [one[:2] for one in full.candidate.launches]
    )
    assert SlowSamples.bets_on_pairs([cut], 0.0, edges) is None


def test_a_counter_has_no_slow_samples() -> None:
    counter = rounds_of([(5.0, 6.0, 7.0)] * 9, [(5.0, 6.0, 7.0)] * 9, metric="instructions")
    assert SlowSamples.bets_on_pairs([counter], 0.0, (0.02, -0.02)) is None


def test_what_is_suspected_is_not_called_the_same_yet() -> None:
    """Pauses too weak to be found at this level still speak against "same"."""
    pair = paused(3, None, EVERY_MS)
    ratios = np.zeros((1, ROUNDS))
    found = BetsBesideCentre([pair], ratios, 0.0, 0.02).findings_of_pair(
        0, level=1e-300, centre=0.0
    )
    assert not found.findings
    assert not found.calm
