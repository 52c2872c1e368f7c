"""Sessions whose journals lie in a store, judged again and again while they run.

    sessions(folder)                             # those that run now, or were killed
    clocks = Clocks(time.monotonic, time.process_time, time.sleep)
    for look in Following(folder, name).looks(clocks): ...

Nothing is told to the session: its journal is read as it grows. Looks take time of the machine
that is being measured on. So there is one in two seconds at most, and together they take at most
a twentieth of one CPU.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.errors import AssayError, InputError
from assay.judge.labs.levels import levels
from assay.judge.look import settled
from assay.live import Look, Past, Session, Stage
from assay.model import Comparison, Record, Settings, Side
from assay.planned import Planned
from assay.record.journal import parse_journal
from assay.record.journal_tail import JournalTail
from assay.record.store.folder import Folder
from assay.record.store.store import Store
from assay.show.words.summary import primary_metric
from assay.small_files import MB
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.result import judged, side_of

NAME = re.compile(r"\d{8}-\d{6}-\d{1,10}")
_LARGEST = 64 * MB  # of a journal that is followed
_MOST_SESSIONS = 50
LOOK_S = 2.0  # between two looks, at least
SHARE = 0.05  # of the time that looks may take
_POLL_S = 0.4
_PATIENCE_S = 120.0  # for a run to be written, after measuring has ended
_LOOKED_BACK = 8  # looks at what was measured before anybody followed
_DEAREST_S = 0.5  # that one of them may take
_KEPT = 24  # earlier looks at a benchmark


def sessions(folder: Folder) -> list[Session]:
    """The newest first. A journal that cannot be read is none: `looked_after` names it."""
    found = []
    for path in folder.journals()[::-1][:_MOST_SESSIONS]:
        with suppress(AssayError, OSError):
            if NAME.fullmatch(path.stem) and (one := _session(path)):
                found.append(one)
    return found


def session(folder: Folder, name: str) -> Session | None:
    """None: there is none of this name now."""
    return next((one for one in sessions(folder) if one.name == name), None)


def _session(path: Path) -> Session | None:
    with JournalTail(path, _LARGEST) as tail:
        tail.read()
        if not tail.data:
            return None
        head = bytes(tail.data[: tail.data.index(b"\n") + 1])
        facts = parse_journal(head, str(path)).facts
        return Session(
            name=path.stem,
            kind="compare" if facts.design else "run",
            since=facts.date,
            targets=facts.targets,
            is_held=tail.is_held(),
        )


@dataclass(frozen=True)
class Clocks:
    """Of the process that follows."""

    now_s: Callable[[], float]
    cpu_s: Callable[[], float]  # that this process took: on a busy machine a look lasts longer
    sleep: Callable[[float], None]


class _Pace:
    """When the next look may be."""

    def __init__(self, clocks: Clocks) -> None:
        self._clocks, self._next_s = clocks, 0.0
        self.is_due = True  # something was measured since the last

    def may_look(self, *, is_new: bool) -> bool:
        return (self.is_due or is_new) and self._clocks.now_s() >= self._next_s

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Around a look, whose cost decides."""
        self.is_due, before_s = False, self._clocks.cpu_s()
        yield
        took_s = self._clocks.cpu_s() - before_s
        self._next_s = self._clocks.now_s() + max(LOOK_S, took_s / SHARE)


class Following:
    """One session, from now to its end. Raises `InputError`, `OSError`."""

    def __init__(self, folder: Folder, name: str) -> None:
        path = folder.inside("journals", f"{name}.journal")
        self._tail = JournalTail(path, _LARGEST)
        self._folder, self._origin = folder, str(path)
        self._past: dict[str, list[Past]] = {}

    def looks(self, clocks: Clocks) -> Iterator[Look]:
        """Judged whenever something was measured and it is time; the last one says what became."""
        pace, now_s = _Pace(clocks), clocks.now_s
        free_s: float | None = None
        told: Stage | None = None
        with self._tail:
            while True:
                is_held = self._tail.is_held()  # before reading: what it wrote last is read then
                pace.is_due |= self._tail.read()
                free_s = None if is_held else now_s() if free_s is None else free_s
                stage = self._stage(None if free_s is None else now_s() - free_s)
                if stage.is_last:
                    yield self._last(stage)
                    return
                if pace.may_look(is_new=stage is not told):
                    told = stage
                    with pace.looking():
                        look = self._look(stage, clocks.cpu_s)
                    yield look
                clocks.sleep(_POLL_S)

    def _stage(self, free_for_s: float | None) -> Stage:
        """`free_for_s`: how long nobody holds it; None: its session does."""
        if self._tail.run:
            return Stage.STORED
        if free_for_s is None:
            return Stage.MEASURING
        if not self._tail.is_over:
            return Stage.KILLED
        is_lost = not self._tail.is_named() or free_for_s > _PATIENCE_S
        return Stage.ENDED if is_lost else Stage.STORING

    def _look(self, stage: Stage, cpu_s: Callable[[], float]) -> Look:
        data = bytes(self._tail.data)
        if not self._past:
            self._look_back(data, cpu_s)
        return self._judged(parse_journal(data, self._origin), stage)

    def _look_back(self, data: bytes, cpu_s: Callable[[], float]) -> None:
        """At what was measured before anybody followed, unless that takes long."""
        lines = data.splitlines(keepends=True)
        for part in range(1, _LOOKED_BACK):
            some = lines[: 1 + (len(lines) - 1) * part // _LOOKED_BACK]
            before_s = cpu_s()
            self._judged(parse_journal(b"".join(some), self._origin), Stage.MEASURING)
            if cpu_s() - before_s > _DEAREST_S:
                return

    def _last(self, stage: Stage) -> Look:
        """Of a run that is stored: what the store has."""
        if stage is Stage.STORED:
            with suppress(AssayError):
                return self._judged(Store(self._folder).load(self._tail.run), stage)
        return self._judged(parse_journal(bytes(self._tail.data), self._origin), stage)

    def _judged(self, record: Record, stage: Stage) -> Look:
        look = self._counted(record, stage)
        if any(one.condition for one in record.samples):
            return msgspec.structs.replace(look, is_judged=False)
        if not record.facts.design:
            return msgspec.structs.replace(look, two_sided=False, levels=levels(record.samples))
        comparisons = _comparisons(record, self._tail.planned)
        self._note(comparisons)
        return msgspec.structs.replace(
            look,
            comparisons=comparisons,
            settled=_settled(comparisons),
            past={name: tuple(past) for name, past in self._past.items()},
        )

    def _counted(self, record: Record, stage: Stage) -> Look:
        """What is known without a judge."""
        planned, samples = self._tail.planned, record.samples
        starts = [one.started_s for one in samples if one.started_s is not None]
        spent_s = max(starts) - min(starts) if starts else 0.0
        rounds = len(samples) // (2 if record.facts.design else 1)
        return Look(
            stage=stage,
            run=self._tail.run,
            planned=planned,
            rounds=rounds,
            spent_s=spent_s,
            cpus=frozenset(one.cpu for one in samples if one.cpu is not None),
            done=1.0 if stage.is_last else _done(planned, rounds, spent_s),
            failures=record.failures,
        )

    def _note(self, comparisons: Sequence[Comparison]) -> None:
        """Keep what is said of each benchmark now; of many looks every other."""
        metric = primary_metric(comparisons)
        for one in comparisons:
            if one.metric != metric or one.low is None or one.high is None:
                continue
            past = self._past.setdefault(one.benchmark, [])
            if past and past[-1].rounds == one.rounds:
                past.pop()
            past.append(Past(one.rounds, one.low, one.high, one.change))
            if len(past) > _KEPT:
                del past[1:-1:2]


def _comparisons(record: Record, planned: Planned) -> tuple[Comparison, ...]:
    """As `assay compare JOURNAL` judges, by the rules that the session was given."""
    plan = ComparePlan(
        base="base",
        candidate="candidate",
        settings=Settings(margin=planned.margin, alpha=planned.alpha),
        metrics=planned.metrics,
        counts_margin=planned.counts_margin,
    )
    try:
        base, candidate = (side_of(record, side) for side in Side)
        return judged(plan, base, candidate, record).judgement.comparisons
    except InputError:
        return ()  # of one side only, so far


def _done(planned: Planned, rounds: int, spent_s: float) -> float | None:
    """Of the time or the rounds that it may take, whichever is nearer to its end."""
    most = (planned.rounds or 0) * len(planned.benchmarks)
    shares = [rounds / most] if most else []
    shares += [spent_s / planned.limit_s] if planned.limit_s else []
    return min(1.0, max(shares)) if shares else None


def _settled(comparisons: Sequence[Comparison]) -> frozenset[str]:
    """Benchmarks of which nothing that a gate asks is open."""
    is_open = {one.benchmark for one in comparisons if not (settled(one) or one.single)}
    return frozenset(one.benchmark for one in comparisons) - is_open
