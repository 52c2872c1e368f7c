"""The runtime that draws charts in a page: Vega, Vega-Lite and their embedder, packed.

vl-convert bundles it from its own copy, offline, in about 1.7 s, so it is kept in the user's cache.
The page unpacks and runs it when the first chart is drawn.
"""

import base64
import hashlib
from contextlib import suppress
from pathlib import Path

import msgspec

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.files import write_whole
from assay.places import cache_folder
from assay.show.charts.picture import converter
from assay.show.page.embed import packed_text
from assay.small_files import MB, read_small
from assay.typed_json import decoded

_LARGEST = 16 * MB


class ChartRuntime(msgspec.Struct, frozen=True):
    """The charts' runtime: the packed script, and the hash with which a page permits it to run."""

    packed: str
    hash: str


def runtime(cache: Path | None = None) -> ChartRuntime:
    """The runtime from `cache` (by default the user's); if it is not there, made and kept there."""
    try:
        kept = (cache or cache_folder()) / f"vega-{_version()}.json"
    except InputError:  # the user has no home folder
        return _make()
    try:
        return decoded(
            read_small(kept, _LARGEST), ChartRuntime, where=str(kept), what="what we keep of Vega"
        )
    except InputError:
        made = _make()
        _keep(made, kept)
        return made


def script_hash(text: str) -> str:
    """The hash of a script, in the form in which a Content-Security-Policy permits it."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _make() -> ChartRuntime:
    # A function around the bundle, so that its short names do not become global names of the page.
    text = f"(()=>{{{converter().javascript_bundle()}}})();"
    return ChartRuntime(packed_text(text), script_hash(text))


def _version() -> str:
    from importlib.metadata import version

    return version("vl-convert-python")


def _keep(made: ChartRuntime, path: Path) -> None:
    """Keep the charts' script in the user's cache.

    If that fails, making pages only takes longer.
    """
    with suppress(OSError, InputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(json_bytes(made), path)
