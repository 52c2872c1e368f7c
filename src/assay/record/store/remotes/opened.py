"""Opens the remote that was named on the command line: the table of all kinds.

with opened_remote("git:origin#assay-runs", Path.cwd(), print) as remote: ...

FOLDER                      a folder or a mount
git:REMOTE[#BRANCH]         a branch of a git repository: its URL, path or name
ssh:[USER@]HOST:PATH        a folder of another machine; with a port: ssh://HOST:PORT/PATH
s3://BUCKET[/PREFIX]        a place in an object store that speaks S3; AWS_ENDPOINT_URL says which
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.record.store.remotes.remote import Remote

KINDS = "FOLDER, git:REMOTE[#BRANCH], ssh:[USER@]HOST:PATH or s3://BUCKET[/PREFIX]"


@contextmanager
def opened_remote(written: str, beside: Path, tell: Callable[[str], None]) -> Iterator[Remote]:
    """The remote that `written` names ("git:origin", "ssh:host:path" or a folder), open inside the
    block.

    A relative path begins in the folder `beside`; `tell` is called with what is waited for. Raises
    `UsageError` where it names no remote, `InputError` where that cannot be used.
    """
    remote = _remote_of(written, beside, tell)
    try:
        yield remote
    finally:
        remote.close()


def _remote_of(written: str, beside: Path, tell: Callable[[str], None]) -> Remote:
    kind, colon, rest = written.partition(":")
    if colon and kind == "git":
        from assay.record.store.remotes.git_remote import GitRemote

        return GitRemote.written(rest, beside, tell)
    if colon and kind == "ssh":
        from assay.record.store.remotes.ssh_remote import SshRemote

        return SshRemote.written(rest)
    if colon and kind == "s3":
        return _s3_remote(rest)
    if not written or rest.startswith("//"):
        from assay.record.store.remotes.address import without_secrets

        where = repr(without_secrets(written))
        raise UsageError("is no remote", where=where, hint=f"known are {KINDS}")
    from assay.record.store.remotes.folder_remote import FolderRemote

    return FolderRemote(beside / Path(written).expanduser())


def _s3_remote(words: str) -> Remote:
    try:
        from assay.record.store.remotes.s3_remote import S3Remote
    except ModuleNotFoundError:
        from assay.record.store.remotes.address import without_secrets

        what = "needs the Python package botocore, which is not installed beside Assay"
        where = without_secrets(f"s3:{words}")
        raise InputError(what, where=where, hint="pip install botocore") from None
    return S3Remote.written(words)
