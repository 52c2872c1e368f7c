"""Measures commits against GOOD in interleaved rounds, as log ratios.

    against_good = RoundsAgainstGood(plan, good, revisions, runtime)
    against_good.measured(name, commit, rounds=8)     # 8 numbers; positive: commit is slower

Raises `CannotRunError` for a commit that does not build, lacks the benchmark, or crashes in it.
"""

import math
from collections.abc import Iterator

from msgspec.structs import replace

from assay.errors import AssayError, BuildError, LaunchError, MeasurementError
from assay.judge.estimate import launch_estimate
from assay.measure.session import Session
from assay.measure.targets.target import Target
from assay.model import Failure, Sample, Side
from assay.same_code import SameCode
from assay.units import Better
from assay.units import metric as lookup
from assay.workflows.bisect.plan import BisectPlan
from assay.workflows.common.git_targets import Revisions
from assay.workflows.common.matching import Match
from assay.workflows.common.pinning import launch_settings
from assay.workflows.common.runtime import Runtime
from assay.workflows.common.same_code import PlacementCheck
from assay.workflows.common.targets import RecordedTarget, TargetContext, resolve

# The cost of building a commit, in rounds of measuring, is taken to be at most this: a higher cost
# would not change which commit is built next.
_DEAREST = 100.0


class CannotRunError(Exception):
    """A commit cannot be measured; the message says why in one line."""


class RoundsAgainstGood:
    """Measures the commits of a search one at a time, each side by side with the commit GOOD."""

    def __init__(self, plan: BisectPlan, good: str, revisions: Revisions, runtime: Runtime) -> None:
        self._plan, self._runtime, self._revisions = plan, runtime, revisions
        self._context = TargetContext(runtime.executor, plan.measuring.timeout_s, revisions)
        self._good = self._target(good)
        self._conditions = launch_settings(plan.measuring)
        self._done = 0  # rounds made so far, over all commits; also the number of the next round

    def benchmarks(self) -> tuple[str, ...]:
        """The names of the benchmarks that the commit GOOD has."""
        return tuple(self._good.benchmarks(""))

    def build_cost(self, benchmark: str) -> float:
        """The cost of building a commit, as the number of rounds that take as long.

        It is estimated from the longest build so far and from a trial launch of GOOD.
        """
        build_s = max(one.built.seconds for one in self._revisions.programs.values())
        with self._runtime.measuring():
            session = self._runtime.session({None: self._good}, self._conditions)
            if failure := session.prepare(benchmark):
                raise _error_of_failure(replace(failure, side=Side.BASE))
        return min(build_s / max(2 * session.expected_round_s(benchmark), 1e-3), _DEAREST)

    def measured(self, benchmark: str, commit: str, rounds: int) -> list[float]:
        """ln(commit / GOOD) for each round.

        Raises `CannotRunError`, or `MeasurementError` if GOOD itself cannot be measured.
        """
        target = self._built_target(benchmark, commit)
        with self._runtime.measuring():
            return list(self._rounds(self._session(benchmark, target), benchmark, rounds))

    def same_code(self, benchmark: str, parent: str, commit: str) -> SameCode:
        """Whether `commit` and its `parent` execute the same machine code in this benchmark."""
        try:
            before, after = self._target(parent), self._target(commit)
            with self._runtime.measuring():
                session = self._session(benchmark, self._built_target(benchmark, commit))
                samples = session.round(benchmark, self._done).samples
        except (AssayError, CannotRunError) as error:
            return SameCode(False, f"not compared: {error}")
        names = {benchmark: benchmark}
        found = Match(names, names, (), ())
        check = PlacementCheck(before, after, found, self._runtime.executor)
        return check.of(benchmark, samples)

    def _built_target(self, benchmark: str, commit: str) -> Target:
        try:
            target = self._target(commit)
            if benchmark not in target.benchmarks(""):
                raise CannotRunError("it has no such benchmark")
        except (BuildError, LaunchError) as error:
            raise CannotRunError(error.what) from None
        return target

    def _session(self, benchmark: str, target: Target) -> Session:
        sides: dict[Side | None, Target] = {Side.BASE: self._good, Side.CANDIDATE: target}
        session = self._runtime.session(sides, self._conditions)
        if failure := session.prepare(benchmark):
            raise _error_of_failure(failure)
        return session

    def _rounds(self, session: Session, benchmark: str, rounds: int) -> Iterator[float]:
        for _ in range(rounds):
            outcome = session.round(benchmark, self._done)
            self._done += 1
            for failure in outcome.failures:
                raise _error_of_failure(failure)
            yield self._log_ratio(outcome.samples)

    def _log_ratio(self, samples: tuple[Sample, ...]) -> float:
        """ln(commit / GOOD), with its sign set so that positive means worse."""
        metric = self._plan.metric
        of_side = {
            one.side: launch_estimate(values, metric)
            for one in samples
            if (values := one.values.get(metric))
        }
        if len(of_side) < 2 or min(of_side.values()) <= 0:
            raise MeasurementError(
                f"its {metric} is nothing that can be compared", where=samples[0].benchmark
            )
        worse = math.log(of_side[Side.CANDIDATE] / of_side[Side.BASE])
        return -worse if lookup(metric).better is Better.HIGHER else worse

    def _target(self, commit: str) -> Target:
        target = resolve(f"git:{commit}", self._context)
        if isinstance(target, RecordedTarget):
            raise AssayError("is already measured", where=commit)
        return target


def _error_of_failure(failure: Failure) -> Exception:
    """The error to raise for a failed launch: one for the commit measured, or for GOOD, without
    which the search cannot go on.
    """
    if failure.side is Side.BASE:
        return MeasurementError(f"GOOD cannot be measured: {failure.what}", where=failure.target)
    return CannotRunError(failure.what)
