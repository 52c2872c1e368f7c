"""The posterior of each commit given the rounds so far, by two models and by both weighed.

Two models explain the rounds. `likelihood` has one change, and perhaps another that was undone, in
the whole graph of commits. `levels` has any number of changes along one line of commits. The
better a model explains the rounds, the more it counts: this is also the check whether one change
explains what was measured (decision 34).
"""

import math
from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.graph import CommitGraph
from assay.judge.bisection.hypotheses import (
    binary_entropy,
    episodes_of,
    groups_of,
    slowness_probabilities,
)
from assay.judge.bisection.levels import Levels, MeasuredCommit, infer_levels
from assay.judge.bisection.likelihood import explain_all
from assay.judge.bisection.mainline import Line, line_of
from assay.judge.bisection.planning import PlanningState, SlowdownNoise
from assay.judge.bisection.settings import SearchSettings

Floats = NDArray[np.float64]
# The commit that a branch left is measured, if at least this share of the doubt lies in the branch.
# Chosen on simulated histories with merges (decision 34, "Branches").
_WORTH_A_FORK = 0.3
Taken = Mapping[int, tuple[float, ...]]  # log ratios of each measured commit, by its position


class ModelPosterior(msgspec.Struct, frozen=True):
    """The posterior by one of the two models, and what planning the next step needs of it."""

    log_evidence: float  # log marginal likelihood of the rounds
    culprit: Floats  # probability of each commit to be the one that made BAD slower
    none: float  # probability that BAD is not slower
    known: PlanningState
    noise: SlowdownNoise
    size: float  # of the slowdown, as a log ratio
    size_error: float


class BelievedChange(msgspec.Struct, frozen=True):
    """A change of level (log ratios to GOOD) between two measured commits; `after` None: GOOD."""

    after: int | None
    upto: int
    before: float
    then: float


def posterior_of_one(
    graph: CommitGraph, taken: Taken, works: Floats, settings: SearchSettings
) -> ModelPosterior:
    """The posterior by the model of one change, and perhaps another slowdown that was undone.

    `works` is the probability of each commit that it can be built and run. Method: decision 34.
    """
    groups = groups_of(graph, list(taken), settings)
    episodes = episodes_of(groups, settings)
    found, explained = explain_all(groups, episodes, list(taken.values()), settings)
    by_group = np.bincount(found.culprit, explained.weights, len(groups.prior))
    seen = slowness_probabilities(graph, groups, episodes, found, explained.weights)
    return ModelPosterior(
        log_evidence=explained.log_evidence,
        culprit=(by_group[:-1] / groups.sizes)[groups.group],
        none=float(by_group[-1]),
        known=PlanningState(*seen, _rounds_by_commit(graph, taken), works),
        noise=SlowdownNoise(explained.size, explained.of_a_round, explained.layout**2),
        size=explained.size,
        size_error=explained.size_error,
    )


class SeveralChanges(msgspec.Struct, frozen=True):
    """The posterior by the model of any number of changes, those changes, and a fork to measure."""

    view: ModelPosterior
    changes: tuple[BelievedChange, ...]
    fork: int | None  # a commit to measure first, so that the likeliest branch can be searched
    more_than_one: float  # probability that the level changed in more than one place


def posterior_of_several(
    graph: CommitGraph, taken: Taken, works: Floats, settings: SearchSettings
) -> SeveralChanges:
    """The posterior by the model of any number of changes.

    A branch is searched once the merge is found that brought the rise, and the commit that the
    branch left has been measured. `works` as for `posterior_of_one`. Method: decision 34, "More
    than one change".
    """
    line = line_of(graph)
    known = _known_slots(line, taken, works, settings)
    is_open = line.is_main | (known[line.fork] & known[line.base] & known[line.upto])
    nodes = _nodes_of_line(line, taken, is_open, settings, len(graph.commits))
    found = infer_levels([node for node, _ in nodes], len(graph.commits), settings)
    culprit = found.culprit[line.slot]
    after = 1.0 - np.cumsum(found.culprit)[line.slot] - found.none
    fast = np.clip(found.fast[line.slot], 0.0, 1.0)
    view = ModelPosterior(
        log_evidence=found.log_evidence,
        culprit=culprit,
        none=found.none,
        known=PlanningState(
            levels=np.stack([fast, 1.0 - fast, 0.0 * fast], axis=-1),
            relevant=_share_about_culprit(fast, np.clip(after, 0.0, 1.0)),
            rounds=_rounds_by_commit(graph, taken),
            works=works * is_open,
        ),
        noise=SlowdownNoise(found.size, found.of_a_round, found.layout**2),
        size=float(found.means[-1]),
        size_error=float(found.errors[-1]),
    )
    fork = _fork_to_measure(line, known, culprit, is_open)
    changes = _likely_changes(found, [commit for _, commit in nodes])
    return SeveralChanges(view, changes, fork, _probability_of_two(found.changed))


def _probability_of_two(changed: Floats) -> float:
    """Probability that the level changed in two or more gaps between measured commits.

    `changed` has the probability of each gap.
    """
    none, one = 1.0, 0.0
    for share in changed.tolist():
        none, one = none * (1.0 - share), one * (1.0 - share) + none * share
    return max(0.0, 1.0 - none - one)


def _known_slots(
    line: Line, taken: Taken, works: Floats, settings: SearchSettings
) -> NDArray[np.bool_]:
    """Which slots of the line of commits have a known level.

    They are GOOD, commits of the main line that were measured or cannot be, and all between two
    measured ones that are equally slow.
    """
    known = np.zeros(len(line.slot) + 1, dtype=np.bool_)
    known[line.slot[line.is_main & (works == 0.0)]] = True
    before, level = 0, 0.0
    known[0] = True
    for commit in sorted(taken, key=lambda one: int(line.slot[one])):
        if line.is_main[commit] and taken[commit]:
            slot, now = int(line.slot[commit]), float(np.median(taken[commit]))
            known[slot] = True
            if abs(now - level) < settings.smallest:
                known[before:slot] = True
            before, level = slot, now
    return known


def _fork_to_measure(
    line: Line, known: NDArray[np.bool_], culprit: Floats, is_open: NDArray[np.bool_]
) -> int | None:
    """The commit that a branch left, if a good part of the doubt lies in that branch and nothing
    but this measurement is missing to search it."""
    waits = ~is_open & known[line.base] & known[line.upto]
    if not waits.any():
        return None
    mass = np.bincount(line.upto[waits], culprit[waits])
    most = int(np.argmax(mass))
    if mass[most] < _WORTH_A_FORK * (1.0 - culprit[~waits].max(initial=0.0)):
        return None
    inside = np.nonzero(waits & (line.upto == most))[0]
    return int(np.nonzero(line.slot == line.fork[inside[len(inside) // 2]])[0][0])


def _nodes_of_line(
    line: Line, taken: Taken, is_open: NDArray[np.bool_], settings: SearchSettings, slots: int
) -> list[tuple[MeasuredCommit, int]]:
    """Each measured commit as a node of the line, with its position, in the order of the slots.

    A commit of a branch tells of the commit that the branch left. Once the merge is found it
    tells of its own slot: as slow as it was measured, plus what the main line got meanwhile.
    """
    at, level = _slots_and_levels(line, taken, settings)
    found = []
    for commit, ratios in taken.items():
        slot, fork, base = (int(of[commit]) for of in (line.slot, line.fork, line.base))
        if is_open[commit]:
            shift = (
                0.0
                if line.is_main[commit]
                else _level_at(base, at, level) - _level_at(fork, at, level)
            )
            found.append((MeasuredCommit(slot, ratios, shift), commit))
        else:
            away = int(line.slot[commit] - base)  # about how many commits after the fork
            found.append((MeasuredCommit(fork, ratios, away=away), commit))
    return sorted(found, key=lambda one: (one[0].slot, one[1] == int(np.argmax(line.slot))))


def _slots_and_levels(
    line: Line, taken: Taken, settings: SearchSettings
) -> tuple[list[int], list[float]]:
    """Measured slots of the main line, and the level of each: the mean of it and its neighbours
    that are equally slow. A single commit's error would be in all commits of a branch."""
    at, runs = [0], [[0.0]]
    for commit in sorted(taken, key=lambda one: int(line.slot[one])):
        if line.is_main[commit] and taken[commit]:
            now = float(np.median(taken[commit]))
            at.append(int(line.slot[commit]))
            together = abs(now - float(np.mean(runs[-1]))) < settings.smallest
            runs.append([*runs[-1], now] if together else [now])
    # Of neighbours that are equally slow, the last mean is over all of them, so each gets that one.
    for place in reversed(range(1, len(runs))):
        if len(runs[place]) == len(runs[place - 1]) + 1:
            runs[place - 1] = runs[place]
    return at, [float(np.mean(one)) for one in runs]


def _level_at(slot: int, at: list[int], level: list[float]) -> float:
    """The level of the last measured commit up to this slot."""
    return level[int(np.searchsorted(at, slot, side="right")) - 1]


def _share_about_culprit(fast: Floats, after: Floats) -> Floats:
    """Mutual information of "is fast" and "the culprit comes later", as a share of the entropy.

    The entropy is that of `fast`, the probability that the commit is fast. `after` is the
    probability that the culprit comes later: then the commit may be slow or fast, and knowing which
    says nothing of the culprit. Where the culprit came before, the commit is slow.
    """
    given = np.clip(fast / np.maximum(after, 1e-12), 0.0, 1.0)
    doubt = binary_entropy(fast)
    told = doubt - after * binary_entropy(given)
    return np.asarray(np.clip(told / np.maximum(doubt, 1e-9), 0.0, 1.0))


def _likely_changes(found: Levels, order: list[int]) -> tuple[BelievedChange, ...]:
    ends = [None, *order]
    return tuple(
        BelievedChange(ends[gap], order[gap], float(found.means[gap]), float(found.means[gap + 1]))
        for gap in np.nonzero(found.changed > 0.5)[0].tolist()
    )


def _rounds_by_commit(graph: CommitGraph, taken: Taken) -> Floats:
    rounds = np.zeros(len(graph.commits))
    for commit, ratios in taken.items():
        rounds[commit] = len(ratios)
    return rounds


def weight_of_several(
    one: ModelPosterior, several: ModelPosterior, settings: SearchSettings
) -> float:
    """Probability that one change does not explain what was measured, by Bayes' theorem from the
    evidence of both models and the prior `settings.several`."""
    prior = math.log(settings.several) - math.log1p(-settings.several)
    odds = prior + several.log_evidence - one.log_evidence
    return 1.0 / (1.0 + math.exp(-min(max(odds, -700.0), 700.0)))
