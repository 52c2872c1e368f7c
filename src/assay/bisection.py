"""What a search for a commit is about, and what it finds.

Commit          one commit of the user's repository
Answer          the commit that made BAD slower, and how sure that is
Measured        what the search knows of one commit
BisectResult    the answer, and what it rests on
"""

from dataclasses import dataclass

from msgspec import Struct

from assay.same_code import SameCode


@dataclass(frozen=True)
class Commit:
    """One commit."""

    hash: str
    tree: str
    parents: tuple[str, ...]
    time_s: int  # when it was committed, in seconds since 1970
    subject: str

    @property
    def short(self) -> str:
        return self.hash[:10]


class Part(Struct, frozen=True):
    """A level that changed, between two commits that were measured; log ratios to GOOD."""

    after: str  # the last one before it; empty: GOOD
    upto: str  # the first one after it
    before: float
    then: float
    is_located: bool = False  # no commit lies between: `upto` brought it
    is_answer: bool = False  # the answer lies in it


class Answer(Struct, frozen=True):
    """The commit that made BAD slower: the last lasting rise that BAD still has.

    Several, in order, where commits that cannot be measured keep them from being told
    apart; none, where BAD is not slower than GOOD.
    """

    commits: tuple[str, ...]
    probability: float
    settled: bool  # the target was reached; else it is only the likeliest answer so far
    others: tuple[tuple[str, float], ...]  # the likeliest single commits
    none: float  # probability that BAD is not slower
    size: float  # of the slowdown, as a log ratio
    size_error: float
    rounds: int  # measured so far
    several: float = 0.0  # probability that one change does not explain what was measured
    parts: tuple[Part, ...] = ()  # the changes there are then

    @property
    def is_clear(self) -> bool:
        """Whether it is likelier than not; else no single commit is an answer."""
        return self.probability >= 0.5


@dataclass(frozen=True)
class Measured:
    """What a search knows of one commit."""

    commit: Commit
    rounds: int
    change: float | None  # median over its rounds: 0.05 is 5 % worse than GOOD
    why_not: str = ""  # it could not be measured


@dataclass(frozen=True)
class BisectResult:
    """The answer, and what it rests on."""

    answer: Answer
    benchmark: str
    commits: dict[str, Commit]
    measured: tuple[Measured, ...]
    resumed: int = 0  # steps that an earlier call had made
    code: SameCode | None = None  # of the single commit that is named, and its parent
    interrupted_by: int | None = None
