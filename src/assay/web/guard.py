"""Decides which requests are answered, by host name, token and size.

    app = Guarded(app, Guard(names=frozenset({"127.0.0.1:8000"}), token=""))

A web page that a user visits can make the browser send requests to any address, ours included. But
it cannot name our host (its own name that resolves to us is another host), and cannot send our
cookie.
"""

import hmac
import ipaddress
from collections.abc import Iterator
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "assay-token"
_PART = 65_536  # bytes of a page that are sent at once
_LONGEST = 4096  # bytes of a request's path and query, at most
_METHODS = {"GET", "HEAD", "POST"}
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache, private",
}
_PLAIN_POLICY = "default-src 'none'; frame-ancestors 'none'"
_PAGE_POLICY = (
    # Each page has a stricter policy in its HTML.
    "frame-ancestors 'none'; object-src 'none'; base-uri 'none'"
)


class Guard(msgspec.Struct, frozen=True):
    """Which host names a request must be for, and which token it must bring."""

    names: frozenset[str]  # "host:port" as browsers write it
    token: str = ""  # empty: no token is needed
    any_address: bool = False  # also accept a host that is a numeric address

    def is_ours(self, host: str) -> bool:
        """Whether the host is ours. Others can make names resolve to us, but not addresses."""
        return host.lower() in self.names or (self.any_address and _is_address(host))

    def knows(self, given: str) -> bool:
        return bool(given) and hmac.compare_digest(given.encode(), self.token.encode())


class Guarded:
    """An ASGI application that refuses forbidden requests, and passes the
    others on to another one.
    """

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app, self._guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # nothing but HTTP is served: no lifespan events and no web sockets
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        await self._app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = _headers_of(scope)
        if not self._guard.is_ours(headers.get("host", "")):
            return _refused(HTTPStatus.MISDIRECTED_REQUEST, "this is not the server of that host")
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > _LONGEST:
            return _refused(HTTPStatus.REQUEST_URI_TOO_LONG, "the address is too long")
        if scope["method"] not in _METHODS:
            return _refused(HTTPStatus.METHOD_NOT_ALLOWED, "pages are read, and changes triaged")
        if scope["method"] == "POST" and not _is_from_here(headers):
            return _refused(HTTPStatus.FORBIDDEN, "only pages of this server may say something")
        return self._refusal_without_token(scope, headers) if self._guard.token else None

    def _refusal_without_token(self, scope: Scope, headers: dict[str, str]) -> Response | None:
        """The answer that refuses a request without the right token; None if it has that token.

        A token in the address is moved to a cookie by a redirect.
        """
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._guard.knows(bearer) or self._guard.knows(_cookie(headers)):
            return None
        words = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if not self._guard.knows(dict(words).get("token", "")):
            return _refused(HTTPStatus.UNAUTHORIZED, "open the address that `assay serve` printed")
        rest = urlencode([(name, value) for name, value in words if name != "token"])
        path = f"/{scope['path'].lstrip('/')}"  # one slash, so that it cannot name another host
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, HTTPStatus.SEE_OTHER)
        answer.set_cookie(COOKIE, self._guard.token, httponly=True, samesite="strict")
        return answer


def _refused(status: HTTPStatus, what: str) -> Response:
    return PlainTextResponse(f"{what}\n", status)


def _headers_of(scope: Scope) -> dict[str, str]:
    """The first header of each name, so that a second `Host` has no effect."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1"), value.decode("latin-1"))
    return found


def _cookie(headers: dict[str, str]) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _is_from_here(headers: dict[str, str]) -> bool:
    """Whether a form is from our own page. Browsers say so; other clients send neither header."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin.partition("://")[2] != headers.get("host", ""):
        return False
    return site in (None, "same-origin", "none")


def _is_address(host: str) -> bool:
    name = host.rpartition(":")[0] or host
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = [(name.lower(), value) for name, value in message.get("headers", [])]
            is_page = any(name == b"content-type" and b"html" in value for name, value in given)
            policy = _PAGE_POLICY if is_page else _PLAIN_POLICY
            ours = {**_HEADERS, "content-security-policy": policy}
            said = {name for name, _ in given}
            more = [(k.encode(), v.encode()) for k, v in ours.items() if k.encode() not in said]
            message["headers"] = [*given, *more]
        for part in _pieces_of_page(message):
            await send(part)

    return sending


def _pieces_of_page(message: Message) -> Iterator[Message]:
    """Cut a page's bytes into pieces, each sent when the one before it was taken.

    Sent whole, it would be in memory once more for every slow reader.
    """
    body = memoryview(message.get("body", b""))
    if message["type"] != "http.response.body" or len(body) <= _PART:
        yield message
        return
    for start in range(0, len(body), _PART):
        part = bytes(body[start : start + _PART])
        more = message.get("more_body", False) or start + _PART < len(body)
        yield {"type": message["type"], "body": part, "more_body": more}
