"""Writes a journal as a session would, without measuring; tests say when rounds are added.

with Written(store, ["BM_copy", "BM_hash"]) as session:
    session.round()                   # one round of every benchmark
    session.name                      # the name that pages have for it
session.stored()                      # stores its run and removes its journal
"""

import random
from collections.abc import Sequence
from pathlib import Path

from assay.facts import Facts
from assay.model import Failure, Sample, Side
from assay.planned import Planned
from assay.record.journal import Journal, note_kept_run, parse_journal
from assay.record.store.store import Store

NOW_S = 1.8e9


class Written:
    """`changes` is by how much benchmarks differ in the candidate; others do not differ."""

    def __init__(
        self,
        root: Path,
        names: Sequence[str],
        changes: dict[str, float] | None = None,
        number: int = 77,
        targets: tuple[str, str] = ("old/bench", "new/bench"),
    ) -> None:
        self.name = f"20261125-101112-{number}"
        self._root, self._names, self._changes = root, list(names), changes or {}
        self._random, self._launch = random.Random(7), 0
        self.path = Store.opened_or_made(root).folder.path_with_folder(
            "journals", f"{self.name}.journal"
        )
        facts = Facts(
            design="interleaved",
            seed=3,
            family=len(names),
            date="2026-11-25T10:11:12+00:00",
            targets=dict(zip(("base", "candidate"), targets, strict=True)),
        )
        self.journal = Journal(self.path, {}, facts)
        self.journal.plan(Planned(benchmarks=tuple(names), fewest=8, limit_s=80.0))

    def __enter__(self) -> "Written":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Measuring has ended."""
        if not self.journal._file.closed:
            self.journal.__exit__()

    def kill(self) -> None:
        """The session is killed: nothing more is written."""
        self.journal._file.close()

    def round(self, *names: str, times: int = 1) -> None:
        """Add rounds of these benchmarks; without names, of all."""
        for _ in range(times):
            number = self._launch
            for name in names or self._names:
                for side in Side:
                    self.journal.append(self._sample(name, side, number))
            self._launch += 1

    def failed(self, name: str, what: str) -> None:
        self.journal.append(Failure(benchmark=name, what=what, target="new/bench"))

    def stored(self) -> str:
        """Store the run, and return it."""
        record = parse_journal(self.path.read_bytes(), str(self.path))
        run = Store.opened(self._root).add(record, kind="compare", now_s=NOW_S)
        note_kept_run(self.path, run)
        self.path.unlink()
        return run

    def _sample(self, name: str, side: Side, number: int) -> Sample:
        change = self._changes.get(name, 0.0) if side is Side.CANDIDATE else 0.0
        level = 100.0 * (1 + change) * self._random.lognormvariate(0, 0.006)
        return Sample(
            benchmark=name,
            values={"real_time": (level,), "cpu_time": (level,)},
            side=side,
            round=number,
            launch=2 * number + (side is Side.CANDIDATE),
            position=int(side is Side.CANDIDATE),
            started_s=0.5 * number,
        )
