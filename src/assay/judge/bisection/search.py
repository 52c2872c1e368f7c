"""The search itself: a value made of what was observed. Resuming is reading it again.

search = Search(graph, Settings())
while isinstance(step := search.next(), Step):
    search = search.with_rounds(step.commit, measure(step.commit, step.rounds))
print(step.commits, step.probability)   # an Answer
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.bisection import Answer
from assay.judge.bisection.graph import Graph, told_apart
from assay.judge.bisection.hypotheses import Outlook, episodes_of, groups_of, outlook
from assay.judge.bisection.likelihood import explain_all
from assay.judge.bisection.planning import Known, Noise, choose, worth_of_a_round
from assay.judge.bisection.settings import Settings

Floats = NDArray[np.float64]

LEAST_BITS = 4e-3  # a round: what says less is not measured
_PATIENCE, _SPARE_BITS = 8.0, 4.0  # of 600 searches that settled none took 7.1 times its bits
_SURE_OF_SIZE = 2.0  # standard errors of BAD's centre, before other commits are measured


class Rounds(Struct, frozen=True, tag=True):
    """Interleaved rounds of a commit and GOOD: ln(time of the commit / time of GOOD)."""

    commit: str
    log_ratios: tuple[float, ...]


class Broken(Struct, frozen=True, tag=True):
    """A commit that does not build or does not run."""

    commit: str


class Step(Struct, frozen=True):
    """Measure this commit in as many rounds, then `with_rounds`; or `with_broken`."""

    commit: str
    rounds: int


class Search(Struct, frozen=True):
    """All that is known; `journal` is everything observed, in order."""

    graph: Graph
    settings: Settings = Settings()
    journal: tuple[Rounds | Broken, ...] = ()

    def with_rounds(self, commit: str, log_ratios: Iterable[float]) -> "Search":
        self.graph.position(commit)
        return self._after(Rounds(commit, tuple(float(d) for d in log_ratios)))

    def with_broken(self, commit: str) -> "Search":
        self.graph.position(commit)
        return self._after(Broken(commit))

    def _after(self, seen: Rounds | Broken) -> "Search":
        return Search(self.graph, self.settings, (*self.journal, seen))

    def next(self) -> Step | Answer:
        """What to measure, or the answer when nothing more need or can be measured."""
        answer = self.answer()
        if answer.settled or answer.rounds >= _limit(self):
            return answer
        return _step(self) or answer

    def posterior(self) -> dict[str, float]:
        """Commit -> probability that it is the culprit; they and `answer().none` make 1."""
        found = _belief(self).culprit
        return dict(zip(self.graph.commits, found.tolist(), strict=True))

    def answer(self) -> Answer:
        """The likeliest answer so far."""
        belief, commits = _belief(self), self.graph.commits
        classes = told_apart(self.graph, frozenset(belief.broken))
        sums = [float(belief.culprit[list(members)].sum()) for members in classes]
        best = max(range(len(sums)), key=sums.__getitem__)
        found, probability = tuple(commits[i] for i in classes[best]), sums[best]
        if belief.none > probability:
            found, probability = (), belief.none
        likeliest = np.argsort(-belief.culprit, kind="stable")[:5]
        return Answer(
            commits=found,
            probability=probability,
            settled=probability >= self.settings.target,
            others=tuple((commits[i], float(belief.culprit[i])) for i in likeliest),
            none=belief.none,
            size=belief.size,
            size_error=belief.size_error,
            rounds=int(belief.rounds.sum()),
        )


class _Belief(NamedTuple):
    """What the journal says, by commit."""

    culprit: Floats
    none: float
    outlook: Outlook
    rounds: Floats
    broken: tuple[int, ...]
    size: float
    size_error: float
    noise: Noise


@lru_cache(maxsize=4)
def _belief(search: Search) -> _Belief:
    graph, settings = search.graph, search.settings
    taken: dict[int, tuple[float, ...]] = defaultdict(tuple, {graph.bad: ()})
    broken = []
    for seen in search.journal:
        if isinstance(seen, Broken):
            broken.append(graph.position(seen.commit))
        elif seen.log_ratios:
            taken[graph.position(seen.commit)] += seen.log_ratios
    rounds = np.zeros(len(graph.commits))
    for commit, ratios in taken.items():
        rounds[commit] = len(ratios)
    groups = groups_of(graph, list(taken), settings)
    episodes = episodes_of(groups, settings)
    found, explained = explain_all(groups, episodes, list(taken.values()), settings)
    by_group = np.bincount(found.culprit, explained.weights, len(groups.prior))
    return _Belief(
        culprit=(by_group[:-1] / groups.sizes)[groups.group],
        none=float(by_group[-1]),
        outlook=outlook(graph, groups, episodes, found, explained.weights),
        rounds=rounds,
        broken=tuple(broken),
        size=explained.size,
        size_error=explained.size_error,
        noise=Noise(explained.size, explained.of_a_round, explained.layout**2),
    )


def _limit(search: Search) -> int:
    """Rounds after which no answer is to be had: many times what the bits to be learnt are worth.

    Without it, a search that measures fresh commits once each may go on so for hours. Dear builds
    are measured longer on purpose.
    """
    belief, settings = _belief(search), search.settings
    wanted = math.log2(len(search.graph.commits) + 1.0) + _SPARE_BITS
    patience = _PATIENCE * wanted / worth_of_a_round(belief.noise)
    patience += settings.build_cost * np.count_nonzero(belief.rounds)
    return int(min(patience, settings.budget_rounds))


def _step(search: Search) -> Step | None:
    belief, settings, bad = _belief(search), search.settings, search.graph.bad
    left = _limit(search) - int(belief.rounds.sum())
    if bad not in belief.broken and (more := _rounds_of_bad(belief, settings, bad)):
        return Step(search.graph.commits[bad], min(more, left))
    known = Known(*belief.outlook, belief.rounds, _works(belief))
    choice = choose(known, belief.noise, settings)
    if choice is None or choice.bits < LEAST_BITS * choice.rounds:
        return None
    return Step(search.graph.commits[choice.commit], min(choice.rounds, left))


def _rounds_of_bad(belief: _Belief, settings: Settings, bad: int) -> int:
    """The slowdown's size is learnt from BAD first: how much other rounds say hangs on it."""
    done = int(belief.rounds[bad])
    if not done:
        return settings.first_rounds
    wanted = _SURE_OF_SIZE**2 * belief.noise.round_variance / belief.size**2
    return min(max(0, round(wanted) - done), done, settings.most_rounds)


def _works(belief: _Belief) -> Floats:
    """Commits that do not build come in runs: the nearer to one, the less likely it builds."""
    works = np.ones(len(belief.rounds))
    for commit in belief.broken:
        away = np.abs(np.arange(len(works)) - commit)
        works = np.minimum(works, away / (away + 1.0))
    works[belief.rounds > 0.0] = 1.0
    works[list(belief.broken)] = 0.0
    return works
