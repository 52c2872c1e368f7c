"""What a gate asks of a comparison, and the exit code that answers.

A benchmark passes only if it was judged: one that failed, is on one side only or ended
without an interval does not pass.
"""

from typing import TYPE_CHECKING

import msgspec

from assay.cli.common import options as opt
from assay.cli.common import outcome
from assay.cli.common.exit_codes import DONE, NOT_MEASURED, SLOWER, UNDECIDED
from assay.errors import UsageError
from assay.model import Comparison, Design, Judgement, Verdict

if TYPE_CHECKING:
    from assay.workflows.compare.result import CompareResult

_SLOWER = (Verdict.SLOWER, Verdict.SOMETIMES_SLOWER)


class Gate(msgspec.Struct, frozen=True):
    """What must hold of a comparison for exit code 0.

    `strict`: an undecided verdict does not pass, nor one that assumes a drift of the host which
    was not measured. `strength`: the slowdown that every benchmark must be able to show.
    """

    strict: bool = False
    strength: float | None = None
    allow_missing: bool = False  # True: a benchmark that only one side has does not fail the gate


def parse_gate(asked: str | None, strength: str | None, *, allow_missing: bool) -> Gate | None:
    """The gate that the options `--gate...` ask for; None: no gate. Raises `UsageError`."""
    if asked is None:
        for option, given in (("--gate-strength", strength), ("--allow-missing", allow_missing)):
            if given:
                raise UsageError("needs a gate", where=option, hint="add --gate")
        return None
    kind = opt.checked_choice(asked, ("slower", "strict"), "--gate")
    least = None if strength is None else opt.parse_fraction(strength, "--gate-strength")
    return Gate(kind == "strict", least, allow_missing)


def exit_code(result: "CompareResult", gate: Gate | None) -> int:
    """The exit code: 128 plus a signal comes before 1, 1 before 3, and 3 before 4."""
    if result.interrupted_by is not None or gate is None:
        return outcome.exit_code(result.interrupted_by, failed=bool(result.failures))
    judged = [one for one in result.judgement.comparisons if not one.single]
    failing = result.judgement.failed_launches
    is_slower = any(_is_slower(one) for one in judged) or any(one.more_often for one in failing)
    if is_slower and not (gate.strict and rests_on_assumed_drift(result.judgement)):
        return SLOWER
    if result.failures or (_has_unmatched_benchmarks(result) and not gate.allow_missing):
        return NOT_MEASURED
    return UNDECIDED if is_slower or _lacks_an_answer(result, judged, gate) else DONE


def _is_slower(one: Comparison) -> bool:
    sometimes = any(found.verdict is Verdict.SOMETIMES_SLOWER for found in one.findings)
    return one.verdict in _SLOWER or sometimes


def _has_unmatched_benchmarks(result: "CompareResult") -> bool:
    return bool(result.only_base or result.only_candidate)


def _lacks_an_answer(result: "CompareResult", judged: list[Comparison], gate: Gate) -> bool:
    """Whether something was not judged, or less surely than the gate's
    `strict` and `strength` demand.
    """
    if not judged or any(one.low is None for one in judged) or _lacks_a_comparison(result):
        return True
    if gate.strict and rests_on_assumed_drift(result.judgement):
        return True
    if gate.strict and any(one.verdict is Verdict.UNDECIDED for one in judged):
        return True
    return gate.strength is not None and not _is_strong_enough(result, gate.strength)


def rests_on_assumed_drift(judgement: Judgement) -> bool:
    """Whether a verdict rests on a drift of the host that is assumed, not measured."""
    sampled = (one for one in judgement.comparisons if one.p_value is not None and not one.single)
    return judgement.floor is None and any(one.design is Design.SEQUENTIAL for one in sampled)


def _lacks_a_comparison(result: "CompareResult") -> bool:
    """Whether a benchmark was measured on both sides, but in no round that could be used."""
    base, candidate = ({sample.benchmark for sample in side} for side in result.samples)
    return bool((base & candidate) - {one.benchmark for one in result.judgement.comparisons})


def _is_strong_enough(result: "CompareResult", least: float) -> bool:
    if result.is_identical:
        return True  # both sides are one program, which cannot be slower than itself
    found = result.judgement.strength
    return found is not None and found.every is not None and found.every <= least
