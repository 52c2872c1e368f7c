"""How well each hypothesis explains the rounds of the measured commits, in all likely worlds."""

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from assay.judge.bisection import worlds
from assay.judge.bisection.hypotheses import (
    Episodes,
    Groups,
    Hypotheses,
    likely_hypotheses,
    without_episodes,
)
from assay.judge.bisection.settings import SearchSettings
from assay.judge.bisection.worlds import Floats, Numbers, Rounds, Singles

_WORLDS = 500  # worlds that are combined with episodes: all with all are too many (decision 34)


class Posterior(msgspec.Struct, frozen=True):
    """The posterior of the hypotheses, and of the slowdown's size, the layout effects and noise."""

    weights: Floats  # probability of each hypothesis
    log_evidence: float  # log marginal likelihood of the rounds, over all hypotheses
    size: float  # mean of the slowdown (a log ratio), given that there is one
    size_error: float  # standard deviation of the slowdown
    layout: float  # root mean square of a build's layout effect
    of_a_round: float  # variance of the log ratio of one more round


def explain_all(
    groups: Groups, episodes: Episodes, rounds: Sequence[Rounds], settings: SearchSettings
) -> tuple[Hypotheses, Posterior]:
    """The likely hypotheses, and the posterior of them and of the worlds, given the rounds.

    `rounds` has the log ratios of each measured commit, in the order of `groups.pattern`. Half of
    the worlds are drawn where they are likely without episodes, half where any commit may be slow:
    without the latter, only worlds with much noise were left when a slowdown had been undone
    (decision 34).
    """
    tables = np.array([worlds.log_likelihood_table(each, settings) for each in rounds])
    prior = worlds.log_prior(settings)
    alone = _joint_probability(without_episodes(groups), tables, prior)[0].sum(axis=0)
    free = worlds.mass_if_any_is_slow(rounds, settings)
    kept, too_often = worlds.draw_worlds(0.5 * (alone + free), _WORLDS)
    tables = tables[:, :, kept]
    once, less = _mean_gains(tables, free[kept] * np.exp(too_often))
    found = likely_hypotheses(groups, episodes, once + 0.5 * less, less)
    joint, log_evidence = _joint_probability(found, tables, prior[kept] + too_often)
    return found, _posterior(found, joint, log_evidence, kept, settings)


def _mean_gains(tables: Singles, mass: Floats | Singles) -> tuple[Floats, Floats]:
    """For each measured commit, the gain in log likelihood if it has the slowdown searched for.

    Also by how much the gain from that slowdown and an undone one together stays below the sum of
    both gains. Both are averages over the worlds.
    """
    still, slow, passing, twice = np.einsum("nsw,w->sn", tables, mass / mass.sum())
    return slow - still, slow + passing - still - twice


def _joint_probability(
    found: Hypotheses, tables: Singles, prior: Floats | Singles
) -> tuple[Singles, float]:
    """Hypothesis x world: joint probability; and the log of the norm that it was divided by."""
    still, slow, passing, twice = np.moveaxis(tables, 1, 0)
    by_episode = found.passing.T.astype(np.float32)
    by_culprit = found.slow.T.astype(np.float32) - by_episode
    logs = by_culprit @ (slow - still) + (still.sum(axis=0) + prior).astype(np.float32)
    if by_episode.any():
        both = by_culprit * by_episode
        logs += by_episode @ (passing - still) + both @ (twice - slow - passing + still)
    logs += found.log_prior[:, None].astype(np.float32)
    joint = np.exp(logs - logs.max())
    total = float(joint.sum(dtype=np.float64))
    return np.asarray(joint / total, dtype=np.float32), float(logs.max()) + math.log(total)


def _posterior(
    found: Hypotheses, joint: Singles, log_evidence: float, kept: Numbers, settings: SearchSettings
) -> Posterior:
    mass = joint.sum(axis=0, dtype=np.float64)
    size, error = _mean_and_deviation_of_slowdown(
        joint[found.slow.any(axis=0)].sum(axis=0), kept, settings
    )
    return Posterior(
        weights=joint.sum(axis=1, dtype=np.float64),
        log_evidence=log_evidence,
        size=size,
        size_error=error,
        layout=math.sqrt(float(mass @ np.square(worlds.layout_scales(kept, settings)))),
        of_a_round=1.0 / float(mass @ worlds.information_of_a_round(kept)),
    )


def _mean_and_deviation_of_slowdown(
    mass: Singles, kept: Numbers, settings: SearchSettings
) -> tuple[float, float]:
    """Mean and standard deviation of the slowdown, over worlds in which a commit is slow."""
    total = float(mass.sum())
    if total < 1e-12:
        return settings.smallest, settings.smallest
    each = worlds.slowdown_sizes(kept, settings)
    mean = float(mass @ each) / total
    return mean, math.sqrt(max(float(mass @ np.square(each)) / total - mean * mean, 0.0))
