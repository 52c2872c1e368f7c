"""The objects below a prefix in one bucket of a store that speaks S3, by way of botocore.

    bucket = S3Bucket("team", "assay/", "s3://team/assay", 16)
    bucket.put_new("store.json", b"...")        # False: something is there, and stays
    bucket.read("store.json", 200)              # None: nothing is there

Which service, region and credentials are meant is said as to every other tool for S3: by the
variables AWS_* and the files in ~/.aws. What fails is an `InputError` (decision 53).
"""

import base64
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import botocore
import botocore.session
from botocore import UNSIGNED
from botocore import exceptions as theirs
from botocore.config import Config

from assay.errors import InputError
from assay.record.store.remotes import s3_errors
from assay.record.store.remotes.s3_errors import code_of, sentence_on_error, status_of

OLDEST = (1, 36)  # version of botocore that has all that is used here
_TRIES = 3
_CONFLICTS = 5  # answers that another is writing the same name, after which that is an error
_PAUSE_S = 0.2
_BROKEN = (theirs.ResponseStreamingError, theirs.IncompleteReadError, theirs.ReadTimeoutError)
_REGION = "us-east-1"  # where nothing names one, as other services than Amazon's have none


class Page(NamedTuple):
    """A part of a listing."""

    sizes: dict[str, int]  # bytes by name; the name is empty where the key is the prefix
    next: str  # where the next part begins; empty: this is the last


class S3Bucket:
    """An open bucket, for any number of threads. An object's name is its key without the prefix.

    Every method raises `InputError` where the service cannot be used.
    """

    def __init__(self, name: str, prefix: str, where: str, connections: int) -> None:
        self.where, self._name, self._prefix = where, name, prefix
        self._address, self._signed = "", True
        if tuple(map(int, botocore.__version__.split(".")[:2])) < OLDEST:
            what = (
                f"needs botocore {'.'.join(map(str, OLDEST))} or newer, not {botocore.__version__}"
            )
            raise InputError(what, where=where, hint="pip install --upgrade botocore")
        with self._errors_in_words("cannot be opened"):
            self._client = self._connected(connections)
        self._address = _url_without_password(self._client.meta.endpoint_url)

    def _connected(self, connections: int) -> Any:
        session = botocore.session.get_session()
        self._signed = session.get_credentials() is not None
        config = Config(
            connect_timeout=s3_errors.SILENT_S / _TRIES,
            read_timeout=s3_errors.SILENT_S / _TRIES,
            retries={"mode": "standard", "total_max_attempts": _TRIES},
            max_pool_connections=connections,
            # Services other than Amazon's often know no checksums but Content-MD5.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            **({} if self._signed else {"signature_version": UNSIGNED}),
        )
        region = os.environ.get("AWS_REGION") or session.get_config_variable("region") or _REGION
        return session.create_client("s3", region_name=region, config=config)

    def page(self, folder: str, begin: str = "", most: int = 1000) -> Page:
        """A part of the list of names that begin so; `begin` is the `next` of the part before."""
        more = {"ContinuationToken": begin} if begin else {}
        with self._errors_in_words("cannot be listed"):
            found = self._client.list_objects_v2(
                Bucket=self._name, Prefix=self._prefix + folder, MaxKeys=most, **more
            )
            sizes = {
                str(one["Key"]).removeprefix(self._prefix): int(one["Size"])
                for one in found.get("Contents", ())
            }
            following = found.get("NextContinuationToken", "") if found["IsTruncated"] else ""
        return Page(sizes, following)

    def read(self, name: str, most: int, start: int = 0) -> bytes | None:
        """The bytes of an object from a place on, at most so many; None: there is no object."""
        what = f"{name} cannot be read"
        with self._errors_in_words(what):
            for tried in range(_TRIES):
                found = self._object(name, most, start)
                if found is None:
                    return None
                try:
                    with closing(found["Body"]) as body:
                        data: bytes = body.read(most)
                except _BROKEN:  # in the middle of an answer, which botocore does not ask for again
                    if tried == _TRIES - 1:
                        raise
                else:
                    if len(data) == min(most, int(found.get("ContentLength", len(data)))):
                        return data
        raise InputError(f"{what}: it ends early", where=self.where)

    def _object(self, name: str, most: int, start: int) -> Any:
        """The beginning of the answer to a question for an object; None: there is none."""
        span = {"Range": f"bytes={start}-{start + most - 1}"} if start else {}
        try:
            return self._client.get_object(Bucket=self._name, Key=self._prefix + name, **span)
        except theirs.ClientError as error:
            if code_of(error) == "NoSuchKey":
                return None
            raise

    def put_new(self, name: str, data: bytes) -> bool:
        """Put an object where there is none; False: there is one, and it stays as it is."""
        with self._errors_in_words(f"{name} cannot be written"):
            for _ in range(_CONFLICTS):
                try:
                    self._put(name, data)
                except theirs.ClientError as error:
                    if status_of(error) == 412:
                        return False
                    if code_of(error) != "ConditionalRequestConflict":
                        raise
                    time.sleep(_PAUSE_S)  # another is writing it just now
                else:
                    return True
        raise InputError(
            f"{name} cannot be written: others write it all the time", where=self.where
        )

    def _put(self, name: str, data: bytes) -> None:
        self._client.put_object(
            Bucket=self._name,
            Key=self._prefix + name,
            Body=data,
            ContentMD5=_md5(data),
            IfNoneMatch="*",
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @contextmanager
    def _errors_in_words(self, what: str) -> Iterator[None]:
        """Raise `InputError` for what fails inside; `what` says what cannot be done then."""
        try:
            yield
        except Exception as error:  # what answers that are not S3's make botocore raise is no list
            raise sentence_on_error(
                error, self.where, what, self._address, signed=self._signed
            ) from None


def _md5(data: bytes) -> str:
    """What a service checks the data by that it was sent. It guards against no attacker."""
    return base64.b64encode(hashlib.md5(data, usedforsecurity=False).digest()).decode()


def _url_without_password(url: str) -> str:
    """A service's address without a password that may stand in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
