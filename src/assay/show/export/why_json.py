"""Why one build does more than the other, as JSON for programs.

Amounts are instructions in all `iterations` together: whole numbers, or "p/q" where one function's
change is a fraction. They add up to `whole` exactly.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import asdict

from assay.explained import Unanswered
from assay.findings import Claim, Findings, StageName, WhyFinding
from assay.machine_code import MachineCode
from assay.model import Failure
from assay.show.export import why_resources_json
from assay.show.export.why_time_json import time_document
from assay.show.words import why_first
from assay.work import Attribution, ExactWork, OwnChange, Simulated


def document(
    explained: Sequence[Findings],
    *,
    targets: tuple[str, str],
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
    unavailable: Sequence[Unanswered],
) -> dict[str, Any]:
    """The answers of `assay why` as a JSON document, ready to encode."""
    return {
        "benchmarks": [_benchmark(one) for one in explained],
        "only_base": list(only[0]),
        "only_candidate": list(only[1]),
        "failures": [msgspec.to_builtins(failure) for failure in failures],
        "unavailable": [_unanswered(missing) for missing in unavailable],
        "targets": {"base": targets[0], "candidate": targets[1]},
    }


def _benchmark(found: Findings) -> dict[str, Any]:
    one = found.evidence
    return {
        "benchmark": one.benchmark,
        "claim": why_first.sentence(found.first),
        "caveats": list(one.caveats),
        "answer": [_part(part) for part in found.answer],
        **(_work(one.work, found) if one.work else {}),
        **({"time": time_document(one.time)} if one.time else {}),
        **why_resources_json.parts(one),
        **({"code": _code(one.code)} if one.code else {}),
        "unanswered": [_unanswered(missing) for missing in one.unanswered],
    }


def _part(findings: Sequence[WhyFinding]) -> dict[str, Any]:
    """One function: how many more instructions it executes, and how many
    femtoseconds longer it takes.
    """
    found = {one.stage: one.amounts[0] for one in findings}
    work, time = found.get(StageName.WORK), found.get(StageName.TIME)
    return {
        "function": findings[0].subject,
        "instructions": _exact(Fraction(work.amount)) if work else None,
        "time_fs": {"amount": time.amount, "low": time.low, "high": time.high} if time else None,
    }


def _work(work: ExactWork, found: Findings) -> dict[str, Any]:
    return {
        "loop": _attribution(work.loop, [one.function for one in work.told]),
        "setup": _attribution(work.setup, [one.function for one in work.told_setup]),
        "simulated": [_simulated(one, found) for one in work.simulated],
        "named": list(work.named()),
        "notes": list(work.notes),
    }


def _simulated(one: Simulated, found: Findings) -> dict[str, Any]:
    misses = [line for stage in found.stages for line in stage.lines if line.claim is Claim.MISSES]
    named = [line.subject for line in misses if line.amounts[0].unit == one.what]
    return {"what": one.what, "worth": one.worth, **_attribution(one.found, named)}


def _code(code: MachineCode) -> dict[str, Any]:
    return {
        "compilers": dict(zip(("base", "candidate"), code.compilers, strict=True)),
        "unchanged": sorted(code.unchanged),
        "functions": [_with_field_names(one) for one in code.functions],
        "disassembly": [_with_field_names(one) for one in code.shown],
        "sources": [_with_field_names(one) for one in code.sources],
        "notes": list(code.notes),
    }


def _with_field_names(value: Any) -> Any:
    """The value with structs and named tuples as objects, so that their field names are kept."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _with_field_names(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple):
        return [_with_field_names(part) for part in value]
    if isinstance(value, msgspec.Struct):
        return {name: _with_field_names(part) for name, part in asdict(value).items()}
    return value


def _unanswered(missing: Unanswered) -> dict[str, Any]:
    return {"stage": missing.stage, "why": missing.why, "side": missing.side}


def _attribution(found: Attribution, named: Sequence[str]) -> dict[str, Any]:
    return {
        "iterations": found.iterations,
        "base": found.base,
        "candidate": found.candidate,
        "whole": found.whole,
        "unexplained": _exact(found.unexplained),
        "named": named,
        "changes": [_change(one) for one in found.changes],
        "moved": [asdict(one) for one in found.moved],
    }


def _change(one: OwnChange) -> dict[str, Any]:
    reasons = [
        {
            "kind": why.kind,
            "callee": why.callee,
            "file": why.place.file,
            "line": why.place.line,
            "amount": _exact(why.amount),
        }
        for why in one.reasons
    ]
    return {
        "function": one.function,
        "own": one.own,
        "amount": _exact(one.amount),
        "base": one.base,
        "candidate": one.candidate,
        "reasons": reasons,
    }


def _exact(amount: Fraction) -> int | str:
    return int(amount) if amount.denominator == 1 else str(amount)
