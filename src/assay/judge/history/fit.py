"""What is believed of a segment while it lasts: learn(values, memory).

The level of the segment, its drift where a line explains it better than a step, and the noise
around both. The newest runs are left out: should the level just have changed, they would
make the noise look larger.
"""

import math

import msgspec
import numpy as np

from assay.judge.history.noise import Floats, Noise, noise_of, scores_of
from assay.judge.history.windows import as_learnt, profile

FEWEST = 24  # runs from which noise can be learnt
_NEWEST = 24
_DRIFT_ERRORS = 3.0  # standard errors that a slope must exceed
_SHORTEST_PART = 4  # runs on either side of a step that was not told yet
_POSSIBLE = 4.0  # evidence that one that is sure has in any case, in noise that it widens
_LIKELY = 14.0  # evidence that there is one: an echo looks like a step, too
_STEPS_TRIED = 6
WORTH_OF_A_LINE = 0.25  # the variance of a line's end is four times that of a mean


class Fit(msgspec.Struct, frozen=True):
    """A level with its noise; `slope` is a run's drift, `middle` where the level is met."""

    level: float
    slope: float
    middle: float  # in runs since the first of the values it was learnt from
    noise: Noise

    def residuals(self, values: Floats) -> Floats:
        """How far runs lie from the level; `values` begin where those learnt from began."""
        if self.slope == 0.0:
            return values - self.level
        return values - (self.level + self.slope * (np.arange(len(values)) - self.middle))

    def scores(self, values: Floats) -> Floats:
        return scores_of(self.residuals(values), self.noise)

    @property
    def worth(self) -> float:
        return 1.0 if self.slope == 0.0 else WORTH_OF_A_LINE


def learn(values: Floats, memory: Floats) -> Fit | None:
    """From the runs of a segment, and how runs of earlier segments lay around their levels."""
    old = values[: len(values) - min(_NEWEST, len(values) // 4)]
    if len(memory) + len(values) < FEWEST:
        return None
    level = float(np.median(old))
    noise = _beside_a_step(old - level, memory)
    constant = Fit(level, 0.0, 0.0, noise)
    return with_line(values, memory, noise) if drifts(constant.scores(values), noise) else constant


def _beside_a_step(around: Floats, memory: Floats) -> Noise:
    """A step that is not told yet looks like noise and like an echo, which then hide it."""
    noise = noise_of(np.concatenate((memory, around)))
    if len(around) < 2 * _SHORTEST_PART:
        return noise
    silent = msgspec.structs.replace(noise, echo=0.0)
    shown = profile(scores_of(around, silent), silent)[1]
    split = 1 + int(shown.argmax())
    in_time = _SHORTEST_PART <= split <= len(around) - _SHORTEST_PART
    if shown[split - 1] < _POSSIBLE or not in_time:
        return noise
    parts = [part - np.median(part) for part in (around[:split], around[split:])]
    rest = noise_of(np.concatenate((memory, *parts)))
    shown = profile(scores_of(around, rest), rest)[1]
    return rest if as_learnt(shown[split - 1], rest) > _LIKELY else noise


def level_of(values: Floats, noise: Noise) -> float:
    """The mean, in which wild runs count as scores."""
    return float(_huber(np.ones((len(values), 1)), values, noise)[0][0])


def with_line(values: Floats, memory: Floats, noise: Noise) -> Fit:
    """The same with a drift."""
    at = np.arange(len(values)) - 0.5 * (len(values) - 1)
    level, slope = _huber(np.stack((np.ones_like(at), at), axis=1), values, noise)[0]
    line = Fit(float(level), float(slope), 0.5 * (len(values) - 1), noise)
    around = line.residuals(values)
    return msgspec.structs.replace(line, noise=noise_of(np.concatenate((memory, around))))


def step_over_line(values: Floats, split: int, noise: Noise) -> tuple[float, float]:
    """By how much evidence a step explains the runs better than a line does, and by how much
    a line with a step does."""
    one = np.ones(len(values))
    at = np.arange(len(values)) / len(values)
    new = (np.arange(len(values)) >= split).astype(float)
    line = _huber(np.stack((one, at), axis=1), values, noise)[1]
    step = _huber(np.stack((one, new), axis=1), values, noise)[1]
    both = _huber(np.stack((one, at, new), axis=1), values, noise)[1]
    return line - step, line - both


def line_of(values: Floats, rough: Noise) -> Fit | None:
    """The drift of a whole segment, if it has one: beside the noise around the line itself,
    since a strong drift, taken for noise, is noise that echoes."""
    if len(values) < FEWEST:
        return None
    line = with_line(values, np.array([]), rough)
    noise = line.noise
    at = np.arange(len(values)) - line.middle
    size = (line.slope / noise.scale) ** 2 * float(at @ at) / (noise.variance * _long_run(noise))
    if size < _DRIFT_ERRORS**2:
        return None
    tried, shown = profile(scores_of(values - float(np.median(values)), rough), rough)
    return line if step_over_line(values, int(tried[shown.argmax()]), noise)[0] < 0.0 else None


def drifts(scores: Floats, noise: Noise) -> bool:
    """A line is far from level, and no step explains the runs as well."""
    n = len(scores)
    if n < FEWEST:
        return False
    at = np.arange(n) - 0.5 * (n - 1)
    spread = noise.variance * _long_run(noise) * float(at @ at)
    line = 0.5 * float(at @ scores) ** 2 / spread
    if line < 0.5 * _DRIFT_ERRORS**2:
        return False
    return line > float(profile(scores, noise)[1].max())


def _long_run(noise: Noise) -> float:
    return (1.0 + noise.echo) / (1.0 - noise.echo)


def _huber(design: Floats, values: Floats, noise: Noise) -> tuple[Floats, float]:
    """Coefficients, and minus the logarithm of the likelihood, where wild runs count as scores."""
    low, middle, high = np.quantile(values, (0.1, 0.5, 0.9))
    reach = 2.0 * (high - low)  # so that one run beyond all measure does not lead astray
    guess = np.linalg.pinv(design) @ np.clip(values, middle - reach, middle + reach)
    design, values = _alone(design, noise.echo), _alone(values, noise.echo)
    inverse = np.linalg.pinv(design)
    for _ in range(_STEPS_TRIED):
        rest = values - design @ guess
        guess = guess + inverse @ (scores_of(rest, noise) * noise.scale)
    far = np.abs(values - design @ guess) / noise.scale
    cut = np.minimum(far, noise.cut)
    loss = float((cut * far - 0.5 * cut * cut).sum())
    return np.asarray(guess, dtype=np.float64), loss / noise.variance


def _alone(values: Floats, echo: float) -> Floats:
    """Each run less the share of the one before that returns in it: what it has alone, drawn
    out to be as wide as the runs were."""
    if echo == 0.0:
        return values
    own = (values[1:] - echo * values[:-1]) / math.sqrt(1.0 - echo * echo)
    return np.concatenate((values[:1], own))
