"""What a search for a commit is about, and what it finds.

Commit             one commit of the user's repository
BisectionAnswer    the commit that made BAD slower, and how sure that is
Measured           what the search knows of one commit
BisectResult       the answer, and the measurements that it rests on
"""

import msgspec
from msgspec import Struct

from assay.same_code import SameCode


class Commit(msgspec.Struct, frozen=True):
    """One commit of the user's repository, as git describes it."""

    hash: str
    tree: str
    parents: tuple[str, ...]
    time_s: int  # when it was committed, in seconds since 1970
    subject: str

    @property
    def short_hash(self) -> str:
        return self.hash[:10]


class ChangePart(Struct, frozen=True):
    """A change of level between two measured commits; levels are log ratios to GOOD."""

    after: str  # hash of the last measured commit before the change; empty: GOOD
    upto: str  # hash of the first measured commit after the change
    before: float  # level before the change
    then: float  # level after the change
    # No commit lies between `after` and `upto`, so `upto` brought the change.
    is_located: bool = False
    is_answer: bool = False  # the commit that the answer names lies after `after`, up to `upto`


class BisectionAnswer(Struct, frozen=True):
    """The commit that made BAD slower: it brought the last rise of time that BAD still has.

    `commits` are several, in order, where commits between them that cannot be measured leave open
    which it is; none where BAD is not slower than GOOD.
    """

    commits: tuple[str, ...]
    probability: float
    settled: bool  # whether `probability` reached the search's aim; else `commits` is only likely
    others: tuple[tuple[str, float], ...]  # (hash, probability) of the likeliest commits
    none: float  # probability that BAD is not slower
    size: float  # estimated size of the slowdown, as a log ratio
    size_error: float  # standard error of `size`
    rounds: int  # rounds measured so far, of all commits together
    several: float = 0.0  # probability that one change does not explain what was measured
    parts: tuple[ChangePart, ...] = ()  # the changes of level, where several are likelier than one

    @property
    def is_clear(self) -> bool:
        """Whether the answer is likelier than not; else no commit should be named."""
        return self.probability >= 0.5


class Measured(msgspec.Struct, frozen=True):
    """What a bisection has measured of one commit, or why it could not measure it."""

    commit: Commit
    rounds: int
    change: float | None  # median over the commit's rounds: 0.05 is 5 % slower than GOOD
    why_not: str = ""  # why the commit could not be measured; empty: it was measured


class BisectResult(msgspec.Struct, frozen=True):
    """The result of a bisection: its answer, and the measurements that it rests on."""

    answer: BisectionAnswer
    benchmark: str
    commits: dict[str, Commit]
    measured: tuple[Measured, ...]
    resumed: int = 0  # steps taken over from an earlier search that was interrupted
    # Whether the named commit and its parent execute the same machine code; None: unknown.
    code: SameCode | None = None
    interrupted_by: int | None = None
