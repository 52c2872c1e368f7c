"""Looks at each new run of a series: state_after_run(state, value), or state_after_runs for many.

    state = DetectorState()
    for value in values:
        state, candidate = state_after_run(state, value)

The state is immutable, is kept as JSON by msgspec, and holds some hundred runs at most, however
long the series. `state_after_runs` gives the same candidates for many runs as `state_after_run` one
by one. Method, figures and the seeds on which all constants of this folder were tuned: decision 33.
"""

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from assay.errors import InputError
from assay.history import Candidate
from assay.judge.history.far import evidence_of_far_runs
from assay.judge.history.fit import Fit, fit_segment, level_of, line_fit, step_over_line
from assay.judge.history.noise import Floats
from assay.judge.history.place import likely_first_runs, ratio_of
from assay.judge.history.windows import evidence, evidence_of_each_split

# Evidence is a natural logarithm: see `windows`. The constants were tuned on the seeds that
# decision 33 names, but for `FALSE_A_YEAR`, which is what is promised, and `ZERO`.
ENOUGH = 7.5  # evidence from which on a change of level is reported, as a candidate
FALSE_A_YEAR = 0.05  # at most so many candidates in 365 looks at a series that does not change
CLEARLY = 5.0  # evidence by which a step must explain the runs better than a drift
# While it is open whether the level stepped or drifts, a report waits for one run, and for one more
# for each 32 runs since the last change.
_PATIENCE = 32
_KEPT = 256  # newest runs since the last change that are kept, to compare further runs with
# Level and noise are estimated anew when the runs since the last change are an eighth more: after 4
# further runs at the soonest, after 512 at the latest.
_SOONEST, _GROWTH, _LONGEST = 4, 8, 512
ZERO = 1e-300  # stands for a value of 0, which has no logarithm


class DetectorState(msgspec.Struct, frozen=True, kw_only=True):
    """What the detector of changes remembers of a series from one run to the next.

    A segment is all runs since the last change.
    """

    runs: int = 0
    host: str = ""
    start: int = 0  # number of the first run of the segment
    values: tuple[float, ...] = ()  # logarithms of the segment's last runs
    memory: tuple[float, ...] = ()  # residuals of the runs of earlier segments
    fit: Fit | None = None
    refit: int = 0  # number of runs at which level and noise are estimated anew
    patience: int = 0  # number of runs until which no change is reported: it may be a drift


def state_after_run(
    state: DetectorState, value: float, host: str = ""
) -> tuple[DetectorState, Candidate | None]:
    """The state after one more run, and the change that it shows, if any.

    `value` is in any unit that the series keeps, `host` its class of host. Raises `InputError`
    unless it is finite and not negative.
    """
    state, found = state_after_runs(state, [value], host)
    return state, found[0] if found else None


def state_after_runs(
    state: DetectorState, values: Sequence[float] | Floats, host: str = ""
) -> tuple[DetectorState, tuple[Candidate, ...]]:
    """The state after more runs on one class of host, and the changes they show (decision 33).

    Another class of host begins anew. Raises `InputError` unless all values are finite and not
    negative.
    """
    logs = logarithms(values)
    if host != state.host:
        state = DetectorState(runs=state.runs, start=state.runs, host=host)
    found = []
    while len(logs):
        taken, state, candidate = _scan_until_refit(state, logs)
        logs = logs[taken:]
        if candidate:
            found.append(candidate)
    return state, tuple(found)


def logarithms(values: Sequence[float] | Floats) -> Floats:
    """Natural logarithms of values, with `ZERO` in place of 0.

    Raises `InputError` for a negative value or one that is not finite.
    """
    given = np.asarray(values, dtype=float)
    if not (np.isfinite(given) & (given >= 0.0)).all():
        raise InputError("a history takes finite values that are not negative")
    return np.asarray(np.log(np.maximum(given, ZERO)))


def _scan_until_refit(
    state: DetectorState, logs: Floats
) -> tuple[int, DetectorState, Candidate | None]:
    """Take runs until the fit is to be made anew, or a change shows; return how many it took."""
    if state.refit <= state.runs:
        state = _with_new_fit(state)
    taken = min(len(logs), state.refit - state.runs)
    old = len(state.values)
    values = np.concatenate((state.values, logs[:taken]))
    if state.fit is None:
        return taken, _with_more_runs(state, values, taken), None
    fit = state.fit
    shown = evidence(fit.scores(values), old, fit.noise, fit.worth, least=ENOUGH)
    shown = np.maximum(shown, evidence_of_far_runs(fit.residuals(values), old, fit.noise.scale))
    shown[: max(state.patience - state.runs, 0)] = 0.0
    hits = np.flatnonzero(shown >= ENOUGH)
    if not len(hits):
        return taken, _with_more_runs(state, values, taken), None
    taken = int(hits[0]) + 1
    longer = _with_more_runs(state, values[: old + taken], taken)
    return taken, *_candidate_or_drift(longer, fit, float(shown[hits[0]]))


def _with_more_runs(state: DetectorState, values: Floats, taken: int) -> DetectorState:
    return msgspec.structs.replace(state, values=tuple(values.tolist()), runs=state.runs + taken)


def _with_new_fit(state: DetectorState, fit: Fit | None = None) -> DetectorState:
    """The state with level and noise fitted anew; they hold until the segment has an eighth more
    runs.
    """
    values = state.values[-_KEPT:]
    length = state.runs - state.start
    return msgspec.structs.replace(
        state,
        values=values,
        fit=fit or fit_segment(np.array(values), np.array(state.memory)),
        refit=state.runs + min(max(_SOONEST, length // _GROWTH), _LONGEST),
    )


def _candidate_or_drift(
    state: DetectorState, fit: Fit, sure: float
) -> tuple[DetectorState, Candidate | None]:
    """With enough evidence of a change, decide whether the level stepped or drifts.

    A step is a candidate and begins a segment; for a drift, a line becomes the level of the runs.
    """
    values = np.array(state.values)
    scores = fit.scores(values)
    tried, shown = evidence_of_each_split(scores, fit.noise)
    split = int(tried[shown.argmax()])
    alone, beside = step_over_line(values, split, fit.noise)
    if beside < ENOUGH and alone < CLEARLY:
        return _with_report_postponed(state, fit, alone < 0.0), None
    around = fit.residuals(values)
    split, first, last = likely_first_runs(around, split, fit.noise)
    zero = state.runs - len(values)
    candidate = Candidate(
        seen_at=state.runs - 1,
        split=zero + split,
        first=zero + first,
        last=zero + last,
        ratio=ratio_of(level_of(around[split:], fit.noise) - level_of(around[:split], fit.noise)),
        certainty=certainty_of_evidence(sure),
    )
    return _with_new_segment(state, fit, split), candidate


def _with_report_postponed(state: DetectorState, fit: Fit, drifts: bool) -> DetectorState:
    """Report nothing yet: a line explains the runs, or may, and more runs will decide."""
    wait = state.runs + 1 + (state.runs - state.start) // _PATIENCE
    if drifts:
        kept = np.array(state.values[-_KEPT:])
        state = _with_new_fit(state, line_fit(kept, np.array(state.memory), fit.noise))
    return msgspec.structs.replace(state, patience=wait)


def certainty_of_evidence(shown: float) -> float:
    """1 less an upper bound on the chance that a year without a change shows as much evidence."""
    return 1.0 - FALSE_A_YEAR * math.exp(min(ENOUGH - shown, 0.0))


def _with_new_segment(state: DetectorState, fit: Fit, split: int) -> DetectorState:
    """The state with a new segment from `split` on; what is known of the noise is kept."""
    around = fit.residuals(np.array(state.values))[:split]
    new = np.array(state.values[split:])
    return msgspec.structs.replace(
        state,
        start=state.runs - len(new),
        values=tuple(new.tolist()),
        memory=(*state.memory, *around.tolist())[-_KEPT:],
        fit=Fit(float(np.median(new)), 0.0, 0.0, fit.noise),
        refit=state.runs + _SOONEST,
    )
