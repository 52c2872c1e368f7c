"""The page that is shown when another page cannot be made, with the reason."""

from assay.show.page.store.frame import PageFrame, store_page
from assay.show.words import format


def impossible_page(what: str, why: str, *, served: bool, root: str) -> bytes:
    """The page that says `why` a run or a benchmark, `what`, cannot be shown ("" if it is none)."""
    headline = f"{format.name(what)} cannot be shown" if what else "This page cannot be shown"
    frame = PageFrame("runs.html", headline, headline, served=served, lines=(why,), root=root)
    return store_page(frame, "pages/impossible.html", {})
