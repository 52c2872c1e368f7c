"""Which commits may have made BAD slower, in groups that the measured commits cannot tell apart.

A commit is slow when it contains the culprit. It is also slow between another slowdown and
the commit that undid it (an episode), so that the first slow commit that one meets is
not always the culprit. All triples of culprit, slowdown and undoing are too many;
groups of commits that the same measured commits contain are few.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.graph import Bools, Graph, contains
from assay.judge.bisection.settings import Settings

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]

_NEGLIGIBLE = 1e-6  # of the likeliest: hypotheses that are not looked at closely
_FORGOTTEN = 1e-5  # probability of an episode that no choice hangs on


class Groups(NamedTuple):
    """Commits that the same measured commits contain."""

    group: Numbers  # of each commit
    sizes: Floats
    pattern: Bools  # measured commit x culprit's group: slow by it; the last group is "none"
    prior: Floats  # of the culprit's group


class Episodes(NamedTuple):
    """Pairs of groups: in `first` a slowdown came that was undone in `last`. Pair 0 is none."""

    first: Numbers
    last: Numbers
    pattern: Bools  # measured commit x episode: slow by it
    prior: Floats


class Hypotheses(NamedTuple):
    """Of each: the culprit's group, the episode, and which measured commits are slow."""

    culprit: Numbers
    episode: Numbers
    slow: Floats  # measured commit x hypothesis: 1 or 0
    log_prior: Floats


def groups_of(graph: Graph, measured: Sequence[int], settings: Settings) -> Groups:
    columns = contains(graph)[list(measured)]
    packed = np.packbits(columns, axis=0)
    _, first, group = np.unique(packed, axis=1, return_index=True, return_inverse=True)
    sizes = np.bincount(group.ravel()).astype(np.float64)
    prior = np.append((1.0 - settings.none) * sizes / sizes.sum(), settings.none)
    pattern = np.hstack([columns[:, first], np.zeros((len(columns), 1), dtype=np.bool_)])
    return Groups(group.ravel(), sizes, pattern, prior)


def episodes_of(groups: Groups, settings: Settings) -> Episodes:
    """What undoes a slowdown contains it: what contains the one contains the other."""
    pattern, sizes = groups.pattern[:, :-1], groups.sizes
    outside = (~pattern).astype(np.float64).T @ pattern.astype(np.float64)
    first, last = np.nonzero(outside == 0.0)
    pairs = sizes[first] * np.where(first == last, 0.5 * (sizes[first] - 1.0), sizes[last])
    first, last, pairs = first[pairs > 0.0], last[pairs > 0.0], pairs[pairs > 0.0]
    share = settings.undone if len(pairs) else 0.0
    prior = np.append(1.0 - share, share * pairs / max(pairs.sum(), 1.0))
    slow = np.hstack([np.zeros((len(pattern), 1), np.bool_), pattern[:, first] & ~pattern[:, last]])
    return Episodes(np.append(0, first), np.append(0, last), slow, prior)


def single(groups: Groups) -> Hypotheses:
    """Without episodes."""
    every = np.arange(len(groups.prior))
    return Hypotheses(every, 0 * every, groups.pattern.astype(np.float64), np.log(groups.prior))


def likely(groups: Groups, episodes: Episodes, gain: Floats, power: Floats) -> Hypotheses:
    """With episodes: all that are not negligible, by a rough likelihood.

    What a hypothesis gains is the sum of `gain` over the commits that are slow by it, less
    half the sum of `power`.
    """
    prior = np.log(groups.prior)[:, None] + np.log(episodes.prior)
    score = prior + _of_either(groups, episodes, gain - 0.5 * power)
    kept = score > score.max() + np.log(_NEGLIGIBLE)
    kept[:, 0] = True
    culprit, episode = np.nonzero(kept)
    slow = groups.pattern[:, culprit] | episodes.pattern[:, episode]
    return Hypotheses(culprit, episode, slow.astype(np.float64), prior[culprit, episode])


def _of_either(groups: Groups, episodes: Episodes, values: Floats) -> Floats:
    """Sum of `values` over the measured commits that are slow by culprit or episode."""
    culprit, episode = groups.pattern.astype(np.float64), episodes.pattern.astype(np.float64)
    both = (culprit * values[:, None]).T @ episode
    return np.asarray((values @ culprit)[:, None] + values @ episode - both)


def slow_probability(
    graph: Graph, groups: Groups, episodes: Episodes, found: Hypotheses, weights: Floats
) -> Floats:
    """Of each commit, `weights` being the probabilities of the hypotheses."""
    share = _share_of_groups(graph, groups)
    mass = np.bincount(found.episode, weights, len(episodes.prior))
    kept = np.nonzero(mass > _FORGOTTEN)[0]
    clear = np.zeros(len(share))
    for episode in kept:
        these = found.episode == episode
        not_by_it = 1.0 - _in_episode(share, int(episodes.first[episode]), int(episodes.last[episode]), int(episode))
        by_culprit = np.bincount(found.culprit[these], weights[these], len(groups.prior))
        clear += not_by_it * (mass[episode] - share @ by_culprit[:-1])
    return np.asarray(np.clip(1.0 - clear / mass[kept].sum(), 0.0, 1.0))


def _in_episode(share: Floats, first: int, last: int, episode: int) -> Floats | float:
    if not episode:
        return 0.0
    if first == last:  # the two commits may lie in this order only
        return np.asarray(2.0 * share[:, first] * (1.0 - share[:, first]))
    return np.asarray(share[:, first] * (1.0 - share[:, last]))


def _share_of_groups(graph: Graph, groups: Groups) -> Floats:
    """Commit x group: how much of the group the commit contains."""
    order = np.argsort(groups.group, kind="stable")
    starts = np.searchsorted(groups.group[order], np.arange(len(groups.sizes)))
    inside = np.add.reduceat(contains(graph)[:, order], starts, axis=1, dtype=np.int32)
    return np.asarray(inside / groups.sizes)
