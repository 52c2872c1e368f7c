"""Answers of `assay why` that a store keeps beside the runs they explain.

    WhyQuestion    which benchmark of which two runs
    AnswerHead     what a list shows of an answer, so that no list reads whole answers
    WhyAnswer      a whole answer

A comparison that was measured in rounds is one run with both sides: then `base` and
`candidate` both name that run.
"""

from typing import NamedTuple

import msgspec

from assay.explained import Explained
from assay.keys import key_of


class WhyQuestion(NamedTuple):
    """A question to `assay why`: why one benchmark differs between two runs, given by their full
    names."""

    benchmark: str
    base: str
    candidate: str

    @property
    def page(self) -> str:
        """The name of the answer's page. A hash stands for the benchmark, whose name may be any
        text."""
        return f"{self.base}_{self.candidate}_{key_of(self.benchmark)[:16]}"


class AnswerHead(msgspec.Struct, frozen=True, kw_only=True):
    """The head of an answer of `assay why`: a list reads it instead of the whole answer."""

    benchmark: str
    base: str  # the name of a run, as is `candidate`
    candidate: str
    targets: tuple[str, str]  # what was explained, as it was written on the command line
    said: str  # the answer's first sentence, as lists show it
    answered_s: float  # seconds since 1970

    @property
    def question(self) -> WhyQuestion:
        """The question that this answers: which benchmark of which two runs."""
        return WhyQuestion(self.benchmark, self.base, self.candidate)


class WhyAnswer(msgspec.Struct, frozen=True):
    """The stored answer of `assay why` for one benchmark: its head and all that was found."""

    head: AnswerHead
    explained: Explained
