"""./dev soak: the parts that are named, or all of them, one after the other.

    ./dev soak                          all of them: 2 hours each or more
    ./dev soak --minutes 5 fuzz loop    these, 5 minutes each

Prints a line for each part and ends with 1 where one did not hold. Runs on an idle machine or a
busy one: nothing here depends on how long something takes.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from soak import fuzz, kills, loop, native, shared_history

ROOT = Path(__file__).resolve().parent.parent


def faults(minutes: float) -> list[str]:
    """Every cell of tests/faults, however long that takes."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/faults"],
        cwd=ROOT,
        env={**os.environ, "ASSAY_SOAK": "1"},
        check=False,
    )
    return [f"tests/faults: pytest ended with {done.returncode}"] if done.returncode else []


PARTS: dict[str, Callable[[float], list[str]]] = {
    "faults": faults,
    "kills": kills.soak,
    "fuzz": fuzz.soak,
    "native": native.soak,
    "loop": loop.soak,
    "shared_history": shared_history.soak,
}


def main() -> int:
    """The exit code: 1 where something did not hold."""
    parser = argparse.ArgumentParser(prog="./dev soak", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, default=120.0, help="of each part but faults, of each reader"
    )
    parser.add_argument("part", nargs="*", choices=[[], *PARTS], help="default: all of them")
    asked = parser.parse_args()
    wrong = 0
    for name in asked.part or PARTS:
        print(f"==> {name}", flush=True)
        found = PARTS[name](asked.minutes)
        wrong += len(found)
        for line in found or ["holds"]:
            print(f"{name}: {line}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
