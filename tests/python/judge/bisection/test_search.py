"""The search as a whole, on small made-up histories: seeded, and each guarded against vacuity."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from assay.bisection import BisectionAnswer
from assay.errors import AssayError
from assay.judge.bisection.graph import CommitGraph, graph_of
from assay.judge.bisection.search import Search, Step
from assay.judge.bisection.settings import SearchSettings

SCALE = 0.01


def line(commits: int) -> CommitGraph:
    names = [f"c{i}" for i in range(commits)]
    return graph_of({c: names[max(i - 1, 0) : i] for i, c in enumerate(names)}, names[-1])


class Host:
    """Answers steps: slow commits are slower, every build has a layout of its own."""

    def __init__(
        self, graph: CommitGraph, slow: Sequence[str], seed: int = 1, size: float = 0.04
    ) -> None:
        self._size = size
        self._rng = np.random.default_rng(seed)
        self._layout = dict(zip(graph.commits, self._rng.normal(0, 0.002, 10_000), strict=False))
        self._slow = set(slow)
        self.broken: set[str] = set()
        self.asked: list[str] = []

    def after(self, search: Search, step: Step) -> Search:
        self.asked.append(step.commit)
        if step.commit in self.broken:
            return search.with_broken(step.commit)
        centre = self._size * (step.commit in self._slow) + self._layout[step.commit]
        return search.with_rounds(
            step.commit, centre + SCALE * self._rng.standard_t(4, step.rounds)
        )

    def search(self, search: Search) -> Search:
        while isinstance(step := search.next(), Step):
            search = self.after(search, step)
        return search


def found(search: Search) -> BisectionAnswer:
    answer = search.next()
    assert isinstance(answer, BisectionAnswer)
    return answer


@pytest.mark.parametrize("culprit", [0, 1, 20, 62, 63])
def test_the_culprit_is_found_wherever_it_is(culprit: int) -> None:
    graph = line(64)
    hosts = [Host(graph, graph.commits[culprit:], seed) for seed in range(12)]
    answers = [found(host.search(Search(graph))) for host in hosts]
    right = [answer for answer in answers if answer.commits == (graph.commits[culprit],)]
    assert len(right) >= 10
    assert all(answer.settled and answer.probability >= 0.95 for answer in right)
    assert all(abs(answer.size - 0.04) < 4 * answer.size_error < 0.08 for answer in right)
    assert np.median([len(set(host.asked)) for host in hosts]) < 24  # not simply all of them


@pytest.mark.parametrize("slower", [0.2, 0.7, 2.5])
def test_a_large_slowdown_is_found_in_few_rounds(slower: float) -> None:
    """2.5: twelve times as slow, beyond the largest size that is looked for."""
    graph = line(256)
    host = Host(graph, graph.commits[99:], seed=3, size=slower)
    answer = found(host.search(Search(graph)))
    assert answer.commits == ("c99",)
    assert answer.rounds <= 15
    assert answer.size == pytest.approx(slower, rel=0.25)


def test_where_bad_is_not_slower_it_is_none_of_them() -> None:
    graph = line(64)
    answer = found(Host(graph, ()).search(Search(graph)))
    assert answer.commits == ()
    assert answer.probability == answer.none >= 0.95


def test_a_slowdown_that_was_undone_before_bad_is_not_blamed() -> None:
    graph = line(64)
    answer = found(Host(graph, graph.commits[10:40]).search(Search(graph)))
    assert answer.commits == ()


def test_a_slowdown_that_came_back_is_blamed_where_it_came_back() -> None:
    """Blind to that, a search ends at c20, since c31 is slow and c19 is not."""
    graph = line(64)
    slow = [*graph.commits[20:40], *graph.commits[50:]]

    def right(undone: float) -> int:
        search = Search(graph, SearchSettings(undone=undone))
        answers = [found(Host(graph, slow, seed).search(search)) for seed in range(10)]
        return sum(answer.commits == ("c50",) for answer in answers)

    assert right(0.0) <= 2  # it may chance to ask between c40 and c50
    assert right(0.3) >= 8


class Levelled(Host):
    """Commits with levels of their own."""

    def __init__(self, graph: CommitGraph, levels: dict[int, float], seed: int = 1) -> None:
        super().__init__(graph, (), seed)
        self._level = dict.fromkeys(graph.commits, 0.0)
        for start, level in levels.items():
            self._level |= dict.fromkeys(graph.commits[start:], level)

    def after(self, search: Search, step: Step) -> Search:
        self.asked.append(step.commit)
        centre = self._level[step.commit] + self._layout[step.commit]
        return search.with_rounds(
            step.commit, centre + SCALE * self._rng.standard_t(4, step.rounds)
        )


@pytest.mark.parametrize(
    ("levels", "culprit"),
    [
        ({40: 1.2, 110: 0.87}, 40),  # of which a part was taken back: cctz v2.3..v2.5
        ({40: 0.2, 110: 0.4}, 110),  # two lasting rises: the last
        ({40: 0.2, 70: 0.5, 90: 0.2}, 40),  # another one, undone, of another size
        ({20: 0.3, 60: 0.0, 120: 0.15}, 120),  # undone altogether, and another one later
        ({20: 0.1, 60: 0.3, 80: 0.2, 120: 0.05, 130: 0.25}, 130),
    ],
)
def test_of_several_changes_the_last_lasting_rise_is_named(
    levels: dict[int, float], culprit: int
) -> None:
    graph = line(156)
    answers = [found(Levelled(graph, levels, seed).search(Search(graph))) for seed in range(4)]
    right = [answer for answer in answers if answer.commits == (f"c{culprit}",)]
    assert len(right) >= 3
    assert all(answer.settled for answer in right)


def test_an_answer_with_parts_says_what_was_taken_back() -> None:
    graph = line(156)
    answer = found(Levelled(graph, {40: 1.2, 110: 0.87}).search(Search(graph)))
    assert answer.several > 0.9
    own, later = answer.parts
    assert own.is_answer
    assert not later.is_answer
    assert own.then - own.before == pytest.approx(1.2, abs=0.05)
    assert later.then == pytest.approx(0.87, abs=0.05)


def test_one_change_is_not_told_as_several() -> None:
    graph = line(156)
    answer = found(Levelled(graph, {40: 0.3}).search(Search(graph)))
    assert answer.several < 0.5
    assert answer.parts == ()


def test_few_rounds_do_not_make_none_of_them() -> None:
    """Three rounds of BAD at -0.05 % ended a search of an example that has a slow commit."""
    search = Search(line(9)).with_rounds("c8", [-0.0005, 0.001, -0.002])
    step = search.next()
    assert isinstance(step, Step)
    assert step.commit == "c8"
    host = Host(search.graph, ())
    assert found(host.search(search)).commits == ()
    assert sum(len(seen.log_ratios) for seen in host.search(search).journal) >= 12  # type: ignore[union-attr]


def test_a_branch_is_blamed_only_for_what_it_contains() -> None:
    names = [f"c{i}" for i in range(40)]
    parents: dict[str, list[str]] = {c: names[max(i - 1, 0) : i] for i, c in enumerate(names)}
    parents |= {"b0": ["c5"], "b1": ["b0"], "b2": ["b1"], "c30": ["c29", "b2"]}
    graph = graph_of(parents, "c39")
    slow = ["b1", "b2", *names[30:]]
    answers = [found(Host(graph, slow, seed).search(Search(graph))) for seed in range(6)]
    assert sum(answer.commits == ("b1",) for answer in answers) >= 5


def test_commits_that_do_not_build_are_not_asked_for_again_and_named_together() -> None:
    graph = line(64)
    host = Host(graph, graph.commits[30:])
    host.broken = {"c29", "c30", "c31"}
    answer = found(host.search(Search(graph)))
    assert answer.commits == ("c29", "c30", "c31", "c32")
    assert answer.settled
    tried = [commit for commit in host.asked if commit in host.broken]
    assert len(tried) == len(set(tried)) >= 1


def test_when_nothing_can_be_measured_the_answer_is_not_settled() -> None:
    graph = line(3)
    search = Search(graph)
    for commit in graph.commits:
        search = search.with_broken(commit)
    answer = found(search)
    assert not answer.settled
    assert answer.commits == graph.commits
    assert answer.rounds == 0


def test_the_budget_ends_a_search() -> None:
    graph = line(64)
    search = Host(graph, graph.commits[30:]).search(Search(graph, SearchSettings(budget_rounds=7)))
    answer = found(search)
    assert answer.rounds == 7
    assert not answer.settled
    assert len(answer.others) > 1


def test_a_search_that_gets_nowhere_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit is slow in one round and not in the next: nothing explains that, all might."""
    rng, graph = np.random.default_rng(0), line(16)

    def rounds(count: int) -> list[float]:
        slow = 0.04 * (rng.random(count) < 0.5)
        return [float(d) for d in slow + 0.002 * rng.standard_normal(count)]

    search = Search(graph).with_rounds("c15", 0.04 + 0.002 * rng.standard_normal(8))
    for commit in graph.commits[:-1]:
        search = search.with_rounds(commit, rounds(4))
    answer = found(search)
    assert not answer.settled
    assert answer.rounds == 68 < search.settings.budget_rounds
    monkeypatch.setattr("assay.judge.bisection.search._PATIENCE", 100.0)
    assert isinstance(search.next(), Step)


def test_builds_that_cost_much_are_measured_longer() -> None:
    graph = line(256)
    cheap, dear = Host(graph, graph.commits[99:]), Host(graph, graph.commits[99:])
    little = found(cheap.search(Search(graph)))
    much = found(dear.search(Search(graph, SearchSettings(build_cost=30.0))))
    assert little.commits == much.commits == ("c99",)
    assert len(set(dear.asked)) <= len(set(cheap.asked))
    assert much.rounds > little.rounds


def test_a_wild_round_says_next_to_nothing() -> None:
    """Less than 3 to 2: it may be a level of its own, and hardly is."""
    graph = line(16)
    search = Search(graph).with_rounds("c15", [0.04, 0.041, 0.038, 0.039, 0.042])
    before = search.posterior()["c8"]
    after = search.with_rounds("c7", [1.5]).posterior()["c8"]
    tame = search.with_rounds("c7", [0.001]).posterior()["c8"]
    assert before / 1.5 < after < 1.5 * before
    assert tame > 1.5 * before


def test_a_commit_that_is_not_there_is_refused() -> None:
    with pytest.raises(AssayError, match="c99"):
        Search(line(4)).with_broken("c99")
    with pytest.raises(AssayError, match="BAD"):
        graph_of({"a": []}, "b")


def test_a_resumed_search_goes_on_as_it_would_have() -> None:
    graph = line(64)
    host = Host(graph, graph.commits[17:])
    search = Search(graph)
    for _ in range(6):
        step = search.next()
        assert isinstance(step, Step)
        search = host.after(search, step)
    again = msgspec.json.decode(msgspec.json.encode(search), type=Search)
    assert again == search
    assert again.next() == search.next()
    assert again.posterior() == search.posterior()


@hypothesis_settings(max_examples=25, deadline=None)
@given(st.data())
def test_probabilities_sum_to_one_whatever_was_observed(data: st.DataObject) -> None:
    commits = data.draw(st.integers(1, 12))
    parents: dict[str, list[str]] = {}
    for i in range(commits):
        some = data.draw(st.sets(st.integers(0, i - 1), max_size=2)) if i else set()
        parents[f"c{i}"] = [f"c{p}" for p in some]
    search = Search(graph_of(parents, f"c{commits - 1}"))
    for commit in search.graph.commits:
        rounds = data.draw(st.lists(st.floats(-3.0, 3.0), max_size=4))
        broken = data.draw(st.booleans())
        search = search.with_broken(commit) if broken else search.with_rounds(commit, rounds)
    total = sum(search.posterior().values()) + search.answer().none
    assert total == pytest.approx(1.0)
    step = search.next()
    broken_ones = {seen.commit for seen in search.journal if type(seen).__name__ == "Broken"}
    assert not isinstance(step, Step) or step.commit not in broken_ones
