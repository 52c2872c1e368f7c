"""What is said of fixed series, number by number.

The constants of this folder were tuned on thousands of simulated years (decision 33), which no test
repeats. A changed constant shows here: whoever changes one on purpose writes the numbers anew.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import astuple

from assay.history import History
from assay.judge.history.detector import DetectorState, state_after_runs
from assay.judge.history.fit import Fit, fit_segment, step_over_line
from assay.judge.history.noise import Floats
from assay.judge.history.present import present_level
from assay.judge.history.summary import judge_history
from assay.judge.history.windows import evidence, evidence_of_each_split

Level = Callable[[int], float]


def series(runs: int, level: Level, scatter: float = 0.01, memory: float = 0.0) -> list[float]:
    """Runs without chance, which a random generator of another version would change."""
    values, noise = [], 0.0
    for number in range(runs):
        swing = math.sin(3.7 * (number + 1) ** 1.3) + math.sin(1.9 * (number + 3) ** 1.4) ** 3
        noise = memory * noise + scatter * swing
        values.append(100.0 * math.exp(level(number) + noise))
    return values


def wild(values: list[float], *places: int) -> list[float]:
    return [value * 1.3 if number in places else value for number, value in enumerate(values)]


def step(at: int, size: float) -> Level:
    return lambda number: size * (number >= at)


CASES = {
    "few": series(7, step(99, 0.0)),
    "too few": series(3, step(99, 0.0)),
    "still": series(150, step(999, 0.0)),
    "hardly a step": series(120, step(80, 0.014)),
    "hardly a step at the end": series(60, step(54, 0.035), memory=0.4),
    "a small step": series(120, step(60, 0.03)),
    "a large step, at the end": series(90, step(86, 0.2)),
    "a step down in noise that lasts": series(160, step(90, -0.06), memory=0.6),
    "two steps": series(200, lambda number: 0.05 * (number >= 70) + 0.08 * (number >= 140)),
    "there and back": series(120, lambda number: 0.06 * (50 <= number < 70)),
    "a drift": series(150, lambda number: 0.0008 * number),
    "a drift and a step": series(200, lambda number: 0.0008 * number + 0.08 * (number >= 120)),
    "wild runs": wild(series(120, step(80, 0.04)), 20, 50, 51, 100, 119),
    "hardly any noise": series(80, step(50, 0.002), scatter=1e-5),
    "counts": [float(round(one / 10)) for one in series(90, step(45, 0.15))],
    "zeros": [0.0] * 30 + [1.0] * 20,
}


def numbers(found: History) -> list[float]:
    now = [-1.0 if one is None else one for one in (found.now.level, found.now.low, found.now.high)]
    told = [*now, float(found.lacking)]
    for segment in found.segments:
        told += [segment.first, segment.last, segment.level, segment.low, segment.high]
        told.append(segment.drift)
    for one in found.changes:
        told += [one.seen_at, one.split, one.first, one.last, one.ratio, one.low, one.high]
        told.append(-math.log(max(1.0 - one.certainty, 1e-12)))
    return told


def details(values: list[float]) -> list[float]:
    """What the detector remembers, and the evidence that it weighs on the way."""
    state, _ = state_after_runs(DetectorState(), values)
    logs = np.log(np.maximum(values, 1e-300))
    told = [float(one) for one in (state.start, state.refit, state.patience, len(state.memory))]
    for learnt in (14, 40):
        fit = fit_segment(logs[:learnt], np.zeros(0))
        if fit is not None:
            told += evidence_in(logs, fit)
    return told


def evidence_in(logs: Floats, fit: Fit) -> list[float]:
    noise, scores = fit.noise, fit.scores(logs)
    told = [fit.worth, noise.scale, noise.variance, noise.autocorrelation, float(noise.runs)]
    shown = evidence(scores, 1, noise, 0.7)
    told += [*shown[:6].tolist(), *shown[6 :: len(shown) // 6].tolist()]
    told += evidence_of_each_split(scores, noise)[1][:: len(scores) // 4].tolist()
    return [*told, *step_over_line(logs, len(logs) // 2, noise)]


def test_two_hosts_are_two_histories() -> None:
    values = series(60, step(30, 0.5))
    found = judge_history(values, ["a"] * 30 + ["b"] * 30)
    assert [(one.first, one.last, one.host) for one in found.segments] == [
        (0, 29, "a"),
        (30, 59, "b"),
    ]
    assert not found.changes


@pytest.mark.parametrize("runs", [2, 4, 5, 12, 40])
def test_the_present_level_after_so_many_runs(runs: int) -> None:
    found = present_level(np.log(series(runs, lambda number: 0.001 * number, memory=0.3)))
    assert found is not None
    assert astuple(found) == pytest.approx(PRESENT[runs], rel=1e-5)


# Of each series: level, interval, runs lacking; segments; changes; then `details`. None is -1.
PRESENT = {
    2: (4.6061538, 4.5773043, 4.6350431),
    4: (4.6031249, 4.5872196, 4.6179475),
    5: (4.6002625, 4.585159, 4.6138916),
    12: (4.6080697, 4.5976253, 4.623143),
    40: (4.6389197, 4.6227627, 4.6507447),
}
TOLD = {
    "few": """
        99.8222 98.6608 101.183 17 0 6 99.7665 99.024 100.514 1 0 8 0 0
    """,
    "too few": """
        100.037 98.4488 101.646 21 0 2 100.039 99.241 100.844 1 0 4 0 0
    """,
    "still": """
        99.9982 99.3628 100.467 0 0 149 99.9564 99.8152 100.098 1 0 154 0 0 1 0.00879297
            0.762455 0 30 0 0 0 0 0 0 0 0 0 0 0 0 0.0920845 2.32023 0.431235 0.409824
            0.254454 -0.209921 0.0503887
    """,
    "hardly a step": """
        101.591 100.947 102.379 0 0 79 99.9061 99.7134 100.099 1 80 119 101.55 101.273
            101.828 1 91 80 78 80 1.01646 1.01307 1.01986 26.742 80 120 0 80 1 0.00879297
            0.762455 0 30 0 0 0 0 0 0 0 0.99871 0.783754 0 3.75622 9.08737 0.566557 22.4504
            33.0375 42.1197 -12.6362 0.0230556
    """,
    "hardly a step at the end": """
        103.08 101.643 104.34 0 0 59 100.211 99.2055 101.227 1 0 63 0 0 1 0.0118389 0.555318
            0.596919 30 0 0 0 0 0 0 0 0 0 0 0 0 0.154155 0.964504 5.77557 7.52282 1.129
            1.58168
    """,
    "a small step": """
        103.166 102.672 103.849 0 0 59 99.8686 99.6446 100.093 1 60 119 103.146 102.915
            103.378 1 63 60 60 60 1.03282 1.02955 1.03611 27.631 60 123 0 60 1 0.00879297
            0.762455 0 30 0 0 0 0 0 0 0 0.99871 0.783754 8.71573 13.4632 15.8235 1.98106
            80.4663 162.241 54.5804 54.2461 54.9508
    """,
    "a large step, at the end": """
        121.922 119.94 123.922 0 0 85 99.9028 99.7129 100.093 1 86 89 121.917 120.846
            122.997 1 88 86 86 86 1.22036 1.20939 1.23142 11.8797 86 93 0 86 1 0.00879297
            0.762455 0 30 0 0 0 0 0 0 0 0 0 3.08169 0 0 0.132413 1.7521 4.43234 2.83185
            5.49304 -3.7732 0.326112
    """,
    "a step down in noise that lasts": """
        94.1022 93.1409 94.7408 0 0 89 99.749 99.2677 100.233 1 90 159 94.2531 93.7393
            94.7696 1 97 90 90 90 0.944902 0.938031 0.951824 27.631 90 160 0 90 1 0.0113887
            0.873457 0.78389 30 0 0 0 0 0 0 0 0 0 0 3.91425 2.41201 1.25001 6.32946 31.8815
            17.4631 -13.8767 0.314128
    """,
    "two steps": """
        113.878 113.545 114.411 0 0 69 99.8967 99.6939 100.1 1 70 139 105.143 104.93 105.357
            1 140 199 113.871 113.621 114.121 1 72 70 70 70 1.05252 1.0495 1.05555 27.631
            141 140 140 140 1.083 1.07977 1.08625 27.631 140 205 0 140 1 0.00879297 0.762455
            0 30 0 0 0 0 0 0 0 0 7.26982 16.4539 17.746 19.312 3.37122 177.241 143.682
            47.4659 -1019.17 13.5509
    """,
    "there and back": """
        100.125 99.5623 100.857 0 0 49 99.8907 99.6467 100.135 1 50 69 106.09 105.681
            106.501 1 70 119 100.105 99.8601 100.35 1 52 50 50 50 1.06206 1.05722 1.06694
            27.631 72 70 70 70 0.94358 0.939272 0.947907 27.631 70 124 0 70 1 0.00879297
            0.762455 0 30 0 0 0 0 0 0 0 0.99871 0.783754 12.2216 9.08334 7.13813 0.538459
            21.2721 0.481189 1.64743 -0.975544 0.636974
    """,
    "a drift": """
        112.372 111.719 113.016 0 0 149 106.242 106.091 106.392 1.13244 0 154 0 0 0.25
            0.00878253 1.01052 0 40 0 0 0 0 0 0 0 0 0 0 0 0 0.16453 4.30922 1.77932 0.267065
            0.339319 -299.053 0.0381097
    """,
    "a drift and a step": """
        127.077 126.527 127.63 0 0 119 104.877 104.715 105.039 1.10859 120 199 123.013
            122.781 123.246 1.06772 121 120 120 120 1.07816 1.07553 1.0808 27.631 120 202 0
            120 0.25 0.00878253 1.01052 0 40 0 0 0 0 0 0 0 0 0 0 19.4557 27.2857 1.5857
            70.6661 156.385 108.522 -873.402 76.8991
    """,
    "wild runs": """
        104.526 103.753 107.575 0 0 79 99.9869 99.7408 100.234 1 80 119 104.349 103.987
            104.713 1 84 80 80 80 1.04363 1.03919 1.04809 27.631 80 121 0 80 1 0.00893075
            1.02795 0 30 0 0 0 0 0 0 0 0 0 0 2.53038 8.48991 0.655252 21.6561 34.3474
            41.7669 -59.4902 1.33211
    """,
    "hardly any noise": """
        100.2 99.9769 100.424 0 0 49 99.9999 99.9996 100 1 50 79 100.2 100.2 100.2 1 52 50
            50 50 1.002 1.002 1.00201 27.631 50 81 0 50 1 8.79297e-06 0.762455 0 30 0 0 0 0
            0 0 0 0 0 0.866323 11.5587 13.6986 1.35384 26.5818 97.1675 58.4701 3329.11
            2008.7
    """,
    "counts": """
        12 11.9804 12.0196 0 0 44 10 9.99368 10.0063 1 45 89 11.9887 11.9811 11.9963 1 46 45
            45 45 1.19887 1.1978 1.19994 27.631 45 92 0 45 1 1e-09 0.3 0 30 0 0 0 0 0 0 0 0
            0 15.6556 20.6717 22.1074 5.17 157.908 431.332 157.908 5.17 3.19896e+10
            3.12003e+10
    """,
    "zeros": """
        1 0.997045 1.00296 0 0 29 0 0 0 1 30 49 1 1 1 1 33 30 30 30 1e+300 1e+300 1e+300
            27.631 30 50 0 30 1 1e-09 0.3 0 30 0 0 0 0 0 0 0 0 0 8.54342 18.1115 18.9579
            3.34133 57.5467 163.333 129.22 7.51333 2.23602e+13 1.29993e+13
    """,
}


@pytest.mark.parametrize("name", CASES)
def test_fixed_series_say_what_they_said(name: str) -> None:
    found = numbers(judge_history(CASES[name])) + details(CASES[name])
    assert found == pytest.approx([*map(float, TOLD[name].split())], rel=1e-4, abs=1e-7)
