"""Which commits may have made BAD slower, in groups that the measured commits cannot tell apart.

A commit is slow when it contains the culprit. It is also slow between another slowdown and
the commit that undid it (together called an episode), so that the first slow commit that one
meets is not always the culprit. A commit that is slow by both is twice as slow, and nothing
else shows a culprit that came inside an episode. All triples of culprit, slowdown and undoing are
too many to sum; groups of commits that the same measured commits contain are few (decision 34).
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.graph import Bools, CommitGraph, containment_matrix
from assay.judge.bisection.settings import SearchSettings

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]

# These bound the work of one step, but for `_NEVER`: round numbers that decision 34 does not name.
_NEGLIGIBLE = 1e-5  # hypotheses so much less likely than the likeliest are left out
_MOST = 1500  # hypotheses kept at most: the likeliest
_NEVER = 1e-300  # stands for a prior of 0, which has no logarithm
_FORGOTTEN = 5e-4  # probability of an episode below which the planning leaves it out


class Groups(msgspec.Struct, frozen=True):
    """Groups of commits that the same measured commits contain: rounds do not tell them apart."""

    group: Numbers  # the number of each commit's group
    sizes: Floats  # commits in each group
    # Measured commit x group: whether a culprit in that group makes the commit slow. The last group
    # stands for no culprit.
    pattern: Bools
    prior: Floats  # probability of each group that the culprit is in it


class Episodes(msgspec.Struct, frozen=True):
    """Possible slowdowns that were undone: each came in group `first`, and was undone in `last`.

    Episode 0 stands for none.
    """

    first: Numbers
    last: Numbers
    pattern: Bools  # measured commit x episode: whether the episode makes the commit slow
    prior: Floats


class Hypotheses(msgspec.Struct, frozen=True):
    """Of each hypothesis: the culprit's group, the episode, and which measured commits are slow."""

    culprit: Numbers
    episode: Numbers
    slow: Floats  # measured commit x hypothesis: 0, 1, or 2 where slow by culprit and episode
    passing: Floats  # measured commit x hypothesis: 1 where it is slow by the episode
    log_prior: Floats


def groups_of(graph: CommitGraph, measured: Sequence[int], settings: SearchSettings) -> Groups:
    """Group the commits by which of the `measured` positions contain them (decision 34)."""
    columns = containment_matrix(graph)[list(measured)]
    packed = np.packbits(columns, axis=0)
    _, first, group = np.unique(packed, axis=1, return_index=True, return_inverse=True)
    sizes = np.bincount(group.ravel()).astype(np.float64)
    prior = np.append((1.0 - settings.none) * sizes / sizes.sum(), max(settings.none, _NEVER))
    pattern = np.hstack([columns[:, first], np.zeros((len(columns), 1), dtype=np.bool_)])
    return Groups(group.ravel(), sizes, pattern, prior)


def episodes_of(groups: Groups, settings: SearchSettings) -> Episodes:
    """All pairs of a slowdown and the commit that undid it, with their prior.

    Any commit may undo something, and that may be anything that it contains (decision 34).
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


def without_episodes(groups: Groups) -> Hypotheses:
    """The hypotheses without an episode: one for each group of the culprit."""
    every, slow = np.arange(len(groups.prior)), groups.pattern.astype(np.float64)
    return Hypotheses(every, 0 * every, slow, 0.0 * slow, np.log(groups.prior))


def likely_hypotheses(
    groups: Groups, episodes: Episodes, gain: Floats, power: Floats
) -> Hypotheses:
    """The hypotheses with episodes that are not negligible, by a rough log likelihood.

    Of each measured commit, `gain` and `power` say what being slow explains: a commit that is `n`
    times slow by a hypothesis adds `n * gain - n * n * power / 2`. At most `_MOST` are kept,
    and always those without an episode.
    """
    prior = np.log(groups.prior)[:, None] + np.log(episodes.prior)
    score = prior + _rough_log_likelihood(groups, episodes, gain - 0.5 * power, power)
    least = score.max() + np.log(_NEGLIGIBLE)
    if score.size > _MOST:
        least = max(least, np.partition(score, score.size - _MOST, axis=None)[-_MOST])
    kept = score >= least
    kept[:, 0] = True
    culprit, episode = np.nonzero(kept)
    passing = episodes.pattern[:, episode].astype(np.float64)
    slow = groups.pattern[:, culprit] + passing
    return Hypotheses(culprit, episode, slow, passing, prior[culprit, episode])


def _rough_log_likelihood(groups: Groups, episodes: Episodes, once: Floats, less: Floats) -> Floats:
    """Culprit x episode: the sums of `once` over the commits slow by either of them, less the sum
    of `less` over those slow by both."""
    culprit, episode = groups.pattern.astype(np.float32), episodes.pattern.astype(np.float32)
    both = (culprit * less[:, None].astype(np.float32)).T @ episode
    return np.asarray((once @ culprit)[:, None] + once @ episode - both)


class SlownessProbabilities(NamedTuple):
    """For each commit: how slow it may be, and what knowing that would be worth."""

    levels: Floats  # commit x 3: probability to be fast, slow once, slow by culprit and episode
    relevant: Floats  # share of the entropy of `levels` that tells of the culprit


def slowness_probabilities(
    graph: CommitGraph, groups: Groups, episodes: Episodes, found: Hypotheses, weights: Floats
) -> SlownessProbabilities:
    """How slow each commit may be, for planning; `weights` are the hypotheses' probabilities.

    Doubt whether a commit is slow by an episode is not counted as worth a round: otherwise a search
    that knew the culprit measured episodes for ever (decision 34).
    """
    share = _share_of_groups(graph, groups)
    mass = np.bincount(found.episode, weights, len(episodes.prior))
    kept = np.nonzero(mass > _FORGOTTEN)[0]
    joint = np.zeros((len(groups.prior), len(mass)))
    np.add.at(joint, (found.culprit, found.episode), weights)
    joint = joint[:, kept] / mass[kept].sum()
    culprit = joint.sum(axis=1)[:, None]
    passing = joint @ _slow_by_episode(share, episodes, kept)  # culprit's group x commit
    contained = np.vstack([share.T, np.zeros(len(share))])
    twice = (contained * passing).sum(axis=0)
    slow = (contained * culprit + passing).sum(axis=0) - 2.0 * twice
    levels = np.clip(np.stack([1.0 - slow - twice, slow, twice], axis=-1), 0.0, 1.0)
    doubt = binary_entropy(np.clip(passing / np.maximum(culprit, 1e-300), 0.0, 1.0))
    nuisance = (doubt * culprit).sum(axis=0)
    return SlownessProbabilities(
        levels,
        np.clip(1.0 - nuisance / np.maximum(entropy_of_distributions(levels), 1e-9), 0.0, 1.0),
    )


def _slow_by_episode(share: Floats, episodes: Episodes, kept: Numbers) -> Floats:
    """Episode x commit: probability that the commit is slow because of that episode."""
    first, last = episodes.first[kept], episodes.last[kept]
    same = first == last  # in one group, the slowdown comes first in one of two orders
    inside = share.T[first] * (1.0 - share.T[last]) * np.where(same, 2.0, 1.0)[:, None]
    inside[kept == 0] = 0.0
    return np.asarray(inside)


def binary_entropy(p: Floats) -> Floats:
    """Entropy in bits of an event with each of these probabilities."""
    return entropy_of_distributions(np.stack([p, 1.0 - p], axis=-1))


def entropy_of_distributions(shares: Floats) -> Floats:
    """Entropy in bits of distributions along the last axis, which is summed away."""
    return np.asarray(-(shares * np.log2(np.clip(shares, 1e-15, 1.0))).sum(axis=-1))


def _share_of_groups(graph: CommitGraph, groups: Groups) -> Floats:
    """Commit x group: the share of the group that the commit contains."""
    order = np.argsort(groups.group, kind="stable")
    starts = np.searchsorted(groups.group[order], np.arange(len(groups.sizes)))
    inside = np.add.reduceat(containment_matrix(graph)[:, order], starts, axis=1, dtype=np.int32)
    return np.asarray(inside / groups.sizes)
