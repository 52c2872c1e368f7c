"""A comparison as Markdown, for pull requests. Verdict first; names as code."""

import re
from collections.abc import Sequence

from assay.model import Comparison, Failure, Judgement
from assay.outside_text import markdown_text, without_commands
from assay.show.rows.columns import verdict_text
from assay.show.words import format, strength, summary


def markdown(
    judgement: Judgement,
    *,
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
    gated: bool = False,
) -> str:
    """The whole text, ending in a newline; `gated`: the result decides an exit code."""
    metric = summary.primary_metric(judgement.comparisons)
    main = [one for one in judgement.comparisons if one.metric == metric]
    parts = [f"**{_text(summary.headline(judgement.comparisons))}**", _table(main)]
    parts += [_text(line) for line in strength.sentences(judgement, gated=gated)]
    others = summary.beside(judgement.comparisons)
    if others:
        parts += ["Other metrics that changed:", _table(others)]
    parts += [f"- {code(f.benchmark or f.target)} failed: {_text(f.what)}" for f in failures]
    for side, names in zip(("base", "candidate"), only, strict=True):
        if names:
            parts.append(f"Only in {side}: {', '.join(code(one) for one in names)}")
    parts.append("\n".join(f"- {_text(line)}" for line in summary.how_judged(judgement)))
    return without_commands("\n\n".join(parts) + "\n")


def code(name: str) -> str:
    """A name as a code span that nothing in it can end, also inside a table."""
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
