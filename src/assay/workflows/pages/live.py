"""Follows sessions whose journals lie in a store, judging them repeatedly while they run.

    sessions(folder)                             # running now, or killed
    clocks = Clocks(time.monotonic, time.process_time, time.sleep)
    for look in SessionFollower(folder, name).looks(clocks): ...

The session itself is not asked: its journal is read as it grows. Looks cost time on the machine
that is being measured on, so there is at most one in two seconds, and together they take at most a
twentieth of one CPU.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from assay.errors import AssayError, InputError
from assay.judge.labs.levels import levels
from assay.judge.look import is_settled
from assay.live import LiveSession, LiveStage, Look, PastLook
from assay.model import Comparison, Record, Settings, Side
from assay.planned import Planned
from assay.record.journal import parse_journal
from assay.record.journal_tail import JournalTail
from assay.record.store.folder import Folder
from assay.record.store.store import Store
from assay.show.words.summary import primary_metric
from assay.small_files import MB
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.result import judge_sides, samples_of_side

NAME = re.compile(r"\d{8}-\d{6}-\d{1,10}")
_LARGEST = 64 * MB  # bytes; a session with a larger journal is not followed
_MOST_SESSIONS = 50
LOOK_S = 2.0  # seconds between two judgements of a running session, at least
SHARE = 0.05  # judging a running session takes at most this share of one CPU's time
_POLL_S = 0.4
_PATIENCE_S = 120.0  # seconds to wait for the run to be stored, after measuring has ended
# When following begins, the session is also judged as it was after 1/8, 2/8, ... of its journal.
_LOOKED_BACK = 8
_DEAREST_S = 0.5  # CPU seconds; when judging an earlier state took longer, no later one is judged
_KEPT = 24  # earlier intervals that are remembered of each benchmark


def sessions(folder: Folder) -> list[LiveSession]:
    """Sessions, the newest first, without unreadable journals, which `looked_after` reports."""
    found = []
    for path in folder.journals()[::-1][:_MOST_SESSIONS]:
        with suppress(AssayError, OSError):
            if NAME.fullmatch(path.stem) and (one := _session(path)):
                found.append(one)
    return found


def session(folder: Folder, name: str) -> LiveSession | None:
    """The session of this name that runs now or was killed; None if there is none."""
    return next((one for one in sessions(folder) if one.name == name), None)


def _session(path: Path) -> LiveSession | None:
    with JournalTail(path, _LARGEST) as tail:
        tail.read()
        if not tail.data:
            return None
        head = bytes(tail.data[: tail.data.index(b"\n") + 1])
        facts = parse_journal(head, str(path)).facts
        return LiveSession(
            name=path.stem,
            kind="compare" if facts.design else "run",
            since=facts.date,
            targets=facts.targets,
            is_held=tail.is_held(),
        )


class Clocks(msgspec.Struct, frozen=True):
    """The clocks of the process that follows a session."""

    now_s: Callable[[], float]
    # CPU time of this process; on a busy machine it is less than the time that passes.
    cpu_s: Callable[[], float]
    sleep: Callable[[float], None]


class _Pace:
    """Decides when a session may be judged again, so that this takes
    little of the machine's time.
    """

    def __init__(self, clocks: Clocks) -> None:
        self._clocks, self._next_s = clocks, 0.0
        self.is_due = True  # whether something was measured since the last look

    def may_look(self, *, is_new: bool) -> bool:
        return (self.is_due or is_new) and self._clocks.now_s() >= self._next_s

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Surround a judgement with this: the CPU time that it takes
        decides when the next may be.
        """
        self.is_due, before_s = False, self._clocks.cpu_s()
        yield
        took_s = self._clocks.cpu_s() - before_s
        self._next_s = self._clocks.now_s() + max(LOOK_S, took_s / SHARE)


class SessionFollower:
    """Reads the journal of one session as it grows, and judges it now and then, until the session
    ends. Raises `InputError`, `OSError`.
    """

    def __init__(self, folder: Folder, name: str) -> None:
        path = folder.path_inside("journals", f"{name}.journal")
        self._tail = JournalTail(path, _LARGEST)
        self._folder, self._origin = folder, str(path)
        self._past: dict[str, list[PastLook]] = {}

    def looks(self, clocks: Clocks) -> Iterator[Look]:
        """Yields the session's state, judged anew, whenever something new was measured and enough
        time has passed. The last state says how the session ended.
        """
        pace, now_s = _Pace(clocks), clocks.now_s
        free_s: float | None = None
        told: LiveStage | None = None
        with self._tail:
            while True:
                # Whether a process still holds the journal is asked before reading, so that the
                # last lines that it wrote are not missed.
                is_held = self._tail.is_held()
                pace.is_due |= self._tail.read()
                free_s = None if is_held else now_s() if free_s is None else free_s
                stage = self._stage(None if free_s is None else now_s() - free_s)
                if stage.is_last:
                    yield self._last_look(stage)
                    return
                if pace.may_look(is_new=stage is not told):
                    told = stage
                    with pace.looking():
                        look = self._look(stage, clocks.cpu_s)
                    yield look
                clocks.sleep(_POLL_S)

    def _stage(self, free_for_s: float | None) -> LiveStage:
        """Whether the session still measures, was killed, or is being stored.

        `free_for_s` is for how many seconds no process has held its journal; None: one holds it.
        """
        if self._tail.run:
            return LiveStage.STORED
        if free_for_s is None:
            return LiveStage.MEASURING
        if not self._tail.is_over:
            return LiveStage.KILLED
        is_lost = not self._tail.is_named() or free_for_s > _PATIENCE_S
        return LiveStage.ENDED if is_lost else LiveStage.STORING

    def _look(self, stage: LiveStage, cpu_s: Callable[[], float]) -> Look:
        data = bytes(self._tail.data)
        if not self._past:
            self._look_back(data, cpu_s)
        return self._judged_look(parse_journal(data, self._origin), stage)

    def _look_back(self, data: bytes, cpu_s: Callable[[], float]) -> None:
        """Judge the session as it was earlier too, to show how its intervals narrowed.

        This ends early if judging is slow.
        """
        lines = data.splitlines(keepends=True)
        for part in range(1, _LOOKED_BACK):
            some = lines[: 1 + (len(lines) - 1) * part // _LOOKED_BACK]
            before_s = cpu_s()
            self._judged_look(parse_journal(b"".join(some), self._origin), LiveStage.MEASURING)
            if cpu_s() - before_s > _DEAREST_S:
                return

    def _last_look(self, stage: LiveStage) -> Look:
        """The state of a session that has ended; it is judged from the
        store if its run is there.
        """
        if stage is LiveStage.STORED:
            with suppress(AssayError):
                return self._judged_look(Store(self._folder).load(self._tail.run), stage)
        return self._judged_look(parse_journal(bytes(self._tail.data), self._origin), stage)

    def _judged_look(self, record: Record, stage: LiveStage) -> Look:
        look = self._look_without_judging(record, stage)
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

    def _look_without_judging(self, record: Record, stage: LiveStage) -> Look:
        """What is known of the session without judging it: plan, rounds,
        time, CPUs and failures.
        """
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
            done=1.0 if stage.is_last else _share_done(planned, rounds, spent_s),
            failures=record.failures,
        )

    def _note(self, comparisons: Sequence[Comparison]) -> None:
        """Remember the present interval of each benchmark.

        If there are too many, every other one is forgotten.
        """
        metric = primary_metric(comparisons)
        for one in comparisons:
            if one.metric != metric or one.low is None or one.high is None:
                continue
            past = self._past.setdefault(one.benchmark, [])
            if past and past[-1].rounds == one.rounds:
                past.pop()
            past.append(PastLook(one.rounds, one.low, one.high, one.change))
            if len(past) > _KEPT:
                del past[1:-1:2]


def _comparisons(record: Record, planned: Planned) -> tuple[Comparison, ...]:
    """Comparisons as `assay compare JOURNAL` gives them, with the session's own settings."""
    plan = ComparePlan(
        base="base",
        candidate="candidate",
        settings=Settings(margin=planned.margin, alpha=planned.alpha),
        metrics=planned.metrics,
        counts_margin=planned.counts_margin,
    )
    try:
        base, candidate = (samples_of_side(record, side) for side in Side)
        return judge_sides(plan, base, candidate, record).judgement.comparisons
    except InputError:
        return ()  # only one side has samples so far


def _share_done(planned: Planned, rounds: int, spent_s: float) -> float | None:
    """The share of a session that is done, by time or rounds, whichever is nearer its limit."""
    most = (planned.rounds or 0) * len(planned.benchmarks)
    shares = [rounds / most] if most else []
    shares += [spent_s / planned.limit_s] if planned.limit_s else []
    return min(1.0, max(shares)) if shares else None


def _settled(comparisons: Sequence[Comparison]) -> frozenset[str]:
    """Benchmarks of which no verdict that a gate asks about would change by more rounds."""
    is_open = {one.benchmark for one in comparisons if not (is_settled(one) or one.single)}
    return frozenset(one.benchmark for one in comparisons) - is_open
