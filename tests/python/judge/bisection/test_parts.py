"""Graph, noise, likelihood and choice, each by itself and against what can be worked out."""

import math

import numpy as np
import pytest

from assay.judge.bisection.graph import Graph, contains, graph_of, told_apart
from assay.judge.bisection.hypotheses import episodes_of, groups_of, likely, single
from assay.judge.bisection.likelihood import explain, explain_all
from assay.judge.bisection.noise import Readings, Region, readings
from assay.judge.bisection.planning import Known, Noise, choose, information
from assay.judge.bisection.settings import Settings

DIAMOND = graph_of({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"], "x": []}, "d")


def line(commits: int) -> Graph:
    names = [f"c{i}" for i in range(commits)]
    return graph_of({c: names[max(i - 1, 0) : i] for i, c in enumerate(names)}, names[-1])


def test_a_graph_holds_what_bad_contains_with_parents_first() -> None:
    assert set(DIAMOND.commits) == {"a", "b", "c", "d"}
    assert DIAMOND.commits[DIAMOND.bad] == "d"
    assert all(p < i for i, parents in enumerate(DIAMOND.parents) for p in parents)
    rows = contains(DIAMOND)
    b, c = DIAMOND.position("b"), DIAMOND.position("c")
    assert not rows[b, c]
    assert not rows[c, b]
    assert rows[DIAMOND.bad].all()


def test_a_long_history_needs_no_deep_stack() -> None:
    names = [str(i) for i in range(3000)]
    graph = graph_of({c: names[max(i - 1, 0) : i] for i, c in enumerate(names)}, names[-1])
    assert graph.commits == tuple(names)


def test_only_commits_that_cannot_be_measured_make_others_alike() -> None:
    assert all(len(members) == 1 for members in told_apart(DIAMOND, frozenset()))
    broken = frozenset({DIAMOND.position("b")})
    alike = [members for members in told_apart(DIAMOND, broken) if len(members) > 1]
    assert [{DIAMOND.commits[i] for i in members} for members in alike] == [{"b", "d"}]


def test_centre_and_error_of_many_normal_rounds_are_the_means() -> None:
    rounds = tuple(np.random.default_rng(1).normal(0.03, 0.01, 200).tolist())
    seen = readings([rounds], 0.02, Region(0.015, 0.03))
    assert seen.centre[0] == pytest.approx(np.mean(rounds), abs=3e-4)
    assert math.sqrt(seen.variance[0]) == pytest.approx(0.01 / math.sqrt(200), rel=0.3)
    assert math.sqrt(seen.of_a_round) == pytest.approx(0.01, rel=0.3)


def test_a_round_far_away_is_as_good_as_none() -> None:
    tame = tuple(np.random.default_rng(2).normal(0.0, 0.01, 30).tolist())
    seen = readings([tame, (1.5,), (0.001,)], 0.02, Region(0.015, 0.03))
    assert seen.variance[1] > 20 * seen.variance[2]


def test_hypotheses_without_episodes_are_weighed_as_by_hand() -> None:
    """Two commits measured exactly: the first not slow, the second 3 % slower."""
    settings = Settings(none=0.1)
    graph = graph_of({"a": [], "b": ["a"]}, "b")
    groups = groups_of(graph, [0, 1], settings)
    seen = Readings(np.array([0.0, 0.03]), np.array([1e-6, 1e-6]), 1e-4)
    found = single(groups)
    weights = explain(found, seen, settings).weights
    second = int(groups.group[1])
    assert weights[second] > 0.95
    assert weights.sum() == pytest.approx(1.0)
    assert explain(found, seen, settings).size == pytest.approx(0.03, abs=0.005)


def test_an_episode_ends_where_it_was_undone() -> None:
    graph = line(8)
    groups = groups_of(graph, [7, 2, 4], Settings())
    episodes = episodes_of(groups, Settings())
    assert not episodes.pattern[0].any()  # what BAD still has was not undone
    assert episodes.prior.sum() == pytest.approx(1.0)
    by_name = {tuple(column) for column in episodes.pattern.T.tolist()}
    assert by_name == {(False, False, False), (False, True, False), (False, False, True),
                       (False, True, True)}  # fmt: skip
    nothing = np.zeros(3)
    found = likely(groups, episodes, nothing, nothing)
    assert np.exp(found.log_prior).sum() == pytest.approx(1.0, abs=1e-3)
    assert set(found.slow[1:].flat) == {0.0, 1.0, 2.0}
    assert set(found.slow[0]) == {0.0, 1.0}  # BAD is never slow by an episode


def test_any_commit_may_undo_anything_that_it_contains() -> None:
    """Counted by hand: the chance that `last` is one commit and `first` is one before it."""
    graph = line(6)
    everything = list(range(6))
    groups = groups_of(graph, everything, Settings())
    episodes = episodes_of(groups, Settings(undone=1.0))
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
    """5.5 % from c2 until it was undone in c6, 4 % from c4 on: BAD has what c4 brought."""
    graph, settings = line(8), Settings()
    measured = [7, 1, 2, 3, 4, 5, 6]
    groups = groups_of(graph, measured, settings)
    episodes = episodes_of(groups, settings)
    centre = np.array([0.04, 0.0, 0.055, 0.055, 0.095, 0.095, 0.04])
    seen = Readings(centre, np.full(7, 1e-6), 1e-4)
    found, explained = explain_all(groups, episodes, seen, settings)
    culprit = np.bincount(found.culprit, explained.weights, len(groups.prior))
    assert culprit[groups.group[4]] > 0.9
    flat = seen._replace(centre=np.where(centre > 0.0, 0.04, 0.0))
    found, explained = explain_all(groups, episodes, flat, settings)
    culprit = np.bincount(found.culprit, explained.weights, len(groups.prior))
    assert culprit[groups.group[2]] > 0.9


def test_no_single_round_is_worth_more_than_some_hundreds_to_one() -> None:
    """One round near nought, among many quiet ones of BAD that are 4 % slower."""
    quiet = tuple(np.random.default_rng(3).normal(0.04, 0.004, 40).tolist())
    region = Region(0.02, 0.04)
    seen = readings([quiet, (0.0,), (0.0, 0.001, -0.001)], 0.02, region)
    power = np.square(0.04) / seen.variance
    assert 0.5 * power[1] < math.log(1000.0) < 0.5 * power[2]


def test_a_reading_tells_most_where_the_odds_are_even() -> None:
    odds = np.array([[0.5, 0.5, 0.0], [0.01, 0.99, 0.0], [0.0, 0.5, 0.5]])
    even, sure, twice = information(odds, np.full(3, 2.0))
    assert 0.0 < sure < even < 1.0
    assert twice == pytest.approx(even)  # slow or slow by two is as good a question
    far, near = np.full(3, 20.0), np.zeros(3)
    assert information(odds, far)[0] == pytest.approx(1.0, abs=1e-3)
    assert information(odds, near) == pytest.approx(np.zeros(3), abs=1e-6)


def test_what_a_build_costs_is_measured_longer_and_what_is_broken_never() -> None:
    known = Known(
        levels=np.array([[0.8, 0.2, 0.0], [0.5, 0.5, 0.0], [0.4, 0.6, 0.0]]),
        relevant=np.ones(3),
        rounds=np.zeros(3),
        works=np.array([1.0, 0.0, 1.0]),
    )
    noise = Noise(0.03, 0.02**2, 0.003**2)
    free = choose(known, noise, Settings())
    dear = choose(known, noise, Settings(build_cost=20.0))
    assert free is not None
    assert dear is not None
    assert free.commit == dear.commit == 2
    assert dear.rounds > free.rounds == 1
    assert choose(known._replace(works=np.zeros(3)), noise, Settings()) is None
