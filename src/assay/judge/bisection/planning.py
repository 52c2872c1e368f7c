"""Which commit to measure next, and how often: most information for what it costs."""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.hypotheses import entropy_of_distributions
from assay.judge.bisection.settings import SearchSettings

Floats = NDArray[np.float64]

# Both bound the work of one step; decision 34, which has the method, does not name them.
_ROUNDS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # numbers of rounds that a step may take
_CANDIDATES = 24  # commits not measured yet that are looked at closely: the most promising
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(12)  # integrates over a normal distribution


class PlanningState(msgspec.Struct, frozen=True):
    """What the choice of the next commit to measure rests on: one value or row for each commit."""

    levels: Floats  # commit x 3: probability to be fast, slow once, slow by culprit and episode
    relevant: Floats  # share of the entropy of `levels` that tells of the culprit
    rounds: Floats  # rounds measured so far
    works: Floats  # probability that the commit can be built and run; 0: it is known that it cannot


class SlowdownNoise(msgspec.Struct, frozen=True):
    """The slowdown's size (a log ratio), and the variances that hide it: of rounds, of layout."""

    size: float
    round_variance: float
    layout_variance: float


class NextStep(msgspec.Struct, frozen=True):
    """The most promising step: position of the commit, rounds, and bits that they promise."""

    commit: int
    rounds: int
    bits: float


def choose_next_step(
    known: PlanningState, noise: SlowdownNoise, settings: SearchSettings
) -> NextStep | None:
    """The step that promises most bits about the culprit for its cost in rounds (decision 34).

    A commit that was not measured yet also costs `settings.build_cost`. None: no commit is left
    whose measurement would say anything.
    """
    found = _candidates(known)
    if not len(found):
        return None
    counts = np.array([n for n in _ROUNDS if n <= settings.most_rounds], dtype=np.float64)
    before = known.rounds[found][:, None]
    distance = np.sqrt(_squared_distance(before + counts, noise) - _squared_distance(before, noise))
    told = (
        mutual_information(known.levels[found][:, None], distance)
        * _useful_share(known)[found][:, None]
    )
    cost = counts + np.where(before > 0.0, 0.0, settings.build_cost)
    best = int(np.argmax(told / cost))
    row, column = divmod(best, len(counts))
    return NextStep(int(found[row]), int(counts[column]), float(told[row, column]))


def information_of_a_round(noise: SlowdownNoise) -> float:
    """Bits of the first round of a commit that is slow with probability 1/2: no round says more."""
    distance = np.sqrt(_squared_distance(np.ones(1), noise))
    return float(mutual_information(np.array([[0.5, 0.5]]), distance)[0])


def _candidates(known: PlanningState) -> NDArray[np.intp]:
    """Positions of all commits that were measured, and of the others those with most doubt."""
    worth = entropy_of_distributions(known.levels) * _useful_share(known)
    fresh = np.nonzero((known.rounds == 0.0) & (worth > 0.0))[0]
    best = fresh[np.argsort(-worth[fresh], kind="stable")[:_CANDIDATES]]
    return np.concatenate([np.nonzero((known.rounds > 0.0) & (known.works > 0.0))[0], best])


def _useful_share(known: PlanningState) -> Floats:
    return np.asarray(known.relevant * known.works)


def _squared_distance(rounds: Floats, noise: SlowdownNoise) -> Floats:
    """Squared distance from a fast to a slow commit, in standard deviations of a rounds' centre."""
    with np.errstate(divide="ignore"):
        return np.asarray(noise.size**2 / (noise.layout_variance + noise.round_variance / rounds))


def mutual_information(levels: Floats, distance: Floats) -> Floats:
    """Bits that a normal reading gives of how slow a commit is (mutual information).

    `levels` are the probabilities of each level (last axis, summed away); each level is `distance`
    standard deviations of the reading from the next. By Gauss-Hermite quadrature.
    """
    shares = np.moveaxis(levels, -1, 0)
    steps = np.arange(len(shares)).reshape(-1, *(1 for _ in shares.shape[1:]))
    logs = np.log(np.clip(shares, 1e-12, 1.0)) - 0.5 * np.square(steps * distance)
    after = np.zeros(1)
    for node, weight in zip(_NODES, _WEIGHTS / math.sqrt(2.0 * math.pi), strict=True):
        for step, share in enumerate(shares):
            score = logs + steps * (distance * (step * distance + node))
            score -= score.max(axis=0)
            odds = np.exp(score)
            total = odds.sum(axis=0)
            entropy = np.log(total) - (odds * score).sum(axis=0) / total
            after = after + weight * share * entropy
    return np.asarray(np.maximum(entropy_of_distributions(levels) - after / math.log(2.0), 0.0))
