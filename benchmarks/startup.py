"""How soon `assay --help` answers: promised within 100 ms; and beside Python doing nothing.

Of the wheel, as it is installed: the modules of a clone are found by a hook, which takes its time.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from benchmarks.tools import ASSAY, ROOT, median_s, promised

RUNS = 15


def main() -> bool:
    kept = promised("assay --help", 1000 * median_s([ASSAY, "--help"], RUNS), 100, "ms")
    with tempfile.TemporaryDirectory() as place:
        folder = _installed(Path(place))
        help_s, nothing_s = _in_turns(
            [str(folder / "bin" / "assay"), "--help"],
            [str(folder / "bin" / "python"), "-c", "pass"],
        )
    print(f"  assay --help of the wheel: {1000 * help_s:.3g} ms")
    print(f"  python -c pass in its turns: {1000 * nothing_s:.3g} ms")
    print(f"  the first is {help_s / nothing_s:.2g} times the second")
    return kept


def _installed(folder: Path) -> Path:
    """The wheel by itself; what it needs is found where this Python has it."""
    sys.path.append(str(ROOT / "tools"))
    import msgspec
    import release

    wheel = release.built(ROOT, folder / "dist")
    place = folder / "env"
    venv.create(place)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "--python", str(place)]
    subprocess.run([*pip, "install", "--no-deps", str(wheel)], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    (packages / "needed.pth").write_text(f"{Path(msgspec.__file__).parents[1]}\n")
    return place


def _in_turns(*commands: list[str]) -> list[float]:
    """Median wall time of each, in turns, so that what disturbs one disturbs all."""
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(RUNS + 1):
        for command, own in zip(commands, times, strict=True):
            began_s = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=clean)
            own.append(time.perf_counter() - began_s)
    return [statistics.median(own[1:]) for own in times]
