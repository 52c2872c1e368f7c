"""`git:REV` and `.`: revisions of the project in the working directory, built when needed.

revisions = Revisions(RevisionChoice(suite="main"), announce=print)
program = revisions.program("git:main")
program.words, program.folder, program.environment     # command line, working folder, variables
revisions.identical("git:main", ".")                   # whether both are the same program

The packages it needs are imported with the first revision, because most commands name none.
"""

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from assay.errors import BuildError, InputError, UsageError
from assay.workflows.common.plan import RevisionChoice

if TYPE_CHECKING:
    from assay.project.configuration import SuiteTable
    from assay.project.project import Project
    from assay.revisions.builder import Builder, BuiltRevision
    from assay.revisions.recipe import Recipe
    from assay.revisions.repository import Repository

_GIT, _WORKING_TREE = "git:", "."


class RevisionProgram(msgspec.Struct, frozen=True):
    """The program that a suite runs, as built from one revision."""

    built: "BuiltRevision"
    suite: "SuiteTable"
    placements_asked: int = 0

    @property
    def command(self) -> str | None:
        """The shell command after `cmd:`, to be run in `folder`; None if it is an executable."""
        run = self.suite.run
        return run.removeprefix("cmd:").strip() if run.startswith("cmd:") else None

    @property
    def words(self) -> tuple[str, ...]:
        """The executable's full path, and its arguments. Raises `BuildError`."""
        name, *arguments = shlex.split(self.suite.run)
        program = self.built.folder / name
        if not program.is_file():
            raise BuildError(
                f"its build ended well and made no {name}, which the suite is to run",
                where=self.built.label,
                log=self.built.log,
            )
        return str(program), *arguments

    @property
    def placements(self) -> tuple[Path, ...]:
        """The executable linked several times, its functions in random orders.

        If there are none, the facts in `placement` say why.
        """
        return self.built.placements(Path(self._name)) if self._name else ()

    @property
    def _name(self) -> str | None:
        """The executable's path relative to `folder`; None if a command is run."""
        return None if self.command is not None else shlex.split(self.suite.run)[0]

    @property
    def folder(self) -> Path:
        return self.built.folder

    @property
    def environment(self) -> Mapping[str, str]:
        return self.suite.environment

    def placement(self) -> dict[str, object]:
        """What a record says about code placement in this build: whether functions were to be
        aligned and how many are, and how often the program was linked in random orders.
        """
        from assay.workflows.common.placement import aligned_functions_of, relinking_of

        linked = relinking_of(self.built, self._name) if self.placements_asked else {}
        if not self.built.holds_placement:
            return {"asked": "keep", **linked}
        return {"asked": "hold", **aligned_functions_of(self.built, self._name), **linked}

    def fingerprint(self) -> str | None:
        """A text that is equal for two builds of the same program with the same arguments and
        environment. None if that cannot be known, as for a command.
        """
        if self.command is not None:
            return None
        name, *arguments = shlex.split(self.suite.run)
        print_ = self.built.fingerprint(Path(name))
        return print_ and f"{print_} {arguments} {sorted(self.environment.items())}"


class Revisions:
    """Builds the revisions that one command names, each once.

    Builds are protected from removal until the command ends, or until `close`.
    """

    def __init__(
        self,
        choice: RevisionChoice | None = None,
        announce: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._choice, self._announce = choice or RevisionChoice(), announce
        self._builder: Builder | None = None
        # By target as the user wrote it, such as "git:main".
        self.programs: dict[str, RevisionProgram] = {}

    def names_revision(self, written: str) -> bool:
        """Whether a target, as the user wrote it, is a revision: `git:REV`, or `.` in a
        project with an `assay.toml`.
        """
        if written == _WORKING_TREE:
            from assay.project.project import find_project

            return find_project(Path.cwd()) is not None
        return written.startswith(_GIT)

    def program(self, written: str) -> RevisionProgram:
        """Build the revision if needed. Raises `InputError`, `UsageError` or `BuildError`."""
        if written not in self.programs:
            self.programs[written] = self._program(written)
        return self.programs[written]

    def identical(self, one: str, other: str) -> bool:
        """Whether two targets are the same program, so that measuring them
        could show no difference.
        """
        first, second = self.programs.get(one), self.programs.get(other)
        if first is None or second is None:
            return False
        if first.built.key == second.built.key and first.suite == second.suite:
            return True
        known = first.fingerprint()
        return known is not None and known == second.fingerprint()

    def builds(self, sides: Mapping[str, str]) -> dict[str, object]:
        """The `builds` object of a record, for the sides that are revisions; empty if none is."""
        found = {side: self.programs.get(written) for side, written in sides.items()}
        builds = {side: _facts(program) for side, program in found.items() if program}
        return {"builds": builds} if builds else {}

    def close(self) -> None:
        """Give the builds up, so that other processes may remove them to save space."""
        if self._builder:
            self._builder.close()

    def _program(self, written: str) -> RevisionProgram:
        from assay.project.project import needed_project
        from assay.revisions.repository import Repository

        revision = written.removeprefix(_GIT)
        if not revision:
            raise UsageError(
                "names no revision", where=written, hint="write git:main or git:HEAD~1"
            )
        project = needed_project(Path.cwd())
        repository = Repository.open(project.folder)
        if self._choice.own_recipe and revision != _WORKING_TREE:
            project = _project_of_revision(project, repository, revision, written)
        _, suite = project.suite(self._choice.suite)
        recipe = _recipe(project, repository, suite, self._choice.placements)
        if self._builder is None:
            self._builder = self._new_builder(project, repository, recipe)
        built = self._builder.build(revision, recipe)
        return RevisionProgram(built, suite, self._choice.placements)

    def _new_builder(
        self, project: "Project", repository: "Repository", recipe: "Recipe"
    ) -> "Builder":
        from assay.revisions.builder import Builder

        root = repository.root.resolve()
        ours = [one.resolve() for one in (project.store, *self._choice.outputs)]
        inside = [str(one.relative_to(root)) for one in ours if one.is_relative_to(root)]
        return Builder(
            repository,
            recipe,
            most_bytes=project.build.cache_gb * 1e9,
            without=inside,
            announce=self._announce,
        )


def _recipe(
    project: "Project", repository: "Repository", suite: "SuiteTable", placements: int
) -> "Recipe":
    from assay.revisions.placements import RelinkRequest
    from assay.revisions.recipe import Recipe

    build, is_program = project.build, not suite.run.startswith("cmd:")
    again = placements and is_program
    folder = _folder_in_repository(project, repository)
    return Recipe(
        build.commands,
        "" if folder == "." else folder,
        build.environment,
        build.timeout_s,
        holds_placement=build.placement == "hold",
        relinking=RelinkRequest(shlex.split(suite.run)[0], placements) if again else None,
    )


def _folder_in_repository(project: "Project", repository: "Repository") -> str:
    """The folder of `assay.toml`, relative to the root of the repository."""
    return project.folder.resolve().relative_to(repository.root.resolve()).as_posix()


def _project_of_revision(
    project: "Project", repository: "Repository", revision: str, written: str
) -> "Project":
    """The `assay.toml` that the revision itself contains, at the path of the present one.

    Raises `InputError` if the revision has none.
    """
    from assay.project.project import NAME, parse_project
    from assay.project.toml_file import LARGEST_TOML

    path = (Path(_folder_in_repository(project, repository)) / NAME).as_posix()
    text = repository.text_of(repository.resolve(revision).hash, path, LARGEST_TOML)
    if text is None:
        hint = "leave out --recipe revision: the file in the working directory then holds for it"
        raise InputError(f"this revision has no {path}", where=written, hint=hint)
    return parse_project(text, project.path, f"{written}:{path}")


def _facts(program: RevisionProgram) -> dict[str, object]:
    commit = program.built.commit
    return {
        "revision": commit.hash,
        "subject": commit.subject,
        "time_s": commit.time_s,
        "build": program.built.key,
        "build_s": round(program.built.seconds, 3),
        "program": program.fingerprint(),
        "placement": program.placement(),
    }
