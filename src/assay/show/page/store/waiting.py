"""What is seen while two runs are compared for the first time: it asks again by itself."""

from assay.show.page.store.frame import Frame, made
from assay.show.words import format


def waiting_page(words: tuple[str, str], root: str) -> bytes:
    """`words`: base and candidate as they were written."""
    base, candidate = (format.name(word) for word in words)
    headline = f"Comparing {base} with {candidate} …" if base != candidate else f"Reading {base} …"
    text = "They are judged once, which takes a second for each thousand benchmarks, and kept then."
    frame = Frame("runs.html", "Compare", headline, served=True, lines=(text,), root=root)
    return made(frame, "pages/waiting.html", {})
