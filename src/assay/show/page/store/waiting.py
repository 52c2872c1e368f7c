"""The page shown while another page is made, which takes seconds; the server makes it reload."""

from collections.abc import Sequence

from assay.show.page.store.frame import PageFrame, store_page
from assay.show.words import format


def waiting_page(of: Sequence[str], here: str, root: str) -> bytes:
    """The page shown while runs are judged.

    `of` are the one or two runs, as the reader entered them.
    """
    names = [format.name(word) for word in dict.fromkeys(of)]
    does, title = ("Comparing", "Compare") if len(names) == 2 else ("Reading", "Reading")
    text = "This is done once, takes a second for each thousand benchmarks, and is kept then."
    headline = f"{does} {' with '.join(names)} …"
    frame = PageFrame(here, title, headline, served=True, lines=(text,), root=root)
    return store_page(frame, "pages/waiting.html", {})
