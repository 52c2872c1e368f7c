"""What is assumed of a segment while it lasts: fit_segment(values, memory).

The level of the segment, its drift where a line explains it better than a step, and the noise
around both. The newest runs are left out: should the level just have changed, they would
make the noise look larger.
"""

import math

import msgspec
import numpy as np

from assay.judge.history.noise import Floats, RunNoise, noise_of, scores_of
from assay.judge.history.windows import evidence_of_each_split, lowered_for_few_runs

# Tuned on the seeds that decision 33 names, but for the last, which is arithmetic.
FEWEST = 24  # runs from which noise can be learnt (decision 33)
_NEWEST = 24  # runs at the end that are left out of the level, or a quarter, if that is less
_DRIFT_ERRORS = 3.0  # standard errors that a slope must exceed to be a drift
_SHORTEST_PART = 4  # fewest runs on either side of a step that is taken out of the noise
_POSSIBLE = 4.0  # a sure step has this evidence even in noise that was learnt with the step in it
# Evidence from which on a step is taken out of the noise. At 6, under AR(1) 0.5, there was one more
# false candidate in 50 series a year, for autocorrelation looks like a step too (decision 33).
_LIKELY = 14.0
_STEPS_TRIED = 6  # iterations of a robust fit
WORTH_OF_A_LINE = 0.25  # a run's weight in a line's end, whose variance is 4 times that of a mean


class Fit(msgspec.Struct, frozen=True):
    """The level, drift and noise of the runs since a change, in logarithms.

    `slope` is the drift from run to run, and the level is that of the run at `middle`.
    """

    level: float
    slope: float
    middle: float  # in runs, from the first run that the fit was learnt from
    noise: RunNoise

    def residuals(self, values: Floats) -> Floats:
        """How far runs lie from the level; `values` begin with the first run of the fit."""
        if self.slope == 0.0:
            return values - self.level
        return values - (self.level + self.slope * (np.arange(len(values)) - self.middle))

    def scores(self, values: Floats) -> Floats:
        """The residuals in units of the noise's scale, clipped at its cut."""
        return scores_of(self.residuals(values), self.noise)

    @property
    def worth(self) -> float:
        """How much each earlier run tells of the level: 1 for a mean, less for a line's end."""
        return 1.0 if self.slope == 0.0 else WORTH_OF_A_LINE


def fit_segment(values: Floats, memory: Floats) -> Fit | None:
    """The fit of a segment's runs (logarithms, in time order), or None with too few runs.

    `memory` are residuals of earlier segments, from which noise is learnt too (decision 33).
    """
    old = values[: len(values) - min(_NEWEST, len(values) // 4)]
    if len(memory) + len(values) < FEWEST:
        return None
    level = float(np.median(old))
    noise = _noise_beside_a_step(old - level, memory)
    constant = Fit(level, 0.0, 0.0, noise)
    return line_fit(values, memory, noise) if drifts(constant.scores(values), noise) else constant


def _noise_beside_a_step(around: Floats, memory: Floats) -> RunNoise:
    """The noise, with the likeliest step taken out where it is sure: a step that is not reported
    yet would look like noise and autocorrelation, which then hide it."""
    noise = noise_of(np.concatenate((memory, around)))
    if len(around) < 2 * _SHORTEST_PART:
        return noise
    silent = msgspec.structs.replace(noise, autocorrelation=0.0)
    shown = evidence_of_each_split(scores_of(around, silent), silent)[1]
    split = 1 + int(shown.argmax())
    in_time = _SHORTEST_PART <= split <= len(around) - _SHORTEST_PART
    if shown[split - 1] < _POSSIBLE or not in_time:
        return noise
    parts = [part - np.median(part) for part in (around[:split], around[split:])]
    rest = noise_of(np.concatenate((memory, *parts)))
    shown = evidence_of_each_split(scores_of(around, rest), rest)[1]
    return rest if lowered_for_few_runs(shown[split - 1], rest) > _LIKELY else noise


def level_of(values: Floats, noise: RunNoise) -> float:
    """Huber's robust mean (1964) of logarithms: distances are clipped as scores are."""
    return float(_huber_regression(np.ones((len(values), 1)), values, noise)[0][0])


def line_fit(values: Floats, memory: Floats, noise: RunNoise) -> Fit:
    """The fit of a line to the runs, with the noise around it; `noise` is a first guess."""
    at = np.arange(len(values)) - 0.5 * (len(values) - 1)
    level, slope = _huber_regression(np.stack((np.ones_like(at), at), axis=1), values, noise)[0]
    line = Fit(float(level), float(slope), 0.5 * (len(values) - 1), noise)
    around = line.residuals(values)
    return msgspec.structs.replace(line, noise=noise_of(np.concatenate((memory, around))))


def step_over_line(values: Floats, split: int, noise: RunNoise) -> tuple[float, float]:
    """By how much evidence (a logarithm) a step at `split` explains the runs better than a line
    does, and by how much a line with a step does."""
    one = np.ones(len(values))
    at = np.arange(len(values)) / len(values)
    new = (np.arange(len(values)) >= split).astype(float)
    line = _huber_regression(np.stack((one, at), axis=1), values, noise)[1]
    step = _huber_regression(np.stack((one, new), axis=1), values, noise)[1]
    both = _huber_regression(np.stack((one, at, new), axis=1), values, noise)[1]
    return line - step, line - both


def line_of(values: Floats, rough: RunNoise) -> Fit | None:
    """The line of a whole segment, if it drifts; else None. Its slope is compared with the noise
    around the line, since a strong drift taken for noise would look autocorrelated."""
    if len(values) < FEWEST:
        return None
    line = line_fit(values, np.array([]), rough)
    noise = line.noise
    at = np.arange(len(values)) - line.middle
    size = (
        (line.slope / noise.scale) ** 2
        * float(at @ at)
        / (noise.variance * _long_run_inflation(noise))
    )
    if size < _DRIFT_ERRORS**2:
        return None
    tried, shown = evidence_of_each_split(
        scores_of(values - float(np.median(values)), rough), rough
    )
    return line if step_over_line(values, int(tried[shown.argmax()]), noise)[0] < 0.0 else None


def drifts(scores: Floats, noise: RunNoise) -> bool:
    """Whether a line through the scores is far from level, and no step explains them as well."""
    n = len(scores)
    if n < FEWEST:
        return False
    at = np.arange(n) - 0.5 * (n - 1)
    spread = noise.variance * _long_run_inflation(noise) * float(at @ at)
    line = 0.5 * float(at @ scores) ** 2 / spread
    if line < 0.5 * _DRIFT_ERRORS**2:
        return False
    return line > float(evidence_of_each_split(scores, noise)[1].max())


def _long_run_inflation(noise: RunNoise) -> float:
    """By what factor autocorrelation widens the variance of a mean of many runs."""
    return (1.0 + noise.autocorrelation) / (1.0 - noise.autocorrelation)


def _huber_regression(design: Floats, values: Floats, noise: RunNoise) -> tuple[Floats, float]:
    """Coefficients of a robust regression, and the negative log likelihood; wild runs are cut as
    scores are (Huber 1964)."""
    low, middle, high = np.quantile(values, (0.1, 0.5, 0.9))
    reach = 2.0 * (high - low)  # one extreme run must not spoil the first guess
    guess = np.linalg.pinv(design) @ np.clip(values, middle - reach, middle + reach)
    design, values = (
        _prewhitened(design, noise.autocorrelation),
        _prewhitened(values, noise.autocorrelation),
    )
    inverse = np.linalg.pinv(design)
    for _ in range(_STEPS_TRIED):
        rest = values - design @ guess
        guess = guess + inverse @ (scores_of(rest, noise) * noise.scale)
    far = np.abs(values - design @ guess) / noise.scale
    cut = np.minimum(far, noise.cut)
    loss = float((cut * far - 0.5 * cut * cut).sum())
    return np.asarray(guess, dtype=np.float64), loss / noise.variance


def _prewhitened(values: Floats, autocorrelation: float) -> Floats:
    """The runs prewhitened for AR(1) noise: each less `autocorrelation` times the one before,
    scaled so that the variance stays that of the runs."""
    if autocorrelation == 0.0:
        return values
    own = (values[1:] - autocorrelation * values[:-1]) / math.sqrt(
        1.0 - autocorrelation * autocorrelation
    )
    return np.concatenate((values[:1], own))
