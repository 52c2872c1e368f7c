"""One colour and one sign for each verdict, the same in every medium.

Hue means the verdict and nothing else: slower is orange-red, faster blue (which people who confuse
red and green can tell apart), undecided ochre, same grey. The two sides of a comparison differ only
in lightness and shape. Every colour has a contrast of at least 4.5 on its background, so that text
can have it.
"""

import msgspec
from msgspec.structs import fields

from assay.model import Verdict

SIGN = {
    Verdict.SLOWER: "▲",
    Verdict.FASTER: "▼",
    Verdict.DIFFERENT: "◆",
    Verdict.SAME: "=",
    Verdict.UNDECIDED: "?",
    Verdict.SOMETIMES_SLOWER: "△",
    Verdict.SOMETIMES_FASTER: "▽",
    Verdict.PLACEMENT: "≈",
}

# These verdicts are shown in the colour of another verdict.
_USUAL = {
    Verdict.SOMETIMES_SLOWER: Verdict.SLOWER,
    Verdict.SOMETIMES_FASTER: Verdict.FASTER,
}

TERMINAL = {
    Verdict.SLOWER: "bold red",
    Verdict.FASTER: "bold blue",
    Verdict.DIFFERENT: "bold magenta",
    Verdict.SAME: "dim",
    Verdict.UNDECIDED: "yellow",
    Verdict.SOMETIMES_SLOWER: "red",
    Verdict.SOMETIMES_FASTER: "blue",
    Verdict.PLACEMENT: "cyan",
}


class Colours(msgspec.Struct, frozen=True):
    """The colours of one theme, light or dark, as CSS colours."""

    paper: str
    ink: str
    muted: str  # secondary text
    line: str  # thin lines and axes of charts
    faint: str  # background of the margin's band in charts, and of the table row under the pointer
    base: str
    candidate: str
    slower: str
    faster: str
    different: str
    same: str
    undecided: str
    placement: str


LIGHT = Colours(
    paper="#ffffff",
    ink="#15181c",
    muted="#596370",
    line="#d5dae0",
    faint="#f3f5f7",
    base="#858f9b",
    candidate="#15181c",
    slower="#bf3b0b",
    faster="#0a5fa6",
    different="#7b3aa0",
    same="#596370",
    undecided="#835c00",
    placement="#226a68",
)
DARK = Colours(
    paper="#121518",
    ink="#e3e6e9",
    muted="#9aa4af",
    line="#30363d",
    faint="#1b1f24",
    base="#7c8794",
    candidate="#e3e6e9",
    slower="#ff9066",
    faster="#69b3f5",
    different="#cf9bf0",
    same="#9aa4af",
    undecided="#e0b04a",
    placement="#7cc4c1",
)
# Charts in a page follow its theme, because these colours are CSS variables.
PAGE = Colours(**{field.name: f"var(--{field.name})" for field in fields(Colours)})

# For categories that are not verdicts (Okabe and Ito, without the hues of verdicts).
CATEGORIES = ("#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8f7d4f", "#6a5acd", "#999999")


def css_variables(colours: Colours) -> str:
    """CSS such as `--ink:#15181c;--muted:...`."""
    return "".join(f"--{f.name}:{getattr(colours, f.name)};" for f in fields(colours))


def verdict_scale(colours: Colours) -> dict[str, list[str]]:
    """The colour scale of a chart in which colour is the verdict."""
    names = [str(verdict) for verdict in Verdict]
    return {"domain": names, "range": [hue(colours, verdict) for verdict in Verdict]}


def hue(colours: Colours, verdict: Verdict) -> str:
    """The colour of a verdict; "sometimes slower" has that of "slower"."""
    colour: str = getattr(colours, _USUAL.get(verdict, verdict))
    return colour
