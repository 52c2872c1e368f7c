"""What is said of fixed rounds, number by number.

The constants of these tests were chosen in simulations of many thousand pairs (decisions 27, 28, 42
and 46), which no test repeats. A changed constant shows here: whoever changes one on purpose writes
the numbers anew.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import numpy as np
import pytest
from judging import rounds_of
from msgspec.structs import replace

from assay.judge.look import shared_autocorrelation
from assay.judge.paired.interleaved import InterleavedPairs
from assay.judge.share import BY_ITSELF, IN_FAMILY, LevelShares
from assay.model import Pair

SAMPLES, MARGIN, LEVEL = 6, 0.05, 0.01


def swing(number: int, phase: float) -> float:
    """Noise without chance, which a random generator of another version would change."""
    return math.sin(3.7 * (number + 1) ** 1.3 + phase)


def launch(round_: int, phase: float, factor: float, slow: float) -> list[float]:
    """Samples of one launch, its first one slower by a factor."""
    took = [
        factor * math.exp(0.01 * swing(round_, phase) + 0.004 * swing(7 * round_ + one, phase))
        for one in range(SAMPLES)
    ]
    return [slow * took[0], *took[1:]]


def made(
    rounds: int,
    change: float = 0.0,
    *,
    launches: float = 1.0,
    samples: float = 1.0,
    drift: float = 0.0,
    links: float = 0.0,
) -> Pair:
    """Rounds whose candidate is slower by `change`; every fifth launch by `launches` as well, and
    a sample of two launches in three by `samples`; `drift` comes and goes over 20 rounds, and each
    of four links has an effect of about `links`."""
    base, candidate = [], []
    for number in range(rounds):
        factor = math.exp(change + drift * math.sin(number / 3.2) + links * math.sin(number % 4))
        factor *= launches if number % 5 == 2 else 1.0
        base.append(launch(number, 0.0, 1.0, 1.0))
        candidate.append(launch(number, 2.5, factor, samples if number % 3 else 1.0))
    return rounds_of(base, candidate)


def pairs_of(rounds: int) -> list[Pair]:
    return [
        *(made(rounds, change) for change in (0.0, 0.03, 0.075, -0.09)),
        *(made(rounds, launches=factor) for factor in (1.6, 0.6)),
        made(rounds, samples=2.5),
        made(rounds, drift=0.02),
    ]


def numbers_in(value: Any) -> Iterator[float]:
    """All numbers of a result, in order; texts and names are left out, None is -1."""
    if isinstance(value, msgspec.Struct):
        value = msgspec.structs.astuple(value)
    elif isinstance(value, np.ndarray):
        value = value.tolist()
    if value is None:
        yield -1.0
    elif isinstance(value, bool | int | float):
        yield float(value)
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for one in value:
            yield from numbers_in(one)


def said(
    pairs: list[Pair], autocorrelation: float | None = None, share: LevelShares = IN_FAMILY
) -> list[list[float]]:
    """Of each pair: its effect, interval, noise, the rounds needed and the findings beside."""
    group = InterleavedPairs(pairs, share)
    group.use_suite_autocorrelation(autocorrelation)
    ends = group.interval(np.arange(len(pairs)), LEVEL)
    effects = group.effects
    parts = zip(
        effects.base, effects.candidate, effects.change, effects.p_value, *ends, group.noise(),
        group.needed(MARGIN, LEVEL), group.beside(MARGIN, LEVEL), strict=True,
    )  # fmt: skip
    return [list(numbers_in(one)) for one in parts]


def linked(rounds: int) -> list[list[float]]:
    """Rounds over four links of both sides."""
    pairs = [
        replace(pair, placements=tuple(number % 4 for number in range(rounds)))
        for pair in (*pairs_of(rounds), *(made(rounds, launches=x, links=0.1) for x in (1.4, 0.8)))
    ]
    group = InterleavedPairs(pairs)
    sds = [group.placement_sd(row) for row in range(len(pairs))]
    return [list(numbers_in(one)) for one in zip(sds, said(pairs), strict=True)]


def known_meanwhile(rounds: int) -> list[list[float]]:
    """A session that told its rounds' autocorrelation from the twentieth round on."""
    known = tuple(math.nan if number < 20 else 0.2 for number in range(rounds))
    return said([replace(pair, autocorrelations=known) for pair in pairs_of(rounds)])


def suites() -> list[list[float]]:
    """The autocorrelation of suites of 24 benchmarks that drift more and more together."""
    drifts = (0.0, 0.004, 0.01, 0.03)
    told = [
        shared_autocorrelation([made(30, 0.01 * one, drift=drift) for one in range(24)])
        for drift in drifts
    ]
    return [list(numbers_in(told))]


CASES = {
    "nothing known of the host": lambda: said(pairs_of(40)),
    "many independent rounds": lambda: said(pairs_of(150), 0.0),
    "autocorrelated rounds": lambda: said(pairs_of(100), 0.3),
    "benchmarks by themselves": lambda: said(pairs_of(40)[:3], share=BY_ITSELF),
    "several links": lambda: linked(40),
    "known meanwhile": lambda: known_meanwhile(60),
    "suites": suites,
}

# A line of numbers for each pair, in the order of `said`; None is -1.
TOLD = {
    "nothing known of the host": """
        0.99327 0.99976 0.0065263 0.53286 -0.011173 0.018479 0.014774 9.4281e+09 9.4281e+09 0
            9.4281e+09 9.4281e+09 0 9.4281e+09 9.4281e+09 0 1 0.036227 1 0
        0.99327 1.0302 0.03718 2.6877e-06 0.018941 0.049496 0.014774 8.5704e+09 9.4281e+09 0
            8.5704e+09 9.4281e+09 0 8.5704e+09 9.4281e+09 0 1 0.036227 1 0
        0.99327 1.0776 0.084919 2.0689e-06 0.065841 0.097802 0.014774 0 9.4281e+09 9.3274e+09
            0 9.4281e+09 9.3274e+09 0 9.4281e+09 9.3274e+09 1 0.036227 0 0
        0.99327 0.91371 -0.080104 2.0689e-06 -0.09628 -0.06918 0.014774 9.6656e+09 0
            9.4281e+09 9.6656e+09 0 9.4281e+09 9.6656e+09 0 9.4281e+09 -1 0 0
        0.99262 1.0037 0.011149 0.054763 -0.0089607 0.1722 0.021691 9.0164e+09 1.0052e+10
            3.8418 9.0164e+09 1.0052e+10 3.8418 9.0164e+09 1.0052e+10 3.8418 1 0.036227 0 36
        0.99709 0.99522 -0.0018682 1 -0.17358 0.016816 0.024618 9.5964e+09 8.4501e+09 38.356
            9.5964e+09 8.4501e+09 38.356 9.5964e+09 8.4501e+09 38.356 1 0.036227 0 36
        0.99329 0.99988 0.006639 0.53351 -0.011123 0.018577 0.01492 9.4289e+09 9.4289e+09 0
            9.4289e+09 9.4289e+09 0 9.4289e+09 9.4289e+09 0 0.10833 0.2357 1 169.11 0 0
        0.99577 0.99796 0.0021995 1 -0.14437 0.17834 0.03121 7.6153e+09 7.6162e+09 24.717
            7.6153e+09 7.6162e+09 24.501 7.6153e+09 7.6162e+09 24.787 1 0.036227 1 0
    """,
    "many independent rounds": """
        0.99676 0.99696 0.00020044 0.59851 -0.0087198 0.0080895 0.021253 1.716e+10 1.716e+10
            0 1.716e+10 1.716e+10 0 1.716e+10 1.716e+10 0 1 0.015581 1 0
        0.99676 1.0273 0.030661 2.1957e-43 0.021469 0.03879 0.021253 1.4758e+10 1.716e+10 0
            1.4758e+10 1.716e+10 0 1.4758e+10 1.716e+10 0 1 0.015581 1 0
        0.99676 1.0746 0.0781 1.7544e-43 0.068485 0.086604 0.021253 0 1.716e+10 1.674e+10 0
            1.716e+10 1.674e+10 0 1.716e+10 1.674e+10 1 0.015581 0 0
        0.99676 0.91115 -0.085886 1.7544e-43 -0.094038 -0.078676 0.021253 1.716e+10 0
            1.716e+10 1.716e+10 0 1.716e+10 1.716e+10 0 1.716e+10 -1 0 0
        0.99461 1.0017 0.007123 0.050762 -0.0028902 0.014803 0.027115 1.3554e+10 1.716e+10 0
            1.3554e+10 1.716e+10 0 1.3554e+10 1.716e+10 0 0.2 0.58739 1 0.015581 0 56
        0.99962 0.99232 -0.007295 0.12245 -0.0152 0.0027262 0.027115 1.716e+10 1.3554e+10 0
            1.716e+10 1.3554e+10 0 1.716e+10 1.3554e+10 0 0.2 -0.39374 1 0.015581 0 56
        0.99668 0.99709 0.0004086 0.59172 -0.008447 0.0083539 0.021745 1.716e+10 1.716e+10 0
            1.716e+10 1.716e+10 0 1.716e+10 1.716e+10 0 0.11111 0.23315 1 162.65 0 0
        0.99681 0.99747 0.00065864 0.88958 -0.015888 0.020111 0.027871 1.0167e+10 1.0173e+10
            0 1.0167e+10 1.0173e+10 0 1.0167e+10 1.0173e+10 0 1 0.015581 1 0
    """,
    "autocorrelated rounds": """
        0.99687 0.9964 -0.00047296 1 -0.013248 0.013318 0.023483 1.4065e+10 1.4065e+10 0
            1.4065e+10 1.4065e+10 0 1.4065e+10 1.4065e+10 0 1 0.015514 1 0
        0.99687 1.0267 0.029967 1.5812e-22 0.016803 0.044979 0.023483 1.0805e+10 1.4065e+10
            0 1.0805e+10 1.4065e+10 0 1.0805e+10 1.4065e+10 0 1 0.015514 1 0
        0.99687 1.074 0.077374 1.1536e-28 0.063605 0.093077 0.023483 0 1.4065e+10 1.2147e+10
            0 1.4065e+10 1.2147e+10 0 1.4065e+10 1.2147e+10 1 0.015514 0 0
        0.99687 0.91064 -0.086501 1.1536e-28 -0.099057 -0.073897 0.023483 1.4065e+10 0
            1.3741e+10 1.4065e+10 0 1.3741e+10 1.4065e+10 0 1.3741e+10 -1 0 0
        0.99414 1.0013 0.0072157 0.69035 -0.012577 0.02226 0.029835 1.1638e+10 1.3591e+10 0
            1.1638e+10 1.3591e+10 0 1.1638e+10 1.3591e+10 0 0.2 0.58629 1 0.015514 0 47
        1.0003 0.99168 -0.0086174 1 -0.022278 0.011935 0.029835 1.3699e+10 1.1648e+10 0
            1.3699e+10 1.1648e+10 0 1.3699e+10 1.1648e+10 0 0.2 -0.39305 1 0.015514 0 47
        0.99683 0.99646 -0.00037398 1 -0.013021 0.013977 0.023264 1.4065e+10 1.4065e+10 0
            1.4065e+10 1.4065e+10 0 1.4065e+10 1.4065e+10 0 0.11 0.23335 1 162.39 0 0
        0.99707 0.99616 -0.00091727 0.86443 -0.023276 0.025437 0.0296 9.772e+09 9.7299e+09 0
            9.772e+09 9.7299e+09 0 9.772e+09 9.7299e+09 0 1 0.015514 1 0
    """,
    "benchmarks by themselves": """
        0.99327 0.99976 0.0065263 0.53286 -0.010728 0.017922 0.014774 8.7932e+09 8.7932e+09 0
            8.7932e+09 8.7932e+09 0 8.7932e+09 8.7932e+09 0 -1 1 0
        0.99327 1.0302 0.03718 2.6877e-06 0.0194 0.048923 0.014774 7.9355e+09 8.7932e+09 0
            7.9355e+09 8.7932e+09 0 7.9355e+09 8.7932e+09 0 -1 1 0
        0.99327 1.0776 0.084919 2.0689e-06 0.066321 0.097202 0.014774 0 8.7932e+09 8.6926e+09
            0 8.7932e+09 8.6926e+09 0 8.7932e+09 8.6926e+09 -1 1 0
    """,
    "several links": """
        0 0.99327 0.99976 0.0065263 0.53286 -0.011173 0.018479 0.014774 9.4281e+09 9.4281e+09
            0 9.4281e+09 9.4281e+09 0 9.4281e+09 9.4281e+09 0 -1 1 0
        0 0.99327 1.0302 0.03718 2.6877e-06 0.018941 0.049496 0.014774 8.5704e+09 9.4281e+09 0
            8.5704e+09 9.4281e+09 0 8.5704e+09 9.4281e+09 0 -1 1 0
        0 0.99327 1.0776 0.084919 2.0689e-06 0.065841 0.097802 0.014774 0 9.4281e+09
            9.3274e+09 0 9.4281e+09 9.3274e+09 0 9.4281e+09 9.3274e+09 -1 1 0
        0 0.99327 0.91371 -0.080104 2.0689e-06 -0.09628 -0.06918 0.014774 9.6656e+09 0
            9.4281e+09 9.6656e+09 0 9.4281e+09 9.6656e+09 0 9.4281e+09 -1 1 0
        0 0.99262 1.0037 0.011149 0.054763 -0.0089607 0.1722 0.021691 9.0164e+09 1.0052e+10
            3.8418 9.0164e+09 1.0052e+10 3.8418 9.0164e+09 1.0052e+10 3.8418 -1 1 0
        0 0.99709 0.99522 -0.0018682 1 -0.17358 0.016816 0.024618 9.5964e+09 8.4501e+09 38.356
            9.5964e+09 8.4501e+09 38.356 9.5964e+09 8.4501e+09 38.356 -1 1 0
        0 0.99329 0.99988 0.006639 0.53351 -0.011123 0.018577 0.01492 9.4289e+09 9.4289e+09 0
            9.4289e+09 9.4289e+09 0 9.4289e+09 9.4289e+09 0 -1 1 0
        0 0.99577 0.99796 0.0021995 1 -0.14437 0.17834 0.03121 7.6153e+09 7.6162e+09 24.717
            7.6153e+09 7.6162e+09 24.501 7.6153e+09 7.6162e+09 24.787 -1 1 0
        0.046218 1.0016 1.0778 0.076119 4.1685e-07 -0.068964 0.37224 0.081589 1078 1.0029e+10
            7.8352e+09 250.39 1.0029e+10 7.8352e+09 80.778 1.0029e+10 7.8352e+09 -1 1 0
        0.046291 0.99079 1.0183 0.027807 0.41698 -0.15067 0.19367 0.081589 7.5842e+09
            8.8497e+09 267.62 7.5842e+09 8.8497e+09 645.79 7.5842e+09 8.8497e+09 3335.3 -1 1 0
    """,
    "known meanwhile": """
        0.99391 0.99928 0.0053988 0.57892 -0.011145 0.015006 0.017166 1.1272e+10 1.1272e+10 0
            1.1272e+10 1.1272e+10 0 1.1272e+10 1.1272e+10 0 1 0.022494 1 0
        0.99391 1.0297 0.036018 1.1035e-13 0.01897 0.045918 0.017166 9.5023e+09 1.1272e+10 0
            9.5023e+09 1.1272e+10 0 9.5023e+09 1.1272e+10 0 1 0.022494 1 0
        0.99391 1.0771 0.083703 7.4267e-15 0.065871 0.094059 0.017166 0 1.1272e+10 1.0701e+10
            0 1.1272e+10 1.0701e+10 0 1.1272e+10 1.0701e+10 1 0.022494 0 0
        0.99391 0.91327 -0.081135 7.4267e-15 -0.096254 -0.072354 0.017166 1.1334e+10 0
            1.1272e+10 1.1334e+10 0 1.1272e+10 1.1334e+10 0 1.1272e+10 -1 0 0
        0.99289 1.0039 0.011064 0.12661 -0.0073853 0.027013 0.021907 9.8923e+09 1.1353e+10 0
            9.8923e+09 1.1353e+10 0 9.8923e+09 1.1353e+10 0 0.2 0.56964 1 0.022494 0 40
        0.99706 0.99488 -0.0021881 1 -0.031232 0.016907 0.024912 1.1089e+10 9.5677e+09 0
            1.1089e+10 9.5677e+09 0 1.1089e+10 9.5677e+09 0 1 0.022494 0 40
        0.99386 0.99943 0.0056031 0.57324 -0.011099 0.015378 0.017306 1.1272e+10 1.1272e+10 0
            1.1272e+10 1.1272e+10 0 1.1272e+10 1.1272e+10 0 1 160.32 0 0
        0.99571 0.99752 0.001815 0.93278 -0.033649 0.037476 0.027475 8.2701e+09 8.2728e+09 0
            8.2701e+09 8.2728e+09 0 8.2701e+09 8.2728e+09 0 1 0.022494 1 0
    """,
    "suites": """
        0.40489 0.58562 0.66943 0.9
    """,
}


@pytest.mark.parametrize("name", CASES)
def test_fixed_rounds_say_what_they_said(name: str) -> None:
    found = [number for row in CASES[name]() for number in row]
    told = [*map(float, TOLD[name].split())]
    # Without `abs=0.0` any number below 1e-12 would do for a p-value that is as small.
    assert found == pytest.approx(told, rel=1e-4, abs=0.0, nan_ok=True)
