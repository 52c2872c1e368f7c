"""What all pages of a store share: navigation, styles, scripts, and how data is packed.

store_page(PageFrame("index.html", "What changed", served=True), "pages/changed.html", data)
"""

from typing import Any

import msgspec

from assay.show.page.embed import packed_json
from assay.show.page.frame import rendered

LABS = "labs.html"
ROOMS = {
    "index.html": "What changed",
    "benchmarks.html": "Benchmarks",
    "runs.html": "Compare",
    "why.html": "Why",
    "bisects.html": "Bisect",
    LABS: "Labs",
    "hosts.html": "Hosts",
}
# The page of running sessions, which only a server has: a file does not know what runs now.
LIVE = "live.html"
SERVED_ROOMS = {**ROOMS, LIVE: "Live"}
_SCRIPTS = ("unpack", "theme", "address", "effect", "grid")


class PageFrame(msgspec.Struct, frozen=True):
    """What a page of a store has around its content: title, headline, navigation."""

    here: str  # file of the main page to which this page belongs
    title: str
    headline: str
    served: bool  # True: `assay serve` sends the page; False: the page is a file
    lines: tuple[str, ...] = ()
    root: str = ""  # relative path to the folder of all pages
    kind: str = ""  # a word in the page's HTML by which style sheets recognise its kind

    @property
    def footing(self) -> str:
        keys = "Keys: / searches, j and k go through the rows, x chooses one, Enter opens it."
        if self.kind == "live":
            return "Key: / searches."
        if self.served:
            return keys
        return f"{keys} These are files: comparing any two runs and triage need assay serve."


def store_page(
    frame: PageFrame,
    template: str,
    data: dict[str, Any],
    *,
    scripts: tuple[str, ...] = (),
    styles: tuple[str, ...] = (),
    connect: str = "",
    **words: Any,
) -> bytes:
    """The page. `data` is what its scripts draw, and `connect` what they may connect to.

    `scripts` and `styles` are added to those that all pages of a store have.
    """
    return rendered(
        template,
        ("report.css", *styles, "pages/pages.css"),
        (*_SCRIPTS, *scripts, "pages"),
        form_action="'self'" if frame.served else "'none'",
        connect=connect,
        rooms=SERVED_ROOMS if frame.served else ROOMS,
        here=frame.here,
        kind=frame.kind,
        title=frame.title,
        headline=frame.headline,
        lines=frame.lines,
        root=frame.root,
        footing=frame.footing,
        served=frame.served,
        data=packed_json({**data, "served": frame.served}),
        **words,
    )
