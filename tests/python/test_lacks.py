"""A lack is found again in the note that says it, whatever follows from it."""

import pytest

from assay.lacks import Lack, lack_in, lacking


@pytest.mark.parametrize("side", ["base", "candidate"])
@pytest.mark.parametrize("lack", Lack)
def test_a_lack_is_found_in_its_note(side: str, lack: Lack) -> None:
    assert lack_in(lacking(side, lack, "build it with -g")) == (side, lack)


def test_a_lack_is_said_in_these_words() -> None:
    assert lacking("base", Lack.NAMES, "link it without -s") == (
        "the base is stripped: link it without -s"
    )
    assert lacking("candidate", Lack.LINES, "build it with -g") == (
        "the candidate has no debug information: build it with -g"
    )


def test_other_notes_have_none() -> None:
    for note in ("", "a command: an iteration is one run", "the base is stripped"):
        assert lack_in(note) is None
