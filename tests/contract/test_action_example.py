"""The example repository and its fork go through the action, as a pull request of a fork does.

`examples/action/make_repository.sh` makes both. What GitHub adds is made here: the merge of the
fork's branch into main, which is what a job checks out, one commit of it, from the project and
never from the fork. How a runner is imitated is told in test_action.py.
"""

import subprocess
from pathlib import Path

import pytest
from conftest import ROOT
from remotes import git
from ruamel.yaml import YAML
from test_action import Comments, Ran, comment, run_steps, wheel

MERGE = "refs/pull/7/merge"
SHORT = "--budget 15s --margin 20% --why"


def made(folder: Path) -> Path:
    script = ROOT / "examples" / "action" / "make_repository.sh"
    subprocess.run([script, folder], check=True)
    return folder


def request(folder: Path, branch: str) -> None:
    """What GitHub keeps of a pull request: its head, and the merge with main."""
    project = folder / "project"
    git(project, "fetch", "-q", str(folder / "fork"), f"+{branch}:refs/pull/7/head")
    tree = git(project, "merge-tree", "--write-tree", "main", "refs/pull/7/head").split()[0]
    parents = ("-p", "main", "-p", "refs/pull/7/head")
    merge = git(project, "commit-tree", tree, *parents, "-m", "Merge").strip()
    git(project, "update-ref", MERGE, merge)


def checked_out(folder: Path, work: Path) -> Path:
    """As actions/checkout does it: one commit, no branch."""
    work.mkdir(parents=True)
    git(work, "init", "-q")
    git(work, "remote", "add", "origin", f"file://{folder / 'project'}")
    git(work, "fetch", "-q", "--depth", "1", "origin", f"+{MERGE}:refs/remotes/pull/7/merge")
    git(work, "checkout", "-q", "--detach", "refs/remotes/pull/7/merge")
    return work


def gated(folder: Path, branch: str, run: Path) -> Ran:
    request(folder, branch)
    before = git(folder / "project", "for-each-ref")
    work = checked_out(folder, run / "work")
    ran = run_steps(run, work, install=str(wheel(run)), arguments=SHORT)
    assert git(folder / "project", "for-each-ref") == before  # nothing was written there
    return ran


@pytest.mark.slow
@pytest.mark.xdist_group("ci recipes")
def test_a_fork_is_asked_and_told(tmp_path: Path) -> None:
    """A slowdown fails and says why; then one without passes, and the comment is the same one."""
    folder, comments = made(tmp_path / "made"), Comments("a" * 40)
    slower = gated(folder, "slower", tmp_path / "first")
    assert slower.code == 1, slower.said
    assert "`BM_quoted`" in slower.summary
    why = slower.summary.partition("\nWhy:\n")[2]
    assert why.startswith("- `BM_quoted`: "), slower.said
    assert "quoted(" in why.splitlines()[0]
    passed = gated(folder, "readme", tmp_path / "second")
    assert passed.code == 0, passed.said
    assert "▲ slower" not in passed.summary
    for ran in (slower, passed):
        done = comment(tmp_path / "results", comments, (ran.artifact / "gate.md").read_text())
        assert done.returncode == 0, done.stderr
    assert len(comments.all) == 1
    assert "Why:" not in comments.all[0]["body"]


def test_its_workflows_are_those_that_are_shown(tmp_path: Path) -> None:
    """And what a fork's run may do is to read."""
    workflows = made(tmp_path / "made") / "project" / ".github" / "workflows"
    assert {path.name for path in workflows.iterdir()} == {"performance.yml", "comment.yml"}
    for name, shown in (("performance.yml", "gate.yml"), ("comment.yml", "comment.yml")):
        assert (workflows / name).read_text() == (ROOT / "examples/action" / shown).read_text()
    gate = YAML(typ="safe", pure=True).load((workflows / "performance.yml").read_text())
    assert gate["permissions"] == {"contents": "read"}
    assert "secrets" not in (workflows / "performance.yml").read_text()
