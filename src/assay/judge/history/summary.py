"""A whole history judged: judge_history(values, hosts).

Changes are those that the detector would have reported run by run. Their places, sizes and levels
are then computed again from all runs on both sides, which tell more than the first few did.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from assay.history import Change, History, Now, Segment
from assay.judge.history.detector import FALSE_A_YEAR, DetectorState, logarithms, state_after_runs
from assay.judge.history.fit import FEWEST
from assay.judge.history.noise import Floats
from assay.judge.history.present import present_level
from assay.judge.history.stretch import RunStretch, value_of


def judge_history(values: Sequence[float], hosts: Sequence[str] = ()) -> History:
    """The history of one series: values of its runs in time order, in any one unit.

    `hosts` names each run's class of host, where known, and is empty or as long as `values`.
    Raises `InputError` unless all values are finite and not negative. Method: decision 33.
    """
    logs = logarithms(values)
    segments: list[Segment] = []
    changes: list[Change] = []
    for first, end, host in _stretches_by_host(hosts or [""] * len(logs)):
        candidates = state_after_runs(
            DetectorState(), np.asarray(values, dtype=float)[first:end], host
        )[1]
        stretch = RunStretch(logs[first:end], candidates, first, host)
        changes += stretch.changes()
        segments += stretch.segments()
    newest = logs[segments[-1].first : segments[-1].last + 1] if segments else logs
    return History(
        runs=len(logs),
        now=_present_level(newest),
        lacking=max(0, FEWEST - len(logs)),
        segments=tuple(segments),
        changes=tuple(changes),
        false_candidates_a_year=FALSE_A_YEAR,
    )


def _present_level(logs: Floats) -> Now:
    """The level at the last of these runs, with its interval; NaN where there is no run."""
    found = present_level(logs)
    if found is None and not len(logs):
        return Now(level=math.nan, low=None, high=None)
    if found is None:
        return Now(level=value_of(float(logs[-1])), low=None, high=None)
    low, high = value_of(found.low), value_of(found.high)
    return Now(level=value_of(found.level), low=low, high=high)


def _stretches_by_host(hosts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """For each stretch on one class of host: its first run, the run after its last, the host."""
    starts = [i for i, host in enumerate(hosts) if i == 0 or host != hosts[i - 1]]
    for start, end in pairwise([*starts, len(hosts)]):
        yield start, end, hosts[start]
