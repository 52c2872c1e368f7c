"""Builds a Go program again with random function layouts, which Go's own linker makes.

files = relink_go_program(places, recipe, driven, place, announce)

The commands run again for each layout; Go keeps what it compiled, so only linking is repeated.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from assay.errors import BuildError
from assay.revisions.cache import BuildPlace
from assay.revisions.commands import run_commands
from assay.revisions.drivers import GO_ALIGNED, go_flags
from assay.revisions.placements import Placements, RefusedError
from assay.revisions.recipe import Recipe

_GO = b"\xff Go buildinf:"  # bytes in every program linked by Go 1.13 or later
_HAS_LAYOUT = (1, 22)  # the first version of Go whose linker has -randlayout


def is_go(program: Path) -> bool:
    """Whether a program was linked by Go."""
    return _GO in program.read_bytes()


def relink_go_program(
    places: Placements,
    plain: Recipe,
    driven: Recipe,
    place: BuildPlace,
    announce: Callable[[str], None],
) -> tuple[Path, ...]:
    """The program built again in each random layout. The program of the build is put back at the
    end.

    Raises `RefusedError`.
    """
    kept = places.program.with_name(places.program.name + ".kept")
    shutil.copy2(places.program, kept)
    try:
        for number, target in places.targets():
            flags = _flags(plain, places.seed + number)
            recipe = replace(driven, environment={**driven.environment, **flags})
            _run(recipe, place, announce)
            shutil.copy2(places.program, target)
    finally:
        kept.replace(places.program)
    return places.checked_programs()


def _flags(plain: Recipe, seed: int) -> dict[str, str]:
    """The environment by which Go lays functions out by `seed`. Raises `RefusedError`."""
    aligned = GO_ALIGNED if plain.holds_placement else ()
    flags = go_flags(plain.variables(), (*aligned, f"-randlayout={seed}"), _HAS_LAYOUT)
    if not flags:
        raise RefusedError("this Go is older than 1.22, or GOFLAGS has flags of the linker already")
    return flags


def _run(recipe: Recipe, place: BuildPlace, announce: Callable[[str], None]) -> None:
    try:
        run_commands(
            recipe,
            place.source / recipe.folder,
            place.folder / "relink.log",
            mark=place.folder.name,
            label="another layout",
            announce=announce,
        )
    except BuildError as error:
        raise RefusedError(f"building it again fails: {error}") from None
