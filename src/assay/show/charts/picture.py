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
    """The module vl_convert. Raises `MemoryError` if the address space is limited.

    It contains V8, which reserves more than 20 GB of address space, and ends the whole process if
    it cannot.
    """
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        raise MemoryError("charts are drawn only where the address space is not limited")
    import vl_convert

    return vl_convert


def svg(spec: Spec) -> bytes:
    """The filled `spec` as SVG."""
    text: str = converter().vegalite_to_svg(_with_local_fonts(spec), vl_version=VEGA_LITE)
    return utf8(_with_numbered_clip_paths(text))


def png(spec: Spec, scale: float = 2.0) -> bytes:
    """The filled `spec` as PNG; `scale` is the number of pixels for each point."""
    made: bytes = converter().vegalite_to_png(
        _with_local_fonts(spec), vl_version=VEGA_LITE, scale=scale
    )
    return made


def titled(spec: Spec, title: str, subtitle: str, paper: str) -> Spec:
    """The chart with a title and a background, so that the picture can stand alone."""
    # A space is added because Vega looks the bare text up as a property, such as "constructor".
    words: dict[str, Any] = {"text": f"{title} ", "subtitle": f"{subtitle} "}
    config = {**spec["config"], "background": paper, "padding": 14}
    return {**spec, "title": words, "config": config}


def _with_numbered_clip_paths(text: str) -> str:
    """The SVG with clip paths numbered from the start, so that equal charts have equal bytes."""
    numbers: dict[str, int] = {}
    return re.sub(
        r'((?:<clipPath id|clip-path)="(?:url\(#)?clip)(\d+)',
        lambda found: f"{found[1]}{numbers.setdefault(found[2], len(numbers))}",
        text,
    )


def _with_local_fonts(spec: Spec) -> Spec:
    """The chart with fonts that this host has, so that it loads none."""
    font = _FALLBACK if spec["config"].get("font") == FONT else spec["config"]["font"]
    return {**spec, "config": {**spec["config"], "font": font}}
