"""Any number of changes, of any size, up and down: the levels of commits that stand in a line.

    found = infer_levels(nodes, slots=1024, settings)
    found.culprit[17]       the probability that commit 17 brought the last lasting rise

A level is how much slower than GOOD a commit is, as a log ratio. From one commit to the next it
stays, or with a small probability becomes any other. So the levels of the measured commits are a
hidden Markov chain, and all histories of changes are summed exactly by the forward-backward
algorithm (Rabiner, Proceedings of the IEEE 1989), for each kind of noise and scale of layout.

A commit is fast where its level lies below BAD's by what is worth a search, and by an eighth of
what BAD is slower than GOOD. The culprit is the commit after the last fast one: BAD still has what
it brought. Where BAD is not slower there is no culprit (decision 34, "More than one change").
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.noise import (
    INFORMATION,
    LOG_PRIOR,
    NOISES,
    grid_of_centres,
    log_likelihood,
)
from assay.judge.bisection.settings import SearchSettings

Floats = NDArray[Any]

# Chosen on the simulated histories of seeds from 29,000,000 on (decision 34).
_LAYOUTS = (0.5, 1.0, 2.0)  # scales of layout effects, as factors of `SearchSettings.layout`
_LAYOUT_SHARES = np.log([0.25, 0.5, 0.25])  # prior probabilities of these scales
_CHANGES = 3.0  # prior: expected number of changes of level among all commits from GOOD to BAD
_AS_GOOD = 0.25  # share of changes after which a commit is as fast as GOOD again
_FASTER = 0.2  # of changes that do not return to GOOD's level, the share that is faster than GOOD
_LEAST = 0.7  # share of `SearchSettings.smallest` by which a fast commit must lie below BAD
_PART = 1.0 / 8.0  # share of BAD's distance to GOOD by which a fast commit must also lie below BAD
_PAIRS = 48  # likeliest pairs (kind of noise, level of BAD), for which the posterior is computed
_TINY = 1e-30  # avoids a division by zero


@lru_cache(maxsize=8)
def grid_of(settings: SearchSettings) -> Floats:
    """The grid of levels, as log ratios to GOOD: every second point of the grid of `noise.py`."""
    return grid_of_centres(settings.smallest)[::2]


class MeasuredCommit(msgspec.Struct, frozen=True):
    """A measured commit in the line of commits: its slot and log ratios, `shift` being added.

    A commit of a branch tells of a slot that is `away` commits from it.
    """

    slot: int
    rounds: tuple[float, ...]
    shift: float = 0.0
    away: int = 0


class Levels(msgspec.Struct, frozen=True):
    """The posterior of levels and of the culprit. Slots count from 0, which is GOOD."""

    log_evidence: float  # log marginal likelihood of the rounds
    culprit: Floats  # probability of each slot to hold the commit that made BAD slower
    none: float  # probability that BAD is not slower
    fast: Floats  # probability of each slot's commit to be fast: noticeably below BAD's level
    means: Floats  # posterior mean of each node's level, GOOD first
    errors: Floats  # posterior standard deviations of the nodes' levels
    changed: Floats  # of each gap between two nodes: probability that the level changed in it
    of_a_round: float  # variance of the log ratio of one more round
    layout: float  # root mean square of a build's layout effect
    size: float  # by how much BAD is slower than the last fast commit, as a log ratio


def infer_levels(nodes: Sequence[MeasuredCommit], slots: int, settings: SearchSettings) -> Levels:
    """What the rounds say of the levels of `slots` commits after GOOD.

    `nodes` are the measured commits in the order of their slots, the last one BAD; log ratios
    throughout. Method: decision 34.
    """
    prior = _prior_after_change(settings)
    rho = min(_CHANGES / slots, 0.5)
    tables, offsets = zip(*(_likelihood_of_node(one, rho, settings) for one in nodes), strict=True)
    gaps = np.diff([0, *(one.slot for one in nodes)])
    stays = (1.0 - rho) ** gaps
    alphas, norms = _forward_pass(tables, stays, prior, settings)
    logs = np.log(np.maximum(norms, _TINY)).sum(axis=0) + sum(offsets) + _log_prior_of_kinds()
    total = np.logaddexp.reduce(logs)
    kinds = np.exp(logs - total)
    chosen = _likely_pairs(kinds, alphas[-1])
    closely = _ForwardPass(
        alphas[:, chosen.kind].astype(np.float32),
        np.array([table[chosen.kind] for table in tables], dtype=np.float32),
        norms[:, chosen.kind].astype(np.float32),
        stays, gaps, prior.astype(np.float32), rho, chosen, settings,
    )  # fmt: skip
    return _posterior_of_levels(closely, kinds, float(total), slots)


class _LikelyPairs(msgspec.Struct, frozen=True):
    """Pairs of a kind of noise and a level of BAD (as an index of the grid), each with its
    probability `mass`."""

    kind: NDArray[np.intp]
    level: NDArray[np.intp]
    mass: Floats


class _ForwardPass(msgspec.Struct, frozen=True):
    """The forward pass for the likeliest pairs of a kind of noise and a level of BAD.

    For each node: the level given all nodes up to it, the likelihood of its rounds by level, and
    the norm, which is how likely its rounds were given the nodes before.
    """

    alphas: Floats  # node (GOOD first) x pair x level
    tables: Floats  # node x pair x level
    norms: Floats  # node x pair
    stays: Floats
    gaps: NDArray[np.intp]
    prior: Floats
    rho: float
    pairs: _LikelyPairs
    settings: SearchSettings


def _forward_pass(
    tables: Sequence[Floats], stays: Floats, prior: Floats, settings: SearchSettings
) -> tuple[Floats, Floats]:
    """The forward pass over the hidden Markov chain of levels.

    Returns the probability of each level at each node given the nodes up to it, GOOD first; and
    how likely each node's rounds were given the nodes before.
    """
    alpha = np.broadcast_to(_prior_as_good(settings), tables[0].shape)
    alphas, norms = [alpha], []
    for table, stay in zip(tables, stays, strict=True):
        alpha = (stay * alpha + (1.0 - stay) * prior) * table
        norm = alpha.sum(axis=1)
        alpha = alpha / np.maximum(norm, _TINY)[:, None]
        alphas.append(alpha)
        norms.append(norm)
    return np.array(alphas), np.array(norms)


def _likely_pairs(kinds: Floats, last: Floats) -> _LikelyPairs:
    """The likeliest pairs of a kind of noise and a level of BAD; their probabilities sum to 1."""
    mass = (kinds[:, None] * last).ravel()
    best = np.argsort(-mass, kind="stable")[:_PAIRS]
    best = best[mass[best] > 1e-5 * mass[best[0]]]
    kind, level = np.divmod(best, last.shape[1])
    return _LikelyPairs(kind, level, mass[best] / mass[best].sum())


def _posterior_of_levels(
    known: _ForwardPass, kinds: Floats, log_evidence: float, slots: int
) -> Levels:
    pairs, settings = known.pairs, known.settings
    grid = grid_of(settings)
    bad = grid[pairs.level]
    rise = np.maximum(_LEAST * settings.smallest, _PART * bad)
    is_slower = bad >= _LEAST * settings.smallest
    slow = grid >= (bad - rise)[:, None]
    share = pairs.mass * is_slower
    culprit = _culprit_probabilities(known, slow, share, slots)
    means, errors, changed, fast = _marginal_distributions(known, slow, slots)
    noise, layout = np.divmod(np.arange(len(kinds)), len(_LAYOUTS))
    gap_of = np.searchsorted(np.cumsum(known.gaps), np.arange(1, slots + 1))
    by_gap = np.bincount(gap_of, culprit[1:], len(known.gaps)) / max(culprit.sum(), _TINY)
    return Levels(
        log_evidence=log_evidence,
        culprit=culprit,
        none=float(pairs.mass @ ~is_slower),
        fast=fast,
        means=means,
        errors=errors,
        changed=changed,
        of_a_round=1.0 / float(kinds @ INFORMATION[noise]),
        layout=settings.layout * float(np.sqrt(kinds @ np.square(np.array(_LAYOUTS)[layout]))),
        size=max(float(means[-1] - by_gap @ means[:-1]), settings.smallest),
    )


def _culprit_probabilities(
    known: _ForwardPass, slow: NDArray[np.bool_], share: Floats, slots: int
) -> Floats:
    """Probability of each slot to be the culprit, by the backward algorithm: from BAD as long as
    all levels are slow; the culprit is the first slow slot after a fast one."""
    rho, prior = known.rho, known.prior
    into = (prior * slow).sum(axis=1)  # probability that a change leads to a slow level
    keeps = 1.0 - rho * (1.0 - into)
    beta = np.zeros_like(slow, dtype=np.float32)
    beta[np.arange(len(beta)), known.pairs.level] = 1.0
    beta /= known.alphas[-1][np.arange(len(beta)), known.pairs.level][:, None]
    found, end = np.zeros(slots + 1), slots
    for node in reversed(range(len(known.gaps))):
        gap = int(known.gaps[node])
        ahead = known.tables[node] * beta * slow / np.maximum(known.norms[node], _TINY)[:, None]
        fresh = ahead @ prior
        alpha = known.alphas[node]
        fast = (alpha * ~slow).sum(axis=1) if node else np.ones(len(alpha))
        since = np.arange(gap)[:, None]
        stay = (1.0 - rho) ** since
        came = stay * fast + (1.0 - stay) * (1.0 - into)
        mass = came * rho * keeps ** (gap - 1 - since) * fresh
        found[end - gap + 1 : end + 1] += mass @ share
        end -= gap
        kept = (1.0 - rho) ** gap
        beta = (
            kept * ahead + ((keeps**gap - kept) / np.maximum(into, _TINY) * fresh)[:, None]
        ) * slow
    total = found.sum()
    return found * (share.sum() / total) if total > 0.0 else found


def _marginal_distributions(
    known: _ForwardPass, slow: NDArray[np.bool_], slots: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """The mean and deviation of each node's level, the probability of each gap that the level
    changed in it, and of each slot that it is fast."""
    pairs, prior, grid = known.pairs, known.prior, grid_of(known.settings)
    fast = np.zeros(slots + 1)
    fast[0] = 1.0
    changed = np.zeros(len(known.gaps))
    states = []
    after = np.zeros_like(slow, dtype=np.float32)
    after[np.arange(len(after)), pairs.level] = 1.0
    after /= known.alphas[-1][np.arange(len(after)), pairs.level][:, None]
    end = slots
    for node in reversed(range(len(known.gaps))):
        gap, stay = int(known.gaps[node]), known.stays[node]
        states.append(pairs.mass @ (known.alphas[node + 1] * after))
        ahead = known.tables[node] * after / np.maximum(known.norms[node], _TINY)[:, None]
        changed[node] = 1.0 - stay * float(pairs.mass @ (known.alphas[node] * ahead).sum(axis=1))
        inside = _probability_fast_in_gap(known.alphas[node], ahead, ~slow, prior, known.rho, gap)
        fast[end - gap + 1 : end + 1] = inside @ pairs.mass
        after = stay * ahead + (1.0 - stay) * (ahead @ prior)[:, None]
        end -= gap
    states.append(pairs.mass @ (known.alphas[0] * after))
    shares = np.array(states[::-1])
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), _TINY)
    means = shares @ grid
    errors = np.sqrt(np.maximum(shares @ np.square(grid) - np.square(means), 0.0))
    return means, errors, np.clip(changed, 0.0, 1.0), np.clip(fast, 0.0, 1.0)


def _probability_fast_in_gap(
    alpha: Floats, ahead: Floats, fast: NDArray[np.bool_], prior: Floats, rho: float, gap: int
) -> Floats:
    """Slot x pair, for the slots of the gap between two measured commits: probability to be fast.

    A pair is a kind of noise and a level of BAD.
    """
    since = np.arange(1, gap + 1)[:, None]
    before, then = (1.0 - rho) ** since, (1.0 - rho) ** (gap - since)
    fresh = ahead @ prior
    return np.asarray(
        before * then * (alpha * ahead * fast).sum(axis=1)
        + before * (1.0 - then) * (alpha * fast).sum(axis=1) * fresh
        + (1.0 - before) * then * ((ahead * fast) @ prior)
        + (1.0 - before) * (1.0 - then) * (fast @ prior) * fresh
    )


def _log_prior_of_kinds() -> Floats:
    noise = LOG_PRIOR - np.logaddexp.reduce(LOG_PRIOR)
    return np.asarray((noise[:, None] + _LAYOUT_SHARES).ravel())


def _likelihood_of_node(
    node: MeasuredCommit, rho: float, settings: SearchSettings
) -> tuple[Floats, Floats]:
    """The likelihood of a node's rounds, by kind of noise and level, and a log factor of each kind.

    The likelihoods were divided by that factor, so that none becomes too small for a float.
    """
    rounds = tuple(one + node.shift for one in node.rounds) if node.shift else node.rounds
    table, offset = _likelihood_table(rounds, settings)
    if node.away:
        stay = (1.0 - rho) ** node.away
        table = stay * table + (1.0 - stay) * (table @ _prior_after_change(settings))[:, None]
    return table, offset


@lru_cache(maxsize=512)
def _likelihood_table(rounds: tuple[float, ...], settings: SearchSettings) -> tuple[Floats, Floats]:
    """Kind of noise x level: likelihood of the rounds; and the log factor it was divided by."""
    logs = log_likelihood(rounds, settings.smallest)
    most = logs.max(axis=1, keepdims=True)
    found = np.exp(logs - most) @ _layout_smoothings(settings)  # layout x noise x level
    offset = np.repeat((most - most.max()).ravel(), len(_LAYOUTS))
    return np.moveaxis(found, 0, 1).reshape(-1, found.shape[-1]).astype(np.float32), offset


@lru_cache(maxsize=8)
def _layout_smoothings(settings: SearchSettings) -> Floats:
    """Layout x centre of the rounds x level: how a build's own layout effect spreads its level."""
    grid = grid_of_centres(settings.smallest)
    return np.array(
        [_layout_smoothing(settings.layout * one, settings, grid).T for one in _LAYOUTS]
    )


def _layout_smoothing(width: float, settings: SearchSettings, onto: Floats) -> Floats:
    """Level x point of the grid `onto`: normal weights around each level, which sum to 1."""
    grid, step = grid_of(settings), np.gradient(onto)
    wide = np.maximum(width, 0.6 * np.interp(grid, onto, step))[:, None]
    density = np.exp(-0.5 * np.square((onto - grid[:, None]) / wide)) * step
    return np.asarray(density / density.sum(axis=1, keepdims=True))


@lru_cache(maxsize=8)
def _prior_as_good(settings: SearchSettings) -> Floats:
    """Prior of the level of a commit as fast as GOOD, whose own layout effect is in all rounds."""
    grid = grid_of(settings)
    return np.asarray(_layout_smoothing(settings.layout, settings, grid)[len(grid) // 2])


@lru_cache(maxsize=8)
def _prior_after_change(settings: SearchSettings) -> Floats:
    """Prior over the grid of levels for a commit at which the level changed, whatever it was."""
    grid = grid_of(settings)
    each = np.gradient(grid) / (np.abs(grid) + 1.5 * settings.smallest)
    up, down = each * (grid > 0.0), each * (grid < 0.0)
    anywhere = (1.0 - _FASTER) * up / up.sum() + _FASTER * down / down.sum()
    return np.asarray(_AS_GOOD * _prior_as_good(settings) + (1.0 - _AS_GOOD) * anywhere)


KINDS = len(NOISES) * len(_LAYOUTS)
