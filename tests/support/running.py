"""A journal as a session writes it, without a session: rounds are added when a test says so.

with Written(store, ["BM_copy", "BM_hash"]) as session:
    session.round()                   # of every benchmark
    session.name                      # as pages call it
session.stored()                      # its run is in the store, and its journal is gone
"""

import random
from collections.abc import Sequence
from pathlib import Path

from assay.facts import Facts
from assay.model import Failure, Sample, Side
from assay.planned import Planned
from assay.record.journal import Journal, parse_journal, say_kept
from assay.record.store.store import Store

NOW_S = 1.8e9


class Written:
    """`changes`: by how much the candidate differs; the others differ by nothing."""

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
        self.path = Store.opened_or_made(root).folder.made_for("journals", f"{self.name}.journal")
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
        """As the kernel does: nothing is written any more."""
        self.journal._file.close()

    def round(self, *names: str, times: int = 1) -> None:
        """Of these benchmarks, or of all."""
        for _ in range(times):
            number = self._launch
            for name in names or self._names:
                for side in Side:
                    self.journal.append(self._sample(name, side, number))
            self._launch += 1

    def failed(self, name: str, what: str) -> None:
        self.journal.append(Failure(benchmark=name, what=what, target="new/bench"))

    def stored(self) -> str:
        """The run that it became."""
        record = parse_journal(self.path.read_bytes(), str(self.path))
        run = Store.opened(self._root).add(record, kind="compare", now_s=NOW_S)
        say_kept(self.path, run)
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
