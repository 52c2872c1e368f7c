"""A comparison as Markdown for pull requests: verdict first, names as code."""

import re
from collections.abc import Sequence

from assay.findings import Findings
from assay.model import Comparison, Failure, Judgement, Verdict
from assay.outside_text import markdown_text, without_commands
from assay.show.rows.columns import order_by_importance, verdict_text
from assay.show.words import format, strength, summary, why_first

_NAMED = 3  # at most so many changed benchmarks are named in the second line
# Rows with these verdicts are folded away: nobody has to act on them.
_FOLDED = (Verdict.SAME, Verdict.PLACEMENT)


def markdown(
    judgement: Judgement,
    *,
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
    gated: bool = False,
    command: str = "",
    explained: Sequence[Findings] = (),
) -> str:
    """The comparison as Markdown; `gated`: the result decides an exit code.

    The first three lines say what matters, and unchanged rows are folded. `command` is the shell
    command that repeats the comparison; it is shown at the end. `explained` says why benchmarks
    changed: the first sentence of each below the rows.
    """
    metric = summary.primary_metric(judgement.comparisons)
    main = [one for one in judgement.comparisons if one.metric == metric]
    others = summary.changes_beside_headline(judgement.comparisons)
    open_rows = [one for one in main if one.verdict not in _FOLDED]
    told = [_text(line) for line in strength.sentences(judgement, gated=gated)]
    parts = [f"**{_text(summary.headline(judgement.comparisons))}**"]
    parts += [_largest_changes([*open_rows, *others])] if open_rows or others else []
    parts += told[:1]
    parts += [_table(open_rows)] if open_rows else []
    parts += [_reasons(explained)]
    parts += [_folded_table([one for one in main if one.verdict in _FOLDED])]
    parts += told[1:]
    if others:
        parts += ["Other metrics that changed:", _table(others)]
    parts += [f"- {code(f.benchmark or f.target)} failed: {_text(f.what)}" for f in failures]
    for side, names in zip(("base", "candidate"), only, strict=True):
        if names:
            parts.append(f"Only in {side}: {', '.join(code(one) for one in names)}")
    parts.append("\n".join(f"- {_text(line)}" for line in summary.how_judged(judgement)))
    parts += [f"To do it again: {code(command)}"] if command else []
    return without_commands("\n\n".join(one for one in parts if one) + "\n")


def _largest_changes(comparisons: Sequence[Comparison]) -> str:
    """The largest changes, as in '`copy` +17 % slower, `move` -3.0 % faster and 4 more'."""
    changed = [one for one in comparisons if one.verdict.is_change]
    if not changed:
        return ""
    ranked = [changed[i] for i in order_by_importance(changed)]
    told = ", ".join(
        f"{code(one.benchmark)} {format.change(one.change)} {format.verdict_word(one)}"
        for one in ranked[:_NAMED]
    )
    more = len(ranked) - _NAMED
    return f"{told} and {more} more." if more > 0 else f"{told}."


def _reasons(explained: Sequence[Findings]) -> str:
    """One line for each benchmark that was explained; empty without any."""
    lines = (
        f"- {code(one.evidence.benchmark)}: {_text(why_first.sentence(one.first))}"
        for one in explained
    )
    return "\n".join(["Why:", *lines]) if explained else ""


def _folded_table(comparisons: Sequence[Comparison]) -> str:
    """Rows folded behind one line that the reader can open."""
    if not comparisons:
        return ""
    count = format.count(len(comparisons), "benchmark")
    what = f"{count} that did not change"
    return f"<details><summary>{what}</summary>\n\n{_table(comparisons)}\n\n</details>"


def code(name: str) -> str:
    """A name as a Markdown code span; nothing in the name can end the span, or a table's cell."""
    shown = format.name(name).replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _table(comparisons: Sequence[Comparison]) -> str:
    head = (
        "| benchmark | metric | base | candidate | change | interval | verdict |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | --- |"
    )
    return "\n".join([head, *(_row(one) for one in comparisons)])


def _row(one: Comparison) -> str:
    cells = (
        code(one.benchmark),
        code(one.metric),
        *format.amounts(one),
        format.change(one.change),
        format.interval_of(one),
        verdict_text(one),
    )
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    return markdown_text(format.name(text, 500))
