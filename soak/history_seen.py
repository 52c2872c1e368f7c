"""What machines that shared a history did, by their logs.

seen = read_logs(machines, cuts)
seen.in_words()
seen.vacuous(Fewest())          # what happened too seldom, so that nothing was tried
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from soak.machine import Event
from soak.machines import Machine


class Fewest(NamedTuple):
    """So often at least each must have happened."""

    runs: int = 30
    killed_pushes: int = 5  # at work: not while Python starts
    killed_pulls: int = 5  # the same
    cuts: int = 2  # of a machine's power
    at_once: int = 5  # pushes of one machine during a push of another
    whole: int = 3  # pushes and pulls that came to their end, of each machine
    compactions: int = 1
    caches: int = 1  # that were deleted


class Seen(NamedTuple):
    """What the machines did."""

    machines: Sequence[str]
    events: Sequence[Event]
    cuts: int

    def count(self, what: str, machine: str = "", *, killed: bool | None = None) -> int:
        """How many events there were; `killed`: only those that were, or were not."""
        return sum(
            one.what == what and machine in ("", one.machine) and killed in (None, one.is_killed)
            for one in self.events
        )

    def killed_at_work(self, what: str) -> int:
        """How many were killed at a step of their work."""
        return sum(one.what == what and one.is_killed and one.at_work for one in self.events)

    @property
    def at_once(self) -> int:
        """How many pushes ran while one of another machine did."""
        pushes = [one for one in self.events if one.what == "push"]
        return sum(any(map(one.is_beside, pushes)) for one in pushes)

    def in_words(self) -> str:
        """How much of everything there was, in a line."""
        shared = [
            f"{self.count(what)} {words} ({self.count(what, killed=True)} killed,"
            f" {self.killed_at_work(what)} of them at a step of their work)"
            for what, words in (("push", "pushes"), ("pull", "pulls"), ("compact", "compactions"))
        ]
        parts = [
            f"{self.count('run')} runs and {self.count('label')} labels added",
            *shared,
            f"{self.at_once} pushes beside one of another machine",
            f"{self.cuts} power cuts",
            f"{self.count('cache')} caches deleted",
        ]
        return ", ".join(parts)

    def vacuous(self, fewest: Fewest) -> list[str]:
        """What happened too seldom, in words."""
        whole = [
            self.count(what, machine, killed=False)
            for machine in self.machines
            for what in ("push", "pull")
        ]
        happened = Fewest(
            runs=self.count("run"),
            killed_pushes=self.killed_at_work("push"),
            killed_pulls=self.killed_at_work("pull"),
            cuts=self.cuts,
            at_once=self.at_once,
            whole=min(whole),
            compactions=self.count("compact", killed=False),
            caches=self.count("cache"),
        )
        return [
            f"{name}: {count} of at least {least}, so this tried too little"
            for name, count, least in zip(Fewest._fields, happened, fewest, strict=True)
            if count < least
        ]


def read_logs(machines: Sequence[Machine], cuts: int) -> Seen:
    """What is in the logs until now. A line that is being written is left out."""
    events: list[Event] = []
    for machine in machines:
        log = machine.folder / "log"
        lines = log.read_bytes().split(b"\n")[:-1] if log.exists() else []
        events += [msgspec.json.decode(line, type=Event) for line in lines]
    return Seen([one.name for one in machines], events, cuts)
