"""Shares a history without a server: copies missing runs to a remote and from it.

    with opened_remote("git:origin", Path.cwd(), print) as remote:
        pushed(Path(".assay"), remote, time.time(), tell).copied

A run on both sides stays as it is on both. What cannot be used (damaged, not Assay's, from the
future) is named, and the rest is copied. After an interruption, starting again copies what is left.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.plurals import count
from assay.record.store.folder import Folder
from assay.record.store.remotes.opened import opened_remote
from assay.record.store.remotes.remote import Remote, RemoteListing
from assay.record.store.shared_files import (
    SharedFiles,
    label_of,
    names_in_copy_order,
    problem_with,
    run_named_in_label,
    run_of,
)

__all__ = ["Shared", "opened_remote", "pulled", "pushed"]
_NAMED = 8  # a message on a copy that ended early names at most so many runs
# A function that shows progress; its arguments: files copied, files to copy.
Tell = Callable[[int, int], None]


class Shared(msgspec.Struct):
    """What one `assay runs push` or `pull` copied, and what it could not use."""

    where: str
    copied: list[str] = msgspec.field(default_factory=list)  # names of the files that were copied
    there: int = 0  # files that were on both sides before
    strangers: int = 0  # files on the remote that Assay did not put there
    problems: list[str] = msgspec.field(default_factory=list)

    @property
    def runs(self) -> int:
        return sum(bool(run_of(name)) for name in self.copied)

    @property
    def labels(self) -> int:
        return sum(bool(label_of(name)) for name in self.copied)


def pushed(root: Path, remote: Remote, now_s: float, tell: Tell) -> Shared:
    """Copy to the remote what it lacks. Raises `InputError` if the remote cannot be used."""
    ours = SharedFiles(Folder.opened(root))
    theirs, here = remote.listed(), ours.listed()
    done = _common_files_checked(here, theirs, remote, ours)
    missing = _names_with_room(
        names_in_copy_order(set(here) - set(theirs.files)), theirs.closed_to, done
    )
    files = _valid_files(_readable(missing, ours, done), done, str(root), now_s)
    _copy(remote.put(files), missing, done, tell)
    return done


def pulled(root: Path, remote: Remote, now_s: float, tell: Tell) -> Shared:
    """Copy from the remote what is missing here. Raises `InputError` if it cannot be used."""
    ours = SharedFiles(Folder.opened_or_made(root))
    theirs, here = remote.listed(), ours.listed()
    done = _common_files_checked(here, theirs, remote, ours)
    missing = _names_with_room(
        names_in_copy_order(set(theirs.files) - set(here)), ours.reason_not_writable, done
    )
    files = _valid_files(remote.fetched(missing), done, remote.where, now_s)
    _copy(ours.add(files), missing, done, tell)
    return done


def _names_with_room(names: list[str], closed_to: Callable[[str], str], done: Shared) -> list[str]:
    """The names of files that the receiving store can take.

    Each reason why it cannot take others is noted once.
    """
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
    """Note each file as it is copied. An `InputError` also says what was copied before."""
    try:
        for name in names:
            done.copied.append(name)
            tell(len(done.copied), len(missing))
    except InputError as error:
        runs = sum(bool(run_of(name)) for name in missing)
        what = f"{error.what}; {_sentence_on_arrived_runs(done, runs)}"
        raise InputError(what, where=error.where, hint=error.hint) from None


def _sentence_on_arrived_runs(done: Shared, of: int) -> str:
    """A sentence on the runs copied before it ended; the next push or pull copies the others."""
    runs = [run for name in done.copied if (run := run_of(name))]
    if not runs:
        return f"none of {count(of, 'run')} arrived before"
    more = f" and {len(runs) - _NAMED} more" if len(runs) > _NAMED else ""
    return f"{len(runs)} of {count(of, 'run')} arrived before: {', '.join(runs[:_NAMED])}{more}"


def _valid_files(
    files: Iterator[tuple[str, bytes]], done: Shared, origin: str, now_s: float
) -> Iterator[tuple[str, bytes]]:
    """The files that hold what their names say; for each other file a problem is noted."""
    for name, data in files:
        if what := problem_with(name, data, f"{origin}: {name}", now_s):
            done.problems.append(f"{origin}: {name} is left out: it {what}")
        else:
            yield name, data


def _common_files_checked(
    here: dict[str, int], theirs: RemoteListing, remote: Remote, ours: SharedFiles
) -> Shared:
    """How many files are on both sides, and problems with files that differ under one name."""
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
            here = run_named_in_label(ours.read(name))
        except InputError:
            continue  # the file was removed by another process a moment ago
        if (there := run_named_in_label(data)) != here:
            yield (
                f"{remote.where}: the label {label_of(name)} means run {there or '?'} there and"
                f" {here} here; both stay as they are"
            )
