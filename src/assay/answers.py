"""Answers of `assay why` that a store keeps beside the runs they explain.

    WhyQuestion    which benchmark of which two runs
    AnswerHead     what a list shows of an answer, so that no list reads whole answers
    WhyAnswer      a whole answer

A comparison that was measured in rounds is one run with both sides: then `base` and
`candidate` both name that run.
"""

from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from assay.explained import Explained
from assay.keys import key_of


class WhyQuestion(NamedTuple):
    """What was asked: why a benchmark differs between two runs, given by their whole names."""

    benchmark: str
    base: str
    candidate: str

    @property
    def page(self) -> str:
        """The name of its page, with a hash of the benchmark, whose name may be any text."""
        return f"{self.base}_{self.candidate}_{key_of(self.benchmark)[:16]}"


class AnswerHead(msgspec.Struct, frozen=True, kw_only=True):
    """The head of an answer of `assay why`: a list reads it instead of the whole answer."""

    benchmark: str
    base: str  # the name of a run, as is `candidate`
    candidate: str
    targets: tuple[str, str]  # what was explained, as it was written on the command line
    said: str  # the first sentence of the answer
    answered_s: float  # seconds since 1970

    @property
    def asked(self) -> WhyQuestion:
        return WhyQuestion(self.benchmark, self.base, self.candidate)


@dataclass(frozen=True)
class WhyAnswer:
    """The whole answer for one benchmark."""

    head: AnswerHead
    explained: Explained
