"""What must hold of a history that machines shared while they were killed.

wrong_with(machines, reader, kind, place, seen)     # what was lost, doubled or damaged
"""

import hashlib
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from assay.errors import InputError
from assay.record.store.run_file import decode_rows
from assay.record.store.store import Store
from assay.workflows.store import list_runs
from soak.history_seen import Seen
from soak.machine import Event, record_made
from soak.machines import Machine
from soak.remote_kinds import Kind, Place

_APART = re.compile(r"assay: .*: the label (\S+) means run (\S+) there and \S+ here; both stay .*")
# What a command may say, and still have done all that was asked of it.
_NOTE = re.compile(
    r"assay: (waiting for another `assay runs push` or `pull` of .*"
    r"|the clock is .* behind the newest run: .*"
    r"|\S+ was damaged, and what it keeps of \S+ was fetched again"  # a kill did that
    r"|\S+ gives out no single files, so all were fetched to \S+)"
)
_TWO_DAYS_S = 172_800.0  # after which a half-written file is old, by any of the clocks


T = TypeVar("T")


class Holding(NamedTuple):
    """What a machine has in the end."""

    digests: Mapping[str, str]  # by run, of its bytes
    marks: Sequence[str]  # of each run what is in no other run of the soak
    listed: Sequence[str]  # the runs that `assay runs` lists
    labels: Mapping[str, str]
    unreadable: Sequence[str] = ()


def held_by(machine: Machine) -> Holding:
    """What is in the store of a machine now."""
    folder = Store.opened(machine.store).folder
    digests, marks, unreadable = {}, [], []
    for run in folder.runs():
        try:
            data = folder.read(run)
            digests[run] = hashlib.sha256(data).hexdigest()
            marks.append(decode_rows(data, run).header.revision)
        except InputError as error:
            unreadable.append(f"{run}: {error.what}")
    listed = [row.run for row in list_runs(machine.store).runs if not row.problem]
    return Holding(digests, marks, listed, folder.labels(), unreadable)


def wrong_with(
    machines: Sequence[Machine], reader: Machine, kind: Kind, place: Place, seen: Seen
) -> list[str]:
    """End the sharing as users would, and look at what everybody has then; what is wrong, in words.

    `reader` is a machine that had no part in it, and gets all from the remote.
    """
    caches = [one for one in seen.events if one.what == "cache"]
    found = [line for one in seen.events for line in wrong_with_end(one, caches)]
    last = _at_once(_last, machines)
    told = {one.run: one.digest for one in seen.events if one.run and one.digest}
    pushed = _at_once(lambda one: _shared(one, "push", place), machines)
    everybody = [*machines, reader]
    pulled = _at_once(lambda one: _shared(one, "pull", place), everybody)
    found += [line for one in (*pushed, *pulled) for line in wrong_with_end(one)]
    names = [one.name for one in everybody]
    holdings = dict(zip(names, _at_once(held_by, everybody), strict=True))
    found += wrong_runs(holdings, told | dict.fromkeys(last, ""), reader.name)
    given = {one.label for one in seen.events if one.label}
    found += wrong_labels(holdings, given, {one.machine: one for one in pulled}, reader.name)
    found += moved_labels([*seen.events, *pushed, *pulled])
    found += kind.wrong(place.folder)
    return [*dict.fromkeys(found), *_parts_left(machines[0], kind, place)]


def wrong_with_end(event: Event, caches: Sequence[Event] = ()) -> Iterator[str]:
    """How a command ended that was not killed, where that is not well.

    It may tell that labels met. It may fail in one sentence where one of `caches` was deleted while
    it used it.
    """
    lines = [line for line in event.said.splitlines() if not _NOTE.fullmatch(line)]
    is_told = event.code == 2 and all(map(_APART.fullmatch, lines))
    is_one_sentence = event.code == 2 and len(lines) == 1 and lines[0].startswith("error: ")
    is_excused = is_one_sentence and any(map(event.is_during, caches))
    if event.code and not (event.is_killed or is_told or is_excused):
        yield f"{event.what} on {event.machine} ended with {event.code}: {' | '.join(lines)}"


def wrong_runs(
    holdings: Mapping[str, Holding], told: Mapping[str, str], there: str
) -> Iterator[str]:
    """What is lost, changed or there twice. `told` has the digests of runs that were told as stored
    (empty: not known); `there` names the holding that is the remote's."""
    remote = holdings[there].digests
    known = {run: digest for run, digest in told.items() if digest} | dict(remote)
    for name, one in holdings.items():
        if lost := sorted(told.keys() - one.digests.keys()):
            yield f"{len(lost)} of {len(told)} runs that were stored are not on {name}: {lost[0]}"
        yield from (f"{name} cannot read {line}" for line in one.unreadable)
        if apart := sorted(one.digests.keys() ^ remote.keys()):
            yield f"{len(apart)} runs are on one of {name} and {there} only: {apart[0]}"
        if other := [
            run for run, digest in one.digests.items() if known.get(run, digest) != digest
        ]:
            yield f"{len(other)} runs have other bytes on {name} than at first: {other[0]}"
        yield from (f"{name} has {line}" for line in _doubles("content", one.marks))
        yield from (f"`assay runs` on {name} lists {line}" for line in _doubles("run", one.listed))
        if set(one.listed) != one.digests.keys():
            yield f"`assay runs` on {name} lists {len(one.listed)} of {len(one.digests)} runs"


def _doubles(what: str, names: Sequence[str]) -> Iterator[str]:
    yield from (
        f"{what} {name} {count} times" for name, count in Counter(names).items() if count > 1
    )


def wrong_labels(
    holdings: Mapping[str, Holding],
    given: set[str],
    pulled: Mapping[str, Event],
    there: str,
) -> Iterator[str]:
    """Labels that are lost, and those that met which the last pull did not tell."""
    remote = holdings[there].labels
    if lost := sorted(given - remote.keys()):
        yield f"{len(lost)} labels are not on the remote: {lost[0]}"
    for name, one in holdings.items():
        if lost := sorted(remote.keys() - one.labels.keys()):
            yield f"{len(lost)} labels are not on {name}: {lost[0]}"
        apart = {label for label, run in one.labels.items() if remote.get(label) != run}
        if apart != (told := _told_apart(pulled[name].said)):
            yield f"labels that met on {name} are {sorted(apart)}, but it tells {sorted(told)}"


def moved_labels(events: Sequence[Event]) -> Iterator[str]:
    """Labels of the remote that were told to mean one run, and another later."""
    told = {
        (label, run)
        for event in events
        for line in event.said.splitlines()
        for label, run in _APART.findall(line)
    }
    for label, count in Counter(label for label, _ in told).items():
        if count > 1:
            yield f"the label {label} of the remote meant {count} runs, one after the other"


def _told_apart(said: str) -> set[str]:
    found = (_APART.fullmatch(line) for line in said.splitlines())
    return {one[1] for one in found if one}


def _at_once(do: Callable[[Machine], T], machines: Sequence[Machine]) -> list[T]:
    with ThreadPoolExecutor(len(machines)) as pool:
        return list(pool.map(do, machines))


def _last(machine: Machine) -> str:
    """One more run and one more label, so that the next push writes into every folder."""
    store = Store.opened_or_made(machine.store)
    mark = secrets.token_hex(20)
    run = store.add(record_made(mark), kind="run", now_s=time.time() + machine.ahead_s)
    store.folder.label(run, f"last/{machine.name}")
    return run


def _shared(machine: Machine, verb: str, place: Place, *, ahead_s: float = 0.0) -> Event:
    done = machine.assay("runs", verb, place.written, "--store", ".assay", ahead_s=ahead_s)
    return Event(f"last {verb}", machine.name, code=done.returncode, said=done.stderr)


def _parts_left(machine: Machine, kind: Kind, place: Place) -> list[str]:
    """Half-written files that one more push leaves, by whose clock they are old."""
    if kind.parts is None:
        return []
    before = kind.parts(place.folder)
    _last(machine)
    end = _shared(machine, "push", place, ahead_s=_TWO_DAYS_S)
    after = kind.parts(place.folder)
    print(
        f"  half-written files there: {len(before)}, after one more push {len(after)}", flush=True
    )
    left = [f"{len(after)} half-written files stay on the remote: {after[0]}"] if after else []
    return [*wrong_with_end(end), *left]
