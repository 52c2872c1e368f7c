"""Builds revisions, each once for the same recipe and compiler.

with Builder(repository, recipe) as builder:
    built = builder.build("main")       # or ".": the working tree with uncommitted changes
    built.folder, built.log, built.seconds, built.was_cached
    built.fingerprint(Path("build/bench"))
"""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec
from msgspec.structs import replace

from assay.bisection import Commit
from assay.errors import InputError
from assay.places import cache_folder
from assay.revisions.cache import BuildCache, BuildPlace, FinishedBuild, Lease
from assay.revisions.checkout import check_out, submodules
from assay.revisions.commands import run_commands
from assay.revisions.drivers import Additions, drivers_used, write_drivers
from assay.revisions.identity import fingerprint
from assay.revisions.placements import RelinkResult
from assay.revisions.recipe import Recipe, build_key
from assay.revisions.relink import relink_program
from assay.revisions.repository import Repository
from assay.revisions.snapshot import Snapshot, snapshot

WORKING_TREE = "."  # stands for the user's files as they are, uncommitted changes included


class BuiltRevision(msgspec.Struct, frozen=True):
    """A revision and its build, which no other process removes until the builder is closed."""

    commit: Commit
    label: str  # as the user wrote it, such as "git:main"
    folder: Path  # where the build's commands ran; paths of suites are relative to it
    log: Path  # the file with what the build's commands printed
    seconds: float  # seconds that the build took, now or when it was first made
    was_cached: bool  # whether the build was there already
    lease: Lease  # keeps the build from being removed
    holds_placement: bool = False  # whether flags were added that fix where functions lie in memory

    @property
    def key(self) -> str:
        """The build's key; revisions with the same key share one build."""
        return self.lease.place.folder.name

    @property
    def used_drivers(self) -> bool:
        """Whether the build called one of our compiler scripts, which add flags that fix
        placement."""
        return drivers_used(self.lease.place.drivers)

    @property
    def relinked(self) -> RelinkResult:
        """The result of linking the build's program again in random orders; empty if that was not
        asked for."""
        return self.lease.finished.relinked or RelinkResult(reason="it was not asked for")

    def placements(self, path: Path) -> tuple[Path, ...]:
        """The links of the program at `path` in random orders; if there are none, `relinked.reason`
        says why."""
        files = (self.folder / one for one in self.relinked.files)
        return tuple(one for one in files if one.name == path.name)

    def fingerprint(self, path: Path) -> str | None:
        """A hash of the program at `path` (relative to `folder`), equal for equal programs: see
        decision 35."""
        return fingerprint(self.folder / path, self.lease.place.folder)


class Builder:
    """Builds revisions of one repository. Close it when their builds are no longer needed."""

    def __init__(
        self,
        repository: Repository,
        recipe: Recipe,
        *,
        cache: BuildCache | None = None,
        most_bytes: float = 10e9,
        without: Sequence[str] = (),
        announce: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`without` are paths, relative to the repository's root, whose changes do not count as
        uncommitted."""
        self._repository, self._recipe = repository, recipe
        self._cache = cache or BuildCache(cache_folder() / "revisions")
        self._most_bytes, self._without, self._announce = most_bytes, without, announce
        self._leases = ExitStack()

    def __enter__(self) -> "Builder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes remove these builds when they need the room."""
        self._leases.close()

    def build(self, revision: str, recipe: Recipe | None = None) -> BuiltRevision:
        """Build a revision. Raises `InputError` if there is none, `BuildError` if it fails."""
        if revision != WORKING_TREE:
            commit = self._repository.resolve(revision)
            taken = Snapshot(commit, self._repository.git)
            return self._build_snapshot(taken, f"git:{revision}", recipe or self._recipe)
        with snapshot(self._repository, without=self._without) as taken:
            return self._build_snapshot(taken, WORKING_TREE, recipe or self._recipe)

    def _build_snapshot(self, taken: Snapshot, label: str, recipe: Recipe) -> BuiltRevision:
        """Build a commit, or take its build from the cache."""
        modules = [
            f"{one.path} {one.commit} {one.store is not None}"
            for one in submodules(self._repository, taken)
        ]
        key = build_key(recipe, taken.commit.tree, modules)
        try:
            lease = self._cache.lease_build(
                key,
                lambda place: self._make_build(taken, label, recipe, place),
                lambda: self._announce(f"waiting for another Assay that builds {label}"),
            )
        except OSError as error:
            raise _no_room_error(error, self._cache.folder) from None
        self._leases.callback(lease.release)
        if not lease.was_there:
            self._cache.remove_until_small(self._most_bytes)
        return BuiltRevision(
            commit=taken.commit,
            label=label,
            folder=lease.place.source / recipe.folder,
            log=lease.place.log,
            seconds=lease.finished.seconds,
            was_cached=lease.was_there,
            lease=lease,
            holds_placement=recipe.holds_placement,
        )

    def _make_build(
        self, taken: Snapshot, label: str, recipe: Recipe, place: BuildPlace
    ) -> FinishedBuild:
        """Check the commit out, run the recipe's commands in it, and link the program again if
        asked."""
        commit = taken.commit
        self._announce(f'building {label}, {commit.short_hash} "{commit.subject}"')
        started_s = time.monotonic()
        check_out(self._repository, taken, place.source)
        folder = place.source / recipe.folder
        if not folder.is_dir():
            what = f"this revision has no folder {recipe.folder}, in which it would be built"
            raise InputError(what, where=label, hint="try --recipe revision")
        key = place.folder.name
        driven = _recipe_with_drivers(recipe, place)
        run_commands(driven, folder, place.log, mark=key, label=label, announce=self._announce)
        again = relink_program(recipe, driven, place, self._announce)
        took_s = time.monotonic() - started_s
        return FinishedBuild(commit.hash, recipe.commands, took_s, relinked=again)


def _recipe_with_drivers(recipe: Recipe, place: BuildPlace) -> Recipe:
    """The recipe with compiler scripts first in its PATH, which add flags and record links if that
    is asked for."""
    if not recipe.holds_placement and not recipe.relinking:
        return recipe
    links = place.links if recipe.relinking else None
    additions = Additions(holds=recipe.holds_placement, links=links)
    changed = write_drivers(place.drivers, recipe.variables(), additions)
    return replace(recipe, environment={**recipe.environment, **changed})


def _no_room_error(error: OSError, folder: Path) -> InputError:
    return InputError(
        f"revisions cannot be built here: {error.strerror or error}",
        where=str(error.filename or folder),
        hint="set XDG_CACHE_HOME to a folder with room, which you may write to",
    )
