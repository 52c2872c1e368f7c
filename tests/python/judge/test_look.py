import numpy as np
import pytest
from judging import NOISES, Floats, files_of, rounds_from, settings

from assay.judge import wealth
from assay.judge.look import family, look, priority, settled, shared_echo
from assay.judge.past import Past, look_back
from assay.judge.verdict import judge
from assay.model import Pair, Verdict


def pair_of(seed: int, effect: float | Floats, rounds: int, name: str = "B") -> Pair:
    d = 0.01 * NOISES["heavy tails"](np.random.default_rng(seed), (1, rounds))[0]
    return rounds_from(d + effect, name)


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
        full = pair_of(seed, np.where(np.arange(120) < 40, 0.035, later), 120)
        verdicts = []
        for n in range(10, 121, 5):
            part = Pair(
                *(
                    type(s)(s.benchmark, s.metric, s.unit, s.launches[:n])
                    for s in (full.base, full.candidate)
                ),
                full.design,
                full.base_first[:n],
            )
            verdicts.append(look(part, settings(), family=2).verdict)
        first = next((i for i, v in enumerate(verdicts) if v is not Verdict.UNDECIDED), None)
        assert first is not None, f"seed {seed}: no verdict that could be taken back"
        assert set(verdicts[first:]) == {verdicts[first]}
        final = judge([full, pair_of(seed, 0.0, 40, "other")], settings()).comparisons[0]
        assert final.verdict is verdicts[first]


def test_settled_are_those_with_a_verdict() -> None:
    assert settled(look(pair_of(1, 0.5, 40), settings(), family=1))
    assert settled(look(pair_of(1, 0.0, 90), settings(0.05), family=1))
    assert not settled(look(pair_of(1, 0.02, 40), settings(), family=1))


def test_those_nearest_to_a_decision_come_first() -> None:
    near = look(pair_of(3, 0.03, 20), settings(), family=20)
    far = look(pair_of(3, 0.022, 20), settings(), family=20)
    fresh = look(pair_of(3, 0.022, 2), settings(), family=20)
    done = look(pair_of(3, 0.5, 40), settings(), family=20)
    assert not settled(near)
    assert priority(fresh) > priority(near) > priority(far) > priority(done) == 0.0


def test_rounds_needed_is_about_right() -> None:
    """Half of the benchmarks that are told "n more" are decided by then, not by a tenth."""
    early = late = asked = 0
    for seed in range(40):
        one = look(pair_of(seed, 0.035, 25), settings(), family=20)
        if one.rounds_needed is None or settled(one):
            continue
        asked += 1
        tenth, twice = (25 + int(f * one.rounds_needed) for f in (0.1, 2.0))
        early += settled(look(pair_of(seed, 0.035, tenth), settings(), family=20))
        late += settled(look(pair_of(seed, 0.035, twice), settings(), family=20))
    assert asked >= 8
    assert early <= asked / 3
    assert late >= asked / 2


def test_a_suites_echo_is_found_once_and_given_to_each_look() -> None:
    rng = np.random.default_rng(1)
    echoing = [
        rounds_from(0.01 * row, f"B{i}") for i, row in enumerate(NOISES["AR(1) 0.3"](rng, (20, 40)))
    ]
    calm = [
        rounds_from(0.01 * row, f"B{i}") for i, row in enumerate(NOISES["normal"](rng, (20, 40)))
    ]
    echo = shared_echo(echoing, settings())
    assert echo is not None
    assert 0.2 < echo < 0.45
    assert shared_echo(calm, settings()) == 0.0
    assert shared_echo(calm[:3], settings()) is None
    knowing, unknowing = (look(calm[0], settings(), family=20, echo=e) for e in (echo, 0.0))
    assert knowing.low is not None
    assert unknowing.low is not None
    assert knowing.low < unknowing.low


def test_family_counts_what_needs_statistics() -> None:
    pairs = [
        pair_of(1, 0.0, 20),
        files_of([2.0, 2.0], [3.0, 3.0], metric="CallsToAlloc"),
        files_of([0.0, 1.0], [3.0, 3.0]),
    ]
    assert family(pairs, settings()) == 1


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


def pasts_of_a_look(rounds: int, monkeypatch: pytest.MonkeyPatch) -> list[Past]:
    """What one look found out about its earlier rounds."""
    found = []

    def watched(d: Floats, shared: float | None = None) -> Past:
        found.append(look_back(d, shared))
        return found[-1]

    with monkeypatch.context() as patched:
        patched.setattr(wealth, "look_back", watched)
        look(pair_of(1, 0.001, rounds), settings(), family=20)
    return found
