"""The plan of a sweep: a TOML file, read once and checked as a whole.

plan = read_plan(Path("sweep.toml"))
for point in plan.points: point.plugin, point.flags

plugins = ["stlmap", "absl_btree"]     # names, or paths from the plan's folder
threads = [1, 2]
distributions = ["uniform", "zipfian:0.99"]
sizes = ["8+8", "16+100"]              # bytes of key and value
rounds = 3
[mixes]
reads = { read = 1.0 }
mixed = { read = 0.5, update = 0.5 }
a = { workload = "ycsb-a" }
[flags]                                # for assay-index, at every point
records = 100_000
seconds = 2
[environment.rocksdb]                  # variables for one plug-in
ASSAY_ROCKSDB_SYNC = "0"
"""

import itertools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from assay.errors import InputError
from assay.project.toml_file import read_toml

_OPERATIONS = ("read", "insert", "update", "remove", "scan", "read_modify_write")
_RATIO = {"read_modify_write": "--rmw_ratio"}
_OURS = ("json", "label", "report", "threads", "distribution", "skew", "key_size", "value_size")
_SIZES = re.compile(r"(\d+)\+(\d+)")
_Value = str | int | float | bool


class _PlanFile(msgspec.Struct, forbid_unknown_fields=True):
    """The keys that the TOML file of a sweep may have, and their types."""

    plugins: list[str]
    mixes: dict[str, dict[str, float | str]] = msgspec.field(
        default_factory=lambda: {"reads": {"read": 1.0}}
    )
    threads: tuple[int, ...] = (1,)
    distributions: tuple[str, ...] = ("uniform",)
    sizes: tuple[str, ...] = ("8+8",)
    rounds: int = 3
    seed: int | None = None  # None: each sweep draws a new seed
    timeout: float = 3600.0
    flags: dict[str, _Value] = {}
    environment: dict[str, dict[str, str]] = {}


class SweepStep(msgspec.Struct, frozen=True):
    """One plug-in with one setting and number of threads, launched once
    in every round of a sweep.
    """

    plugin: str
    # Mix of operations, key distribution, bytes of key + value: "mixed/zipfian:0.99/8+8".
    setting: str
    threads: int
    flags: tuple[str, ...]
    environment: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def label(self) -> str:
        """How the names of this launch's results begin: plug-in, setting and number of threads."""
        return f"{Path(self.plugin).stem}/{self.setting}/threads:{self.threads}"


class SweepPlan(msgspec.Struct, frozen=True):
    """The plan of a sweep over index plug-ins.

    In `points`, the plug-ins of one setting are neighbours.
    """

    points: tuple[SweepStep, ...]
    rounds: int
    seed: int
    timeout_s: float
    origin: str


def read_plan(path: Path, *, fresh_seed: int = 0) -> SweepPlan:
    """Read a plan; `fresh_seed` is used if it has no seed. Raises `InputError` if wrong."""
    origin = str(path)
    hint = "see docs/guides/index-lab.md for a whole plan"
    written = read_toml(path, _PlanFile, hint=hint, missing=hint)
    _check(written, origin)
    seed = fresh_seed if written.seed is None else written.seed
    return SweepPlan(_points(written, path), written.rounds, seed, written.timeout, origin)


def _check(written: _PlanFile, origin: str) -> None:
    lists = ("plugins", "mixes", "threads", "distributions", "sizes")
    empty = [name for name in lists if not getattr(written, name)]
    if empty:
        raise InputError(f"`{empty[0]}` is empty", where=origin, hint="name one at least")
    if written.rounds < 1 or min(written.threads) < 1:
        raise InputError("`rounds` and `threads` count from 1", where=origin)
    for name in (name for name in written.flags if name in _OURS):
        raise InputError(f"[flags] holds `{name}`", where=origin, hint="the sweep sets it itself")
    strangers = [name for name in written.environment if name not in map(_stem, written.plugins)]
    if strangers:
        raise InputError(f"[environment.{strangers[0]}] is of no plug-in of the plan", where=origin)


def _points(written: _PlanFile, path: Path) -> tuple[SweepStep, ...]:
    grid = itertools.product(
        written.mixes.items(), written.distributions, written.sizes, written.threads
    )
    return tuple(
        SweepStep(
            plugin=_path_of_plugin(plugin, path),
            setting=f"{name}/{distribution}/{size}",
            threads=threads,
            flags=(
                *_mix(name, mix, str(path)),
                *_distribution(distribution),
                *_sizes(size, str(path)),
                *_common_flags(written.flags),
            ),
            environment=written.environment.get(_stem(plugin), {}),
        )
        for (name, mix), distribution, size, threads in grid
        for plugin in written.plugins
    )


def _stem(plugin: str) -> str:
    return Path(plugin).stem


def _path_of_plugin(plugin: str, plan: Path) -> str:
    """A plug-in's name as it is; a path is resolved from the folder of the plan's file."""
    return str((plan.parent / plugin).resolve()) if "/" in plugin else plugin


def _mix(name: str, mix: Mapping[str, Any], origin: str) -> list[str]:
    if set(mix) == {"workload"}:
        return ["--workload", str(mix["workload"])]
    for operation, ratio in mix.items():
        if operation not in _OPERATIONS or not isinstance(ratio, int | float):
            hint = f"operations are {', '.join(_OPERATIONS)}; or workload alone"
            raise InputError(f"mix `{name}` holds `{operation} = {ratio}`", where=origin, hint=hint)
    if abs(sum(mix.values()) - 1.0) > 1e-6:
        raise InputError(f"the ratios of mix `{name}` do not sum to 1", where=origin)
    return [
        word
        for operation in _OPERATIONS
        for word in (
            _RATIO.get(operation, f"--{operation}_ratio"),
            repr(float(mix.get(operation, 0.0))),
        )
    ]


def _distribution(written: str) -> list[str]:
    kind, _, skew = written.partition(":")
    return ["--distribution", kind, *(["--skew", skew] if skew else [])]


def _sizes(written: str, origin: str) -> list[str]:
    found = _SIZES.fullmatch(written)
    if found is None:
        hint = "write bytes of key and value: 8+8"
        raise InputError(f"size `{written}` is not understood", where=origin, hint=hint)
    return ["--key_size", found[1], "--value_size", found[2]]


def _common_flags(flags: Mapping[str, _Value]) -> list[str]:
    words = []
    for name, value in flags.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        words.append(f"--{name}={text}")
    if "seconds" in flags and "mode" not in flags:
        words.append("--mode=time")
    return words
