"""What a reader must know about both executables before the explanation.

caveats(sides)      Caveats(("built with other flags: -fno-inline in the candidate only",), True)
"""

from collections.abc import Iterator

import msgspec

from assay.lacks import Lack, lacking
from assay.measure.profile.program.built_with import BuiltWith, built_with
from assay.workflows.why.stage import WhySides

_MOST = 8  # at most so many compiler flags are listed in a sentence


class Caveats(msgspec.Struct, frozen=True):
    """Sentences on how the two builds differ, for example in flags, in the order of printing."""

    told: tuple[str, ...]
    has_names: bool  # False: an executable is stripped, so that its functions cannot be named


def caveats(sides: WhySides) -> Caveats:
    """Caveats from how both executables were built."""
    both = [(str(side), built_with(target.argv[0])) for side, target in sides.both()]
    return caveats_of_builds(*both)


def caveats_of_builds(base: tuple[str, BuiltWith], candidate: tuple[str, BuiltWith]) -> Caveats:
    """Caveats from how each side was built; a side is its name and what is known of it."""
    stripped = [side for side, built in (base, candidate) if not built.has_symbols]
    then = "its functions have no names, so that none is told; link it without -s"
    told = [lacking(side, Lack.NAMES, then) for side in stripped]
    return Caveats((*told, *_differences_of_builds(base[1], candidate[1])), not stripped)


def _differences_of_builds(base: BuiltWith, candidate: BuiltWith) -> Iterator[str]:
    if base.compiler and candidate.compiler and base.compiler != candidate.compiler:
        yield f"built by other compilers: {base.compiler}, now {candidate.compiler}"
    if not base.flags or not candidate.flags or base.flags == candidate.flags:
        return
    only = {
        "base": sorted(base.flags - candidate.flags),
        "candidate": sorted(candidate.flags - base.flags),
    }
    parts = [f"{_listed(flags)} in the {side} only" for side, flags in only.items() if flags]
    yield f"built with other flags: {', '.join(parts)}"


def _listed(flags: list[str]) -> str:
    more = f" and {len(flags) - _MOST} more" if len(flags) > _MOST else ""
    return " ".join(flags[:_MOST]) + more
