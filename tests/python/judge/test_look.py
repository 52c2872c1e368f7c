import math

import numpy as np
import pytest
from judging import NOISES, Floats, files_of, rounds_from, rounds_of, settings
from msgspec.structs import replace

from assay.judge import look as looking
from assay.judge.family.family import FamilyScope
from assay.judge.look import is_settled, shared_autocorrelation
from assay.judge.paired import confidence_sequence
from assay.judge.paired.confidence_sequence import minimum_rounds
from assay.judge.paired.predictable import Estimates, predictable_estimates
from assay.judge.share import IN_FAMILY
from assay.judge.verdict import judge
from assay.judging import Drift, Holm
from assay.model import Comparison, Pair, Settings, Verdict


def pair_of(seed: int, effect: float | Floats, rounds: int, name: str = "B") -> Pair:
    d = 0.01 * NOISES["heavy tails"](np.random.default_rng(seed), (1, rounds))[0]
    return rounds_from(d + effect, name)


def look(pair: Pair, settings: Settings, *, family: int, changed: int = 0) -> Comparison:
    """Judge one pair of which `family` comparisons there are."""
    asked = FamilyScope(None, family)
    return looking.judge_benchmark([pair], settings, asked=asked, changed=changed)[0]


def first_rounds(pair: Pair, rounds: int) -> Pair:
    sides = (
        type(s)(s.benchmark, s.metric, s.unit, s.launches[:rounds])
        for s in (pair.base, pair.candidate)
    )
    return Pair(
        *sides,
        pair.design,
        pair.base_first[:rounds],
        autocorrelations=pair.autocorrelations[:rounds],
    )


def test_a_look_alone_is_a_judgement_of_one() -> None:
    pair = pair_of(1, 0.015, 30)
    assert look(pair, settings(), family=1) == judge([pair], settings()).comparisons[0]


def test_a_larger_family_widens_the_interval() -> None:
    one, many = (look(pair_of(1, 0.0, 40), settings(), family=n) for n in (1, 100))
    assert one.low is not None
    assert many.low is not None
    assert many.low < one.low


@pytest.mark.parametrize("later", [0.035, 0.02])
def test_a_verdict_is_never_taken_back(later: float) -> None:
    """Neither by more rounds, even weaker ones, nor by the judgement of the whole suite."""
    for seed in range(6):
        full = pair_of(seed, np.where(np.arange(120) < 60, 0.035, later), 120)
        verdicts = []
        for n in range(10, 121, 5):
            verdicts.append(look(first_rounds(full, n), settings(), family=2).verdict)
        first = next((i for i, v in enumerate(verdicts) if v is not Verdict.UNDECIDED), None)
        assert first is not None, f"seed {seed}: no verdict that could be taken back"
        assert set(verdicts[first:]) == {verdicts[first]}
        final = judge([full, pair_of(seed, 0.0, 40, "other")], settings()).comparisons[0]
        assert final.verdict is verdicts[first]


def test_settled_are_those_with_a_verdict() -> None:
    assert is_settled(look(pair_of(1, 0.5, 40), settings(), family=1))
    assert is_settled(look(pair_of(1, 0.0, 90), settings(0.05), family=1))
    assert not is_settled(look(pair_of(1, 0.02, 40), settings(), family=1))


def test_those_nearest_to_a_decision_need_the_fewest_rounds() -> None:
    near = look(pair_of(3, 0.03, 20), settings(), family=20)
    far = look(pair_of(3, 0.022, 20), settings(), family=20)
    done = look(pair_of(3, 0.5, 40), settings(), family=20)
    assert not is_settled(near)
    assert near.rounds_needed is not None
    assert far.rounds_needed is None or near.rounds_needed < far.rounds_needed
    assert done.rounds_needed is None


def test_few_noisy_rounds_that_happen_to_lie_near_the_margin_are_no_reason_to_give_up() -> None:
    """Of 115 benchmarks against their own copy 30 were left at 20 rounds, because the estimate
    of so few lay near the margin by chance: nobody could say how many more would settle it."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        d = 0.05 * rng.standard_normal(20)
        near = rounds_from(d - np.median(d) + math.log1p(0.02))
        needed = look(told(near, 0.0), settings(), family=100).rounds_needed
        assert needed is not None
        assert 20 <= needed <= 5_000


def test_half_of_the_forecasts_come_true() -> None:
    """In how many rounds a benchmark that did not change is settled, said after 40 of them."""
    rng = np.random.default_rng(6)
    ratios = []
    for _ in range(20):
        full = told(rounds_from(0.04 * rng.standard_normal(800)), 0.0)
        forecast = look(first_rounds(full, 40), settings(), family=20).rounds_needed
        counts = range(44, 801, 8)
        took = next(
            n for n in counts if is_settled(look(first_rounds(full, n), settings(), family=20))
        )
        assert forecast is not None
        ratios.append((40 + forecast) / took)
    assert 0.7 <= np.median(ratios) <= 2.0


def test_before_there_can_be_an_interval_the_rounds_until_then_are_named() -> None:
    fresh = look(pair_of(3, 0.022, 2), settings(), family=20)
    assert fresh.low is None
    assert fresh.rounds_wanted is not None
    assert fresh.rounds_needed == fresh.rounds_wanted - 2


def test_rounds_wanted_are_those_that_make_an_interval() -> None:
    """Even where all rounds agree, there is none with one less."""
    d = 0.5 + 1e-9 * np.random.default_rng(1).standard_normal(40)
    alone, known = rounds_from(d), told(rounds_from(d), 0.0)
    wanted = look(first_rounds(known, 3), settings(), family=20).rounds_wanted
    assert wanted == minimum_rounds(2.0 * 20 / (0.05 * IN_FAMILY.centre))
    assert look(first_rounds(known, wanted - 1), settings(), family=20).low is None
    assert look(first_rounds(known, wanted + 1), settings(), family=20).low is not None
    assert look(first_rounds(alone, 3), settings(), family=20).rounds_wanted == wanted
    assert look(first_rounds(alone, wanted + 1), settings(), family=20).low is not None


def test_no_number_of_rounds_is_named_where_none_are_known_to_do() -> None:
    """The effect lies on the margin's edge: nobody can say."""
    d = np.log1p(0.02) + 0.01 * np.tile([1.0, -1.0], 30)
    one = look(rounds_from(d), settings(), family=20)
    assert one.low is not None
    assert not is_settled(one)
    assert one.rounds_needed is None


def told(pair: Pair, autocorrelation: float) -> Pair:
    """The pair, of a suite that was known to echo so much at each round."""
    return replace(pair, autocorrelations=(autocorrelation,) * len(pair.base.launches))


def test_rounds_needed_is_about_right() -> None:
    """Half of the benchmarks that are told "n more" are decided by then, not by a tenth."""
    early = late = asked = 0
    for seed in range(40):
        one = look(told(pair_of(seed, 0.03, 25), 0.0), settings(), family=20)
        if one.rounds_needed is None or is_settled(one):
            continue
        asked += 1
        tenth, twice = (25 + int(f * one.rounds_needed) for f in (0.1, 2.0))
        early += is_settled(look(told(pair_of(seed, 0.03, tenth), 0.0), settings(), family=20))
        late += is_settled(look(told(pair_of(seed, 0.03, twice), 0.0), settings(), family=20))
    assert asked >= 8
    assert early <= asked / 3
    assert late >= asked / 2


def test_a_suites_autocorrelation_is_found_once_and_given_to_each_look() -> None:
    rng = np.random.default_rng(1)
    autocorrelated = [
        rounds_from(0.01 * row, f"B{i}") for i, row in enumerate(NOISES["AR(1) 0.3"](rng, (20, 40)))
    ]
    calm = [
        rounds_from(0.01 * row, f"B{i}") for i, row in enumerate(NOISES["normal"](rng, (20, 40)))
    ]
    autocorrelation = shared_autocorrelation(autocorrelated)
    assert autocorrelation is not None
    assert 0.2 < autocorrelation < 0.45
    assert shared_autocorrelation(calm) == 0.0
    assert shared_autocorrelation(calm[:3]) is None
    knowing, unknowing = (
        look(told(calm[0], e), settings(), family=20) for e in (autocorrelation, 0.0)
    )
    assert knowing.low is not None
    assert unknowing.low is not None
    assert knowing.low < unknowing.low


def test_autocorrelation_is_applied_only_to_the_rounds_after_it_was_known() -> None:
    """What an earlier look said was said without it, and stands."""
    pair = pair_of(4, 0.0, 40)
    late = replace(pair, autocorrelations=(0.0,) * 30 + (0.8,) * 10)
    before, after = (first_rounds(one, 30) for one in (told(pair, 0.0), late))
    assert look(before, settings(), family=20) == look(after, settings(), family=20)
    untold, knowing = (look(one, settings(), family=20) for one in (told(pair, 0.0), late))
    assert untold.low is not None
    assert knowing.low is not None
    assert knowing.low < untold.low


def asked_about(pairs: list[Pair], metrics: tuple[str, ...]) -> tuple[Comparison, ...]:
    return looking.judge_benchmark(pairs, settings(), asked=FamilyScope(metrics, 4))


def test_only_metrics_asked_for_are_in_the_family() -> None:
    times = [
        [(x,) for x in launches] for launches in 100.0 + np.random.default_rng(1).random((2, 40))
    ]
    pairs = [rounds_of(*times), rounds_of(*times, metric="cpu_time")]
    real, cpu = asked_about(pairs, ("real_time",))
    assert (real.single, cpu.single) == (False, True)
    assert None not in (real.low, real.high, cpu.low, cpu.high)
    assert real.high - real.low > cpu.high - cpu.low  # type: ignore[operator]
    both = asked_about(pairs, ("real_time", "cpu_time"))
    assert [one.single for one in both] == [False, False]
    assert (both[0].low, both[0].high) == (both[1].low, both[1].high)


def test_the_family_counts_what_needs_statistics() -> None:
    pairs = [
        pair_of(1, 0.0, 20),
        files_of([2.0, 2.0], [3.0, 3.0], metric="CallsToAlloc"),
        files_of([0.0, 1.0], [3.0, 3.0]),
    ]
    assert judge(pairs, settings()).control == Holm(family=1, alpha=0.05, drift=Drift(0.12))


def test_comparisons_found_elsewhere_leave_their_share() -> None:
    """Holm's step over benchmarks that are looked at one by one."""
    alone, helped = (look(pair_of(1, 0.0, 40), settings(), family=20, changed=n) for n in (0, 19))
    assert alone.low is not None
    assert helped.low is not None
    assert helped.low > alone.low


def test_a_look_costs_in_proportion_to_its_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each update of the spread reads all rounds so far; there are few updates."""
    read_by_rounds = {}
    for rounds in (200, 1600):
        pasts = pasts_of_a_look(rounds, monkeypatch)
        assert 1 <= len(pasts) <= 2
        updates = [np.flatnonzero(np.diff(one.scale[0])) + 1 for one in pasts]
        assert all(len(one) > 10 for one in updates)
        read_by_rounds[rounds] = sum(int(one.sum()) for one in updates)
    assert read_by_rounds[1600] < 1.25 * 8 * read_by_rounds[200]


def pasts_of_a_look(rounds: int, monkeypatch: pytest.MonkeyPatch) -> list[Estimates]:
    """What one look found out about its earlier rounds."""
    found = []

    def watched(d: Floats, shared: float | None = None) -> Estimates:
        found.append(predictable_estimates(d, shared))
        return found[-1]

    with monkeypatch.context() as patched:
        patched.setattr(confidence_sequence, "predictable_estimates", watched)
        look(pair_of(1, 0.001, rounds), settings(), family=20)
    return found
