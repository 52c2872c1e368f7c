"""A history shared without a server: runs are copied to a remote and from it, where missing.

    with opened("git:origin", Path.cwd(), print) as remote:
        pushed(Path(".assay"), remote, time.time(), tell).copied

A run that is on both sides stays as it is on both. What cannot be used (damaged, not ours, of a
later day) is named, and the rest is copied. Who is interrupted and starts again goes on from there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import InputError
from assay.record.store.folder import Folder
from assay.record.store.remotes.opened import opened
from assay.record.store.remotes.remote import Listing, Remote
from assay.record.store.shared_files import (
    SharedFiles,
    in_order,
    label_of,
    problem_with,
    run_named,
    run_of,
)

__all__ = ["Shared", "opened", "pulled", "pushed"]
_NAMED = 8  # runs that arrived, where not all did
Tell = Callable[[int, int], None]  # so many of so many files are copied


@dataclass
class Shared:
    """What was done."""

    where: str
    copied: list[str] = field(default_factory=list)  # the names of files
    there: int = 0  # files that were on both sides already
    strangers: int = 0  # on the remote and none of ours
    problems: list[str] = field(default_factory=list)

    @property
    def runs(self) -> int:
        return sum(bool(run_of(name)) for name in self.copied)

    @property
    def labels(self) -> int:
        return sum(bool(label_of(name)) for name in self.copied)


def pushed(root: Path, remote: Remote, now_s: float, tell: Tell) -> Shared:
    """Copy to the remote what it lacks. Raises `InputError` where the remote cannot be used."""
    ours = SharedFiles(Folder.opened(root))
    theirs, here = remote.listed(), ours.listed()
    done = _compared(here, theirs, remote, ours)
    missing = _with_room(in_order(set(here) - set(theirs.files)), theirs.closed_to, done)
    files = _good(_readable(missing, ours, done), done, str(root), now_s)
    _copy(remote.put(files), missing, done, tell)
    return done


def pulled(root: Path, remote: Remote, now_s: float, tell: Tell) -> Shared:
    """Copy from the remote what is missing here. Raises `InputError` where it cannot be used."""
    ours = SharedFiles(Folder.opened_or_made(root))
    theirs, here = remote.listed(), ours.listed()
    done = _compared(here, theirs, remote, ours)
    missing = _with_room(in_order(set(theirs.files) - set(here)), ours.closed_to, done)
    files = _good(remote.fetched(missing), done, remote.where, now_s)
    _copy(ours.add(files), missing, done, tell)
    return done


def _with_room(names: list[str], closed_to: Callable[[str], str], done: Shared) -> list[str]:
    """Those that can be put where they are to go; of the others it is told once why they cannot."""
    why = {name: closed_to(name) for name in names}
    done.problems += dict.fromkeys(filter(None, why.values()))
    return [name for name in names if not why[name]]


def _readable(names: list[str], ours: SharedFiles, done: Shared) -> Iterator[tuple[str, bytes]]:
    for name in names:
        try:
            yield name, ours.read(name)
        except InputError as error:
            done.problems.append(f"{error}; it is left out")


def _copy(names: Iterator[str], missing: list[str], done: Shared, tell: Tell) -> None:
    """Until all are copied. Raises `InputError`, which says what has arrived before."""
    try:
        for name in names:
            done.copied.append(name)
            tell(len(done.copied), len(missing))
    except InputError as error:
        runs = sum(bool(run_of(name)) for name in missing)
        what = f"{error.what}; {_arrived(done, runs)}"
        raise InputError(what, where=error.where, hint=error.hint) from None


def _arrived(done: Shared, of: int) -> str:
    """Which runs were copied before it ended: the next push or pull goes on with the others."""
    runs = [run for name in done.copied if (run := run_of(name))]
    if not runs:
        return f"none of {of} runs arrived before"
    more = f" and {len(runs) - _NAMED} more" if len(runs) > _NAMED else ""
    return f"{len(runs)} of {of} runs arrived before: {', '.join(runs[:_NAMED])}{more}"


def _good(
    files: Iterator[tuple[str, bytes]], done: Shared, origin: str, now_s: float
) -> Iterator[tuple[str, bytes]]:
    """Those whose content is what their name says; of the others it is told why they are not."""
    for name, data in files:
        if what := problem_with(name, data, f"{origin}: {name}", now_s):
            done.problems.append(f"{origin}: {name} is left out: it {what}")
        else:
            yield name, data


def _compared(here: dict[str, int], theirs: Listing, remote: Remote, ours: SharedFiles) -> Shared:
    """What is on both sides, and what differs there although its name is the same."""
    both = [name for name in here if name in theirs.files]
    done = Shared(remote.where, there=len(both), strangers=theirs.strangers)
    for name in both:
        if run_of(name) and theirs.files[name] not in (None, here[name]):
            done.problems.append(
                f"{remote.where}: {name} has {theirs.files[name]} bytes there and {here[name]}"
                " here: one of the two is damaged; both stay as they are"
            )
    done.problems += _labels_apart([name for name in both if label_of(name)], remote, ours)
    return done


def _labels_apart(names: list[str], remote: Remote, ours: SharedFiles) -> Iterator[str]:
    for name, data in remote.fetched(names) if names else ():
        try:
            here = run_named(ours.read(name))
        except InputError:
            continue  # it was removed just now
        if (there := run_named(data)) != here:
            yield (
                f"{remote.where}: the label {label_of(name)} means run {there or '?'} there and"
                f" {here} here; both stay as they are"
            )
