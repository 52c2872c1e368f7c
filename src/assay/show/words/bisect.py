"""What a search for a commit says, in sentences."""

import math

from assay.bisection import BisectResult
from assay.show.words import format


def headline(result: BisectResult) -> str:
    """The answer in one line."""
    answer = result.answer
    sure = f"{_percent(answer.probability)} sure"
    name = format.name(result.benchmark)
    if not answer.settled:
        sure = f"only {sure}: not settled"
    if not answer.commits:
        count = format.count(len(result.commits), "commit")
        return f"None of {count} made {name} worse by what is worth a search ({sure})."
    change = format.change(math.expm1(answer.size))
    first = result.commits[answer.commits[0]]
    if result.code is not None and result.code.same:
        return (
            f"No commit changed what {name} executes: it is {change} from {first.short} "
            f'"{format.name(first.subject)}" on ({sure}), with the same machine code as before, '
            "placed elsewhere."
        )
    if len(answer.commits) == 1:
        return f'{first.short} "{format.name(first.subject)}" made {name} worse: {change} ({sure}).'
    listed = ", ".join(result.commits[one].short for one in answer.commits)
    return f"One of {listed} made {name} worse: {change} ({sure}). They cannot be told apart."


def others(result: BisectResult) -> str:
    """Which other answers are left, where that is worth a line."""
    answer = result.answer
    left = [
        f"{result.commits[commit].short} {_percent(probability)}"
        for commit, probability in answer.others
        if commit not in answer.commits and probability >= 0.005
    ]
    if answer.commits and answer.none >= 0.005:
        left.append(f"none of them {_percent(answer.none)}")
    return f"otherwise: {', '.join(left)}" if left else ""


def next_line(result: BisectResult) -> str:
    """How to see it for oneself."""
    if len(result.answer.commits) != 1:
        return ""
    commit = result.commits[result.answer.commits[0]].short
    return f"see it: assay compare git:{commit}~1 git:{commit}; git show {commit}"


def _percent(probability: float) -> str:
    """Never 100: nothing measured is certain."""
    return "more than 99.9 %" if probability > 0.999 else f"{100 * probability:.3g} %"
