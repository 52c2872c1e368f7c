"""Which repetitions and which length of a sample tell most in a given time.

    python -m benchmarks.effort_choice EXECUTABLE [--filter RE] [--rounds N] [--settings 15x0.5,5x2]

A against A, settings and benchmarks interleaved. Noise is the scatter of one round's log ratio,
tails clipped at 3 MAD, the geometric mean over the benchmarks; time is that of a round; their
product, noise squared times time, is proportional to the time to an interval of a given width.
Run it with nothing else running. docs/decisions/0026-effort-follows-cost.md shows its table.
"""

import argparse
import math
import random
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.judge.repetitions import noise_by_repetitions
from assay.measure.effort import Effort, calibrated_effort
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.measure.targets.gbench import GBenchTarget
from assay.record.reader import parse

SETTINGS = "15x0.5,8x0.5,5x0.5,3x0.5,1x0.5,5x2,2x10,1x50,auto"
CPU = None


@dataclass
class Cell:
    """One setting of one benchmark: the launches of either side, and what the rounds took."""

    effort: Effort
    sides: tuple[list[tuple[float, ...]], list[tuple[float, ...]]] = field(
        default_factory=lambda: ([], [])
    )
    spent_s: float = 0.0

    def noise(self) -> float:
        return noise_by_repetitions(*self.sides, "real_time", (self.effort.repetitions,))[
            self.effort.repetitions
        ]

    def round_s(self) -> float:
        return self.spent_s / len(self.sides[0])


def main(arguments: Sequence[str] | None = None) -> bool:
    asked = _asked(arguments)
    target = _target(asked.executable)
    names = [name for name in target.benchmarks("") if re.search(asked.filter, name)]
    cells = {
        name: {setting: Cell(effort) for setting, effort in _efforts(target, name, asked).items()}
        for name in names
    }
    _measure(target, cells, asked.rounds)
    _print(cells)
    return True


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("executable")
    parser.add_argument("--filter", default="")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--settings", default=SETTINGS, help="REPETITIONSxMILLISECONDS or auto")
    return parser.parse_args(arguments)


def _target(executable: str) -> GBenchTarget:
    runs = ProcessExecutor(find_launcher())
    return GBenchTarget((executable,), executable, runs, parse, 600.0).with_probed_engine()


def _efforts(target: GBenchTarget, name: str, asked: argparse.Namespace) -> dict[str, Effort]:
    """Each setting as what a launch is asked to do; "auto" is what Assay would choose."""
    costs = target.launch(name, Effort(repetitions=1, trial=True), CPU).costs
    if costs is None:
        raise SystemExit(f"{name}: its trial told nothing")
    efforts = {}
    for setting in asked.settings.split(","):
        if setting == "auto":
            efforts[setting] = calibrated_effort(costs, Effort())
            continue
        repetitions, _, length_ms = setting.partition("x")
        length_s = float(length_ms) * 1e-3
        iterations = max(1, math.ceil(length_s / costs.iteration_s))
        efforts[setting] = Effort(length_s, int(repetitions), iterations)
    return efforts


def _measure(target: GBenchTarget, cells: dict[str, dict[str, Cell]], rounds: int) -> None:
    visits = [(name, setting) for name, row in cells.items() for setting in row]
    luck = random.Random(1)
    for _ in range(rounds):
        luck.shuffle(visits)
        for name, setting in visits:
            cell = cells[name][setting]
            began_s = time.perf_counter()
            for side in luck.sample(cell.sides, 2):
                sample = target.launch(name, cell.effort, CPU).sample
                side.append(sample.values["real_time"])
            cell.spent_s += time.perf_counter() - began_s


def _print(cells: dict[str, dict[str, Cell]]) -> None:
    """The suite's table; a benchmark whose noise is 0 cannot be part of a geometric mean."""
    logs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in cells.values():
        for setting, cell in row.items():
            noise = cell.noise()
            if noise > 0:
                logs[setting].append((math.log(noise), math.log(cell.round_s())))
    print(
        f"{len(cells)} benchmarks\n| samples x ms | noise of a round | time of a round | product |"
    )
    print("| --- | --- | --- | --- |")
    for setting, pairs in logs.items():
        noise, round_s = (math.exp(float(np.mean(column))) for column in zip(*pairs, strict=True))
        product = (100 * noise) ** 2 * 1e3 * round_s
        print(f"| {setting} | {noise:.2%} | {1e3 * round_s:.1f} ms | {product:.3g} |")


if __name__ == "__main__":
    main()
