"""The user's git repository, which is only read.

repository = Repository.open(Path.cwd())
commit = repository.resolve("main")                     # Commit(hash=..., subject=...)
repository.merge_base("main", "HEAD")
repository.commits_between(good, bad)                           # commits in `bad` and not in `good`
"""

import difflib
import re
from pathlib import Path

import msgspec

from assay.bisection import Commit
from assay.errors import InputError
from assay.revisions.git import Git

# A commit as git is asked to print it: hash, tree, parents, time, subject, with U+001F between.
_FORMAT = "%H%x1f%T%x1f%P%x1f%ct%x1f%s"
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")  # a hash of SHA-1 or SHA-256
_NAMES_SHOWN = 3  # similar names that a hint shows, at most


class Repository(msgspec.Struct, frozen=True):
    """A git repository with a working tree, whose commits are looked up and never changed."""

    root: Path  # the top folder of the working tree
    git: Git

    @classmethod
    def open(cls, folder: Path) -> "Repository":
        """The repository that `folder` lies in. Raises `InputError`."""
        git = Git(folder)
        if git.output_or_none("rev-parse", "--is-bare-repository") == "true":
            hint = "clone it, and run this in the clone"
            raise InputError("is a bare repository, without files", where=str(folder), hint=hint)
        done = git.run("rev-parse", "--show-toplevel")
        if done.code and "not a git repository" not in done.stderr:
            git("rev-parse", "--show-toplevel")  # raises with git's reason, such as another owner
        if done.code:
            hint = "git: targets are for a clone; name an executable instead"
            raise InputError("is not in a git repository", where=str(folder), hint=hint)
        root = Path(done.stdout.strip("\n"))
        return cls(root, Git(root))

    def resolve(self, revision: str) -> Commit:
        """The commit that a branch, tag, hash, `HEAD~3` or the like names. Raises `InputError`."""
        commit_hash = self._hash(revision)
        if commit_hash is None:
            what = "names no single commit" if _is_range(revision) else "no such revision"
            raise InputError(what, where=f"git:{revision}", hint=self._hint_for(revision))
        return self._commits("--no-walk", commit_hash)[0]

    def has(self, revision: str) -> bool:
        """Whether the repository has a revision of this name."""
        return self._hash(revision) is not None

    def merge_base(self, one: str, other: str) -> Commit:
        """The best common ancestor of two revisions. Raises `InputError`."""
        hashes = [self.resolve(revision).hash for revision in (one, other)]
        found = self.git.output_or_none("merge-base", *hashes)
        if found is None:
            hint = (
                "git fetch --unshallow" if self.is_shallow else "name two revisions of one history"
            )
            where = f"git:{one} and git:{other}"
            raise InputError("have no common ancestor here", where=where, hint=hint)
        return self.resolve(found)

    def commits_between(self, good: str, bad: str) -> tuple[Commit, ...]:
        """Commits in `bad` and not in `good`, parents before children. Raises `InputError`."""
        first, last = self.resolve(good), self.resolve(bad)
        return tuple(self._commits("--topo-order", "--reverse", last.hash, f"^{first.hash}"))

    def text_of(self, commit: str, path: str, most: int) -> str | None:
        """The text of a file in a revision, of up to `most` bytes; None if there is no such file.

        `path` is relative to the root. Raises `InputError` for a larger file.
        """
        size = self.git.output_or_none("cat-file", "-s", f"{commit}:{path}")
        if size is not None and int(size) > most:
            what = f"is larger than {most:,} bytes, the most that is read of such a file"
            raise InputError(what, where=f"git:{commit[:9]}:{path}")
        return self.git.output_or_none("cat-file", "blob", f"{commit}:{path}")

    @property
    def is_shallow(self) -> bool:
        """Whether this is a shallow clone, which has only a part of the history."""
        return self.git("rev-parse", "--is-shallow-repository") == "true"

    def path_of(self, name: str) -> Path:
        """Where git keeps a file or folder of its own, such as `objects` or `modules/zlib`."""
        return self.root / self.git("rev-parse", "--git-path", name)

    @property
    def common_folder(self) -> Path:
        """The folder of the repository's own files, which its worktrees share."""
        return self.root / self.git("rev-parse", "--git-common-dir")

    def _hash(self, revision: str) -> str | None:
        """A commit's hash, in two steps: `^{commit}` cannot follow a revision like `:/text`.

        For `^HEAD`, which excludes a commit, git prints `^` and a hash, which is no commit.
        """
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options")
        found = self.git.output_or_none(*words, revision)
        commit = self.git.output_or_none(*words, f"{found}^{{commit}}") if found else None
        return commit if commit and _HASH.fullmatch(commit) else None

    def _commits(self, *arguments: str) -> list[Commit]:
        """The commits that `git log` lists with these arguments."""
        text = self.git("log", "--no-show-signature", f"--format={_FORMAT}", *arguments, "--")
        return [_commit(line) for line in text.split("\n") if line]

    def _hint_for(self, revision: str) -> str:
        """A hint for somebody who wrote `revision`: similar names, or what to do."""
        names = self.git("for-each-ref", "--format=%(refname:short)").split("\n")
        close = difflib.get_close_matches(revision, names, _NAMES_SHOWN)
        hints = [f"did you mean {' or '.join(close)}?"] if close else []
        if self.is_shallow:
            hints.append("this clone has only a part of the history: git fetch --unshallow")
        return " ".join(hints) or "`git log --oneline` and `git branch --all` list what there is"


def _is_range(revision: str) -> bool:
    """Whether it may mean none or several commits: `^HEAD`, `HEAD^@`, `HEAD^!`, `a..b`."""
    return bool(re.match(r"\^|.*\.\.|.*\^[@!-]", revision))


def _commit(line: str) -> Commit:
    commit_hash, tree, parents, time_s, subject = line.split("\x1f", 4)
    return Commit(commit_hash, tree, tuple(parents.split()), int(time_s), subject)
