"""The file `store.json`, which makes a folder a store and says which Assay can read it.

    check_mark(b'{"assay_store": 1}', ".assay/store.json")

A store whose runs are a file each is of version 1, which every Assay reads. One that was compacted
is of version 2, and an older Assay, which would not see its runs, refuses it (decision 51).
"""

import json

import msgspec

from assay.errors import InputError
from assay.typed_json import decoded

MARK = "store.json"  # name of the file
UNPACKED, PACKED = 1, 2  # versions of stores: with and without a file for each run
VERSION = PACKED  # the newest that this Assay reads


class _Mark(msgspec.Struct):
    assay_store: int


def encoded_mark(version: int = UNPACKED) -> bytes:
    """The bytes of the `store.json` of a store of this version."""
    return json.dumps({"assay_store": version}).encode() + b"\n"


def check_mark(data: bytes, where: str) -> int:
    """The version of a store. Raises `InputError` unless it is one that this Assay can use."""
    hint = f'write {{"assay_store": {UNPACKED}}} into it'
    found = decoded(data, _Mark, where=where, what="the mark of a store", hint=hint)
    version = found.assay_store
    if version > VERSION:
        what = f"is a store of version {version}, this Assay reads up to {VERSION}"
        raise InputError(what, where=where, hint="use a newer Assay")
    return version
