"""The `assay why` command that explains what became slower.

asked = why_request_of(plan, result.judgement.comparisons)     # base, candidate and filter
asked.command          "assay why old/bench new/bench --filter '^BM_copy$'"
"""

import re
import shlex
from collections.abc import Sequence

import msgspec

from assay.model import Comparison, Verdict
from assay.workflows.common.plan import INSTRUCTIONS, ComparePlan
from assay.workflows.common.targets import is_recorded

_METRICS = ("real_time", INSTRUCTIONS)
# A filter names at most so many slower benchmarks; for more, the comparison's filter is used.
_MOST_NAMED = 5


class WhyRequest(msgspec.Struct, frozen=True):
    """What `assay why` is to explain: two targets, and a filter for the
    benchmarks that got slower.
    """

    base: str
    candidate: str
    filter: str

    @property
    def command(self) -> str:
        """The command, ready for a shell."""
        words = ["assay", "why", self.base, self.candidate]
        return shlex.join([*words, "--filter", self.filter] if self.filter else words)


def why_request_of(plan: ComparePlan, comparisons: Sequence[Comparison]) -> WhyRequest | None:
    """What `assay why` can explain; None if nothing is slower, or a target cannot be run by it."""
    names = changed_names(comparisons)
    candidate = plan.candidate or ""
    if (
        not names
        or plan.filters.renaming
        or not (_can_be_explained(plan.base) and _can_be_explained(candidate))
    ):
        return None
    one_of = "|".join(map(_escaped, names))
    few = f"^({one_of})$" if len(names) > 1 else f"^{one_of}$"
    return WhyRequest(plan.base, candidate, few if len(names) <= _MOST_NAMED else plan.filters.both)


def changed_names(comparisons: Sequence[Comparison]) -> tuple[str, ...]:
    """Benchmarks that `assay why` can explain: slower ones; by counted
    instructions, changed ones.
    """
    return tuple(dict.fromkeys(one.benchmark for one in comparisons if _is_to_be_explained(one)))


def _is_to_be_explained(one: Comparison) -> bool:
    changed = one.verdict is Verdict.SLOWER
    if one.metric == INSTRUCTIONS:
        changed = one.verdict.is_change
    return changed and one.metric in _METRICS and not one.single


def _can_be_explained(written: str) -> bool:
    return bool(written) and not written.startswith("cmd:") and not is_recorded(written)


def _escaped(name: str) -> str:
    """The name as a regular expression, escaping only what must be escaped."""
    return re.sub(r"([.\[\](){}*+?|^$\\])", r"\\\1", name)
