"""Which command says why something is slower, and what it is to be asked.

asked = to_explain(plan, result.judgement.comparisons)     # WhyPlan's base, candidate and filter
asked.command          "assay why old/bench new/bench --filter '^BM_copy$'"
"""

import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from assay.model import Comparison, Verdict
from assay.workflows.common.plan import INSTRUCTIONS, ComparePlan
from assay.workflows.common.targets import is_recorded

_METRICS = ("real_time", INSTRUCTIONS)
_MOST_NAMED = 5  # benchmarks in the command; of more, all that were compared are asked


class ToExplain(NamedTuple):
    """Two targets, and the benchmarks that changed."""

    base: str
    candidate: str
    filter: str

    @property
    def command(self) -> str:
        """To be typed as it stands."""
        words = ["assay", "why", self.base, self.candidate]
        return shlex.join([*words, "--filter", self.filter] if self.filter else words)


def to_explain(plan: ComparePlan, comparisons: Sequence[Comparison]) -> ToExplain | None:
    """None: nothing is slower, or the targets are not two executables or revisions."""
    names = changed_names(comparisons)
    candidate = plan.candidate or ""
    if not names or plan.filters.renaming or not (_has_loop(plan.base) and _has_loop(candidate)):
        return None
    one_of = "|".join(map(_escaped, names))
    few = f"^({one_of})$" if len(names) > 1 else f"^{one_of}$"
    return ToExplain(plan.base, candidate, few if len(names) <= _MOST_NAMED else plan.filters.both)


def changed_names(comparisons: Sequence[Comparison]) -> tuple[str, ...]:
    """Benchmarks that are slower; where instructions were counted, those too that do fewer."""
    return tuple(dict.fromkeys(one.benchmark for one in comparisons if _is_asked(one)))


def _is_asked(one: Comparison) -> bool:
    changed = one.verdict is Verdict.SLOWER
    if one.metric == INSTRUCTIONS:
        changed = one.verdict.is_change
    return changed and one.metric in _METRICS and not one.single


def _has_loop(written: str) -> bool:
    return bool(written) and not written.startswith("cmd:") and not is_recorded(written)


def _escaped(name: str) -> str:
    """As a regular expression, with no more backslashes than it takes."""
    return re.sub(r"([.\[\](){}*+?|^$\\])", r"\\\1", name)
