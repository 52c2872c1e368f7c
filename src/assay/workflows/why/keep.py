"""Keeps answers in the store, with the runs that they explain.

keep(plan, result, now_s)       for `assay why run:A run:B`; returns how many were kept
keep_for_comparison(root, run, ...)         for a comparison that was just stored
"""

from collections.abc import Sequence
from pathlib import Path

from assay.answers import AnswerHead, WhyAnswer
from assay.explained import Explained
from assay.judge.attribution.findings import findings
from assay.record.store.answers import Answers
from assay.record.store.folder import Folder
from assay.show.words import why_answer
from assay.workflows.common.targets import RUN
from assay.workflows.why.plan import WhyPlan, WhyResult


def keep(plan: WhyPlan, result: WhyResult, now_s: float) -> int:
    """Keep the answers if both targets are runs of a store. Raises `InputError`."""
    written = plan.base, plan.candidate or plan.base
    if plan.store is None or not all(one.startswith(RUN) for one in written):
        return 0
    folder = Folder.opened(plan.store)
    base, candidate = (folder.find(one.removeprefix(RUN)) for one in written)
    return _keep_answers(folder, (base, candidate), written, complete_answers(result), now_s)


def keep_for_comparison(
    root: Path, run: str, targets: tuple[str, str], result: WhyResult, now_s: float
) -> int:
    """Keep the answers for a stored comparison. Raises `InputError`."""
    return _keep_answers(Folder.opened(root), (run, run), targets, complete_answers(result), now_s)


def complete_answers(result: WhyResult) -> Sequence[Explained]:
    """The answers that lack no stage: all except the one on which an interrupt came."""
    return tuple(one for one in result.explained if one.benchmark != result.cut_short)


def _keep_answers(
    folder: Folder,
    runs: tuple[str, str],
    targets: tuple[str, str],
    explained: Sequence[Explained],
    now_s: float,
) -> int:
    answers = Answers(folder)
    for one in explained:
        head = AnswerHead(
            benchmark=one.benchmark,
            base=runs[0],
            candidate=runs[1],
            targets=targets,
            said=why_answer.first_sentence(findings(one)),
            answered_s=now_s,
        )
        answers.keep(WhyAnswer(head, one))
    return len(explained)
