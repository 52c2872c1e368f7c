"""The search for the commit that made BAD slower, as an immutable value of all observations.

So a search that was stored can be resumed.

search = Search(graph, SearchSettings())
while isinstance(step := search.next(), Step):
    search = search.with_rounds(step.commit, measure(step.commit, step.rounds))
print(step.commits, step.probability)   # a BisectionAnswer
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from assay.bisection import BisectionAnswer, ChangePart
from assay.judge.bisection.belief import (
    ModelPosterior,
    SeveralChanges,
    Taken,
    posterior_of_one,
    posterior_of_several,
    weight_of_several,
)
from assay.judge.bisection.graph import CommitGraph, containment_matrix, indistinguishable_commits
from assay.judge.bisection.mainline import line_of
from assay.judge.bisection.planning import NextStep, choose_next_step, information_of_a_round
from assay.judge.bisection.settings import SearchSettings

Floats = NDArray[np.float64]

# All of these were chosen on simulated histories (decision 34).
LEAST_BITS = 4e-3  # least information on the culprit, in bits a round, that a step must promise
# A search ends after 8 times the rounds in which the bits that name a commit, and 4 spare ones,
# could be learnt at best: of 600 searches that settled, none took over 7.1 times (without the 4).
_PATIENCE, _SPARE_BITS = 8.0, 4.0
_OPEN = 0.02  # while both models are at least this probable, it is open which of them holds
# With several levels, each is compared with BAD's. With a single round of BAD it stayed in doubt
# whether a commit a fifth faster was fast, and the search measured one neighbour after the other.
_SHARE_OF_BAD = 8  # at least one round in this many is one of BAD
_SECOND = 0.1  # least probability of a culprit up to a commit, and after it, to measure the commit
_LEAST_FOR_NONE = 12  # rounds of BAD before "BAD is not slower" is answered
_LEAST_TO_CHECK, _MOST_TO_CHECK = 2, 8  # rounds of BAD, at least and most, to name a culprit
# Within these limits, BAD is measured until the slowdown is so many of its standard errors.
_CHECKED = 5.0
# Other commits are measured once the slowdown of BAD is so many of its standard errors.
_SURE_OF_SIZE = 2.0


_MOST_RATIO = 50.0  # ln of 10^21: a nanosecond against 100,000 years
_Ratio = Annotated[float, Meta(ge=-_MOST_RATIO, le=_MOST_RATIO)]


class Rounds(Struct, frozen=True, tag=True):
    """Interleaved rounds of a commit and GOOD: ln(time of the commit / time of GOOD)."""

    commit: str
    log_ratios: Annotated[tuple[_Ratio, ...], Meta(min_length=1, max_length=100_000)]


class Broken(Struct, frozen=True, tag=True):
    """A commit that does not build or does not run."""

    commit: str


class Step(Struct, frozen=True):
    """The next thing to do: measure `commit` in so many `rounds` and tell the search by
    `with_rounds`, or by `with_broken` where it does not build or run."""

    commit: str
    rounds: int


class Search(Struct, frozen=True):
    """A search for the culprit; `journal` is everything that was observed, in order (decision 34).

    Log ratios are ln(time of the commit / time of GOOD), probabilities are shares of 1.
    """

    graph: CommitGraph
    settings: SearchSettings = SearchSettings()
    journal: tuple[Rounds | Broken, ...] = ()

    def with_rounds(self, commit: str, log_ratios: Iterable[float]) -> "Search":
        """The search after rounds of a commit. Raises `AssayError` for one not in the graph."""
        self.graph.position(commit)
        return self._with_observation(Rounds(commit, tuple(float(d) for d in log_ratios)))

    def with_broken(self, commit: str) -> "Search":
        """The search after a commit failed to build or run. Raises `AssayError` if unknown."""
        self.graph.position(commit)
        return self._with_observation(Broken(commit))

    def _with_observation(self, seen: Rounds | Broken) -> "Search":
        return Search(self.graph, self.settings, (*self.journal, seen))

    def next(self) -> Step | BisectionAnswer:
        """What to measure next, or the answer where nothing more need or can be measured."""
        answer = self.answer()
        if answer.rounds >= _most_rounds(self):
            return answer
        step = _last_check(self, answer) if answer.settled else _next_step(self)
        if step is None:
            return answer
        return Step(step.commit, min(step.rounds, self.settings.budget_rounds - answer.rounds))

    def posterior(self) -> dict[str, float]:
        """The probability of each commit to be the culprit; with `answer().none` they sum to 1."""
        found = _belief(self).culprit_probabilities
        return dict(zip(self.graph.commits, found.tolist(), strict=True))

    def answer(self) -> BisectionAnswer:
        """The likeliest answer so far, settled or not."""
        belief, commits = _belief(self), self.graph.commits
        view = belief.likelier_posterior
        classes = indistinguishable_commits(self.graph, frozenset(belief.broken))
        culprit = belief.culprit_probabilities
        sums = [float(culprit[list(members)].sum()) for members in classes]
        best = max(range(len(sums)), key=sums.__getitem__)
        found, probability = tuple(commits[i] for i in classes[best]), sums[best]
        if belief.probability_of_none > probability:
            found, probability = (), belief.probability_of_none
        likeliest = np.argsort(-culprit, kind="stable")[:5]
        return BisectionAnswer(
            commits=found,
            probability=probability,
            settled=probability >= self.settings.target,
            others=tuple((commits[i], float(culprit[i])) for i in likeliest),
            none=belief.probability_of_none,
            size=view.size,
            size_error=view.size_error,
            rounds=int(view.known.rounds.sum()),
            several=belief.more_than_one,
            parts=_changes_of_level(self, belief, found),
        )


class _Belief(msgspec.Struct, frozen=True):
    """The posterior of both models, given all rounds and failed builds in the journal."""

    one: ModelPosterior  # the posterior by the model of one change
    many: SeveralChanges  # the posterior by the model of several
    several: float  # probability of the model of several changes
    broken: tuple[int, ...]

    @property
    def likelier_posterior(self) -> ModelPosterior:
        """The posterior by the likelier of both models."""
        return self.many.view if self.several > 0.5 else self.one

    @property
    def more_than_one(self) -> float:
        """Probability that the level changed more than once. The model of several may explain one
        change better, if it is large: so its own probability of two changes is asked as well."""
        return self.several * self.many.more_than_one

    @property
    def culprit_probabilities(self) -> Floats:
        return np.asarray(
            (1.0 - self.several) * self.one.culprit + self.several * self.many.view.culprit
        )

    @property
    def probability_of_none(self) -> float:
        return (1.0 - self.several) * self.one.none + self.several * self.many.view.none


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
    works = _probability_to_work(len(graph.commits), taken, broken)
    one = posterior_of_one(graph, taken, works, settings)
    many = posterior_of_several(graph, taken, works, settings)
    several = weight_of_several(one, many.view, settings)
    return _Belief(one, many, several, tuple(broken))


def _changes_of_level(
    search: Search, belief: _Belief, found: tuple[str, ...]
) -> tuple[ChangePart, ...]:
    """The changes of level between GOOD and BAD, if more than one is likelier than not."""
    graph = search.graph
    slot = line_of(graph).slot
    answers = {int(slot[graph.position(one)]) for one in found}
    parts = []
    for one in belief.many.changes if belief.more_than_one > 0.5 else ():
        start = 0 if one.after is None else int(slot[one.after])
        inside = range(start + 1, int(slot[one.upto]) + 1)
        part = ChangePart(
            after="" if one.after is None else graph.commits[one.after],
            upto=graph.commits[one.upto],
            before=one.before,
            then=one.then,
            is_located=len(inside) == 1,
            is_answer=bool(answers & set(inside)),
        )
        parts.append(part)
    return tuple(parts)


def _most_rounds(search: Search) -> int:
    """Rounds after which the search gives up: many times what the bits to be learnt are worth.

    Without a limit, a search that measures one new commit after the other may go on for hours.
    Where builds are expensive commits are measured longer on purpose, so the limit is higher.
    """
    view, settings = _belief(search).likelier_posterior, search.settings
    wanted = math.log2(len(search.graph.commits) + 1.0) + _SPARE_BITS
    patience = _PATIENCE * wanted / information_of_a_round(view.noise)
    patience += settings.build_cost * np.count_nonzero(view.known.rounds)
    return int(min(patience, settings.budget_rounds))


def _last_check(search: Search, answer: BisectionAnswer) -> Step | None:
    """A last measurement before an answer is given; None: no such check is missing.

    Is BAD as slow as the answer says, or slower by another change? Does the answer rest on a
    single round of a commit, which may be a wild one? A few rounds may all lie in one disturbance
    of the host, so "BAD is not slower" takes more rounds.
    """
    bad, belief, commits = search.graph.bad, _belief(search), search.graph.commits
    rounds, noise = belief.likelier_posterior.known.rounds, belief.likelier_posterior.noise
    wanted = _LEAST_FOR_NONE
    if answer.commits:
        wanted = min(_MOST_TO_CHECK, math.ceil(_CHECKED**2 * noise.round_variance / noise.size**2))
        wanted = max(wanted, _LEAST_TO_CHECK)
    done = int(rounds[bad])
    if bad not in belief.broken and done < wanted:
        return Step(commits[bad], min(wanted - done, max(done, 1)))
    ends = [search.graph.position(one) for one in (answer.commits[:1] + answer.commits[-1:])]
    ends += [parent for one in ends[:1] for parent in search.graph.parents[one]]
    thin = [one for one in ends if rounds[one] == 1 and one not in belief.broken]
    return Step(commits[thin[0]], 1) if thin else None


def _next_step(search: Search) -> Step | None:
    belief, settings, bad = _belief(search), search.settings, search.graph.bad
    left = _most_rounds(search) - int(belief.one.known.rounds.sum())
    if bad not in belief.broken and (
        more := _rounds_of_bad(belief.likelier_posterior, settings, bad)
    ):
        return Step(search.graph.commits[bad], min(more, left))
    done, total = int(belief.one.known.rounds[bad]), int(belief.one.known.rounds.sum())
    if bad not in belief.broken and _models_disagree(belief) and done < _MOST_TO_CHECK:
        return Step(search.graph.commits[bad], min(max(done, 1), _MOST_TO_CHECK - done, left))
    if bad not in belief.broken and belief.several > 0.5 and done < total // _SHARE_OF_BAD:
        return Step(search.graph.commits[bad], 1)
    choice = _most_informative_step(search.graph, belief, settings)
    return (
        None
        if choice is None
        else Step(search.graph.commits[choice.commit], min(choice.rounds, left))
    )


def _models_disagree(belief: _Belief) -> bool:
    """Whether both models are sure, each of another commit. Then BAD's level decides best: either
    one change explains it as it explains the other commits, or it does not."""
    one, many = belief.one.culprit, belief.many.view.culprit
    is_open = _OPEN < belief.several < 1.0 - _OPEN
    return is_open and min(one.max(), many.max()) > 0.5 and one.argmax() != many.argmax()


def _most_informative_step(
    graph: CommitGraph, belief: _Belief, settings: SearchSettings
) -> NextStep | None:
    """The most informative step by the model with more doubt left; if it has none, a halving step.

    Where there is none of these either, it is the step by the other model.
    """
    one = (1.0 - belief.several) * _probability_of_other_answers(belief.one)
    many = belief.several * _probability_of_other_answers(belief.many.view)
    views = (belief.one, belief.many.view) if one >= many else (belief.many.view, belief.one)
    if many > one and belief.many.fork is not None:
        return NextStep(belief.many.fork, 1, 1.0)
    steps = (choose_next_step(view.known, view.noise, settings) for view in views)
    told = [one if one and one.bits >= LEAST_BITS * one.rounds else None for one in steps]
    return told[0] or _halving_step(graph, belief) or told[1]


def _halving_step(graph: CommitGraph, belief: _Belief) -> NextStep | None:
    """A commit not measured yet, of a branch too, that parts the probability of the culprit about
    equally. Where two commits are by far the likeliest, it lies between them."""
    culprit, known = belief.culprit_probabilities, belief.one.known
    before = containment_matrix(graph) @ culprit
    shares = np.minimum(before, culprit.sum() - before)
    shares[(known.rounds > 0.0) | (known.works < 0.5)] = 0.0
    best = int(np.argmax(shares))
    return NextStep(best, 1, 1.0) if shares[best] >= _SECOND else None


def _probability_of_other_answers(view: ModelPosterior) -> float:
    return 1.0 - max(float(view.culprit.max()), view.none)


def _rounds_of_bad(view: ModelPosterior, settings: SearchSettings, bad: int) -> int:
    """Rounds of BAD to measure before other commits.

    The size of the slowdown decides how much a round of another commit says.
    """
    done = int(view.known.rounds[bad])
    if not done:
        return settings.first_rounds
    wanted = _SURE_OF_SIZE**2 * view.noise.round_variance / view.noise.size**2
    return min(max(0, round(wanted) - done), done, settings.most_rounds)


def _probability_to_work(commits: int, taken: Taken, broken: list[int]) -> Floats:
    """Probability of each commit that it builds and runs.

    A commit that does not build is usually followed by more, so it is smaller near a broken commit.
    """
    works = np.ones(commits)
    for commit in broken:
        away = np.abs(np.arange(commits) - commit)
        works = np.minimum(works, away / (away + 1.0))
    works[[commit for commit, ratios in taken.items() if ratios]] = 1.0
    works[broken] = 0.0
    return works
