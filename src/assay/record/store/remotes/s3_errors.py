"""What went wrong between us and an object store, in one sentence that says what to do.

    raise sentence_on_error(error, "s3://team/assay", "no store.json", address, signed=True)

The service's own words stand in it as it said them, shortened and quoted, for it may be anybody's.
"""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from botocore import exceptions as theirs

from assay.errors import InputError
from assay.record.store.remotes.address import without_secrets

SILENT_S = 120.0  # seconds after which a service that says nothing is given up, all tries together
_LONGEST = 200  # characters of what a service says that are shown
_KEYS = (
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, as for every tool that"
    " uses S3"
)
_REFUSED = ("AccessDenied", "403", "Forbidden", "AllAccessDisabled")
_NO_BUCKET = (
    "there is no such bucket",
    "make it first; is AWS_ENDPOINT_URL the address of the right service?",
)
_NOT_ACCEPTED = ("the service does not accept the credentials: it says {said}", _KEYS)
_CLOCKS = ("the service does not answer, as {clocks}", "set the clock that is wrong")
_ELSEWHERE = ("the bucket is of another region: the service says {said}", "set AWS_REGION to it")
_RIGHTS = (
    "{what}: the service says {said}",
    "may these credentials list, read and write (s3:ListBucket, s3:GetObject, s3:PutObject)?",
)
_UNCONDITIONAL = (
    "{what}: the service says {said}",
    "it must be able to put an object only where there is none (If-None-Match)",
)
_NOBODY = ("there are no credentials, and the service answers nobody without", _KEYS)
_FULL = ("{what}: the service says {said}", "make room there, or raise its limit")
_OTHER = ("{what}: the service says {said}", "")
# By the code of a service's answer, or its status of HTTP: what is said, and what to do.
_MEANINGS = {
    **dict.fromkeys(("NoSuchBucket", "404"), _NO_BUCKET),
    **dict.fromkeys(("RequestTimeTooSkewed", "RequestExpired"), _CLOCKS),
    **dict.fromkeys(("InvalidAccessKeyId", "SignatureDoesNotMatch"), _NOT_ACCEPTED),
    **dict.fromkeys(("InvalidToken", "ExpiredToken"), _NOT_ACCEPTED),
    **dict.fromkeys(("PermanentRedirect", "301", "307"), _ELSEWHERE),
    **dict.fromkeys(("AuthorizationHeaderMalformed", "IllegalLocationConstraint"), _ELSEWHERE),
    **dict.fromkeys(_REFUSED, _RIGHTS),
    **dict.fromkeys(("NotImplemented", "501"), _UNCONDITIONAL),
    **dict.fromkeys(("QuotaExceeded", "XMinioStorageFull", "507"), _FULL),
}
_NO_CREDENTIALS = (
    *(theirs.NoCredentialsError, theirs.PartialCredentialsError, theirs.ProfileNotFound),
    *(theirs.CredentialRetrievalError, theirs.ConfigParseError, theirs.TokenRetrievalError),
    *(theirs.SSOError, theirs.ConfigNotFound),
)


class ServiceError(InputError):
    """The service was not reached, or refused."""


def code_of(error: theirs.ClientError) -> str:
    """The code with which a service refused, such as "NoSuchKey"."""
    return str(error.response.get("Error", {}).get("Code") or "")


def status_of(error: theirs.ClientError) -> int:
    """The status of HTTP with which a service refused."""
    return int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def sentence_on_error(
    error: Exception, where: str, what: str, address: str, *, signed: bool
) -> ServiceError:
    """The error for what failed: `what` says what could not be done, `address` with which
    service, `signed` whether there were credentials."""
    if isinstance(error, theirs.ClientError):
        return _refusal(error, where, what, signed=signed)
    if isinstance(error, (theirs.ReadTimeoutError, theirs.ConnectTimeoutError)):
        said = f"the service at {address} was given up: it said nothing for {SILENT_S:g} s"
        return ServiceError(said, where=where, hint="try again when it answers")
    if isinstance(error, _NO_CREDENTIALS):
        return ServiceError(
            f"has no credentials: {_shortened(str(error))}", where=where, hint=_KEYS
        )
    if isinstance(error, theirs.ConnectionError | theirs.HTTPClientError):
        said = f"the service at {address} cannot be reached"
        hint = "is the network there, and AWS_ENDPOINT_URL the address of the service?"
        return ServiceError(f"{said}{_reason(error)}", where=where, hint=hint)
    hint = "is AWS_ENDPOINT_URL the address of a service that speaks S3?"
    if not isinstance(error, theirs.BotoCoreError | ValueError):
        what += f": the answer of {address} is not understood"
    return ServiceError(f"{what}: {_shortened(str(error))!r}", where=where, hint=hint)


def _refusal(error: theirs.ClientError, where: str, what: str, *, signed: bool) -> ServiceError:
    """The error for a service that answered, and refused."""
    code = code_of(error)
    sentence, hint = _MEANINGS.get(code) or _MEANINGS.get(str(status_of(error)), _OTHER)
    if code in _REFUSED and not signed:
        sentence, hint = _NOBODY
    told = sentence.format(what=what, said=_service_message(error), clocks=_clock_difference(error))
    return ServiceError(told, where=where, hint=hint)


def _service_message(error: theirs.ClientError) -> str:
    """The service's code and words, quoted."""
    code = code_of(error) or f"status {status_of(error)}"
    words = str(error.response.get("Error", {}).get("Message", ""))
    return repr(_shortened(f"{code}: {words}" if words and words != code else code))


def _clock_difference(error: theirs.ClientError) -> str:
    """By how much the clocks differ, as far as the service's answer says."""
    headers = error.response.get("ResponseMetadata", {}).get("HTTPHeaders", {})
    try:
        there = parsedate_to_datetime(headers.get("date", ""))
        ahead_s = (datetime.now(UTC) - there).total_seconds()
    except (TypeError, ValueError):
        return "its clock and the one here differ too much"
    which = "ahead of" if ahead_s > 0 else "behind"
    return f"the clock here is {abs(ahead_s) / 60:.0f} minutes {which} its own"


def _reason(error: Any) -> str:
    """Why there is no connection, where the system said it."""
    inner = getattr(error, "kwargs", {}).get("error")
    while inner is not None and not (isinstance(inner, OSError) and inner.strerror):
        inner = inner.__cause__ or inner.__context__
    return f": {_shortened(str(inner.strerror))}" if inner is not None else ""


def _shortened(text: str) -> str:
    text = without_secrets(" ".join(text.split()))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
