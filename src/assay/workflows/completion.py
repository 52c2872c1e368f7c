"""What a shell may complete: labels and benchmarks of a store, revisions of a repository.

    Known(Path.cwd()).targets()          # ["git:main", "git:v1.0", "run:LAST", "run:release/1.1"]

Only what is cheap to know is told: nothing is measured or built for it. Whatever is wrong with a
store or a repository is told by the verb itself; here it means that nothing is known.
"""

import re
from pathlib import Path

from assay.errors import AssayError
from assay.project.project import Project, find_project
from assay.record.store.folder import LAST, Folder, is_odd

_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")


class Known:
    """What is known in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._project = _project(folder)

    def targets(self) -> list[str]:
        """Revisions and runs, as targets are written."""
        revisions = [f"git:{one}" for one in self.revisions()] if self._project else []
        return [*revisions, *(f"run:{one}" for one in self.labels())]

    def labels(self) -> list[str]:
        """LAST, and the labels of the project's store."""
        store = self._store()
        return [LAST, *sorted(store.labels())] if store else []

    def revisions(self) -> list[str]:
        """Branches and tags."""
        from assay.revisions.git import Git

        try:
            names = ("refs/heads", "refs/tags", "refs/remotes")
            said = Git(self._folder).tried("for-each-ref", "--format=%(refname:short)", *names)
        except AssayError:  # there is no git
            return []
        return (said or "").splitlines()

    def benchmarks(self) -> list[str]:
        """Those that runs of the store have, as far as its catalogue is up to date."""
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
        """Benchmarks as regular expressions that mean only them."""
        return [_SPECIAL.sub(r"\\\g<0>", one) for one in self.benchmarks()]

    def suites(self) -> list[str]:
        """Of `assay.toml`."""
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
