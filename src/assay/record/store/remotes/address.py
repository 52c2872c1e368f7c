"""Where a git remote lies: its URL without a password, and what git needs to reach it.

    address = address_of("origin", Path.cwd())
    address.url, address.variables         # the second is for the environment of git

A password or token is given to git through its environment, which only its user can read.
Everybody on the machine can read a command line, and git passes URLs to `git-remote-https` on one
(decision 44).
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

import msgspec

from assay.errors import InputError, LaunchError
from assay.measure.tied import run_program

THEIRS = "theirs"  # name that Assay's own repository gives to the remote
_PROTOCOLS = "file:git:http:https:ssh"  # protocols that git may use, separated by colons
# The settings of git that decide how a remote is reached.
_NEEDED = r"^(http|credential|url|core\.sshcommand|core\.gitproxy|protocol)\b"
# Variables that git sets for a hook, which would lead our git to another repository.
_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX")
# An http URL with a user's name in it.
_WITH_USER = re.compile(r"(https?://)([^/]*)@([^/]+)(.*)", re.DOTALL)
_SECRETS = (  # passwords in URLs; with http the user's name alone may be a token
    (re.compile(r"(https?://)[^/\s]*@"), r"\1***@"),
    (re.compile(r"(\bs3://)\S*@"), r"\1***@"),  # a key of S3 has slashes in it
    (re.compile(r"(\b[a-z+]+://[^/:\s@]*):[^/\s]*@"), r"\1:***@"),
)
# Variables in which git's helper finds user and password.
_USER, _PASSWORD = "ASSAY_REMOTE_USER", "ASSAY_REMOTE_PASSWORD"
_HELPER = (  # a credential helper for git, in shell, that prints user and password
    f'!f() {{ test "$1" != get || printf "username=%s\\npassword=%s\\n" "${_USER}" "${_PASSWORD}";'
    " }; f"
)
Settings = Sequence[tuple[str, str]]  # (key, value) of `git config`


class Address(msgspec.Struct, frozen=True):
    """The URL of a remote, without secrets, and what git needs in its environment to reach it."""

    url: str
    variables: Mapping[str, str]  # variables of git's environment, with passwords in some of them


def without_secrets(text: str) -> str:
    """The text with all passwords in URLs hidden, so that it may be shown."""
    for pattern, shown in _SECRETS:
        text = pattern.sub(shown, text)
    return text


def address_of(remote: str, beside: Path) -> Address:
    """The address of a remote, written as its URL, its path, or its name in the repository at
    `beside`. Raises `InputError` where there is no git."""
    named = None if _is_url(remote) else _git_output(beside, "remote", "get-url", "--", remote)
    found = remote if named is None else named.strip()
    settings = [] if named is None else list(_settings_of(beside))
    if not _is_url(found):
        found = str((beside / found).resolve())
    elif named is None:
        found = _rewritten_url(found)
    url, user, password = _url_parts(found)
    settings += _credentials(url, user, password)
    settings.append((f"remote.{THEIRS}.url", url))
    settings.append((f"url.{url}.insteadOf", url))  # so that git does not rewrite the URL again
    return Address(url, _variables(settings, {_USER: user, _PASSWORD: password}))


def _is_url(remote: str) -> bool:
    """Whether it is a URL; else it is a path or a remote's name, which cannot have a colon."""
    return "://" in remote or ":" in remote.partition("/")[0]


def _rewritten_url(url: str) -> str:
    """A URL as the user's own settings (`insteadOf`) rewrite it, those of the repository we are in
    left out."""
    named = _variables([(f"remote.{THEIRS}.url", url)], {})
    return (_git_output(Path("/"), "ls-remote", "--get-url", THEIRS, more=named) or url).strip()


def git_environment(folder: Path | None, more: Mapping[str, str]) -> dict[str, str]:
    """The environment for git: Assay's own, without what a git hook sets, so that git never asks at
    the terminal and uses no protocol but those allowed. `folder` is the repository."""
    kept = {name: value for name, value in os.environ.items() if name not in _HOOKS}
    ours = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": _PROTOCOLS}
    return {**kept, **ours, **more, **({"GIT_DIR": str(folder)} if folder else {})}


def _url_parts(url: str) -> tuple[str, str, str]:
    """A URL without user and password; the user's name; the password."""
    found = _WITH_USER.fullmatch(url)
    if found is None:
        return url, "", ""
    user, _, password = found[2].partition(":")
    return f"{found[1]}{found[3]}{found[4]}", unquote(user), unquote(password)


def _credentials(url: str, user: str, password: str) -> Iterator[tuple[str, str]]:
    """Settings with which git gives user and password to this server, and to no other it names."""
    server = "/".join(url.split("/")[:3])
    if password:
        yield f"credential.{server}.helper", ""  # removes helpers that would be asked first
        yield f"credential.{server}.helper", _HELPER
    elif user:
        yield f"credential.{server}.username", user


def _settings_of(beside: Path) -> Iterator[tuple[str, str]]:
    """The settings of the user's repository that concern how its remotes are reached."""
    words = ("config", "--local", "--includes", "-z", "--get-regexp", _NEEDED)
    for one in (_git_output(beside, *words) or "").split("\0"):
        key, _, value = one.partition("\n")
        if key:
            yield key, value


def _variables(settings: Settings, secrets: Mapping[str, str]) -> dict[str, str]:
    """Git's settings as environment variables, added to those that are there already."""
    given = os.environ.get("GIT_CONFIG_COUNT", "")
    first = int(given) if given.isdecimal() else 0
    found = {name: value for name, value in secrets.items() if value}
    for number, (key, value) in enumerate(settings, first):
        found[f"GIT_CONFIG_KEY_{number}"] = key
        found[f"GIT_CONFIG_VALUE_{number}"] = value
    return {**found, "GIT_CONFIG_COUNT": str(first + len(settings))}


def _git_output(folder: Path, *words: str, more: Mapping[str, str] | None = None) -> str | None:
    """What git prints when it runs in a folder; None: it fails, or the folder is in no
    repository."""
    try:
        environment = git_environment(None, more or {})
        done = run_program(("git", *words), environment=environment, folder=folder)
    except LaunchError:
        hint = "install git, or share the history through a folder or ssh:"
        raise InputError("there is no git here", where=str(folder), hint=hint) from None
    return done.output.decode(errors="replace") if done.code == 0 else None
