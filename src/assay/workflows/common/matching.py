"""Pairs the benchmarks of one side with those of the other.

Equal names match. With a filter for each side (compare.py's filter modes), the part of a name that
the filter matches is replaced on both sides by "[base filter vs. candidate filter]", and the
resulting names match. If that leaves nothing in common (`shared` and `intrusive` are parts of
longer words), whole words are replaced: see `word_matching`.
"""

import re
from collections.abc import Callable, Sequence

import msgspec

from assay.errors import NoBenchmarksError, UsageError
from assay.plurals import count
from assay.workflows.common.word_matching import finder, pairs_by_words


class Filters(msgspec.Struct, frozen=True):
    """Regular expressions that choose benchmarks; an empty one matches all."""

    both: str = ""
    base: str = ""
    candidate: str = ""

    @property
    def renaming(self) -> bool:
        return bool(self.base or self.candidate)


class Match(msgspec.Struct, frozen=True):
    """Which benchmarks of base and candidate are compared with each other.

    `base` and `candidate` map the name used in the comparison to the benchmark's own name on that
    side; `only_base` and `only_candidate` have no partner.
    """

    base: dict[str, str]
    candidate: dict[str, str]
    only_base: tuple[str, ...]
    only_candidate: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        return [name for name in self.base if name in self.candidate]


def match(base: Sequence[str], candidate: Sequence[str], filters: Filters) -> Match:
    """Pair benchmarks of the two sides by name.

    Raises `NoBenchmarksError` if a filter matches none, or if none can be paired.
    """
    ours, theirs = _common_names(
        _names_matching_filter(base, filters.both, "base"),
        _names_matching_filter(candidate, filters.both, "candidate"),
        filters,
    )
    for kept, pattern, names in (
        (ours, filters.base, base),
        (theirs, filters.candidate, candidate),
    ):
        if not kept:
            raise NoBenchmarksError(
                "the filter matches nothing", where=pattern, hint=_first_names_listed(names)
            )
    found = Match(
        ours,
        theirs,
        tuple(name for name in ours if name not in theirs),
        tuple(name for name in theirs if name not in ours),
    )
    if not found.names:
        raise NoBenchmarksError(
            "the two sides have no benchmark in common",
            hint=f"base has {_first_names_listed(ours)}, candidate {_first_names_listed(theirs)}; "
            "try `assay compare` with --base-filter",
        )
    return found


def _common_names(
    base: Sequence[str], candidate: Sequence[str], filters: Filters
) -> tuple[dict[str, str], dict[str, str]]:
    """For each side the names used in the comparison, with the benchmark's own name for each."""
    ours = _names_by_common_name(base, filters.base, filters)
    theirs = _names_by_common_name(candidate, filters.candidate, filters)
    if ours.keys() & theirs.keys() or not (filters.base and filters.candidate):
        return ours, theirs
    words = pairs_by_words(base, candidate, (_finder(filters.base), _finder(filters.candidate)))
    return words if words[0] else (ours, theirs)


def compiled(pattern: str, option: str) -> "re.Pattern[str]":
    """The filter as a regular expression. Raises `UsageError`."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(
            f"not a regular expression: {error}", where=f"{option} {pattern}"
        ) from None


def _names_matching_filter(names: Sequence[str], pattern: str, side: str) -> list[str]:
    if not names:
        raise NoBenchmarksError(f"{side} holds no benchmark", hint="is it the right one?")
    found = [name for name in names if compiled(pattern, "--filter").search(name)]
    if not found:
        raise NoBenchmarksError(
            f"the filter matches none of the {count(len(names), 'benchmark')} of {side}",
            where=f"--filter {pattern}",
            hint=f"there is {_first_names_listed(names)}",
        )
    return found


def _names_by_common_name(names: Sequence[str], pattern: str, filters: Filters) -> dict[str, str]:
    if not filters.renaming:
        return {name: name for name in names}
    marker = f"[{filters.base} vs. {filters.candidate}]"
    regex = compiled(pattern, "--base-filter/--candidate-filter")
    return {regex.sub(lambda _: marker, name): name for name in names if regex.search(name)}


def _finder(pattern: str) -> "Callable[[str], re.Match[str] | None]":
    return finder(compiled(pattern, "--base-filter/--candidate-filter"))


def _first_names_listed(names: Sequence[str] | dict[str, str]) -> str:
    listed = [repr(name) for name in names]
    more = f" and {len(listed) - 2} more" if len(listed) > 2 else ""
    return ", ".join(listed[:2]) + more
