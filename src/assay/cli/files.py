"""Which files a comparison is written to, beside standard output."""

from pathlib import Path
from typing import NamedTuple


class Files(NamedTuple):
    """None: not asked for."""

    json: Path | None = None
    markdown: Path | None = None
    html: Path | None = None
    junit: Path | None = None
