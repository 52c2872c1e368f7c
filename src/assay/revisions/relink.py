"""Links the program of a build again, with its functions in random orders.

linked = relink_program(recipe, driven, place, announce)
linked.files       # ("build/bench.placements/0/bench", ...), relative to the recipe's folder
linked.reason      # one sentence why there are none
"""

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from assay.revisions.cache import BuildPlace
from assay.revisions.commands import MARK
from assay.revisions.identity import libraries_below
from assay.revisions.placements import Placements, RefusedError, RelinkResult
from assay.revisions.recipe import Recipe
from assay.revisions.relink_go import is_go, relink_go_program
from assay.revisions.relink_recorded import relink_recorded_program


def relink_program(
    recipe: Recipe, driven: Recipe, place: BuildPlace, announce: Callable[[str], None]
) -> RelinkResult | None:
    """Link a build's program again in random orders, as `recipe` asks; None if it does not ask.

    `driven` is the recipe with drivers in its environment.
    """
    asked = recipe.relinking
    if asked is None:
        return None
    started_s = time.monotonic()
    folder = place.source / recipe.folder
    places = Placements(folder / asked.program, asked.count, asked.seed)
    try:
        files = _relinked_programs(places, recipe, driven, place, announce)
    except RefusedError as refused:
        places.remove()
        return RelinkResult(reason=str(refused), seconds=time.monotonic() - started_s)
    finally:
        shutil.rmtree(place.links, ignore_errors=True)
    return RelinkResult(
        tuple(str(one.relative_to(folder)) for one in files),
        libraries=_loaded_libraries(places.program, place.source),
        seconds=time.monotonic() - started_s,
    )


def _relinked_programs(
    places: Placements,
    recipe: Recipe,
    driven: Recipe,
    place: BuildPlace,
    announce: Callable[[str], None],
) -> Sequence[Path]:
    """The programs that were linked again. Raises `RefusedError`."""
    if not places.program.is_file():
        raise RefusedError("the build made no program of this name")
    if is_go(places.program):
        return relink_go_program(places, recipe, driven, place, announce)
    announce(f"linking {places.program.name} {places.count} times, in random orders")
    variables = {**recipe.variables(), MARK: place.folder.name}
    return relink_recorded_program(
        places, place.links, variables, time.monotonic() + recipe.timeout_s
    )


def _loaded_libraries(program: Path, source: Path) -> tuple[str, ...]:
    """Names of the build's shared libraries that occur in the program, so are taken to be loaded by
    it."""
    content = program.read_bytes()
    names = {one.name for one in libraries_below(source)}
    return tuple(sorted(one for one in names if one.encode() in content))
