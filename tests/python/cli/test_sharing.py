"""A history shared through each kind of remote: nothing is lost, nothing is overwritten."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from object_store import WEED, ObjectStore, use
from remotes import PROGRAM, SFTP_SERVER, SSHD, Place, assay, git, git_place, ssh_place
from stores import Step, filled

from assay.cli import invoke
from assay.history import Confirmation
from assay.record.store.confirmations import Confirmations
from assay.record.store.folder import Folder
from assay.record.store.run_file import Header, encode
from assay.record.store.store import Store

KINDS = ["folder", "git", "git that filters", "ssh", "s3"]
NEEDS_SSHD = pytest.mark.skipif(
    not Path(SSHD).exists() or not Path(SFTP_SERVER).exists(), reason="no OpenSSH server here"
)
NEEDS_WEED = pytest.mark.skipif(WEED is None, reason="no object store here: weed")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


MARKS = {"ssh": NEEDS_SSHD, "s3": NEEDS_WEED}


@pytest.fixture(params=[pytest.param(kind, marks=MARKS.get(kind, ())) for kind in KINDS])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Place]:
    kind = request.param
    if kind == "s3":
        objects: ObjectStore = request.getfixturevalue("objects")
        use(objects.variables(), monkeypatch)
        yield objects.new_place()
    elif kind == "ssh":
        with ssh_place(tmp_path) as there:
            yield there
    elif kind == "folder":
        (tmp_path / "mount").mkdir()
        yield Place("mount", tmp_path / "mount", "folder")
    else:
        yield git_place(tmp_path, filters="filters" in kind)


def store(name: str, runs: int = 3) -> Store:
    return filled(Path(name), {"b1": Step()}, runs=runs)


def runs_of(name: str) -> list[str]:
    return Folder.opened(Path(name)).runs()


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert invoke(["runs", *words]) == code, capsys.readouterr().err
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_what_one_machine_pushes_another_pulls(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = store("a")
    ours.folder.label(ours.folder.newest(), "release/1.0")
    assert said(capsys, "push", place.written, "--store", "a").startswith("pushed 3 runs and 1 lab")
    assert said(capsys, "pull", place.written, "--store", "b").startswith("pulled 3 runs and 1 lab")
    assert runs_of("b") == runs_of("a")
    theirs = Store.opened(Path("b"))
    assert theirs.load("release/1.0") == ours.load("release/1.0")
    for run in runs_of("a"):
        assert theirs.folder.read(run) == ours.folder.read(run)


def test_only_what_is_missing_travels(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    store("a", runs=4)
    said(capsys, "push", place.written, "--store", "a")
    said(capsys, "pull", place.written, "--store", "b")
    one = Store.opened(Path("b")).add(store("c", 1).load("LAST"), kind="run", now_s=time.time())
    assert "pushed 1 run to" in said(capsys, "push", place.written, "--store", "b")
    out = said(capsys, "pull", place.written, "--store", "a")
    assert "pulled 1 run from" in out
    assert "4 files were on both sides" in out
    assert runs_of("a")[-1] == one
    assert "pulled 0 runs from" in said(capsys, "pull", place.written, "--store", "a")
    assert "pushed 0 runs to" in said(capsys, "push", place.written, "--store", "a")


def test_machines_that_push_at_once_lose_nothing(place: Place) -> None:
    names = ["a", "b", "c"]
    mine = {name: set(_own_runs(name)) for name in names}
    running = [_started("push", place.written, "--store", name) for name in names]
    assert [one.wait() for one in running] == [0, 0, 0]
    assert assay("runs", "pull", place.written, "--store", "all").returncode == 0
    assert set(runs_of("all")) == set.union(*mine.values())
    assert len(runs_of("all")) == 12


def _own_runs(name: str) -> list[str]:
    """Four runs of this machine, filed now; and its own cache, as another machine's is."""
    record = store(f"{name}-made", 1).load("LAST")
    kept = Store.opened_or_made(Path(name))
    return [kept.add(record, kind="run", now_s=time.time()) for _ in range(4)]


def _started(*words: str) -> "subprocess.Popen[bytes]":
    cache = {"XDG_CACHE_HOME": f"{Path.cwd()}/cache-{words[-1]}"}
    command = [sys.executable, "-c", PROGRAM, "runs", *words]
    return subprocess.Popen(command, env={**os.environ, **cache})


def test_a_push_that_is_killed_leaves_nothing_in_part(place: Place) -> None:
    store("a", runs=60)
    for after_s in (0.3, 0.6, 0.9):
        running = _started("push", place.written, "--store", "a")
        time.sleep(after_s)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        pulled = assay("runs", "pull", place.written, "--store", "b")
        assert (pulled.returncode, pulled.stderr) == (0, "")
    assert assay("runs", "push", place.written, "--store", "a").returncode == 0
    assert assay("runs", "pull", place.written, "--store", "b").returncode == 0
    assert runs_of("b") == runs_of("a")


def test_two_labels_of_one_name_both_stay(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    ours = store("a")
    first, second, _ = ours.folder.runs()
    ours.folder.label(first, "best")
    said(capsys, "push", place.written, "--store", "a")
    said(capsys, "pull", place.written, "--store", "b")
    Folder.opened(Path("b")).label(second, "best")
    error = said(capsys, "push", place.written, "--store", "b", code=2)
    assert f"the label best means run {first} there and {second} here; both stay" in error
    assert Folder.opened(Path("b")).labels() == {"best": second}
    said(capsys, "pull", place.written, "--store", "c")
    assert Folder.opened(Path("c")).labels() == {"best": first}


def test_what_a_change_was_found_to_be_is_shared(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = Confirmations(store("a").folder)
    words = {"benchmark": "b", "metric": "m", "host": "h", "before": "1", "change": 0.1}
    known = Confirmation(**words, after="2", state="confirmed")
    ours.keep(known)
    ours.keep(Confirmation(**words, after="3", state="undecided"))  # is measured again anyway
    said(capsys, "push", place.written, "--store", "a")
    theirs = Confirmations(store("b").folder)
    theirs.keep(Confirmation(**words, after="2", state="undecided"))
    said(capsys, "pull", place.written, "--store", "b")
    assert theirs.all() == [known]


def test_a_damaged_run_of_ours_is_not_spread(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = store("a").folder
    bad = folder.runs()[1]
    folder.file_of(bad).write_bytes(b"PAR1 rubbish PAR1")
    error = said(capsys, "push", place.written, "--store", "a", code=2)
    assert f"{bad}.parquet is left out: it is not a whole Parquet file" in error
    said(capsys, "pull", place.written, "--store", "b")
    assert len(runs_of("b")) == 2


LATER = "29991231-235959.999999-ffff"
GOOD = "20250615-151640.000000-a1b2"


def hostile_files() -> dict[str, bytes]:
    """What a stranger may have put where runs and labels are."""
    record = store("x", 1).load("LAST")
    run = encode(record, Header(run=GOOD, time_s=0))
    return {
        f"runs/2025-06/{GOOD}.parquet": run,
        "runs/2025-06/20250615-151640.000001-a1b2.parquet": run,
        "runs/2025-06/20250615-151640.000002-a1b2.parquet": b"PAR1" + bytes(10**6) + b"PAR1",
        "runs/2025-06/20250615-151640.000003-a1b2.parquet": b"",
        f"runs/2999-12/{LATER}.parquet": encode(record, Header(run=LATER, time_s=0)),
        f"runs/2025-07/{GOOD}.parquet": run,
        "runs/2025-06/x.sh": b"#!/bin/sh\n",
        "labels/evil": b"../../outside/x\n",
        "labels/large": b"2" * 1000,
        "labels/LAST": f"{GOOD}\n".encode(),
        "labels/%2F..%2Fx": f"{GOOD}\n".encode(),
        "confirmations/0123456789abcdef0123456789abcdef.json": b'{"state": "confirmed"}',
        "README": b"not ours\n",
    }


def put_by_hand(place: Place, files: dict[str, bytes], request: pytest.FixtureRequest) -> None:
    if place.kind == "s3":
        marked = {"store.json": b'{"assay_store": 1}', "labels/": b"", **files}
        request.getfixturevalue("objects").put(place, marked)
        return
    if place.kind == "git":
        lines = [b"commit refs/heads/assay-runs\ncommitter n <e> 1 +0000\ndata 1\nx\n"]
        marked = {"store.json": b'{"assay_store": 1}', **files}
        for name, data in marked.items():
            lines.append(b"M 100644 inline %b\ndata %d\n%b\n" % (name.encode(), len(data), data))
        lines.append(b"M 120000 inline labels/link\ndata 9\n../../etc\n")
        git(place.folder, "fast-import", "--quiet", text=b"".join(lines))
        return
    for name, data in files.items():
        path = place.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (place.folder / "store.json").write_text('{"assay_store": 1}')
    (place.folder / "labels" / "link").symlink_to("/etc/passwd")
    (place.folder / "labels" / "folder").mkdir()
    os.mkfifo(place.folder / "labels" / "pipe")


def test_a_hostile_remote_gives_nothing_but_runs(
    place: Place, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    put_by_hand(place, hostile_files(), request)
    error = said(capsys, "pull", place.written, "--store", "b", code=2)
    assert "000001-a1b2.parquet is left out: it holds run" in error
    assert "000002-a1b2.parquet is left out: it is not a whole Parquet file" in error
    assert "000003-a1b2.parquet is left out: it is not a whole Parquet file" in error
    assert f"{LATER}.parquet is left out: it is of a later day than this clock says" in error
    assert "none of ours, or damaged, and left alone" in error
    kept = {str(path.relative_to("b")) for path in Path("b").rglob("*") if path.is_file()}
    assert kept == {f"runs/2025-06/{GOOD}.parquet", "store.json", ".gitignore"}
    one = Store.opened(Path("b")).add(store("y", 1).load("LAST"), kind="run", now_s=time.time())
    assert not one.startswith("2999")


def test_a_file_that_is_too_large_is_not_taken(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store("a", 2)
    said(capsys, "push", place.written, "--store", "a")
    monkeypatch.setitem(__import__("assay").record.store.shared_files.MOST_BYTES, "runs", 1000)
    error = said(capsys, "pull", place.written, "--store", "b", code=2)
    assert error.count("is larger than 1000 bytes, the most that Assay reads") == 2
    assert runs_of("b") == []


@pytest.mark.parametrize("kind", ["folder", pytest.param("ssh", marks=NEEDS_SSHD)])
def test_a_full_disk_is_one_sentence_and_the_rest_stays(kind: str, tmp_path: Path) -> None:
    """No file may become larger than 4 KiB, by which a disk is full without being filled."""
    store("a")
    limited = "ulimit -f 8; trap '' XFSZ; exec"
    script = tmp_path / "limited"
    script.write_text(f'#!/bin/sh\n{limited} {SFTP_SERVER} "$@"\n')
    script.chmod(0o755)
    (tmp_path / "shared").mkdir()
    if kind == "ssh":
        with ssh_place(tmp_path, str(script)) as place:
            done = assay("runs", "push", place.written, "--store", "a")
    else:
        words = ["runs", "push", "shared", "--store", "a"]
        command = [sys.executable, "-c", PROGRAM, *words]
        shell = ["/bin/sh", "-c", f'{limited} "$@"', "sh", *command]
        done = subprocess.run(shell, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert "cannot be written" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    left = [path for path in (tmp_path / "shared").rglob("*") if path.is_file()]
    assert {path.name for path in left} <= {"store.json", ".gitignore"}


@NEEDS_SSHD
def test_a_read_only_account_is_one_sentence(tmp_path: Path) -> None:
    store("a")
    with ssh_place(tmp_path, f"{SFTP_SERVER} -R") as place:
        done = assay("runs", "push", place.written, "--store", "a")
    assert done.returncode == 2
    assert "cannot be written: the server says 'Permission denied'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_branch_that_may_not_be_pushed_to_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store("a")
    place = git_place(tmp_path)
    hook = place.folder / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho this branch is protected >&2\nexit 1\n")
    hook.chmod(0o755)
    error = said(capsys, "push", place.written, "--store", "a", code=2)
    assert "git push failed: " in error
    assert "protected" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ("nowhere", "is no folder, so nothing can be shared there"),
        ("git:nowhere.git", "git ls-remote failed"),
        ("git:", "is no branch of a git repository"),
        ("git:--upload-pack=touch x", "is no branch of a git repository"),
        ("git:origin#-x", "is no branch of a git repository"),
        ("git:ext::sh -c 'touch x'", "git ls-remote failed"),
        ("ssh:-oProxyCommand=touch x:y", "names no folder of another machine"),
        ("ssh:host", "names no folder of another machine"),
        ("ssh:127.0.0.1.invalid:x", "the connection ended"),
        ("ftp://host/x", "is no remote"),
    ],
)
def test_a_remote_that_cannot_be_used_is_one_sentence(
    written: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store("a")
    error = said(capsys, "push", written, "--store", "a", code=2)
    assert what in error
    assert len(error.splitlines()) == 1
    assert not Path("x").exists()


def test_a_folder_with_other_things_in_it_is_not_filled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    store("a")
    Path("home").mkdir()
    Path("home/letter").write_text("dear")
    error = said(capsys, "push", "home", "--store", "a", code=2)
    assert "holds other things than a store of runs" in error
    assert [path.name for path in Path("home").iterdir()] == ["letter"]


def test_the_remote_of_assay_toml_is_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mount").mkdir()
    (tmp_path / "below").mkdir()
    (tmp_path / "assay.toml").write_text('[store]\nremote = "mount"\n')
    store(".assay")
    monkeypatch.chdir(tmp_path / "below")
    assert f"pushed 3 runs to {tmp_path}/mount" in said(capsys, "push")
    (tmp_path / "assay.toml").write_text("")
    assert "no remote is named" in said(capsys, "pull", code=2)


def test_the_name_of_a_remote_of_this_repository_is_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = git_place(tmp_path)
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", place.folder, clone], check=True, capture_output=True)
    store("a")
    monkeypatch.chdir(clone)
    said(capsys, "push", "git:origin#perf/runs", "--store", "../a")
    assert git(place.folder, "branch", "--list", "--format=%(refname:short)") == "perf/runs"
    assert git(clone, "status", "--porcelain") == ""
    assert git(clone, "for-each-ref") == ""


def test_a_branch_does_not_grow_past_its_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.record.store.remotes.git_remote.COMPACTED_EVERY", 4)
    place = git_place(tmp_path)
    record, kept = store("made", 1).load("LAST"), Store.opened_or_made(Path("a"))
    counts = []
    for _ in range(9):
        kept.add(record, kind="run", now_s=time.time())
        said(capsys, "push", place.written, "--store", "a")
        counts.append(int(git(place.folder, "rev-list", "--count", "assay-runs")))
    assert counts == [1, 2, 3, 1, 2, 3, 1, 2, 3]
    said(capsys, "pull", place.written, "--store", "b")
    assert runs_of("b") == runs_of("a")


def test_a_protected_branch_keeps_its_commits_and_takes_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.record.store.remotes.git_remote.COMPACTED_EVERY", 2)
    place = git_place(tmp_path)
    git(place.folder, "config", "receive.denyNonFastForwards", "true")
    record, kept = store("made", 1).load("LAST"), Store.opened_or_made(Path("a"))
    for _ in range(4):
        kept.add(record, kind="run", now_s=time.time())
        said(capsys, "push", place.written, "--store", "a")
    assert git(place.folder, "rev-list", "--count", "assay-runs") == "4"
    said(capsys, "pull", place.written, "--store", "b")
    assert runs_of("b") == runs_of("a")
