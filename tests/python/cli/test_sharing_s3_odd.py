"""A history in an object store that misbehaves, or says nothing: one sentence, and nothing lost."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from object_store import use
from odd_objects import OddObjects, odd_objects
from remotes import PROGRAM
from sharing_by_s3 import put, said, store
from silent_server import silent_server

from assay.cli import invoke
from assay.record.store.remotes.s3_bucket import S3Bucket

ODD = "s3://team/odd"
FOLDERS = 4  # that are listed, all at once


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OddObjects]:
    monkeypatch.chdir(tmp_path)
    with odd_objects() as there:
        use(there.variables, monkeypatch)
        yield there


def test_a_service_that_replaces_objects_gets_none(
    odd: OddObjects, capsys: pytest.CaptureFixture[str]
) -> None:
    store()
    odd.is_blind = True
    error = said(capsys, "push", ODD, "--store", "a", code=2)
    assert "the service replaced an object though it was told not to (If-None-Match)" in error
    assert odd.objects == {"/team/odd/store.json": b'{"assay_store": 1}\n'}


def test_a_service_that_knows_no_conditions_is_told(
    odd: OddObjects, capsys: pytest.CaptureFixture[str]
) -> None:
    store()
    odd.refuses["PUT"] = (501, "NotImplemented")
    error = said(capsys, "push", ODD, "--store", "a", code=2)
    assert "an object only where there is none (If-None-Match)" in error


def test_a_first_push_of_another_machine_meanwhile_is_no_stranger(
    odd: OddObjects, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There was no mark when it was asked for, and the other's files when the rest was."""
    store()
    page = S3Bucket.page

    def page_after_another_pushed(self: S3Bucket, *words: Any, **how: Any) -> Any:
        odd.objects.setdefault("/team/odd/store.json", b'{"assay_store": 1}\n')
        return page(self, *words, **how)

    monkeypatch.setattr(S3Bucket, "page", page_after_another_pushed)
    said(capsys, "push", ODD, "--store", "a")
    assert sum(key.startswith("/team/odd/runs/") for key in odd.objects) == 3


def test_a_full_service_is_told_with_what_arrived(
    odd: OddObjects, capsys: pytest.CaptureFixture[str]
) -> None:
    first = store().folder.runs()[0]
    odd.refuses["PUT"] = (507, "QuotaExceeded")
    odd.spares = re.compile(rf"store\.json|{first}")
    error = said(capsys, "push", ODD, "--store", "a", code=2)
    assert "cannot be written: the service says 'QuotaExceeded: no'" in error
    assert f"1 of 3 runs arrived before: {first}; make room there" in error
    odd.refuses.clear()
    assert "pushed 2 runs" in said(capsys, "push", ODD, "--store", "a")


def test_another_who_writes_the_same_name_is_waited_for(
    odd: OddObjects, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.record.store.remotes.s3_bucket._PAUSE_S", 0.0)
    store()
    odd.conflicts = 3
    assert "pushed 3 runs" in said(capsys, "push", ODD, "--store", "a")
    odd.objects.clear()
    odd.conflicts = 100
    assert "others write it all the time" in said(capsys, "push", ODD, "--store", "a", code=2)


def test_an_answer_that_ends_early_is_asked_for_again(
    odd: OddObjects, capsys: pytest.CaptureFixture[str]
) -> None:
    store()
    said(capsys, "push", ODD, "--store", "a")
    odd.cut = 2
    assert "pulled 3 runs" in said(capsys, "pull", ODD, "--store", "b")
    odd.cut = 1000
    error = said(capsys, "pull", ODD, "--store", "c", code=2)
    assert "store.json cannot be read: it ends early" in error
    odd.cut, odd.broken = 0, 2
    assert "pulled 3 runs" in said(capsys, "pull", ODD, "--store", "d")
    odd.broken = 1000
    error = said(capsys, "pull", ODD, "--store", "e", code=2)
    assert f"the service at http://127.0.0.1:{odd.port} cannot be reached" in error


@pytest.mark.parametrize("is_endless", [True, False])
def test_a_listing_without_end_is_given_up(
    is_endless: bool,
    odd: OddObjects,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assay.record.store.remotes.s3_remote.MOST_FILES", 2000)
    odd.objects["/team/odd/store.json"] = b'{"assay_store": 1}\n'
    odd.is_endless = is_endless
    if not is_endless:
        odd.objects |= {f"/team/odd/labels/{number}": b"x" for number in range(2001)}
    error = said(capsys, "pull", ODD, "--store", "a", code=2)
    assert "lists more than 2000 files, which no history has" in error


def test_a_service_with_a_name_is_asked_by_paths_and_for_the_region_of_the_environment(
    odd: OddObjects, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://localhost:{odd.port}")
    said(capsys, "push", ODD, "--store", "a")
    assert odd.regions == {"us-east-1"}
    odd.regions.clear()
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    said(capsys, "pull", ODD, "--store", "b")
    assert odd.regions == {"eu-central-1"}
    assert set(odd.hosts) == {f"localhost:{odd.port}"}


def test_what_consoles_make_of_a_folder_is_no_stranger(
    odd: OddObjects, capsys: pytest.CaptureFixture[str]
) -> None:
    store()
    odd.objects["/team/odd/"] = b""
    said(capsys, "push", ODD, "--store", "a")
    odd.objects |= {"/team/odd/runs/": b"", "/team/odd/runs/2026-01/": b""}
    capsys.readouterr()
    assert invoke(["runs", "pull", ODD, "--store", "b"]) == 0
    assert capsys.readouterr().err == ""


def test_labels_wait_until_the_runs_are_there(odd: OddObjects) -> None:
    """Sixteen requests are under way at once: a label must not overtake the run it names."""
    files = {f"runs/2026-01/{number}": b"x" for number in range(40)}
    put(ODD, {**files, "confirmations/x": b"x", "labels/y": b"x"})
    kinds = [key.split("/")[3] for key in odd.puts]
    assert kinds == ["store.json", *["runs"] * 40, "confirmations", "labels"]


@pytest.mark.parametrize(
    ("status", "code", "what"),
    [
        (301, "PermanentRedirect", "the bucket is of another region: the service says"),
        (400, "AuthorizationHeaderMalformed", "set AWS_REGION to it"),
        (403, "RequestTimeTooSkewed", "the clock here is 30 minutes behind its own"),
        (307, "", "set AWS_REGION to it"),
        (418, "", "store.json cannot be read: the service says 'status 418: no'"),
        (503, "SlowDown", "store.json cannot be read: the service says 'SlowDown: no'"),
    ],
)
def test_a_refusal_is_one_sentence(
    status: int,
    code: str,
    what: str,
    odd: OddObjects,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assay.record.store.remotes.s3_bucket._TRIES", 1)
    odd.refuses |= dict.fromkeys(("GET", "HEAD"), (status, code))
    odd.late_s = 1800.0
    assert what in said(capsys, "pull", ODD, "--store", "a", code=2)


@pytest.mark.parametrize(
    ("page", "what"),
    [
        ("<html>Welcome!</html>", "is not the mark of a store"),
        ("", "is not the mark of a store"),
    ],
)
def test_an_address_that_is_no_object_store_is_told(
    page: str, what: str, odd: OddObjects, capsys: pytest.CaptureFixture[str]
) -> None:
    odd.page = page
    assert what in said(capsys, "pull", ODD, "--store", "a", code=2)


@pytest.mark.parametrize(
    ("page", "what"),
    [
        ("Welcome!", "cannot be listed: the service says '500: Internal Server Error'"),
        ("<ListBucketResult><Contents/></ListBucketResult>", "is not understood: \"'Key'\""),
        ("<html><p/></html>", "is AWS_ENDPOINT_URL the address of a service that speaks S3?"),
    ],
)
def test_a_list_that_is_none_is_told(
    page: str, what: str, odd: OddObjects, capsys: pytest.CaptureFixture[str]
) -> None:
    odd.objects["/team/odd/store.json"] = b'{"assay_store": 1}\n'
    odd.list = page
    assert what in said(capsys, "pull", ODD, "--store", "a", code=2)


def test_an_address_where_nobody_listens_is_told(
    odd: OddObjects, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.record.store.remotes.s3_bucket._TRIES", 1)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://me:secret@127.0.0.1:1")
    error = said(capsys, "pull", ODD, "--store", "a", code=2)
    assert "the service at http://127.0.0.1:1 cannot be reached: Connection refused" in error
    monkeypatch.setenv("AWS_ENDPOINT_URL", "127.0.0.1:1")
    error = said(capsys, "pull", ODD, "--store", "a", code=2)
    assert "is AWS_ENDPOINT_URL the address of a service that speaks S3?" in error


def test_a_silent_service_is_given_up_and_the_limit_is_said(
    odd: OddObjects, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.record.store.remotes.s3_errors.SILENT_S", 0.6)
    with silent_server() as port:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        error = said(capsys, "pull", ODD, "--store", "a", code=2)
    assert (
        f"the service at http://127.0.0.1:{port} was given up: it said nothing for 0.6 s" in error
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_waits_for_no_answer(number: signal.Signals, odd: OddObjects) -> None:
    """Were one waited for, it would be asked again when the first try was given up."""
    odd.objects["/team/odd/store.json"] = b'{"assay_store": 1}\n'
    odd.lists.clear()
    command = [sys.executable, "-c", PROGRAM, "runs", "pull", ODD, "--store", "a"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while odd.asked_for_lists < FOLDERS:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(number)
    _, error = running.communicate()
    assert running.returncode == 128 + number
    assert "Traceback" not in error
    assert odd.asked_for_lists == FOLDERS
