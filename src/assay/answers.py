"""Answers of `assay why` that a store keeps beside the runs they explain.

    Asked         which benchmark of which two runs
    AnswerHead    what a list tells of an answer, so that no list reads all of it
    Answer        all of it

A comparison that was measured in rounds is one run with both sides: then both runs are this one.
"""

from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from assay.explained import Explained
from assay.keys import key_of


class Asked(NamedTuple):
    """Runs by their whole names."""

    benchmark: str
    base: str
    candidate: str

    @property
    def page(self) -> str:
        """The name of its page: the benchmark may have any name, and be of any length."""
        return f"{self.base}_{self.candidate}_{key_of(self.benchmark)[:16]}"


class AnswerHead(msgspec.Struct, frozen=True, kw_only=True):
    """Of one answer."""

    benchmark: str
    base: str  # runs
    candidate: str
    targets: tuple[str, str]  # what was explained
    said: str  # its first sentence
    answered_s: float

    @property
    def asked(self) -> Asked:
        return Asked(self.benchmark, self.base, self.candidate)


@dataclass(frozen=True)
class Answer:
    """Of one benchmark."""

    head: AnswerHead
    explained: Explained
