"""Charts as files: SVG and PNG by vl-convert, which needs no browser and no network."""

import re
import resource
from types import ModuleType
from typing import Any

from assay.encoding import utf8
from assay.show.charts.parts import FONT, Spec

VEGA_LITE = "6.4"
_FALLBACK = "DejaVu Sans, sans-serif"


def converter() -> ModuleType:
    """vl-convert. Raises `MemoryError` where the address space is limited.

    V8, which is in it, sets more than 20 GB of addresses aside, and where it may not it ends the
    process, Assay's own.
    """
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        raise MemoryError("charts are drawn only where the address space is not limited")
    import vl_convert

    return vl_convert


def svg(spec: Spec) -> bytes:
    """The filled `spec` as SVG."""
    text: str = converter().vegalite_to_svg(_self_contained(spec), vl_version=VEGA_LITE)
    return utf8(_renumbered(text))


def png(spec: Spec, scale: float = 2.0) -> bytes:
    """The filled `spec` as PNG, `scale` pixels to a point."""
    made: bytes = converter().vegalite_to_png(
        _self_contained(spec), vl_version=VEGA_LITE, scale=scale
    )
    return made


def titled(spec: Spec, title: str, subtitle: str, paper: str) -> Spec:
    """A picture stands alone: it says what it shows, on a background of its own."""
    # Vega looks the bare text up as a property: "constructor" is one, "constructor " is none.
    words: dict[str, Any] = {"text": f"{title} ", "subtitle": f"{subtitle} "}
    config = {**spec["config"], "background": paper, "padding": 14}
    return {**spec, "title": words, "config": config}


def _renumbered(text: str) -> str:
    """vl-convert numbers clip paths on and on; the same chart has the same bytes here."""
    numbers: dict[str, int] = {}
    return re.sub(
        r'((?:<clipPath id|clip-path)="(?:url\(#)?clip)(\d+)',
        lambda found: f"{found[1]}{numbers.setdefault(found[2], len(numbers))}",
        text,
    )


def _self_contained(spec: Spec) -> Spec:
    """Fonts of this host only."""
    font = _FALLBACK if spec["config"].get("font") == FONT else spec["config"]["font"]
    return {**spec, "config": {**spec["config"], "font": font}}
