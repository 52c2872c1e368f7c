"""A history in an object store: what only this kind of remote can meet (`test_sharing.py` has what
every kind must hold)."""

import os
import re
from datetime import timedelta
from pathlib import Path

import botocore.auth
import botocore.compat
import pytest
from object_store import PUBLIC, WEED, ObjectStore, use
from remotes import Place, assay
from sharing_by_s3 import put, said, store

from assay.cli import invoke
from assay.record.store.folder import Folder
from assay.record.store.store import Store

pytestmark = pytest.mark.skipif(WEED is None, reason="no object store here: weed")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def place(objects: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> Place:
    use(objects.variables(), monkeypatch)
    return objects.new_place()


def test_what_is_there_is_never_replaced(place: Place, objects: ObjectStore) -> None:
    name = "labels/best"
    assert put(place.written, {name: b"first\n"}) == [name]
    assert put(place.written, {name: b"second\n", "labels/new": b"x\n"}) == ["labels/new"]
    assert objects.held(place)[name] == b"first\n"


def test_a_store_beside_other_things_of_a_bucket(
    place: Place, objects: ObjectStore, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing outside of the prefix is listed, and nothing that a store may hold besides runs."""
    longer = Place(f"{place.written}-not", place.folder, "s3")
    objects.put(longer, {"labels/x": b"x"})
    store()
    said(capsys, "push", place.written, "--store", "a")
    objects.put(place, {".gitignore": b"*", "catalogue.sqlite": b"x", "runs/": b""})
    capsys.readouterr()
    assert invoke(["runs", "pull", place.written, "--store", "b"]) == 0
    assert capsys.readouterr().err == ""
    assert Folder.opened(Path("b")).runs() == Folder.opened(Path("a")).runs()


def test_a_prefix_with_other_things_is_not_filled(
    place: Place, objects: ObjectStore, capsys: pytest.CaptureFixture[str]
) -> None:
    objects.put(place, {"letter": b"dear"})
    store()
    error = said(capsys, "push", place.written, "--store", "a", code=2)
    assert "holds other things than a store of runs" in error
    assert objects.held(place) == {"letter": b"dear"}


def test_a_compacted_store_that_was_copied_there_is_read(
    place: Place, objects: ObjectStore, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = store(runs=4)
    assert "4 runs are in 1 pack" in said(capsys, "compact", "--store", "a")
    files = {
        str(path.relative_to("a")): path.read_bytes()
        for path in Path("a").rglob("*")
        if path.is_file()
    }
    (pack,) = [name for name in files if name.endswith(".zip")]
    files[f"{pack[:-20]}{'0' * 16}.zip"] = files[pack][:-1]  # a pack's name, and its end is lost
    objects.put(place, files)
    assert invoke(["runs", "pull", place.written, "--store", "b"]) == 0
    assert "1 file is none of ours" in capsys.readouterr().err
    assert Folder.opened(Path("b")).runs() == ours.folder.runs()
    for run in ours.folder.runs():
        assert Store.opened(Path("b")).folder.read(run) == ours.folder.read(run)
    assert "pushed 0 runs" in said(capsys, "push", place.written, "--store", "b")
    assert set(objects.held(place)) == set(files)


def test_who_may_only_read_pulls_and_is_told_at_a_push(
    place: Place,
    objects: ObjectStore,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store()
    said(capsys, "push", place.written, "--store", "a")
    store("other", 1)
    use(objects.variables("reader"), monkeypatch)
    assert "pulled 3 runs" in said(capsys, "pull", place.written, "--store", "b")
    assert "pushed 0 runs" in said(capsys, "push", place.written, "--store", "b")
    Store.opened(Path("b")).add(Store.opened(Path("a")).load("LAST"), kind="run", now_s=2e9)
    monkeypatch.setattr("time.time", lambda: 2e9)
    error = said(capsys, "push", place.written, "--store", "b", code=2)
    assert "store.json cannot be written: the service says 'AccessDenied: Access Denied.'" in error
    assert "none of 1 run arrived before; may these credentials list, read and write" in error


def test_a_wrong_secret_is_told_and_not_shown(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store()
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong-secret")
    error = said(capsys, "push", place.written, "--store", "a", code=2)
    assert "the service does not accept the credentials: it says 'SignatureDoesNotMatch" in error
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "NOBODY")
    assert "'InvalidAccessKeyId" in said(capsys, "push", place.written, "--store", "a", code=2)


def test_without_credentials_a_public_bucket_is_read_and_no_other(
    place: Place,
    objects: ObjectStore,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store()
    public = objects.new_place(PUBLIC)
    said(capsys, "push", public.written, "--store", "a")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert "pulled 3 runs" in said(capsys, "pull", public.written, "--store", "b")
    error = said(capsys, "pull", place.written, "--store", "c", code=2)
    assert "there are no credentials, and the service answers nobody without; set AWS_" in error
    error = said(capsys, "push", objects.new_place(PUBLIC).written, "--store", "a", code=2)
    assert "there are no credentials" in error


def test_credentials_of_a_profile_and_the_address_of_s3_alone(
    place: Place,
    objects: ObjectStore,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store()
    given = objects.variables()
    keys = tmp_path / "keys"
    keys.write_text(
        f"[lab]\naws_access_key_id = {given['AWS_ACCESS_KEY_ID']}\n"
        f"aws_secret_access_key = {given['AWS_SECRET_ACCESS_KEY']}\n"
    )
    more = {"AWS_ENDPOINT_URL_S3": objects.endpoint, "AWS_ENDPOINT_URL": "http://127.0.0.1:1"}
    use({**more, "AWS_SHARED_CREDENTIALS_FILE": str(keys)}, monkeypatch)
    monkeypatch.setenv("AWS_PROFILE", "lab")
    assert "pushed 3 runs" in said(capsys, "push", place.written, "--store", "a")
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    error = said(capsys, "push", place.written, "--store", "a", code=2)
    assert "has no credentials: The config profile (nobody) could not be found" in error


def test_the_remote_of_assay_toml_may_be_a_bucket(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "assay.toml").write_text(f'[store]\nremote = "{place.written}"\n')
    store(".assay")
    assert f"pushed 3 runs to {place.written}" in said(capsys, "push")


def test_a_bucket_that_is_not_there_is_told(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    store()
    for verb in ("push", "pull"):
        error = said(capsys, verb, "s3://nowhere/x", "--store", "a", code=2)
        assert error.startswith("error: s3://nowhere/x: there is no such bucket; make it first")


def test_a_wrong_clock_is_told(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store()
    now = botocore.compat.get_current_datetime
    monkeypatch.setattr(
        botocore.auth,
        "get_current_datetime",
        lambda **how: now(**how) + timedelta(hours=2),
    )
    error = said(capsys, "push", place.written, "--store", "a", code=2)
    assert re.search(r"the clock here is -?\d+ minutes (ahead of|behind) its own", error)
    assert "set the clock that is wrong" in error


def test_what_to_install_is_told(tmp_path: Path) -> None:
    store()
    (tmp_path / "botocore.py").write_text('raise ModuleNotFoundError("No module named botocore")')
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    words = ("runs", "push", "s3://team/x", "--store", "a")
    done = assay(*words, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 2
    what = "needs the Python package botocore, which is not installed beside Assay"
    assert done.stderr == f"error: s3://team/x: {what}; pip install botocore\n"


def test_a_botocore_that_is_too_old_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store()
    monkeypatch.setattr("botocore.__version__", "1.29.27")
    error = said(capsys, "push", "s3://team/x", "--store", "a", code=2)
    assert "needs botocore 1.36 or newer, not 1.29.27; pip install --upgrade botocore" in error


@pytest.mark.parametrize(
    "written",
    [
        "s3:",
        "s3://",
        "s3:team/x",
        "s3://team//x",
        "s3://team/../x",
        "s3://team/a\nb",
        "s3://AKIA:sec/ret+secret@team/x",
        f"s3://team/{'x' * 501}",
    ],
)
def test_what_names_no_bucket_is_refused(written: str, capsys: pytest.CaptureFixture[str]) -> None:
    store()
    error = said(capsys, "push", written, "--store", "a", code=2)
    assert "names no bucket; s3://BUCKET or s3://BUCKET/PREFIX" in error
