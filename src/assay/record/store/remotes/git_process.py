"""Runs git in Assay's mirror of a remote.

git = GitProcess(folder, address.variables, "git:origin")
git("rev-parse", "--verify", "HEAD")
git.try_command("push", ...).code

Git ends when Assay ends, and is given up when the server says nothing for too long (decision 44).
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from assay.errors import InputError, LaunchError
from assay.measure.tied import ProgramOutput, TiedProgram, WaitLimits, run_program
from assay.record.store.remotes.address import git_environment, without_secrets

SILENT_S = 120.0  # seconds after which git is ended when the server says nothing
# Git commands that talk to a server, which may be silent.
_ASKS_SERVER = ("ls-remote", "fetch", "push")
# Git commands given --progress, so that a long transfer is not silent.
_TELLS_PROGRESS = ("fetch", "push")
_PROGRESS = re.compile(r":\s+\d+% ")  # a line of git's progress, such as "Receiving objects: 40% "
# Where git runs. It is told its repository; one that ran in it could not even start, or failed in
# other words, when the cache was deleted.
_ANYWHERE = Path("/")
# What a git command must be allowed to do with a repository, for a hint; others must read it.
_NEEDS = {"push": "push to"}


class GitError(InputError):
    """Git failed: the remote refuses, or Assay's mirror of it is damaged."""


class SilentError(InputError):
    """A server was reached and says nothing."""


class GitProcess(msgspec.Struct, frozen=True):
    """Git in one repository of Assay's own, with the variables that it needs to reach a remote."""

    folder: Path | None  # git's folder; None: git runs in no repository
    variables: Mapping[str, str]
    where: str

    def __call__(self, verb: str, *words: str, text: bytes = b"") -> bytes:
        """What git prints for the input `text`. Raises `GitError` where it fails, `SilentError`."""
        done = self.try_command(verb, *words, text=text)
        if done.code:
            raise self.error_of_command(verb, done.errors.decode(errors="replace"))
        return done.output

    def try_command(self, verb: str, *words: str, text: bytes = b"") -> ProgramOutput:
        """What git printed and its exit code, also where it fails.

        Raises `GitError` where it cannot be started, `SilentError` where the server is silent.
        """
        progress = ("--progress",) if verb in _TELLS_PROGRESS else ()
        patience = WaitLimits(SILENT_S if verb in _ASKS_SERVER else None)
        try:
            return run_program(
                ("git", "-c", "fetch.fsckObjects=true", verb, *progress, *words),
                environment=git_environment(self.folder, self.variables),
                folder=_ANYWHERE,
                data=text,
                patience=patience,
            )
        except TimeoutError:
            raise self.silence_error(verb) from None
        except LaunchError as error:
            raise GitError(error.what, where=self.where) from None

    def start_command(self, verb: str, *words: str, text: bytes) -> TiedProgram:
        """Start git; its output can be read while it runs. Raises `GitError` where it cannot be
        started."""
        try:
            return TiedProgram(
                ("git", verb, *words),
                environment=git_environment(self.folder, self.variables),
                folder=_ANYWHERE,
                data=text,
            )
        except LaunchError as error:
            raise GitError(error.what, where=self.where) from None

    def silence_error(self, verb: str) -> SilentError:
        """The error for a git that waited too long for the server."""
        what = f"git {verb} was given up: the server said nothing for {SILENT_S:g} s"
        return SilentError(what, where=self.where, hint="try again when it answers")

    def error_of_command(self, verb: str, said: str) -> GitError:
        """The error for a git that failed, with git's message, without passwords."""
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        last = without_secrets(
            _reason_of_failure([one for one in lines if not _PROGRESS.search(one)])
        )
        hint = f"is it the right repository, and may you {_NEEDS.get(verb, 'read')} it?"
        return GitError(f"git {verb} failed: {last}", where=self.where, hint=hint)


def _reason_of_failure(lines: Sequence[str]) -> str:
    """The reason of a failure: a push's refusal with the server's words, else the first error."""
    refused = [line.rpartition("\t")[2] for line in lines if line.startswith("!")]
    if refused:
        server = [line.removeprefix("remote:").strip() for line in lines if line[:7] == "remote:"]
        return ", ".join([*refused, *(word for word in server if word)])
    errors = [line for line in lines if re.match(r"fatal:|error:", line)]
    return (errors or [*lines, "it said nothing"])[0].removeprefix("fatal: ")
