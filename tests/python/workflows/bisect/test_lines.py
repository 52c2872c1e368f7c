"""One line for each stretch of steps about one commit."""

from assay.bisection import Commit
from assay.workflows.bisect.workflow import _StepAnnouncer


def commit(name: str) -> Commit:
    return Commit(hash=name, tree="", parents=(), time_s=0, subject=name)


def test_steps_about_one_commit_are_one_line() -> None:
    told: list[str] = []
    lines = _StepAnnouncer(told.append)
    for name, line in (("a", "a, 1 round"), ("a", "a, 3 rounds"), ("b", "b"), ("a", "a, 4 rounds")):
        lines.tell(commit(name), line)
    lines.end()
    lines.end()
    assert told == ["a, 3 rounds", "b", "a, 4 rounds"]
