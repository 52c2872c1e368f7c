"""Graph, noise, likelihood and choice, each by itself and against what can be worked out."""

import math

import numpy as np
import pytest

from assay.judge.bisection.graph import contains, graph_of, told_apart
from assay.judge.bisection.hypotheses import episodes_of, groups_of, likely, single
from assay.judge.bisection.likelihood import explain
from assay.judge.bisection.noise import Readings, Region, readings
from assay.judge.bisection.planning import Known, Noise, choose, information
from assay.judge.bisection.settings import Settings

DIAMOND = graph_of({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"], "x": []}, "d")


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
    names = [f"c{i}" for i in range(8)]
    graph = graph_of({c: names[max(i - 1, 0) : i] for i, c in enumerate(names)}, "c7")
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


def test_a_reading_tells_most_where_the_odds_are_even() -> None:
    even, sure = information(np.array([0.5, 0.99]), np.array([2.0, 2.0]))
    assert 0.0 < sure < even < 1.0
    assert information(np.array([0.5]), np.array([20.0]))[0] == pytest.approx(1.0, abs=1e-3)
    assert information(np.array([0.5]), np.array([0.0]))[0] == pytest.approx(0.0, abs=1e-9)


def test_what_a_build_costs_is_measured_longer_and_what_is_broken_never() -> None:
    known = Known(
        slow=np.array([0.2, 0.5, 0.6]),
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
