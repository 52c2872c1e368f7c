"""Three machines share one history by each kind of remote, at once, and are killed meanwhile.

    ./dev soak --minutes 120 shared_history                      all kinds, one after the other
    .venv/bin/python -m soak.shared_history 10 ssh "git by http"     these, 10 minutes altogether

Each machine adds runs, pushes, pulls, and loses its cache, all at once; one compacts its store,
and the remote where that is a folder. Pushes and pulls are killed at random moments, and the power
of whole machines is cut. In the end nobody is killed: each pushes once, then each pulls once. Then
every run that was ever told as stored must be on all three and on the remote, byte for byte, none
twice. Clocks differ by most of a day: that is as far as runs are taken from each other.
"""

import itertools
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from soak.history_checks import wrong_with
from soak.history_seen import Fewest, read_logs
from soak.machine import Orders
from soak.machines import Machine, PoweredOn, namespaces
from soak.remote_kinds import KINDS, Kind, Place

AHEAD_S = {"a": 0.0, "b": -40_000.0, "c": 40_000.0}  # by how much the machines' clocks are ahead
_LONGEST_S = 600.0  # after the given time, in which the fewest of everything must have happened
_POLL_S = 0.2


class Plan(NamedTuple):
    """How long, and how wild."""

    seconds: float
    fewest: Fewest = Fewest()
    cut_every_s: float = 20.0  # between two cuts of a machine's power, on average
    most_cuts: int = 1_000_000
    orders: Orders = Orders()  # what all machines are told alike
    longest_s: float = _LONGEST_S


def soak(minutes: float, only: Sequence[str] = (), seed: int = 20261126) -> list[str]:
    """Share by each kind for its part of the minutes; what was lost, in words."""
    kinds = {name: kind for name, kind in KINDS.items() if not only or name in only}
    how = "namespaces of their own" if namespaces() else "folders only: there is no right to more"
    print(f"shared_history: machines have {how}", flush=True)
    wrong = []
    for number, name in enumerate(kinds):
        plan = Plan(seconds=60 * minutes / len(kinds))
        found = [f"{name}: {line}" for line in shared(name, plan, seed + number)]
        print("\n".join(found) or f"  {name} holds", flush=True)  # a later kind may be ended
        wrong += found
    return wrong


def shared(name: str, plan: Plan, seed: int) -> list[str]:
    """Share by one kind of remote in a world of its own; prints what happened."""
    kind = KINDS[name]
    fewest = plan.fewest if kind.has_cache else plan.fewest._replace(caches=0)
    with tempfile.TemporaryDirectory(prefix="shared-", dir="/var/tmp") as folder:
        world = Path(folder)
        (world / "shared").mkdir()
        machines = [Machine(world, *one) for one in AHEAD_S.items()]
        with kind.opened(world / "shared") as place, ExitStack() as stack:
            lives = {one.name: _lives(one, kind, place, plan, f"{seed}") for one in machines}
            cuts = _lived(machines, lives, plan._replace(fewest=fewest), random.Random(seed), stack)
            seen = read_logs(machines, cuts)
            print(f"shared_history: {name}: {seen.in_words()}", flush=True)
            reader = Machine(world, "reader")
            return [*seen.vacuous(fewest), *wrong_with(machines, reader, kind, place, seen)]


def _lived(
    machines: list[Machine],
    lives: dict[str, Iterator[PoweredOn]],
    plan: Plan,
    chance: random.Random,
    stack: ExitStack,
) -> int:
    """Let the machines live until the time is over and enough has happened; how often the power of
    one was cut. What is on when this fails is ended by `stack`."""
    on: dict[str, PoweredOn] = {}

    def begin(name: str) -> None:
        on[name] = next(lives[name])
        stack.callback(on[name].close)

    for name in lives:
        begin(name)
    until_s = time.monotonic() + plan.seconds
    cuts, next_cut_s = 0, time.monotonic() + chance.uniform(0, 2 * plan.cut_every_s)
    while (now_s := time.monotonic()) < until_s + plan.longest_s:
        if now_s > until_s and not read_logs(machines, cuts).vacuous(plan.fewest):
            break
        if now_s > next_cut_s and cuts < plan.most_cuts:
            name = chance.choice(sorted(on))
            on[name].cut()
            begin(name)
            cuts, next_cut_s = cuts + 1, now_s + chance.uniform(0, 2 * plan.cut_every_s)
        _check(on)
        time.sleep(_POLL_S)
    (machines[0].shared / "stop").touch()
    for name, power in on.items():
        if code := power.ended():
            raise RuntimeError(f"machine {name} ended with {code}")
    return cuts


def _lives(
    machine: Machine, kind: Kind, place: Place, plan: Plan, seed: str
) -> Iterator[PoweredOn]:
    """The lives of a machine: each begins when it is asked for."""
    for life in itertools.count():
        orders = msgspec.structs.replace(
            plan.orders,
            name=machine.name,
            seed=f"{seed} {machine.name} {life}",
            remote=place.written,
            folder=str(machine.here),
            stop=str(machine.shared / "stop"),
            ahead_s=machine.ahead_s,
            compacts=machine.name == "c",
            compacted_remote=str(place.folder) if kind.is_compacted else "",
        )
        words = msgspec.json.encode(orders).decode()
        yield machine.started([sys.executable, "-m", "soak.machine", words])


def _check(on: dict[str, PoweredOn]) -> None:
    """Raise `RuntimeError` where a machine ended by itself."""
    for name, power in on.items():
        if not power.is_on:
            raise RuntimeError(f"machine {name} ended by itself with {power.ended()}")


if __name__ == "__main__":
    lost = soak(float(sys.argv[1]), sys.argv[2:])
    print("\n".join(lost) or "holds")
    sys.exit(1 if lost else 0)
