"""An ideal Bayesian searcher that is told what a host could be known to do, and nothing else.

It knows the slowdown's size, the exact density of the noise, the scale of layout, and which
commits are broken. As the search it does not know the culprit, whether another
slowdown was undone (nor that one's size), nor GOOD's layout; it has the same prior.
It ends at a stated probability of its own (96.5 % in the simulation), or where nothing promises
as much as the search wants. It measures one round at a time, always the commit that
promises most bits, and builds cost it nothing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.graph import CommitGraph
from assay.judge.bisection.hypotheses import (
    Episodes,
    Groups,
    Hypotheses,
    SlownessProbabilities,
    entropy_of_distributions,
    episodes_of,
    groups_of,
    slowness_probabilities,
)
from assay.judge.bisection.planning import mutual_information
from assay.judge.bisection.search import LEAST_BITS
from assay.judge.bisection.settings import SearchSettings
from benchmarks.bisect_histories import NOISES, History
from benchmarks.bisect_oracle import fisher, told_apart

Floats = NDArray[np.float64]

_LAYOUTS, _LAYOUT_SHARES = np.polynomial.hermite_e.hermegauss(15)
_LAYOUT_SHARES = _LAYOUT_SHARES / _LAYOUT_SHARES.sum()
_GOODS = np.linspace(-2.4, 2.4, 9)  # GOOD's layout, in units of the scale
_LOG_GOODS = -0.5 * np.square(_GOODS)
_OTHERS = (0.0, 0.0333, 0.04, 0.0467)  # sizes of what was undone; 0.0: the culprit's
_LOG_OTHERS = np.log([0.5, 1 / 6, 1 / 6, 1 / 6])
_MOST = 5000  # rounds


def fair_oracle(
    made: History, rng: np.random.Generator, settings: SearchSettings
) -> tuple[bool, int]:
    """Whether it was right, and its rounds."""
    names = tuple(str(i) for i in range(len(made.parents)))
    graph = CommitGraph(names, tuple(tuple(p) for p in made.parents))
    classes = told_apart(made)
    tables: dict[int, Floats] = {}
    rounds = np.zeros(len(names))
    while True:
        belief = _believed(graph, tables, settings)
        mass = np.bincount(classes, belief.culprit)
        if mass.max() >= settings.target or rounds.sum() >= _MOST:
            break
        chosen = _most_bits(made, belief.outlook, rounds)
        if chosen is None:
            break
        table = _log_densities(made, float(made.rounds(rng, chosen, 1)[0]))
        tables[chosen] = tables[chosen] + table if chosen in tables else table
        rounds[chosen] += 1.0
    truth = len(names) if made.culprit is None else made.culprit
    return bool(classes[truth] == mass.argmax()), int(rounds.sum())


class _Belief(NamedTuple):
    culprit: Floats  # of each commit, and last of "none"
    outlook: SlownessProbabilities


def _believed(graph: CommitGraph, tables: dict[int, Floats], settings: SearchSettings) -> _Belief:
    measured = list(tables) or [graph.bad]
    groups = groups_of(graph, measured, settings)
    episodes = episodes_of(groups, settings)
    log = np.log(groups.prior)[:, None] + np.log(episodes.prior)
    if tables:
        log = log + _log_likelihood(groups, episodes, list(tables.values()))
    posterior = np.exp(log - log.max())
    posterior /= posterior.sum()
    by_group = posterior.sum(axis=1)
    culprit, episode = np.nonzero(posterior > 1e-9)
    none = np.zeros((0, len(culprit)))
    found = Hypotheses(culprit, episode, none, none, log[culprit, episode])
    seen = slowness_probabilities(graph, groups, episodes, found, posterior[culprit, episode])
    each = (by_group[:-1] / groups.sizes)[groups.group]
    return _Belief(np.append(each, by_group[-1]), seen)


def _log_likelihood(groups: Groups, episodes: Episodes, tables: list[Floats]) -> Floats:
    """Culprit's group x episode, over all sizes of the episode and all layouts of GOOD."""
    logs = np.array([_log_mean(table) for table in tables])  # commit x other x good x state
    one, other = groups.pattern.astype(np.float64), episodes.pattern.astype(np.float64)
    parts = []
    for j, log_other in enumerate(_LOG_OTHERS):
        for g, log_good in enumerate(_LOG_GOODS):
            still, slow, passing, twice = logs[:, j, g].T
            both = (one * (twice - slow - passing + still)[:, None]).T @ other
            alone = ((slow - still) @ one)[:, None] + (passing - still) @ other
            parts.append(still.sum() + alone + both + log_other + log_good)
    return np.asarray(np.logaddexp.reduce(parts, axis=0))


def _log_densities(made: History, ratio: float) -> Floats:
    """Other size x GOOD's layout x (not slow, slow, by the episode, by both) x layout."""
    slow = np.log1p(made.size)
    passing = np.array([np.log1p(other or made.size) for other in _OTHERS])
    states = np.stack([0 * passing, 0 * passing + slow, passing, passing + slow], axis=1)
    layouts = made.layout * (_LAYOUTS - _GOODS[:, None])
    away = ratio - states[:, None, :, None] - layouts[None, :, None, :]
    return np.asarray(np.log(NOISES[made.noise].density(away / made.scale) + 1e-300))


def _log_mean(logs: Floats) -> Floats:
    most = logs.max(axis=-1)
    return np.asarray(np.log(np.exp(logs - most[..., None]) @ _LAYOUT_SHARES) + most)


def _most_bits(made: History, seen: SlownessProbabilities, rounds: Floats) -> int | None:
    """None: nothing would say anything (which of two overlapping slowdowns was undone)."""
    round_variance = made.scale**2 / fisher(made.noise)
    with np.errstate(divide="ignore"):
        now = 1.0 / (made.layout**2 + round_variance / rounds)
        then = 1.0 / (made.layout**2 + round_variance / (rounds + 1.0))
    distance = np.log1p(made.size) * np.sqrt(then - now)
    worth = entropy_of_distributions(seen.levels) * seen.relevant
    worth[list(made.broken)] = -1.0
    fresh = np.where(rounds == 0, worth, -1.0)
    again = np.nonzero(rounds > 0)[0]
    candidates = np.append(again, fresh.argmax()) if fresh.max() > 0.0 else again
    told = (
        mutual_information(seen.levels[candidates], distance[candidates])
        * seen.relevant[candidates]
    )
    return int(candidates[told.argmax()]) if told.max() >= LEAST_BITS else None
