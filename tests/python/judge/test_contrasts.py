"""Every two conditions are compared once, round with round, under one budget of error."""

import random

from assay.judge.contrasts import contrasts_of
from assay.judge.verdict import judge
from assay.model import Sample, Settings, Verdict

FACTORS = {"none": 1.0, "light": 1.03, "heavy": 1.10}
SETTINGS = Settings(margin=0.0, alpha=0.01)


def rounds(count: int, factors: dict[str, float]) -> list[Sample]:
    chance = random.Random(3)
    samples = []
    for number in range(count):
        order = list(factors)
        chance.shuffle(order)
        mood = chance.lognormvariate(0, 0.1)  # of the host: shared by a round
        for place, name in enumerate(order):
            time = 500 * mood * factors[name] * chance.lognormvariate(0, 0.004)
            values = {"real_time": (time,), "cpu_time": (time,)}
            samples.append(
                Sample(
                    benchmark="exec", values=values, condition=name, round=number, position=place
                )
            )
    return samples


def test_each_condition_against_the_first_and_against_each_other() -> None:
    found = contrasts_of(rounds(60, FACTORS), list(FACTORS), SETTINGS)
    assert [(one.reference, one.condition) for one in found] == [
        ("none", "light"),
        ("none", "heavy"),
        ("light", "heavy"),
    ]
    made = judge([one.pair for one in found], SETTINGS).comparisons
    for contrast, one in zip(found, made, strict=True):
        truth = FACTORS[contrast.condition] / FACTORS[contrast.reference] - 1
        assert one.low is not None
        assert one.high is not None
        assert one.low < truth < one.high
        assert one.high - one.low < 0.02  # a tenth of the host's own mood
        assert one.verdict is Verdict.SLOWER


def test_rounds_that_a_condition_did_not_survive_are_not_used() -> None:
    samples = rounds(20, FACTORS)
    less = [s for s in samples if s.condition != "heavy" or (s.round or 0) < 12]
    lengths = {
        (one.reference, one.condition): len(one.pair.base.launches)
        for one in contrasts_of(less, list(FACTORS), SETTINGS)
    }
    assert lengths == {("none", "light"): 20, ("none", "heavy"): 12, ("light", "heavy"): 12}


def test_a_condition_never_measured_is_in_no_comparison() -> None:
    assert contrasts_of(rounds(3, {"none": 1.0}), list(FACTORS), SETTINGS) == []
    found = contrasts_of(rounds(3, {"none": 1.0, "heavy": 1.1}), list(FACTORS), SETTINGS)
    assert [(one.reference, one.condition) for one in found] == [("none", "heavy")]
