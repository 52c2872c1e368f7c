"""What a shell can complete: labels and benchmarks of a store, revisions of a repository.

    KnownWords(Path.cwd()).targets()      # ["git:main", "git:v1.0", "run:LAST", "run:release/1.1"]

Only what is quick to find out is told; nothing is measured or built. If something is wrong with a
store or repository, nothing is known here, and the verb itself says what is wrong.
"""

import re
from pathlib import Path

from assay.errors import AssayError
from assay.project.project import Project, find_project
from assay.record.store.folder import LAST, Folder
from assay.record.store.kinds import is_odd

_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")


class KnownWords:
    """What a shell can complete in one folder: targets, labels, revisions, benchmarks, suites."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._project = _project(folder)

    def targets(self) -> list[str]:
        """Targets of the project, such as `git:main` and `run:LAST`."""
        revisions = [f"git:{one}" for one in self.revisions()] if self._project else []
        return [*revisions, *(f"run:{one}" for one in self.labels())]

    def labels(self) -> list[str]:
        """LAST, and the labels of the project's store."""
        store = self._store()
        return [LAST, *sorted(store.labels())] if store else []

    def revisions(self) -> list[str]:
        """Names of the repository's branches and tags."""
        from assay.revisions.git import Git

        try:
            names = ("refs/heads", "refs/tags", "refs/remotes")
            said = Git(self._folder).output_or_none(
                "for-each-ref", "--format=%(refname:short)", *names
            )
        except AssayError:  # git is not installed
            return []
        return (said or "").splitlines()

    def benchmarks(self) -> list[str]:
        """Benchmarks in the store's runs, sorted."""
        from assay.workflows.store import catalogue_of

        store = self._store()
        if store is None or is_odd(store.root / "catalogue.sqlite", is_there=True):
            return []
        try:
            with catalogue_of(store) as catalogue:
                return sorted({one.benchmark for one in catalogue.names()})
        except AssayError:
            return []

    def patterns(self) -> list[str]:
        """For each benchmark a regular expression that matches only its name."""
        return [_SPECIAL.sub(r"\\\g<0>", one) for one in self.benchmarks()]

    def suites(self) -> list[str]:
        """The suites in `assay.toml`."""
        return list(self._project.configuration.suites) if self._project else []

    def _store(self) -> Folder | None:
        if self._project is None:
            return None
        try:
            return Folder.opened(self._project.store)
        except AssayError:
            return None


def _project(folder: Path) -> Project | None:
    try:
        return find_project(folder)
    except AssayError:
        return None
