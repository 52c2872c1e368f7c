"""What one that knows all but the culprit needs, and what nobody can do with less.

It knows the slowdown's size, the exact density of the noise, the scale of layout and GOOD's own,
which commits are broken, and what was undone. It measures one round at a time, always
where it expects most bits, builds cost it nothing, and it ends at 95 %.
"""

import numpy as np
from numpy.typing import NDArray

from benchmarks.bisect_histories import NOISES, History

Floats = NDArray[np.float64]

_Z, _W = np.polynomial.hermite_e.hermegauss(21)
_W = _W / _W.sum()
_GRID = np.linspace(-60.0, 60.0, 24001)


def oracle(made: History, rng: np.random.Generator, target: float, none: float) -> tuple[bool, int]:
    """Whether it was right, and its rounds."""
    commits = len(made.parents)
    slow = np.hstack([made.contains | made.episode[:, None], made.episode[:, None]])
    measurable = np.array([i not in made.broken for i in range(commits)])
    classes = _classes(slow[measurable])
    log_prior = np.log(np.append(np.full(commits, (1.0 - none) / commits), none))
    tables, log_odds = np.zeros((commits, 2, len(_Z))), np.zeros(commits)
    taken = np.zeros(commits)
    log_posterior = log_prior.copy()
    values = slow.astype(np.float32)
    while taken.sum() < 5000:
        posterior = np.exp(log_posterior - log_posterior.max())
        posterior /= posterior.sum()
        mass = np.bincount(classes, posterior)
        if mass.max() >= target:
            break
        chosen = _most_bits(made, values @ posterior.astype(np.float32), taken, measurable)
        tables[chosen] += _log_densities(made, float(made.rounds(rng, chosen, 1)[0]))
        taken[chosen] += 1
        odds = _log_mean(tables[chosen, 1]) - _log_mean(tables[chosen, 0])
        log_posterior += (odds - log_odds[chosen]) * slow[chosen]
        log_odds[chosen] = odds
    truth = commits if made.culprit is None else made.culprit
    return bool(classes[truth] == mass.argmax()), int(taken.sum())


def told_apart(made: History) -> NDArray[np.intp]:
    """Of each commit and "none": a number that those share which nothing tells apart."""
    measurable = [i not in made.broken for i in range(len(made.parents))]
    rows = made.contains[measurable]
    return _classes(np.hstack([rows, np.zeros((len(rows), 1), dtype=np.bool_)]))


def _classes(slow: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Culprits that no commit that can be measured tells apart; the last is "none"."""
    _, number = np.unique(np.packbits(slow, axis=0), axis=1, return_inverse=True)
    return np.asarray(number.ravel())


def _log_densities(made: History, ratio: float) -> Floats:
    """Not slow and slow, for each layout effect the commit may have."""
    layout = made.layout * _Z - made.good_layout
    centres = np.array([layout, layout + np.log1p(made.size)])
    density = NOISES[made.noise].density((ratio - centres) / made.scale)
    return np.asarray(np.log(density + 1e-300))


def _log_mean(logs: Floats) -> float:
    most = logs.max()
    return float(np.log(_W @ np.exp(logs - most)) + most)


def _most_bits(
    made: History, slow: NDArray[np.float32], taken: Floats, measurable: NDArray[np.bool_]
) -> int:
    """By the formula for normal readings, with the exact worth of a round of this noise."""
    round_variance = made.scale**2 / fisher(made.noise)
    with np.errstate(divide="ignore"):
        now = 1.0 / (made.layout**2 + round_variance / taken)
        then = 1.0 / (made.layout**2 + round_variance / (taken + 1.0))
    distance = np.log1p(made.size) * np.sqrt(then - now)
    worth = np.clip(slow.astype(np.float64), 0.0, 1.0)
    fresh = np.where(measurable & (taken == 0), worth * (1.0 - worth), -1.0)
    again = np.nonzero(measurable & (taken > 0))[0]
    candidates = np.append(again, fresh.argmax()) if fresh.max() > 0.0 else again
    bits = normal_bits(worth[candidates], distance[candidates])
    return int(candidates[bits.argmax()])


def fisher(noise: str) -> float:
    """Information of one round about its centre, where the scale is 1."""
    density = NOISES[noise].density(_GRID)
    slope = np.gradient(density, _GRID)
    return float(np.trapezoid(slope**2 / np.maximum(density, 1e-300), _GRID))


def normal_bits(slow: Floats, distance: Floats) -> Floats:
    prior = np.log(np.clip(slow, 1e-12, 1)) - np.log(np.clip(1 - slow, 1e-12, 1))
    after = np.zeros(len(slow))
    for node, weight in zip(_Z, _W, strict=True):
        for side, share in ((0.5, slow), (-0.5, 1.0 - slow)):
            odds = np.clip(prior + distance * (node + side * distance), -60.0, 60.0)
            after += weight * share * entropy(1.0 / (1.0 + np.exp(-odds)))
    return np.asarray(entropy(slow) - after)


def entropy(p: Floats) -> Floats:
    p = np.clip(p, 1e-15, 1.0 - 1e-15)
    return np.asarray(-(p * np.log2(p) + (1.0 - p) * np.log2(1.0 - p)))


def least_rounds(made: History, none: float, error: float) -> float:
    """Nobody needs fewer on average: bits to be learnt (Fano) over bits of the best round."""
    commits = len(made.parents)
    sizes = np.bincount(_classes(made.contains[[i not in made.broken for i in range(commits)]]))
    prior = np.append((1.0 - none) * sizes / commits, none)
    prior = prior[prior > 0.0]
    unknown = float(-(prior * np.log2(prior)).sum())
    left = float(entropy(np.array([error]))[0]) + error * np.log2(len(prior))
    return float(max(0.0, unknown - left) / _capacity(made))


def _capacity(made: History) -> float:
    """Bits of one round of a commit that is slow by an even chance, its layout known."""
    density = NOISES[made.noise].density
    fast, slow = density(_GRID), density(_GRID - np.log1p(made.size) / made.scale)
    both = 0.5 * (fast + slow)
    bits = [0.5 * side * np.log2((side + 1e-300) / (both + 1e-300)) for side in (fast, slow)]
    return float(np.trapezoid(bits[0] + bits[1], _GRID))
