"""How much measuring one launch does: repetitions, and how long each.

    costs = costs_from_trial(trial_sample, wall_s, Effort(0.0005, 1, trial=True), start_s=0.003)
    effort = calibrated_effort(costs, Effort(0.0005, 15))
    costs.launch_s(effort)

Both sides of a comparison get the same effort, found from their trial launches, so that neither is
measured longer or with more iterations than the other.

Google Benchmark calls the benchmark function once for every repetition, and
before the first one as often as it needs to find out how many iterations fill
the time asked for. Whatever a benchmark sets up before its loop is done in each
of these calls. Evidence: docs/decisions/0026-effort-follows-cost.md.
"""

import math

import msgspec
from msgspec.structs import replace

from assay.model import Sample
from assay.units import TIME_UNITS_NS

# Seconds that one launch should take at most; a slower benchmark gets fewer repetitions.
LAUNCH_LIMIT_S = 0.02
# Google Benchmark aims at 1.4 times the time it is asked for, so as not to fall short of it.
OVERSHOOT = 1.4
LONGEST_SAMPLE_S = 0.05  # seconds of one sample at most, for a benchmark whose set-up is expensive
# With an expensive set-up, a sample lasts this fraction of the set-up's time.
_SET_UP_SHARE = 0.1
# Starting a process takes up to this many times its usual time; only time beyond that is set-up.
_START_VARIES = 1.5
# Google Benchmark calls a function at most so often to estimate its number of iterations.
_CALLS_AT_MOST = 20


class Effort(msgspec.Struct, frozen=True):
    """How much one launch is asked to measure: how many repetitions, and how long each."""

    # Seconds of one repetition; why so short: docs/decisions/0007-many-short-samples.md
    min_time_s: float = 0.0005
    repetitions: int = 15
    iterations: int = 0  # in each repetition; 0: as many as fill `min_time_s`
    # The samples of a trial launch are not kept, so its threads may be counted while it runs.
    trial: bool = False


class LaunchCosts(msgspec.Struct, frozen=True):
    """How long a launch of one benchmark takes, by its parts, in seconds."""

    start_s: float = 0.0  # to start the process until its first benchmark, and to end it
    set_up_s: float = 0.0  # in each call of the benchmark function, before and after its timed loop
    iteration_s: float = 0.0  # of the timed loop
    # Whether the executable accepts a number of iterations, and so makes no calls to estimate one.
    counts_iterations: bool = False
    # Whether the set-up takes the same time for any number of iterations.
    steady_set_up: bool = True

    @property
    def has_expensive_setup(self) -> bool:
        """Whether the set-up of one call alone takes longer than a whole launch should."""
        return self.set_up_s > LAUNCH_LIMIT_S

    def repetition_s(self, effort: Effort) -> float:
        """Seconds of one repetition: its set-up and its timed loop."""
        return self.set_up_s + max(effort.min_time_s, self.iteration_s)

    def launch_s(self, effort: Effort) -> float:
        """Seconds of the whole process."""
        calls, loops_s = self.cost_of_estimating(effort)
        measured_s = effort.repetitions * self.repetition_s(effort)
        return self.start_s + calls * self.set_up_s + loops_s + measured_s

    def cost_of_estimating(self, effort: Effort) -> tuple[int, float]:
        """How often the engine calls the function to find its number of iterations before the first
        repetition, and the seconds of these loops."""
        if self.counts_iterations and effort.iterations:
            return 0, 0.0
        return estimating_calls(self.iteration_s, effort.min_time_s / OVERSHOOT)


def estimating_calls(iteration_s: float, min_time_s: float) -> tuple[int, float]:
    """How often the engine calls the function to find its iterations, and these loops' seconds.

    The first call makes one iteration. Each next one makes ten times more, until one lasts a tenth
    of the time asked for. From then on the engine computes the number that fills the time.
    """
    iterations, calls, loops_s = 1, 0, 0.0
    while (last_s := iterations * iteration_s) < min_time_s and calls < _CALLS_AT_MOST:
        calls, loops_s = calls + 1, loops_s + last_s
        growth = OVERSHOOT * min_time_s / last_s if last_s > 0.1 * min_time_s else 10.0
        iterations = max(iterations + 1, round(growth * iterations))
    return calls, loops_s


def costs_from_trial(
    trial: Sample, wall_s: float, effort: Effort, *, start_s: float, counts_iterations: bool = False
) -> LaunchCosts:
    """The costs by a trial launch: what is neither process start nor timed loop is set-up."""
    costs = LaunchCosts(
        start_s=start_s, iteration_s=iteration_s(trial), counts_iterations=counts_iterations
    )
    calls, loops_s = costs.cost_of_estimating(effort)
    measured_s = costs.iteration_s * max(1, trial.iterations) * effort.repetitions
    spare_s = max(0.0, wall_s - _START_VARIES * start_s - loops_s - measured_s)
    return replace(costs, set_up_s=spare_s / (calls + effort.repetitions))


def costs_of_two_trials(costs: LaunchCosts, other: LaunchCosts) -> LaunchCosts:
    """The costs by two trial launches of one benchmark: the smaller ones, as disturbances only add
    time.

    If the first trial has an expensive set-up, the second runs one iteration only. If that one
    has much less set-up, the set-up grows with the iterations (a loop that pauses its timing), and
    longer samples would only make more of it.
    """
    if costs.has_expensive_setup:
        return replace(costs, steady_set_up=other.set_up_s > costs.set_up_s / 2)
    return replace(costs, set_up_s=min(costs.set_up_s, other.set_up_s))


def calibrated_effort(costs: LaunchCosts, asked: Effort) -> Effort:
    """The effort asked for, with as many iterations as fill a sample, and fewer repetitions of a
    slow benchmark."""
    if costs.iteration_s <= 0:
        return asked
    length_s = _sample_s(costs, asked)
    effort = replace(
        asked,
        min_time_s=length_s,
        iterations=max(1, math.ceil(length_s / costs.iteration_s)),
    )
    limit_s = max(LAUNCH_LIMIT_S, asked.min_time_s * asked.repetitions)
    calls, _ = costs.cost_of_estimating(effort)
    left_s = limit_s - calls * costs.set_up_s
    fitting = max(
        _fewest_repetitions(costs, calls), int(left_s / costs.repetition_s(effort) + 1e-9)
    )
    return replace(effort, repetitions=min(asked.repetitions, fitting))


def iteration_s(trial: Sample) -> float:
    """Real seconds of one iteration by a trial sample; of a benchmark with threads, of all threads
    together."""
    times = trial.values.get("real_time", ())
    if not times:
        return 0.0
    return min(times) * TIME_UNITS_NS[trial.time_unit] * 1e-9


def _fewest_repetitions(costs: LaunchCosts, calls: int) -> int:
    """The fewest repetitions worth making: nearly as many as the engine's estimating calls, which
    are made anyway."""
    few = 2 if costs.has_expensive_setup else calls
    return max(1, min(calls - 1, few))


def _sample_s(costs: LaunchCosts, asked: Effort) -> float:
    """Seconds that one sample should last: after an expensive set-up a longer one costs little
    more."""
    if not costs.has_expensive_setup or not costs.steady_set_up:
        return asked.min_time_s
    return max(asked.min_time_s, min(LONGEST_SAMPLE_S, _SET_UP_SHARE * costs.set_up_s))
