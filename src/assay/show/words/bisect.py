"""The result of a search for a commit, in sentences."""

import math

from assay.bisection import BisectResult, ChangePart
from assay.show.words import format


def headline(result: BisectResult) -> str:
    """The answer of the search in one line: which commit, how sure, by how much."""
    answer = result.answer
    sure = f"{_percent(answer.probability)} sure"
    name = format.name(result.benchmark)
    if not answer.is_clear:
        return _unclear_headline(result, name)
    if not answer.settled:
        sure = f"only {sure}: not settled"
    if not answer.commits:
        count = format.count(len(result.commits), "commit")
        return f"None of {count} made {name} worse by what is worth a search ({sure})."
    first = result.commits[answer.commits[0]]
    if result.code is not None and result.code.same:
        change = format.change(math.expm1(answer.size))
        return (
            f"No commit changed what {name} executes: it is {change} from {first.short_hash} "
            f'"{format.name(first.subject)}" on ({sure}), with the same machine code as before, '
            "placed elsewhere."
        )
    change = _by_how_much(result)
    if len(answer.commits) == 1:
        commit = f'{first.short_hash} "{format.name(first.subject)}"'
        return f"{commit} made {name} worse: {change} ({sure})."
    listed = ", ".join(result.commits[one].short_hash for one in answer.commits)
    return f"One of {listed} made {name} worse: {change} ({sure}). They cannot be told apart."


def _unclear_headline(result: BisectResult, name: str) -> str:
    """The first line of a search in which no answer has a probability above one half."""
    answer = result.answer
    what = "More than one change" if answer.several >= 0.5 else "No single commit"
    if answer.commits:
        best = f"{result.commits[answer.commits[0]].short_hash} is the likeliest"
    else:
        best = "that none of them did is likeliest"
    return (
        f"{what}: what was measured of {name} points to no commit by itself "
        f"({best}, {_percent(answer.probability)})."
    )


def _by_how_much(result: BisectResult) -> str:
    """How large the found change is, such as '+234 %, of which 6921e4f81f took back 95 points'."""
    answer = result.answer
    place = next((i for i, one in enumerate(answer.parts) if one.is_answer), None)
    if place is None:
        return format.change(math.expm1(answer.size))
    own = answer.parts[place]
    said = format.change(math.expm1(own.then - own.before))
    for later in answer.parts[place + 1 :]:
        if later.then < later.before:
            points = 100.0 * (math.exp(later.before) - math.exp(later.then))
            said += f", of which {_where(result, later)} took back {points:.3g} points"
    return said


def changes(result: BisectResult) -> list[str]:
    """One line for each commit at which the time changed, if there are several."""
    parts = result.answer.parts
    if len(parts) < 2:
        return []
    return ["changes, against GOOD:"] + [
        f"  {format.change(math.expm1(one.before))} to {format.change(math.expm1(one.then))} "
        f"{'at' if one.is_located else 'in'} {_where(result, one)}"
        for one in parts
    ]


def _where(result: BisectResult, part: ChangePart) -> str:
    upto = result.commits[part.upto].short_hash
    if part.is_located:
        return upto
    after = result.commits[part.after].short_hash if part.after else "GOOD"
    return f"one commit of {after}..{upto}"


def other_answers(result: BisectResult) -> str:
    """A line on other answers with a probability of at least 0.5 %; empty if there are none."""
    answer = result.answer
    left = [
        f"{result.commits[commit].short_hash} {_percent(probability)}"
        for commit, probability in answer.others
        if commit not in answer.commits and probability >= 0.005
    ]
    if answer.commits and answer.none >= 0.005:
        left.append(f"none of them {_percent(answer.none)}")
    return f"otherwise: {', '.join(left)}" if left else ""


def next_line(result: BisectResult) -> str:
    """What to type next: the command by which the user can check the answer."""
    if len(result.answer.commits) != 1:
        return ""
    commit = result.commits[result.answer.commits[0]].short_hash
    return f"see it: assay compare git:{commit}~1 git:{commit}; git show {commit}"


def _percent(probability: float) -> str:
    """A probability in percent, never rounded up to 100."""
    return "more than 99.9 %" if probability > 0.999 else f"{100 * probability:.3g} %"
