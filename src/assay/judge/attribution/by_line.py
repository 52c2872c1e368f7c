"""What each line of source costs, with the library functions that are called there.

cost_by_line(work)[Place("log.cpp", 53)]     190000 instructions
"""

from collections import defaultdict

from assay.judge.attribution.folded import fold_libraries_into_callers
from assay.work import Place, Work


def cost_by_line(work: Work) -> dict[Place, int]:
    """Instructions of all iterations by line of the user's code; what has no line is left out."""
    found: dict[Place, int] = defaultdict(int)
    for spent in fold_libraries_into_callers(work).spent.values():
        for spending, amount in spent.items():
            if spending.place.line:
                found[spending.place] += amount
    return dict(found)
