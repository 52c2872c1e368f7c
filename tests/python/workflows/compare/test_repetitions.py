import random

from assay.measure.effort import Effort, LaunchCosts
from assay.model import Sample, Side
from assay.workflows.compare.repetitions import ROUNDS, better_repetitions

DEAR = LaunchCosts(start_s=0.003, set_up_s=0.05, iteration_s=1e-7, counts_iterations=True)
CHEAP = LaunchCosts(start_s=0.003, iteration_s=1e-7, counts_iterations=True)


def samples(rounds: int = ROUNDS, repetitions: int = 15, between: float = 0.02) -> list[Sample]:
    """Launches that differ from one another while the samples inside each do not."""
    luck, rows = random.Random(3), []
    for number in range(rounds):
        for side in Side:
            level = 100.0 * luck.lognormvariate(0, between)
            values = {"real_time": (level,) * repetitions}
            rows.append(Sample(benchmark="b", values=values, side=side, round=number))
    return rows


def better(rows: list[Sample], costs: LaunchCosts, repetitions: int = 15) -> int:
    effort = Effort(repetitions=repetitions, iterations=5000)
    return better_repetitions(rows, effort, costs, 2 * costs.launch_s(effort))


def test_repetitions_that_tell_nothing_and_set_up_again_go() -> None:
    assert better(samples(), DEAR) == 1


def test_cheap_ones_stay_at_five_so_that_slow_samples_are_seen() -> None:
    assert better(samples(), CHEAP) == 5


def test_too_few_rounds_change_nothing() -> None:
    assert better(samples(rounds=ROUNDS - 1), DEAR) == 15


def test_a_side_with_other_lengths_changes_nothing() -> None:
    rows = samples()
    values = {"real_time": rows[0].values["real_time"][:3]}
    rows[0] = Sample(benchmark="b", values=values, side=rows[0].side, round=0)
    assert better(rows, DEAR) == 15


def test_one_repetition_cannot_become_fewer() -> None:
    assert better(samples(repetitions=1), DEAR, repetitions=1) == 1
