"""What all pages of a store have in common: their rooms, styles, scripts, and how they are packed.

made(Frame("index.html", "What changed", served=True), "pages/changed.html", data, **words)
"""

from dataclasses import dataclass
from typing import Any

from assay.show.page.embed import packed_json
from assay.show.page.frame import rendered

ROOMS = {"index.html": "What changed", "benchmarks.html": "Benchmarks", "runs.html": "Compare"}
_SCRIPTS = ("unpack", "theme", "address", "effect", "grid")


@dataclass(frozen=True)
class Frame:
    """Of one page."""

    here: str  # the room it belongs to
    title: str
    headline: str
    served: bool  # by `assay serve`; else it is a file
    lines: tuple[str, ...] = ()
    root: str = ""  # from the page to the folder of all pages

    @property
    def footing(self) -> str:
        keys = "Keys: / searches, j and k go through the rows, x chooses one, Enter opens it."
        if self.served:
            return keys
        return f"{keys} These are files: comparing any two runs and triage need `assay serve`."


def made(frame: Frame, template: str, data: dict[str, Any], **words: Any) -> bytes:
    """The page; `data` is what its scripts draw."""
    is_benchmark = "hosts" in data
    return rendered(
        template,
        ("report.css", "pages/pages.css"),
        (*_SCRIPTS, *(("history", "curve") if is_benchmark else ()), "pages"),
        form_action="'self'" if frame.served else "'none'",
        rooms=ROOMS,
        here=frame.here,
        title=frame.title,
        headline=frame.headline,
        lines=frame.lines,
        root=frame.root,
        footing=frame.footing,
        served=frame.served,
        data=packed_json({**data, "served": frame.served}),
        **words,
    )
