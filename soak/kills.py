"""Verbs that write are killed at random moments: nothing measured is lost, nothing is left.

    ./dev soak --minutes 120 kills                   200 kills of each verb
    .venv/bin/python -m soak.kills 60 bisect gate    these, for 60 minutes

Each verb is run whole first: that tells how long it takes, and how many of its launches are
trials. After a kill the next start tidies up. Then the record or its journal must hold all
launches but the trials and the round under way, the store must list what it had, and the same
command must come to its end and leave nothing behind. As many verbs are killed at once as there
are processors.
"""

import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from soak.killed_verbs import KEPT, PREPARED, VERBS, Verb, prepare

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "faults"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))
from world import Trouble, World

FEWEST = 200  # kills of each verb, where there is the time for them
_TEMPLATE = "template"
_IN_A_ROUND = 2  # launches, of which none is kept before the round is whole


class Whole(NamedTuple):
    """What a verb does that nobody kills."""

    took_s: float
    trials: int


def soak(minutes: float, only: tuple[str, ...] = ()) -> list[str]:
    """Kill each verb `FEWEST` times, or for so long altogether; what was lost, in words."""
    until_s = time.monotonic() + 60 * minutes
    verbs = {name: verb for name, verb in VERBS.items() if not only or name in only}
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        root = Path(folder)
        prepared(root)
        wholes = {name: whole(root, verb) for name, verb in verbs.items()}
        todo = [(name, kill) for kill in range(1, FEWEST + 1) for name in verbs]

        def one(what: tuple[str, int]) -> list[str] | None:
            if time.monotonic() > until_s:
                return None
            name, kill = what
            found = killed(root, verbs[name], random.Random(f"{what}"), wholes[name])
            return [f"{name}, kill {kill}: {text}" for text in found]

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(zip(todo, pool.map(one, todo), strict=True))
    for name in verbs:
        count = sum(found is not None for (verb, _), found in results if verb == name)
        print(f"kills: {name}: {count} of {FEWEST}", flush=True)
    return [text for _, found in results for text in found or ()]


def prepared(root: Path) -> None:
    """The world that each kill gets a copy of."""
    (root / _TEMPLATE).mkdir()
    prepare(World(root / _TEMPLATE))


def whole(root: Path, verb: Verb) -> Whole:
    """Run it once to its end. Raises `AssertionError` where that does not go well."""
    with _world(root) as world:
        began_s = time.monotonic()
        seen = world.run(verb.words, _trouble())
        assert seen.code in verb.codes, f"{verb.words} ended with {seen.code}: {seen.text}"
        took_s = time.monotonic() - began_s
        kept = _rows(world.folder / verb.keeps) if verb.keeps else 0
        assert kept or not verb.keeps, f"{verb.words} kept nothing: {seen.text}"
        return Whole(took_s, _launches(world) - kept)


def killed(root: Path, verb: Verb, chance: random.Random, known: Whole) -> list[str]:
    """One kill in a world of its own; what it did that it may not, in words."""
    with _world(root) as world:
        limit_s = f"{chance.uniform(0.05, known.took_s):.3f}"
        world.run(verb.words, _trouble("timeout", "-s", "KILL", limit_s))
        return list(_wrong(world, verb, known, limit_s))


def _wrong(world: World, verb: Verb, known: Whole, limit_s: str) -> Iterator[str]:
    launches = _launches(world)
    after = world.run(("runs", *PREPARED), _trouble())
    if after.code or "left out" in after.text or KEPT not in after.text:
        yield f"after {limit_s} s `runs` ended with {after.code}: {after.text[-300:]}"
    if verb.keeps:
        kept, owed = _rows(world.folder / verb.keeps), launches - known.trials - _IN_A_ROUND
        if kept < owed:
            yield f"after {limit_s} s {kept} rows of {launches} launches are kept"
    again = world.run(verb.again or verb.words, _trouble())
    if again.code not in (verb.codes_again or verb.codes):
        yield f"after {limit_s} s the same again ended with {again.code}: {again.text[-300:]}"
    yield from (f"after {limit_s} s left behind: {one}" for one in world.left_behind())


def _rows(record: Path) -> int:
    """Launches that a record holds, or its journal."""
    if record.exists():
        return len(json.loads(record.read_text())["benchmarks"])
    journal = record.with_name(f"{record.name}.journal")
    lines = journal.read_bytes().split(b"\n")[:-1] if journal.exists() else []
    return sum(line.startswith(b'{"row"') for line in lines)


def _launches(world: World) -> int:
    return len(world.launches.read_text().splitlines())


@contextmanager
def _world(root: Path) -> Iterator[World]:
    """A copy of the world that was prepared, which is gone afterwards."""
    folder = Path(tempfile.mkdtemp(dir=root))
    try:
        shutil.copytree(root / _TEMPLATE, folder, symlinks=True, dirs_exist_ok=True)
        yield World(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _trouble(*prefix: str) -> Trouble:
    return Trouble(prefix=prefix, shell='exec "$@"')


if __name__ == "__main__":
    lost = soak(float(sys.argv[1]), tuple(sys.argv[2:]))
    print("\n".join(lost) or "holds")
    sys.exit(1 if lost else 0)
