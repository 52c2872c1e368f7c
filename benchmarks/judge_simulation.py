"""How often the judge is right: coverage, false alarms and power, by simulation.

    python benchmarks/judge_simulation.py [--out docs/images] [--quick] [--seed N]

Writes judge_simulation.json (every figure), power.csv (curves) and power.svg.
Noise: synthetic kinds, and real rounds of a noisy 2-core VM (tests/data/rounds),
resampled with sides swapped by lot. One process; about 6 minutes, or 40 s with --quick.
Constants of the judge were tuned on other series than those of the default seed.
"""

import argparse
import csv
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support")]

from judging import NOISES, SCATTER, real_rounds  # noqa: E402

from assay.judge.compare_py.mann_whitney import two_sided_p  # noqa: E402
from assay.judge.estimate import launch_estimates  # noqa: E402
from assay.judge.paired.confidence_sequence import e_process, increments, max_e_value  # noqa: E402
from assay.judge.paired.suite_autocorrelation import shared_autocorrelation  # noqa: E402
from assay.judge.paired.tails import Tails, round_exponents  # noqa: E402
from assay.judge.share import IN_FAMILY  # noqa: E402

Floats = NDArray[np.float64]
ALPHA = 0.05
CPU_BOUND = ("Hash", "Chase")
BUDGET_ROUNDS = 65  # what 5 s of measuring a benchmark buys, on average


class Task(NamedTuple):
    """An injected effect, and the margin it must be proven beyond."""

    effect: float
    margin: float

    @property
    def name(self) -> str:
        return f"{self.effect:.0%} beyond a margin of {self.margin:.1%}"

    @property
    def distance(self) -> float:
        return math.log1p(self.effect) - math.log1p(self.margin)


TASKS = (Task(0.01, 0.0), Task(0.02, 0.005), Task(0.05, 0.02))


def main() -> int:
    """Run the campaign and write its figures."""
    args = arguments()
    size = 0.1 if args.quick else 1.0
    figures = {
        "coverage": coverage_table(int(4000 * size), args.seed),
        "false_alarms": false_alarm_table(size, args.seed),
        "power": power_table(int(200 * size)),
        "one_after_the_other": sequential_table(),
    }
    args.out.mkdir(parents=True, exist_ok=True)
    curves = power_curves(int(200 * size))
    (args.out / "judge_simulation.json").write_text(json.dumps(figures, indent=1) + "\n")
    write_csv(args.out / "power.csv", curves)
    (args.out / "power.svg").write_text(svg(curves))
    print(json.dumps(figures, indent=1))
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1123)
    return parser.parse_args()


# -- coverage at the moment of stopping ------------------------------------------------


def coverage_table(series: int, seed: int) -> dict[str, dict[str, float]]:
    """Noise -> situation -> share of intervals that hold the truth when measuring stops."""
    situations = ((0.0, 0.0), (0.0, 0.7), (2.0, 0.0), (2.0, 1.5), (2.0, 2.0), (2.0, 4.0))
    return {
        noise: {
            f"margin {m} sigma, effect {e} sigma": coverage(make, m, e, series, seed)
            for m, e in situations
        }
        for noise, make in NOISES.items()
    }


def coverage(
    make: Callable[..., Floats],
    margin: float,
    effect: float,
    series: int,
    seed: int,
    looks: int = 120,
) -> float:
    made = make(np.random.default_rng(1 + seed), (series, looks))
    bets = increments(SCATTER * (made + effect))
    target = 2.0 / (ALPHA * IN_FAMILY.centre)

    def rich(theta: float, side: float) -> NDArray[np.bool_]:
        path = e_process(bets, np.full(series, SCATTER * theta), side)
        return np.maximum.accumulate(path, axis=1) >= target

    inside = rich(-margin, 1.0) & rich(margin, -1.0)
    decided = rich(margin, 1.0) | rich(-margin, -1.0) | inside
    when = np.where(decided.any(axis=1), decided.argmax(axis=1), looks - 1)
    missed = rich(effect, 1.0) | rich(effect, -1.0)
    return round(1.0 - float(missed[np.arange(series), when].mean()), 4)


# -- false alarms of whole suites ------------------------------------------------------


def false_alarm_table(size: float, seed: int) -> dict[str, dict[str, float]]:
    """Noise -> suite -> share of A/A suites with any alarm at any of 100 looks, margin 0."""
    makers = {"real rounds, resampled": resampled, **{n: scaled(m) for n, m in NOISES.items()}}
    return {
        noise: {
            f"{family} benchmarks": false_suites(make, family, max(50, int(suites * size)), seed)
            for family, suites in ((1, 4_000), (20, 1_000), (100, 300))
        }
        for noise, make in makers.items()
    }


def scaled(make: Callable[..., Floats]) -> Callable[..., Floats]:
    return lambda rng, shape: SCATTER * make(rng, shape)


def false_suites(make: Callable[..., Floats], family: int, suites: int, seed: int) -> float:
    """Each suite is judged as a live session judges it: what its rounds echo is applied
    to the rounds measured after it was known."""
    rng = np.random.default_rng([seed, family])
    if family == 1:  # no company, no shared echo: many at once
        return round(float(alarmed(make(rng, (suites, 100)), 1, None).mean()), 4)
    false = 0
    for _ in range(suites):
        d = make(rng, (family, 100))
        false += bool(alarmed(d, family, autocorrelation_as_known(d)).any())
    return round(false / suites, 4)


def autocorrelation_as_known(d: Floats) -> Floats:
    """What a suite was known to echo at each of its rounds: NaN before anybody could know."""
    known = np.full(d.shape, np.nan)
    now = 1
    while now < d.shape[1]:
        then = now + max(1, now // 7)
        autocorrelation = shared_autocorrelation([d[:, :now]], len(d))
        known[:, now:then] = np.nan if autocorrelation is None else autocorrelation
        now = then
    return known


def alarmed(d: Floats, family: int, autocorrelation: Floats | None) -> NDArray[np.bool_]:
    """Whether the centre, or launches that are slow now and then, are ever found changed."""
    bets, zero = increments(d, autocorrelation), np.zeros(len(d))
    most = np.maximum(
        max_e_value(bets, zero),
        max_e_value(bets, zero, -1.0),
    )
    level = ALPHA / family
    power = round_exponents(d, autocorrelation)
    slow = Tails(d, 0.0, 1.0, power).wealth >= 1.0 / (level * IN_FAMILY.slow_launches)
    fast = Tails(d, 0.0, -1.0, power).wealth >= 1.0 / (level * IN_FAMILY.fast_launches)
    return np.asarray((most >= 2.0 / (level * IN_FAMILY.centre)) | slow | fast)


def log_ratios(name: str) -> dict[str, Floats]:
    return {
        benchmark: np.log(
            launch_estimates(candidate.tolist(), "real_time")
            / launch_estimates(base.tolist(), "real_time")
        )
        for benchmark, (base, candidate) in real_rounds(name).items()
    }


def resampled(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Real A/A rounds of random benchmarks, sides swapped by lot."""
    real = np.array(list(log_ratios("identical").values()))
    rows = rng.integers(0, len(real), shape[0])[:, None]
    picked = real[rows, rng.integers(0, real.shape[1], shape)]
    return np.asarray(picked * rng.choice([-1.0, 1.0], shape))


# -- power on real noise ---------------------------------------------------------------


def decisions(task: Task, replicates: int, rounds: int = 300) -> dict[str, Floats]:
    """Benchmark -> in each replicate, the round at which `task` is proven (inf: not yet)."""
    rng = np.random.default_rng(7)
    pool = centred_pool()
    target = 2.0 * len(pool) / (ALPHA * IN_FAMILY.centre)
    result = {}
    for name, values in pool.items():
        picked = rng.choice(values, (replicates, rounds)) * rng.choice(
            [-1, 1], (replicates, rounds)
        )
        path = e_process(increments(picked + task.distance, 0.0), np.zeros(replicates))
        found = path >= target
        result[name] = np.where(found.any(axis=1), found.argmax(axis=1) + 1.0, np.inf)
    return result


def centred_pool() -> dict[str, Floats]:
    """80 real rounds a benchmark, each half's own centre taken away."""
    halves = [log_ratios(name) for name in ("identical", "five_percent")]
    return {
        name: np.concatenate([half[name] - np.median(half[name]) for half in halves])
        for name in halves[0]
    }


def power_table(replicates: int) -> dict[str, dict[str, float]]:
    return {task.name: power(decisions(task, replicates)) for task in TASKS}


def power(when: dict[str, Floats]) -> dict[str, float]:
    matrix = np.array(list(when.values()))
    cpu = np.array([row for name, row in when.items() if name.startswith(CPU_BOUND)])
    limits = np.array([cap(column) for column in matrix.T])
    return {
        "found in 40 rounds each": share(matrix <= 40),
        "found in 65 rounds each": share(matrix <= BUDGET_ROUNDS),
        "found in 65 rounds on average, settled ones stopping": share(matrix <= limits),
        "the same, CPU-bound": share(cpu <= limits),
        "median rounds to find": float(np.median(matrix)),
    }


def cap(when: Floats) -> float:
    """Rounds the undecided get when the settled leave theirs to them."""
    limits = np.arange(1.0, 301.0)
    spent = np.minimum(when[:, None], limits).sum(axis=0)
    return float(limits[spent <= BUDGET_ROUNDS * len(when)][-1])


def share(found: NDArray[np.bool_]) -> float:
    return round(float(np.mean(found)), 4)


def power_curves(replicates: int) -> dict[str, list[float]]:
    """Task -> share of benchmarks in which it is found by 1, 2, ... 200 rounds."""
    curves = {}
    for task in TASKS:
        matrix = np.array(list(decisions(task, replicates).values()))
        curves[task.name] = [share(matrix <= n) for n in range(1, 201)]
    return curves


# -- the other way: ten repetitions of A, then ten of B, Mann-Whitney p < 0.05 ----------


def sequential_table() -> dict[str, float]:
    """compare.py's method on launches of the same real rounds (means of a launch)."""
    return {
        "identical, flagged": sequential_flags("identical", 1.0),
        "1 % added, flagged as slower": sequential_flags("identical", 1.01, slower=True),
        "5 % built in, flagged as slower": sequential_flags("five_percent", 1.0, slower=True),
    }


def sequential_flags(name: str, factor: float, *, slower: bool = False) -> float:
    flags = []
    for base, candidate in real_rounds(name).values():
        means, others = base.mean(axis=1), factor * candidate.mean(axis=1)
        for start in range(0, 21, 4):
            one, other = means[start : start + 10], others[start + 10 : start + 20]
            sure = two_sided_p(one.tolist(), other.tolist()) < ALPHA
            flags.append(sure and (not slower or np.median(other) > np.median(one)))
    return round(float(np.mean(flags)), 4)


# -- writing ---------------------------------------------------------------------------


def write_csv(path: Path, curves: dict[str, list[float]]) -> None:
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["rounds", *curves])
        for number, row in enumerate(zip(*curves.values(), strict=True), start=1):
            table.writerow([number, *row])


WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 360, 60, 20, 50
COLOURS = ("#0072b2", "#d55e00", "#009e73")  # told apart by the colour-blind too


def svg(curves: dict[str, list[float]]) -> str:
    """The power curves as a picture: three lines are not worth a dependency."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12" role="img" '
        'aria-label="Share of benchmarks in which a slowdown is found, by rounds">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *grid(),
    ]
    for number, ((name, shares), colour) in enumerate(zip(curves.items(), COLOURS, strict=True)):
        points = " ".join(f"{x(i + 1):.1f},{y(s):.1f}" for i, s in enumerate(shares))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        place = y(0.05 + 0.07 * (len(curves) - 1 - number))
        label = f'x="{WIDTH - 20}" y="{place:.0f}" text-anchor="end" fill="{colour}"'
        parts.append(f"<text {label}>{name}</text>")
    return "\n".join([*parts, "</svg>\n"])


def grid() -> list[str]:
    lines = []
    for level in (0.0, 0.25, 0.5, 0.75, 1.0):
        lines.append(f'<path d="M{LEFT} {y(level):.0f}H{WIDTH - 20}" stroke="#ddd"/>')
        lines.append(
            f'<text x="{LEFT - 8}" y="{y(level) + 4:.0f}" text-anchor="end">{level:.0%}</text>'
        )
    for rounds in (1, 50, 65, 100, 150, 200):
        lines.append(
            f'<text x="{x(rounds):.0f}" y="{HEIGHT - 30}" text-anchor="middle">{rounds}</text>'
        )
    lines.append(f'<path d="M{x(BUDGET_ROUNDS):.0f} {TOP}V{HEIGHT - BOTTOM}" stroke="#bbb"/>')
    title = "rounds of one launch a side (17 benchmarks, noisy 2-core VM, suite-wide 5 %)"
    lines.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">{title}</text>')
    return lines


def x(rounds: float) -> float:
    return LEFT + (WIDTH - LEFT - 20) * rounds / 200


def y(level: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * level


if __name__ == "__main__":
    sys.exit(main())
