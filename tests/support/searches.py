"""A made-up search for a commit, as a store keeps it."""

from assay.bisection import Commit
from assay.judge.bisection.graph import graph_of
from assay.judge.bisection.search import Search, Step
from assay.searched import KeptSearch
from assay.workflows.bisect.narrowed import summary_of_search

CULPRIT = 6  # place of the commit that made it slower, of ten


def hash_of(number: int) -> str:
    return f"{number:02x}" * 20


def narrowed(benchmark: str = "BM_a", subject: str = "a subject") -> KeptSearch:
    """Ten commits, one of which made it a tenth slower; the fourth does not build."""
    names = [hash_of(number) for number in range(1, 11)]
    parents = {one: tuple(names[max(i - 1, 0) : i]) for i, one in enumerate(names)}
    search = Search(graph_of(parents, names[-1]))
    while isinstance(step := search.next(), Step):
        number = names.index(step.commit) + 1
        if number == 4:
            search = search.with_broken(step.commit)
            continue
        size = 0.1 if number >= CULPRIT else 0.0
        scatter = [0.002 * ((7 * i + number) % 5 - 2) for i in range(step.rounds)]
        search = search.with_rounds(step.commit, [size + one for one in scatter])
    commits = {one: Commit(one, one, parents[one], 1_790_000_000, subject) for one in names}
    ends = hash_of(0), names[-1]
    return summary_of_search(search, commits, ends, (benchmark, "real_time"), 1.79e9)
