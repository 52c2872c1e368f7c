"""Graph, noise, likelihood and choice, each by itself and against what can be worked out."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from assay.judge.bisection.graph import (
    CommitGraph,
    containment_matrix,
    graph_of,
    indistinguishable_commits,
)
from assay.judge.bisection.hypotheses import episodes_of, groups_of, likely_hypotheses
from assay.judge.bisection.likelihood import Posterior, explain_all
from assay.judge.bisection.noise import NOISES, grid_of_centres, log_likelihood
from assay.judge.bisection.planning import (
    PlanningState,
    SlowdownNoise,
    choose_next_step,
    information_of_a_round,
    mutual_information,
)
from assay.judge.bisection.settings import SearchSettings

DIAMOND = graph_of({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"], "x": []}, "d")


def line(commits: int) -> CommitGraph:
    names = [f"c{i}" for i in range(commits)]
    return graph_of({c: names[max(i - 1, 0) : i] for i, c in enumerate(names)}, names[-1])


def test_a_graph_holds_what_bad_contains_with_parents_first() -> None:
    assert set(DIAMOND.commits) == {"a", "b", "c", "d"}
    assert DIAMOND.commits[DIAMOND.bad] == "d"
    assert all(p < i for i, parents in enumerate(DIAMOND.parents) for p in parents)
    rows = containment_matrix(DIAMOND)
    b, c = DIAMOND.position("b"), DIAMOND.position("c")
    assert not rows[b, c]
    assert not rows[c, b]
    assert rows[DIAMOND.bad].all()


def test_a_long_history_needs_no_deep_stack() -> None:
    names = [str(i) for i in range(3000)]
    graph = graph_of({c: names[max(i - 1, 0) : i] for i, c in enumerate(names)}, names[-1])
    assert graph.commits == tuple(names)


def test_only_commits_that_cannot_be_measured_make_others_alike() -> None:
    assert all(len(members) == 1 for members in indistinguishable_commits(DIAMOND, frozenset()))
    broken = frozenset({DIAMOND.position("b")})
    alike = [members for members in indistinguishable_commits(DIAMOND, broken) if len(members) > 1]
    assert [{DIAMOND.commits[i] for i in members} for members in alike] == [{"b", "d"}]


def quiet(centre: float, seed: int = 1, count: int = 12, scale: float = 0.002) -> tuple[float, ...]:
    return tuple(np.random.default_rng(seed).normal(centre, scale, count).tolist())


def explained(
    graph: CommitGraph, rounds: dict[int, tuple[float, ...]], settings: SearchSettings
) -> tuple[Posterior, list[float]]:
    """What is known then, and the probability of each commit's group."""
    groups = groups_of(graph, list(rounds), settings)
    episodes = episodes_of(groups, settings)
    found, known = explain_all(groups, episodes, list(rounds.values()), settings)
    culprit = np.bincount(found.culprit, known.weights, len(groups.prior))
    return known, [float(culprit[group]) for group in groups.group]


def test_rounds_are_likeliest_where_they_are_and_by_the_noise_they_have() -> None:
    rounds = tuple(np.random.default_rng(1).normal(0.03, 0.01, 200).tolist())
    logs = log_likelihood(rounds, 0.02)
    noise, place = np.unravel_index(logs.argmax(), logs.shape)
    assert grid_of_centres(0.02)[place] == pytest.approx(np.mean(rounds), abs=2e-3)
    assert NOISES[noise].scale == pytest.approx(0.01, rel=0.3)
    assert NOISES[noise].degrees == 30.0
    assert log_likelihood(rounds[:150], 0.02) + log_likelihood(rounds[150:], 0.02) == (
        pytest.approx(logs)
    )
    assert not log_likelihood((), 0.02).any()


def test_size_and_noise_are_learnt_from_all_commits_together() -> None:
    """Single rounds tell of the noise too: centres can only be nought or the slowdown."""
    graph, rng = line(64), np.random.default_rng(4)
    rounds = {63: quiet(0.04, count=2, scale=0.02)}
    before, _ = explained(graph, rounds, SearchSettings())
    rounds |= {i: (float(rng.normal(0.04 * (i > 30), 0.02)),) for i in range(1, 62, 2)}
    after, _ = explained(graph, rounds, SearchSettings())
    assert after.size == pytest.approx(0.04, abs=2.0 * after.size_error)
    assert after.size_error < 0.6 * before.size_error
    assert math.sqrt(after.of_a_round) == pytest.approx(0.02, rel=0.3)


def test_hypotheses_are_weighed_as_by_hand() -> None:
    """Two commits measured exactly: the first not slow, the second 3 % slower."""
    graph = graph_of({"a": [], "b": ["a"]}, "b")
    known, each = explained(graph, {1: quiet(0.03), 0: quiet(0.0)}, SearchSettings(none=0.1))
    assert each[1] > 0.95
    assert known.weights.sum() == pytest.approx(1.0)
    assert known.size == pytest.approx(0.03, abs=0.005)


def test_an_episode_ends_where_it_was_undone() -> None:
    graph = line(8)
    groups = groups_of(graph, [7, 2, 4], SearchSettings())
    episodes = episodes_of(groups, SearchSettings())
    assert not episodes.pattern[0].any()  # what BAD still has was not undone
    assert episodes.prior.sum() == pytest.approx(1.0)
    by_name = {tuple(column) for column in episodes.pattern.T.tolist()}
    assert by_name == {(False, False, False), (False, True, False), (False, False, True),
                       (False, True, True)}  # fmt: skip
    nothing = np.zeros(3)
    found = likely_hypotheses(groups, episodes, nothing, nothing)
    assert np.exp(found.log_prior).sum() == pytest.approx(1.0, abs=1e-3)
    assert set(found.slow[1:].flat) == {0.0, 1.0, 2.0}
    assert set(found.slow[0]) == {0.0, 1.0}  # BAD is never slow by an episode


def test_any_commit_may_undo_anything_that_it_contains() -> None:
    """Counted by hand: the chance that `last` is one commit and `first` is one before it."""
    graph = line(6)
    everything = list(range(6))
    groups = groups_of(graph, everything, SearchSettings())
    episodes = episodes_of(groups, SearchSettings(undone=1.0))
    commit = np.argsort(groups.group)  # each group is one commit here
    chance = {
        (int(commit[f]), int(commit[u])): p
        for f, u, p in zip(episodes.first[1:], episodes.last[1:], episodes.prior[1:], strict=True)
    }
    assert set(chance) == {(f, u) for u in range(1, 6) for f in range(u)}
    for (_, last), probability in chance.items():
        weights = {u: 1.0 / (u + 0.5) for u in range(1, 6)}  # half of itself counts
        total = sum(u * weight for u, weight in weights.items())
        assert probability == pytest.approx(weights[last] / total)


def test_a_commit_slow_by_two_tells_that_the_culprit_came_inside_the_episode() -> None:
    """5 % from c2 until it was undone in c6, 4 % from c4 on: BAD has what c4 brought."""
    graph = line(8)
    centre = {7: 0.04, 1: 0.0, 2: 0.05, 3: 0.05, 4: 0.09, 5: 0.09, 6: 0.04}
    _, twice = explained(graph, {i: quiet(c, i) for i, c in centre.items()}, SearchSettings())
    assert twice[4] > 0.9
    flat = {i: quiet(0.04 if c else 0.0, i) for i, c in centre.items()}
    _, once = explained(graph, flat, SearchSettings())
    assert once[2] > 0.9


def test_no_single_round_is_worth_more_than_some_thousands_to_one() -> None:
    """Rounds near nought of a commit that the culprit may be in, beside quiet ones of BAD."""
    graph = line(2)
    bad = quiet(0.04, 3, 40)

    def odds(rounds: tuple[float, ...]) -> float:
        _, (first, second) = explained(graph, {1: bad, 0: rounds}, SearchSettings(undone=0.0))
        return second / first

    assert 20.0 < odds((0.0,)) < 3000.0 < odds((0.0, 0.001, -0.001))
    assert odds((1.5,)) == pytest.approx(1.0, rel=0.2)


def test_a_reading_tells_most_where_the_odds_are_even() -> None:
    odds = np.array([[0.5, 0.5, 0.0], [0.01, 0.99, 0.0], [0.0, 0.5, 0.5]])
    even, sure, twice = mutual_information(odds, np.full(3, 2.0))
    assert 0.0 < sure < even < 1.0
    assert twice == pytest.approx(even)  # slow or slow by two is as good a question
    far, near = np.full(3, 20.0), np.zeros(3)
    assert mutual_information(odds, far)[0] == pytest.approx(1.0, abs=1e-3)
    assert mutual_information(odds, near) == pytest.approx(np.zeros(3), abs=1e-6)


def test_what_a_build_costs_is_measured_longer_and_what_is_broken_never() -> None:
    known = PlanningState(
        levels=np.array([[0.8, 0.2, 0.0], [0.5, 0.5, 0.0], [0.4, 0.6, 0.0]]),
        relevant=np.ones(3),
        rounds=np.zeros(3),
        works=np.array([1.0, 0.0, 1.0]),
    )
    noise = SlowdownNoise(0.03, 0.02**2, 0.003**2)
    free = choose_next_step(known, noise, SearchSettings())
    dear = choose_next_step(known, noise, SearchSettings(build_cost=20.0))
    assert free is not None
    assert dear is not None
    assert free.commit == dear.commit == 2
    assert dear.rounds > free.rounds == 1
    assert choose_next_step(replace(known, works=np.zeros(3)), noise, SearchSettings()) is None


def test_a_round_is_worth_a_bit_at_most() -> None:
    loud, quiet_host = (SlowdownNoise(0.04, scale**2, 0.003**2) for scale in (0.08, 0.002))
    assert 0.03 < information_of_a_round(loud) < 0.06  # an eighth of the squared distance, in nats
    assert 0.99 < information_of_a_round(quiet_host) <= 1.0
