"""Small git repositories to build revisions of."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_WHO = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "somebody"), ("EMAIL", "somebody@example.org"))
}
# These tests have submodules in folders, which git fetches only if configured to.
_CONFIGURED = {
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "protocol.file.allow",
    "GIT_CONFIG_VALUE_0": "always",
    "GIT_CONFIG_KEY_1": "init.defaultBranch",
    "GIT_CONFIG_VALUE_1": "main",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True)
class TestRepository:
    """A repository in which each commit is one minute after the previous one."""

    __test__ = False
    root: Path

    def git(self, *arguments: str, **more: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env={**os.environ, **_WHO, **_CONFIGURED, **more},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout.strip()

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self, subject: str, **files: str) -> str:
        """Write files (`src__a_c` means `src/a.c`) and commit all; returns the hash."""
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_", "."), text)
        self.git("add", "--all")
        number = self.git("rev-list", "--all", "--count")
        date = f"{1_700_000_000 + 60 * int(number)} +0000"
        self.git(
            "commit", "--allow-empty", "-qm", subject, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date
        )
        return self.git("rev-parse", "HEAD")


def new_repository(folder: Path) -> TestRepository:
    """An empty repository."""
    folder.mkdir(parents=True)
    repository = TestRepository(folder)
    repository.git("init", "-q")
    return repository


def clone(of: TestRepository, folder: Path, *options: str) -> TestRepository:
    """A clone as a user would make it."""
    of.git("clone", "-q", *options, f"file://{of.root}", str(folder))
    return TestRepository(folder)
