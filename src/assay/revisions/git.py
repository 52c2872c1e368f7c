"""Runs git in one folder, unaffected by the surrounding shell or hook.

git = Git(Path("checkout"))
git("rev-parse", "HEAD")             # its standard output, stripped
git.output_or_none("rev-parse", "no-such")    # None if it fails
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from assay.errors import InputError, LaunchError
from assay.measure.tied import run_program

# git's messages in English, no questions, and no writing of a refreshed index when it only looks.
_ALWAYS = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


class Git(msgspec.Struct, frozen=True):
    """Runs git in one folder, with variables added to its environment."""

    folder: Path
    environment: Mapping[str, str] = msgspec.field(default_factory=dict)

    def __call__(self, *arguments: str, text: str = "") -> str:
        """Git's output. Raises `InputError` with git's message. `text` is its standard input."""
        done = self.run(*arguments, text=text)
        if done.code:
            said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            what = f"git {_verb(arguments)} failed: {said.removeprefix('fatal: ')}"
            raise InputError(what, where=str(self.folder))
        return done.stdout.strip("\n")

    def output_or_none(self, *arguments: str) -> str | None:
        """Git's output, or None if git failed."""
        done = self.run(*arguments)
        return None if done.code else done.stdout.strip("\n")

    def run(self, *arguments: str, text: str = "") -> "GitOutput":
        """Run git. Raises `InputError` if git is not installed."""
        try:
            done = run_program(
                ("git", *arguments),
                environment={**without_git_variables(), **_ALWAYS, **self.environment},
                folder=self.folder,
                data=os.fsencode(text),
            )
        except LaunchError as error:
            what, hint = error.what, ""
            if shutil.which("git") is None:
                what, hint = "there is no git here", "install git, or name an executable"
            raise InputError(what, where=str(self.folder), hint=hint) from None
        return GitOutput(done.code, os.fsdecode(done.output), os.fsdecode(done.errors))


class GitOutput(msgspec.Struct, frozen=True):
    """Exit code and output of git. Bytes that are not UTF-8 are kept as surrogates, as in names of
    files."""

    code: int
    stdout: str
    stderr: str


def without_git_variables() -> dict[str, str]:
    """Our environment without the variables that a git hook sets, which name the hook's
    repository."""
    ours = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY")
    more = ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE")
    return {name: value for name, value in os.environ.items() if name not in (*ours, *more)}


def _verb(arguments: tuple[str, ...]) -> str:
    """The first word after git's own options; `-c name=value` is an option of two words."""
    words = list(arguments)
    while words[:1] == ["-c"]:
        words = words[2:]
    return words[0] if words else ""
