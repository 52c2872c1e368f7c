"""Launches that failed, by side, and whether the candidate's fail more often than the base's.

    failed = failed_launches(base, candidate, failures, alpha=0.05)

Where nothing changed, and one side alone fails in a round, it is as likely the one as the other,
whatever the host does just then and however often launches fail. Two bettors stake on the
candidate in each such round. What they win together is a test that holds whenever one stops, so
that giving up after failures in a row does it no harm. A finding takes a wealth of 1 / level.

The level is the part of alpha that is kept for this (`FAILED_LAUNCHES`), shared among the
benchmarks that have a round in which one side alone failed (decision 28).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assay.judge.share import FAILED_LAUNCHES
from assay.model import FailedLaunches, Failure, Sample, Side, SideFailures

# Of rounds in which one side alone fails, the share that each bettor assumes to be the candidate's.
# With an alpha of 5 % and one benchmark, 11 of 11 rounds are a finding, or 16 of 17 (decision 28).
_BETS = (0.7, 0.98)


def failed_launches(
    base: Sequence[Sample],
    candidate: Sequence[Sample],
    failures: Iterable[Failure],
    *,
    alpha: float,
) -> tuple[FailedLaunches, ...]:
    """The failed launches of every benchmark that has one in a round, and whether the candidate's
    fail more often, at this `alpha` for the whole suite. `failures` are those of both sides."""
    failed: dict[str, list[Failure]] = {}
    for failure in failures:
        if failure.side is not None and failure.round is not None:
            failed.setdefault(failure.benchmark, []).append(failure)
    rounds = {Side.BASE: _measured_rounds(base), Side.CANDIDATE: _measured_rounds(candidate)}
    alone = {name: _one_sided_failures(of, rounds) for name, of in failed.items()}
    level = FAILED_LAUNCHES * alpha / max(1, sum(map(bool, alone.values())))
    return tuple(
        FailedLaunches(
            benchmark=name,
            base=_failures_of_side(of, Side.BASE, rounds),
            candidate=_failures_of_side(of, Side.CANDIDATE, rounds),
            more_often=betting_wealth(alone[name]) >= 1.0 / level,
        )
        for name, of in failed.items()
    )


def betting_wealth(candidates: Iterable[bool]) -> float:
    """The evidence that the candidate fails more often: the largest joint wealth of two bettors.

    They begin with 1 and stake on the candidate in each round in which one side alone fails. Where
    both sides fail equally often, they ever reach w with a chance of at most 1 / w. Each of
    `candidates` is such a round, in order: whether the candidate failed.
    """
    purses, most = [1.0] * len(_BETS), 1.0
    for is_candidate in candidates:
        shares = (bet if is_candidate else 1.0 - bet for bet in _BETS)
        purses = [2.0 * share * purse for share, purse in zip(shares, purses, strict=True)]
        most = max(most, sum(purses) / len(purses))
    return most


_Rounds = Mapping[Side, Mapping[str, set[int]]]


def _measured_rounds(samples: Iterable[Sample]) -> dict[str, set[int]]:
    """The rounds in which each benchmark was measured."""
    found: dict[str, set[int]] = {}
    for sample in samples:
        if sample.round is not None:
            found.setdefault(sample.benchmark, set()).add(sample.round)
    return found


def _one_sided_failures(failures: Sequence[Failure], rounds: _Rounds) -> list[bool]:
    """For each round in which one side alone failed, in order: whether it was the candidate."""
    found = []
    for failure in sorted(failures, key=lambda one: one.round or 0):
        other = Side.CANDIDATE if failure.side is Side.BASE else Side.BASE
        if failure.round in rounds[other].get(failure.benchmark, ()):
            found.append(failure.side is Side.CANDIDATE)
    return found


def _failures_of_side(failures: Sequence[Failure], side: Side, rounds: _Rounds) -> SideFailures:
    ours = [failure for failure in failures if failure.side is side]
    measured = len(rounds[side].get(failures[0].benchmark, ()))
    usual = Counter(failure.what for failure in ours).most_common(1)
    what = usual[0][0] if usual else ""
    return SideFailures(failed=len(ours), launches=measured + len(ours), what=what)
