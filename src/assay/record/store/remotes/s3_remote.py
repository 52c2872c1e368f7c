"""A place in an object store that speaks S3 as a remote: AWS, MinIO, Ceph, R2 and others.

    remote = S3Remote.written("//team/assay")       # of s3://team/assay

What lies below the prefix is a store like any other, with a key for each of its files. An object is
put whole, and only where there is none (`If-None-Match`), so that the first stays; a service that
ignores this is found out, and nothing is pushed to it (decision 53). Some dozen requests are under
way at once.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from assay.errors import InputError, UsageError
from assay.record.store.mark import MARK, check_mark, encoded_mark
from assay.record.store.packs import LOCK
from assay.record.store.remotes.abreast import ParallelConnections
from assay.record.store.remotes.address import without_secrets
from assay.record.store.remotes.remote import MOST_FILES, RemoteListing
from assay.record.store.remotes.s3_bucket import S3Bucket
from assay.record.store.remotes.s3_packs import S3Packs
from assay.record.store.shared_files import is_shared, run_name, run_of, size_limit_of

_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,62}")
_PREFIX = re.compile(r"[^\0-\x1f\x7f/]+(/[^\0-\x1f\x7f/]+)*")
_LONGEST_PREFIX = 500  # bytes, of the 1,024 that a key may have
_AT_ONCE = 16  # requests
_FOLDERS = ("runs/", "labels/", "confirmations/", "packs/")
_EMPTY_PAGE = 1000  # an empty part of a listing counts as so many files, so that none is endless
_LARGEST_MARK = 200  # bytes of a store's mark that are read


class S3Remote:
    """A store below a prefix of one bucket. Its methods are those of `Remote`."""

    def __init__(self, bucket: S3Bucket) -> None:
        self.where, self._bucket = bucket.where, bucket
        self._calls = ParallelConnections(_AT_ONCE)
        self._sizes: dict[str, int] = {}
        self._packs = S3Packs(self._bytes_of_pack)

    @classmethod
    def written(cls, words: str) -> "S3Remote":
        """The remote written as //BUCKET[/PREFIX].

        Raises `UsageError` where it is written otherwise, `InputError` where it cannot be used.
        """
        name, _, rest = words.removeprefix("//").partition("/")
        prefix = rest.rstrip("/")
        if not (words.startswith("//") and _BUCKET.fullmatch(name) and _is_prefix(prefix)):
            hint = "s3://BUCKET or s3://BUCKET/PREFIX; which service it is says AWS_ENDPOINT_URL"
            where = repr(without_secrets(f"s3:{words}"))
            raise UsageError("names no bucket", where=where, hint=hint)
        return cls(S3Bucket(name, f"{prefix}/" if prefix else "", f"s3:{words}", _AT_ONCE))

    def listed(self) -> RemoteListing:
        """The shared files that are there now, also those in packs."""
        self._sizes, self._packs = {}, S3Packs(self._bytes_of_pack)
        if self._checked_mark() is None:
            return RemoteListing({})
        everything = chain.from_iterable(self._calls.results(self._listed, _FOLDERS, _no_bytes))
        strangers, packs = 0, {}
        for name, size in everything:
            if name.startswith("packs/"):
                packs[name.removeprefix("packs/")] = size
            elif is_shared(name):
                self._sizes[name] = size
            else:
                strangers += 1
        strangers += self._strange_packs(packs)
        packed = {run_name(run): size for run, size in self._packs.sizes.items()}
        return RemoteListing(packed | self._sizes, strangers)

    def fetched(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Each of the files with its content; only names that were `listed` have any."""
        answers = self._calls.results(self._read, names, self._bytes_to_read)
        yield from zip(names, answers, strict=True)

    def put(self, files: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        """Put each file where there is none; yields the names of those that are new.

        Labels are begun when all runs are there: none may name a run that is not.
        """
        waiting = iter(files)
        first = next(waiting, None)
        if first is None:
            return
        self._make_mark()
        for _, some in groupby(chain([first], waiting), lambda one: one[0].partition("/")[0]):
            yield from filter(None, self._calls.results(self._put, some, _bytes_in))

    def close(self) -> None:
        """Close the connections."""
        self._calls.close()
        self._bucket.close()

    def _put(self, file: tuple[str, bytes]) -> str:
        """Put a file; returns its name, or nothing where there is one of that name."""
        name, data = file
        return name if self._bucket.put_new(name, data) else ""

    def _read(self, name: str) -> bytes:
        if name not in self._sizes and self._packs.has(run_of(name)):
            return self._packs.read(run_of(name))
        data = self._bucket.read(name, self._bytes_to_read(name))
        if data is None:
            raise InputError(f"{name} cannot be read: it is gone", where=self.where)
        return data

    def _bytes_to_read(self, name: str) -> int:
        """How many bytes are fetched: a file's listed size, but one more than allowed at most."""
        if name not in self._sizes and self._packs.has(run_of(name)):
            return self._packs.bytes_of(run_of(name))
        return min(self._sizes.get(name, 0), size_limit_of(name) + 1)

    def _listed(self, folder: str) -> list[tuple[str, int]]:
        """The names below one folder of the store, and their sizes."""
        found: list[tuple[str, int]] = []
        begin, count = "", 0
        while True:
            page = self._bucket.page(folder, begin)
            found += page.sizes.items()
            count += len(page.sizes) or _EMPTY_PAGE
            if count > MOST_FILES:
                what = f"lists more than {MOST_FILES} files, which no history has"
                raise InputError(what, where=self.where)
            if not page.next:
                # A key that ends so is what consoles make for an empty folder.
                return [(name, size) for name, size in found if not name.endswith("/")]
            begin = page.next

    def _strange_packs(self, packs: dict[str, int]) -> int:
        """Look into packs; returns how many objects among them are none."""
        looked_for = [name for name in packs if name != LOCK and not name.startswith(".assay-")]
        looks = self._calls.results(
            lambda name: self._packs.add_pack_index(name, packs[name]), looked_for, _no_bytes
        )
        return sum(not is_pack for is_pack in looks)

    def _bytes_of_pack(self, name: str, at: int, size: int) -> bytes:
        return self._bucket.read(f"packs/{name}", size, at) or b""

    def _checked_mark(self) -> bytes | None:
        """The mark of the store; None: nothing was put there yet.

        Raises `InputError` where there are other things than a store.
        """
        data = self._bucket.read(MARK, _LARGEST_MARK)
        if data is None and self._holds_anything():
            # Another machine may have put the mark, and its first files, between the two questions.
            data = self._bucket.read(MARK, _LARGEST_MARK)
            if data is None:
                hint = f"name a prefix below which nothing lies, or one that has `{MARK}`"
                what = "holds other things than a store of runs"
                raise InputError(what, where=self.where, hint=hint)
        if data is not None:
            check_mark(data, f"{self.where}/{MARK}")
        return data

    def _holds_anything(self) -> bool:
        """Whether there is an object; consoles make one of the prefix itself for an empty folder,
        which does not count."""
        return bool(self._bucket.page("", most=2).sizes.keys() - {""})

    def _make_mark(self) -> None:
        """Put the mark where there is none, and see that the service replaces nothing.

        It is asked to put the mark again, as it is, where there is none: one that does so does not
        understand the condition, and has done no harm. Raises `InputError` for it.
        """
        data = self._checked_mark()
        if data is None:
            self._bucket.put_new(MARK, encoded_mark())
            data = self._checked_mark() or encoded_mark()
        if self._bucket.put_new(MARK, data):
            what = "the service replaced an object though it was told not to (If-None-Match)"
            hint = "nothing is pushed to it; share the history through another service"
            raise InputError(what, where=self.where, hint=hint)


def _is_prefix(prefix: str) -> bool:
    """Whether keys can begin so: no part of it is empty, or means a folder above."""
    parts = prefix.split("/")
    is_short = len(prefix.encode(errors="replace")) <= _LONGEST_PREFIX
    return not prefix or bool(
        is_short and _PREFIX.fullmatch(prefix) and not {".", ".."}.intersection(parts)
    )


def _bytes_in(file: tuple[str, bytes]) -> int:
    return len(file[1])


def _no_bytes(_: str) -> int:
    return 0
