"""How much measuring one launch does: repetitions, and how long each.

    costs = learned(trial_sample, wall_s, Effort(0.0005, 1, trial=True), start_s=0.003)
    effort = calibrated(costs, Effort(0.0005, 15))
    costs.launch_s(effort)

Both sides of a comparison get the same effort, found on one unpinned trial
launch, so that neither is measured longer or with more iterations than the other.

Google Benchmark calls the benchmark function once for every repetition, and
before the first one as often as it needs to find out how many iterations fill
the time asked for. Whatever a benchmark sets up before its loop is done in each
of these calls. Evidence: docs/decisions/0026-effort-follows-cost.md.
"""

import math
from dataclasses import dataclass, replace

from assay.model import Sample
from assay.units import TIME_UNITS_NS

LAUNCH_LIMIT_S = 0.02  # a launch of a slow benchmark repeats less rather than last longer
# Asked for a time, the engine aims at 1.4 times it, so as not to fall short of it.
OVERSHOOT = 1.4
LONGEST_SAMPLE_S = 0.05  # of a benchmark whose set-up is dear
_SET_UP_SHARE = 0.1  # such a sample lasts this share of the set-up before it
_START_VARIES = 1.5  # a start may well take half as long again: that is no set-up
_CALLS_AT_MOST = 20  # while estimating: ten times more iterations in each


@dataclass(frozen=True)
class Effort:
    """What one launch is asked to do."""

    min_time_s: float = 0.0005  # per repetition: docs/decisions/0007-many-short-samples.md
    repetitions: int = 15
    iterations: int = 0  # per repetition; 0: as many as fill min_time_s
    trial: bool = False  # its samples are not kept, so its threads may be counted meanwhile


@dataclass(frozen=True)
class LaunchCosts:
    """What a launch of one benchmark takes, apart from our own work around it."""

    start_s: float = 0.0  # until main() runs its first benchmark, and to the end of the process
    set_up_s: float = 0.0  # in each call of the benchmark function, outside its loop
    iteration_s: float = 0.0
    counts_iterations: bool = False  # told how many, it calls nothing to estimate them
    steady_set_up: bool = True  # what it sets up does not grow with the iterations

    @property
    def dear(self) -> bool:
        """One set-up alone takes longer than a launch should."""
        return self.set_up_s > LAUNCH_LIMIT_S

    def repetition_s(self, effort: Effort) -> float:
        """One repetition: its set-up and its loop."""
        return self.set_up_s + max(effort.min_time_s, self.iteration_s)

    def launch_s(self, effort: Effort) -> float:
        """The whole process."""
        calls, loops_s = self.estimating(effort)
        measured_s = effort.repetitions * self.repetition_s(effort)
        return self.start_s + calls * self.set_up_s + loops_s + measured_s

    def estimating(self, effort: Effort) -> tuple[int, float]:
        """Calls before the first repetition, and seconds in their loops."""
        if self.counts_iterations and effort.iterations:
            return 0, 0.0
        return estimating_calls(self.iteration_s, effort.min_time_s / OVERSHOOT)


def estimating_calls(iteration_s: float, min_time_s: float) -> tuple[int, float]:
    """How often the engine calls the function to find its iterations, and the loops' seconds.

    The first call makes one iteration; each makes ten times more than the last, until one
    lasted a tenth of the time asked for: from then on the time is aimed at.
    """
    iterations, calls, loops_s = 1, 0, 0.0
    while (last_s := iterations * iteration_s) < min_time_s and calls < _CALLS_AT_MOST:
        calls, loops_s = calls + 1, loops_s + last_s
        growth = OVERSHOOT * min_time_s / last_s if last_s > 0.1 * min_time_s else 10.0
        iterations = max(iterations + 1, round(growth * iterations))
    return calls, loops_s


def learned(
    trial: Sample, wall_s: float, effort: Effort, *, start_s: float, counts_iterations: bool = False
) -> LaunchCosts:
    """What a trial launch of `effort` tells: what is neither start nor loop is set-up."""
    costs = LaunchCosts(
        start_s=start_s, iteration_s=iteration_s(trial), counts_iterations=counts_iterations
    )
    calls, loops_s = costs.estimating(effort)
    measured_s = costs.iteration_s * max(1, trial.iterations) * effort.repetitions
    spare_s = max(0.0, wall_s - _START_VARIES * start_s - loops_s - measured_s)
    return replace(costs, set_up_s=spare_s / (calls + effort.repetitions))


def agreed(costs: LaunchCosts, other: LaunchCosts) -> LaunchCosts:
    """What two trials of one benchmark say together: whatever disturbs one adds time to it.

    After a dear one the other is of one iteration. Where that has much less to set up, the
    set-up belongs to the iterations (a loop that pauses its timing): longer samples would
    only make more of it.
    """
    if costs.dear:
        return replace(costs, steady_set_up=other.set_up_s > costs.set_up_s / 2)
    return replace(costs, set_up_s=min(costs.set_up_s, other.set_up_s))


def calibrated(costs: LaunchCosts, asked: Effort) -> Effort:
    """Iterations that fill the sample, and fewer repetitions where one takes long."""
    if costs.iteration_s <= 0:
        return asked
    length_s = _sample_s(costs, asked)
    effort = replace(
        asked,
        min_time_s=length_s,
        iterations=max(1, math.ceil(length_s / costs.iteration_s)),
    )
    limit_s = max(LAUNCH_LIMIT_S, asked.min_time_s * asked.repetitions)
    calls, _ = costs.estimating(effort)
    left_s = limit_s - calls * costs.set_up_s
    fitting = max(_least(costs, calls), int(left_s / costs.repetition_s(effort) + 1e-9))
    return replace(effort, repetitions=min(asked.repetitions, fitting))


def iteration_s(trial: Sample) -> float:
    """Real time of one iteration; with threads, of the whole team."""
    times = trial.values.get("real_time", ())
    if not times:
        return 0.0
    return min(times) * TIME_UNITS_NS[trial.time_unit] * 1e-9


def _least(costs: LaunchCosts, calls: int) -> int:
    """Where estimating sets up several times anyway, nearly as many repetitions cost little."""
    few = 2 if costs.dear else calls
    return max(1, min(calls - 1, few))


def _sample_s(costs: LaunchCosts, asked: Effort) -> float:
    """After a dear set-up a longer sample costs little more."""
    if not costs.dear or not costs.steady_set_up:
        return asked.min_time_s
    return max(asked.min_time_s, min(LONGEST_SAMPLE_S, _SET_UP_SHARE * costs.set_up_s))
