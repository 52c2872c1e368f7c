"""Which commits may have made BAD slower, in groups that the measured commits cannot tell apart.

A commit is slow when it contains the culprit. It is also slow between another slowdown and
the commit that undid it (an episode), so that the first slow commit that one meets is
not always the culprit. A commit that is slow by both is twice as slow: where the culprit
came inside an episode, nothing else tells so. All triples of culprit, slowdown and
undoing are too many; groups of commits that the same measured commits contain are few.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.graph import Bools, Graph, contains
from assay.judge.bisection.settings import Settings

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]

_NEGLIGIBLE = 1e-5  # of the likeliest: hypotheses that are not looked at closely
_MOST = 1500  # that are
_NEVER = 1e-300  # a prior of nought that has a logarithm
_FORGOTTEN = 5e-4  # probability of an episode that no choice hangs on


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
    slow: Floats  # measured commit x hypothesis: 0, 1, or 2 where it is slow by both
    passing: Floats  # the same: 1 where it is slow by the episode
    log_prior: Floats


def groups_of(graph: Graph, measured: Sequence[int], settings: Settings) -> Groups:
    columns = contains(graph)[list(measured)]
    packed = np.packbits(columns, axis=0)
    _, first, group = np.unique(packed, axis=1, return_index=True, return_inverse=True)
    sizes = np.bincount(group.ravel()).astype(np.float64)
    prior = np.append((1.0 - settings.none) * sizes / sizes.sum(), max(settings.none, _NEVER))
    pattern = np.hstack([columns[:, first], np.zeros((len(columns), 1), dtype=np.bool_)])
    return Groups(group.ravel(), sizes, pattern, prior)


def episodes_of(groups: Groups, settings: Settings) -> Episodes:
    """What undoes a slowdown contains it: what contains the one contains the other.

    Any commit may undo something, and that may be anything that it contains.
    """
    pattern, sizes = groups.pattern[:, :-1], groups.sizes
    outside = (~pattern).astype(np.float64).T @ pattern.astype(np.float64)
    inside = outside == 0.0
    first, last = np.nonzero(inside)
    pairs = sizes[first] * np.where(first == last, 0.5 * (sizes[first] - 1.0), sizes[last])
    pairs /= (sizes @ inside - 0.5 * sizes)[last]
    first, last, pairs = first[pairs > 0.0], last[pairs > 0.0], pairs[pairs > 0.0]
    share = settings.undone if len(pairs) else 0.0
    prior = np.append(1.0 - share, np.maximum(share * pairs / max(pairs.sum(), _NEVER), _NEVER))
    slow = np.hstack([np.zeros((len(pattern), 1), np.bool_), pattern[:, first] & ~pattern[:, last]])
    return Episodes(np.append(0, first), np.append(0, last), slow, prior)


def single(groups: Groups) -> Hypotheses:
    """Without episodes."""
    every, slow = np.arange(len(groups.prior)), groups.pattern.astype(np.float64)
    return Hypotheses(every, 0 * every, slow, 0.0 * slow, np.log(groups.prior))


def likely(groups: Groups, episodes: Episodes, gain: Floats, power: Floats) -> Hypotheses:
    """With episodes: all that are not negligible, by a rough likelihood.

    A commit that is `n` times slow by a hypothesis gives `n * gain - n * n * power / 2`.
    """
    prior = np.log(groups.prior)[:, None] + np.log(episodes.prior)
    score = prior + _rough(groups, episodes, gain - 0.5 * power, power)
    least = score.max() + np.log(_NEGLIGIBLE)
    if score.size > _MOST:
        least = max(least, np.partition(score, score.size - _MOST, axis=None)[-_MOST])
    kept = score >= least
    kept[:, 0] = True
    culprit, episode = np.nonzero(kept)
    passing = episodes.pattern[:, episode].astype(np.float64)
    slow = groups.pattern[:, culprit] + passing
    return Hypotheses(culprit, episode, slow, passing, prior[culprit, episode])


def _rough(groups: Groups, episodes: Episodes, once: Floats, less: Floats) -> Floats:
    """Culprit x episode: `once` of what is slow by each, `less` where by both."""
    culprit, episode = groups.pattern.astype(np.float32), episodes.pattern.astype(np.float32)
    both = (culprit * less[:, None].astype(np.float32)).T @ episode
    return np.asarray((once @ culprit)[:, None] + once @ episode - both)


class Outlook(NamedTuple):
    """Of each commit: how slow it may be, and what knowing that would be worth."""

    levels: Floats  # commit x 3: probability that it is not slow, slow, slow by two
    relevant: Floats  # share of the doubt about it that is doubt about the culprit


def outlook(
    graph: Graph, groups: Groups, episodes: Episodes, found: Hypotheses, weights: Floats
) -> Outlook:
    """`weights` are the probabilities of the hypotheses.

    Whether a commit is slow by an episode is not worth a round of its own: where the
    culprit was known and that still was not, it would be measured for ever.
    """
    share = _share_of_groups(graph, groups)
    mass = np.bincount(found.episode, weights, len(episodes.prior))
    kept = np.nonzero(mass > _FORGOTTEN)[0]
    joint = np.zeros((len(groups.prior), len(mass)))
    np.add.at(joint, (found.culprit, found.episode), weights)
    joint = joint[:, kept] / mass[kept].sum()
    culprit = joint.sum(axis=1)[:, None]
    passing = joint @ _in_episodes(share, episodes, kept)  # culprit's group x commit
    contained = np.vstack([share.T, np.zeros(len(share))])
    twice = (contained * passing).sum(axis=0)
    slow = (contained * culprit + passing).sum(axis=0) - 2.0 * twice
    levels = np.clip(np.stack([1.0 - slow - twice, slow, twice], axis=-1), 0.0, 1.0)
    doubt = entropy(np.clip(passing / np.maximum(culprit, 1e-300), 0.0, 1.0))
    nuisance = (doubt * culprit).sum(axis=0)
    return Outlook(levels, np.clip(1.0 - nuisance / np.maximum(bits(levels), 1e-9), 0.0, 1.0))


def _in_episodes(share: Floats, episodes: Episodes, kept: Numbers) -> Floats:
    """Episode x commit: probability that the commit is slow by it."""
    first, last = episodes.first[kept], episodes.last[kept]
    same = first == last  # the two commits may lie in this order only
    inside = share.T[first] * (1.0 - share.T[last]) * np.where(same, 2.0, 1.0)[:, None]
    inside[kept == 0] = 0.0
    return np.asarray(inside)


def entropy(p: Floats) -> Floats:
    """In bits, of a thing that has this probability."""
    return bits(np.stack([p, 1.0 - p], axis=-1))


def bits(shares: Floats) -> Floats:
    """Entropy of the last axis."""
    return np.asarray(-(shares * np.log2(np.clip(shares, 1e-15, 1.0))).sum(axis=-1))


def _share_of_groups(graph: Graph, groups: Groups) -> Floats:
    """Commit x group: how much of the group the commit contains."""
    order = np.argsort(groups.group, kind="stable")
    starts = np.searchsorted(groups.group[order], np.arange(len(groups.sizes)))
    inside = np.add.reduceat(contains(graph)[:, order], starts, axis=1, dtype=np.int32)
    return np.asarray(inside / groups.sizes)
