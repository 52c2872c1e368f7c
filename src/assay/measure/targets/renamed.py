"""A target whose benchmarks have other names here, so that two sides can be matched.

With `--base-filter shared --candidate-filter intrusive`, `copy<shared>` is compared with
`copy<intrusive>`; both are called `copy<[shared vs. intrusive]>` here.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from assay.measure.effort import Effort
from assay.measure.targets.target import LaunchResult, Target


class RenamedTarget(msgspec.Struct, frozen=True):
    """A target under other names; `names` maps each name used here to the target's own."""

    target: Target
    names: Mapping[str, str]

    @property
    def label(self) -> str:
        return self.target.label

    def benchmarks(self, filter_regex: str) -> tuple[str, ...]:
        return tuple(self.names)

    def launch(self, benchmark: str, effort: Effort, cpu: int | None) -> LaunchResult:
        launched = self.target.launch(self.names[benchmark], effort, cpu)
        sample = msgspec.structs.replace(launched.sample, benchmark=benchmark)
        return replace(launched, sample=sample)
