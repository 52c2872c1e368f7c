"""One comparison as JSON: a row of `--json`, and of the conclusions that a record keeps."""

from typing import Any

import msgspec

from assay.model import Comparison
from assay.show.words import judging, remarks


def row(one: Comparison) -> dict[str, Any]:
    """A comparison's fields in their order; its method and its notes become sentences."""
    worded = {"method": judging.method(one.method), "notes": remarks.remarks(one.notes)}
    return {**msgspec.to_builtins(one), **worded}
