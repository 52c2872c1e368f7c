"""Verbs that write are killed at random moments: nothing measured is lost, nothing is left.

After each kill the next start tidies up; then the store must list, and hold at least the rounds
that the program had been launched for when the verb was killed, less the one under way.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

_FAULTS = Path(__file__).resolve().parent.parent / "tests" / "faults"
_STORE = ("--store", "store")
_MEASURE = ("--rounds", "30", "-q", *_STORE)
VERBS: dict[str, tuple[str, ...]] = {
    "run": ("run", "cmd:./program", *_MEASURE),
    "compare": ("compare", "cmd:./program", "cmd:./program", *_MEASURE),
    "runs import": ("runs", "import", "base.json", *_STORE),
    "runs label": ("runs", "label", "LAST", "name", *_STORE),
    "runs delete": ("runs", "delete", "LAST", *_STORE),
    "runs export": ("runs", "export", "LAST", "-o", "export.json", *_STORE),
    "report": ("report", "base.json", "-o", "page.html"),
    "multiview": ("multiview", "base.json", "candidate.json", "-o", "many.html"),
}
FEWEST = 200  # kills of each verb, where there is the time for them
_LONGEST_S = 3.0


def soak(minutes: float) -> list[str]:
    """Kill each verb `FEWEST` times, or for so long altogether; what was lost, in words."""
    chance, until_s = random.Random(27), time.monotonic() + 60 * minutes
    wrong: list[str] = []
    count = 0
    with tempfile.TemporaryDirectory() as name:
        for count in range(FEWEST * len(VERBS)):
            if time.monotonic() > until_s:
                break
            verb = list(VERBS)[count % len(VERBS)]
            wrong += [f"{verb}, kill {count}: {what}" for what in killed(Path(name), verb, chance)]
    print(f"kills: {count} of {FEWEST * len(VERBS)}", flush=True)
    return wrong


def killed(root: Path, verb: str, chance: random.Random) -> list[str]:
    """One kill in a world of its own; what it did that it may not, in words."""
    sys.path.insert(0, str(_FAULTS))
    from table import write_inputs
    from world import Trouble, World

    folder = Path(tempfile.mkdtemp(dir=root))
    world = World(folder)
    write_inputs(world)
    world.run(("runs", "import", "base.json", *_STORE), Trouble())
    limit_s = f"{chance.uniform(0.05, _LONGEST_S):.3f}"
    killed = Trouble(prefix=("timeout", "-s", "KILL", limit_s), shell='exec "$@"')
    world.run(VERBS[verb], killed)
    launches = len(world.launches.read_text().splitlines())
    after = world.run(("runs", *_STORE), Trouble())
    wrong = [f"`runs` ended with {after.code}: {after.text[-300:]}"] if after.code else []
    wrong += [f"left behind: {one}" for one in world.left_behind()]
    if verb in ("run", "compare") and launches > 4 and "cmd:./program" not in after.text:
        wrong.append(f"{launches} launches and no run: {after.text[-300:]}")
    return wrong
