"""What a user's world does to a command line: a sentence and the right code, never 1 or 70."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import DATA, ROOT, Done, assay_command
from other_users import STRANGER, why_not
from patience import PATIENCE_S

from assay.cli import invoke, outermost
from assay.cli.app import VERBS
from assay.cli.common.exit_codes import DEFECT, SLOWER, Slower
from assay.workflows.compare import workflow

Native = Callable[[str], Path]
BEFORE = DATA / "gbench" / "test1_run1.json"
AFTER = DATA / "gbench" / "test1_run2.json"
ASSAY = assay_command()[0]
COMPARE = f'{ASSAY} compare "{BEFORE}" "{AFTER}"'
FORMS = (b"json", b"html", b"markdown", b"junit")
AHEAD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *t) {
  int (*next)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
  int done = next(clock, t);
  if (clock == CLOCK_REALTIME) t->tv_sec += 400LL * 31556952;
  return done;
}
"""


def in_shell(line: str, **env: str) -> Done:
    """`line` as a user types it, in bash; the code is that of the first program of a pipe."""
    done = subprocess.run(
        ["bash", "-c", f"{line}\nexit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=PATIENCE_S,
        env={**os.environ, **env},
    )
    return Done(done.returncode, done.stdout, done.stderr)


def is_a_sentence(done: Done, *words: str) -> bool:
    return (
        "Traceback" not in done.err
        and any(line.startswith("error: ") for line in done.err.splitlines())
        and all(word in done.err for word in words)
    )


@pytest.fixture
def stranger(tmp_path: Path) -> str:
    """Runs what follows as a user whom the password file does not know."""
    if reason := why_not():
        pytest.skip(reason)
    tmp_path.chmod(0o755)
    return " ".join((*STRANGER, "env"))


# ---- streams ----------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_an_encoding_without_a_character_for_it_costs_no_result(
    encoding: str, tmp_path: Path
) -> None:
    record = tmp_path / "µ.json"
    record.write_bytes(BEFORE.read_bytes())
    done = in_shell(f'{ASSAY} compare "{record}" "{AFTER}"', PYTHONIOENCODING=encoding)
    assert done.code == 0, done.err
    assert "BM_SameTimes" in done.out
    failed = in_shell(f'{ASSAY} compare "{tmp_path}/nö.json" "{AFTER}"', PYTHONIOENCODING=encoding)
    assert failed.code == 2
    assert is_a_sentence(failed, "no such file")


def test_standard_output_that_is_closed_is_told_and_keeps_no_file_from_being_written(
    tmp_path: Path,
) -> None:
    kept = tmp_path / "kept.json"
    done = in_shell(f'{COMPARE} --json "{kept}" >&-')
    assert done.code == 2
    assert is_a_sentence(done, "standard output: cannot be written")
    assert kept.read_bytes().startswith(b"{"), "the results are in it, and nothing that was printed"


@pytest.mark.parametrize("closed", ["2>&-", "<&-", "2>/dev/full", "<&- 2>&-"])
def test_the_other_streams_may_be_closed_or_full(closed: str) -> None:
    done = in_shell(f"{COMPARE} {closed}")
    assert done.code == 0
    assert "BM_SameTimes" in done.out
    refused = in_shell(f"{ASSAY} compare /no/such/file {closed}")
    assert (refused.code, refused.out) == (2, "")


@pytest.mark.parametrize(
    "words", ["--help", "compare --help", "os list", f'compare "{BEFORE}" "{AFTER}" --gate']
)
def test_a_reader_that_leaves_is_no_verdict_and_no_defect(words: str) -> None:
    done = in_shell(f"{ASSAY} {words} | true")
    assert (done.code, done.err) == (141, "")
    both = in_shell(f"{ASSAY} {words} 2>&1 | true")
    assert both.code == 141


# ---- the user's home and name -------------------------------------------------------------


def test_nobody_without_a_home_can_do_what_needs_none(stranger: str, native: Native) -> None:
    done = in_shell(f"{stranger} -u HOME {COMPARE}")
    assert done.code == 0, done.err
    bench = native("plain_benchmark")
    refused = in_shell(f"{stranger} -u HOME {ASSAY} run {bench} --filter getpid --rounds 2 -q")
    assert refused.code == 2
    assert is_a_sentence(refused, "no home folder", "XDG_STATE_HOME")


def test_a_home_that_cannot_be_read(stranger: str, native: Native, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)  # of root
    done = in_shell(f"{stranger} HOME={home} {COMPARE}")
    assert done.code == 0, done.err
    bench = native("plain_benchmark")
    refused = in_shell(f"{stranger} HOME={home} {ASSAY} run {bench} --filter getpid --rounds 2 -q")
    assert refused.code == 2
    assert is_a_sentence(refused, str(home))


# ---- limits -------------------------------------------------------------------------------


def test_ten_open_files_are_told_to_be_too_few(native: Native) -> None:
    bench = native("plain_benchmark")
    line = f"ulimit -n 10; {ASSAY} compare {bench} {bench} --filter getpid --rounds 2 -q"
    done = in_shell(line)
    assert done.code == 3
    assert is_a_sentence(done, "Too many open files", "ulimit -n")


def test_a_library_that_panics_for_want_of_files_is_no_defect(tmp_path: Path) -> None:
    """What draws charts is written in Rust, which has an exception of its own for that.

    How many files are enough to get that far differs by what Python has cached: some are tried.
    """
    out = tmp_path / "page.html"
    for files in range(13, 21):
        line = f"ulimit -n {files}; {ASSAY} report {BEFORE} {AFTER} -o {out}"
        done = in_shell(line, XDG_CACHE_HOME=str(tmp_path))
        assert "Traceback" not in done.err
        if done.code == 0:  # only a thread that has nothing to do found no file left
            assert out.read_text().endswith("</html>")
            out.unlink()
            continue
        assert done.code == 3, done.err
        assert "ulimit -n" in done.err
        assert not out.exists()
        if "gave up" in done.err:
            return
    pytest.fail("no number of files made the library give up")


@pytest.mark.parametrize("kib", [100_000, 261_000, 263_000, 300_000, 500_000])
def test_a_limit_of_memory_is_no_verdict(kib: int) -> None:
    """An import fails, or OpenBLAS ends the process with exit code 1 by itself."""
    done = in_shell(f"ulimit -v {kib}; {COMPARE}")
    assert done.code in (0, 3), done.err
    assert done.code == 0 or is_a_sentence(done)


@pytest.mark.parametrize("kib", [20_000, 31_840, 161_510])
def test_less_memory_than_loading_takes_is_refused_before_it(kib: int) -> None:
    done = in_shell(f"ulimit -v {kib}; {ASSAY} --version")
    assert done.code == 3
    assert is_a_sentence(done, "needs 256 MB", f"{kib // 1024} MB", "ulimit -v")


def test_what_fails_where_memory_is_short_is_told_to_be_that(tmp_path: Path) -> None:
    """Python does not always raise MemoryError: an import once ended in a SystemError."""
    (tmp_path / "typer.py").write_text(
        "most = bytearray(200 << 20)\nraise SystemError('error return without exception set')\n"
    )
    short = in_shell(f"ulimit -v 300000; {COMPARE}", PYTHONPATH=str(tmp_path))
    assert short.code == 3
    assert is_a_sentence(short, "error return without exception set", "ulimit -v")
    for enough in ("", "ulimit -v 2000000;"):
        assert in_shell(f"{enough} {COMPARE}", PYTHONPATH=str(tmp_path)).code == DEFECT


def test_a_limit_of_memory_that_is_enough_changes_nothing() -> None:
    assert in_shell(f"ulimit -v 2000000; {COMPARE}").code == 0
    refused = in_shell(f"ulimit -v 2000000; {ASSAY} compare /no/such/file")
    assert refused.code == 2


def test_a_clock_four_hundred_years_ahead(tmp_path: Path) -> None:
    source, library = tmp_path / "ahead.c", tmp_path / "ahead.so"
    source.write_text(AHEAD)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    done = in_shell(f"LD_PRELOAD={library} {ASSAY} run cmd:true --rounds 2 -q")
    assert done.code == 3
    assert is_a_sentence(done, "clock is past the year 2262")


# ---- names that are no UTF-8 --------------------------------------------------------------


def test_paths_and_names_that_are_no_utf8(native: Native, tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/f\xff"
    Path(os.fsdecode(folder)).mkdir()
    program = folder + b"/bench\xfe"
    Path(os.fsdecode(program)).symlink_to(native("plain_benchmark"))
    words = [ASSAY, b"compare", program, program, b"--filter", b"getpid", b"--rounds", b"2", b"-q"]
    for form in FORMS:
        words += [b"--" + form, folder + b"/kept\xfd." + form]
    done = subprocess.run(
        [*words, b"-o", folder + b"/r.json"], capture_output=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0, done.stderr
    kept = {os.fsencode(one.name) for one in Path(os.fsdecode(folder)).iterdir()}
    assert kept == {b"bench\xfe", b"r.json", *(b"kept\xfd." + form for form in FORMS)}
    again = subprocess.run([ASSAY, b"compare", folder + b"/r.json"], capture_output=True)
    assert again.returncode == 0, again.stderr
    command = [ASSAY, "compare", b"cmd:true \xff", b"cmd:true \xfe", "--rounds", "2", "-q"]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr


# ---- exit code 1 --------------------------------------------------------------------------


def test_exit_code_1_is_a_gates_and_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    for code in (1, True):
        monkeypatch.setattr(outermost, "_run_verb", lambda _, code=code: code)
        assert invoke(["compare"]) == DEFECT
    monkeypatch.setattr(outermost, "_run_verb", lambda _: SLOWER)
    assert invoke(["compare"]) == 1
    assert isinstance(SLOWER, Slower)


@pytest.mark.parametrize("code", [1, "a message"])
def test_a_library_that_exits_is_a_defect(
    code: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def exits(*_: object) -> None:
        sys.exit(code)  # type: ignore[arg-type]

    monkeypatch.setattr(workflow, "compare", exits)
    assert invoke(["compare", "cmd:true", "cmd:true", "--quiet"]) == DEFECT
    assert "this is a defect" in capsys.readouterr().err


def test_only_the_gate_names_the_code_of_its_verdict() -> None:
    """In the whole source: who imports SLOWER, who makes a `Slower`, and any literal exit of 1."""
    naming, exiting = set(), set()
    for path in sorted((ROOT / "src" / "assay").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            match node:
                case ast.ImportFrom(module="assay.cli.common.exit_codes", names=names):
                    if {one.name for one in names} & {"SLOWER", "Slower"}:
                        naming.add(path.relative_to(ROOT / "src" / "assay" / "cli").as_posix())
                case ast.Call(func=func, args=[ast.Constant(value=1)]):
                    if ast.unparse(func).split(".")[-1] in {"exit", "_exit", "Exit", "SystemExit"}:
                        exiting.add(path.as_posix())
    assert naming == {"common/gate.py", "outermost.py"}
    assert not exiting


# ---- what cannot be loaded ----------------------------------------------------------------


def test_every_verbs_imports_run_inside_the_handler(tmp_path: Path) -> None:
    """A library that cannot be loaded is told, whichever verb needs it."""
    (tmp_path / "numpy").mkdir()
    broken = "raise ImportError('libblas.so: no such file')"
    (tmp_path / "numpy" / "__init__.py").write_text(broken)
    done = in_shell(COMPARE, PYTHONPATH=str(tmp_path))
    assert done.code == 3
    assert is_a_sentence(done, "libblas.so: no such file")
    for name in ("typer", "msgspec"):
        (tmp_path / f"{name}.py").write_text("raise MemoryError")
    assert len(VERBS) > 10
    for verb in VERBS:
        done = in_shell(f"{ASSAY} {verb} --help", PYTHONPATH=str(tmp_path))
        assert done.code == 3, verb
        assert is_a_sentence(done, "not enough memory"), verb


def test_a_handler_that_cannot_be_loaded_itself(tmp_path: Path) -> None:
    (tmp_path / "pathlib.py").write_text("raise ImportError('of all things')")
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from assay.cli import main; main()"
    words = [sys.executable, "-c", program, str(tmp_path), "--help"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 3
    assert done.stderr == "error: Assay cannot start: of all things\n"


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    for words in ("compare a.json", "run cmd:true --rounds 2 -q"):
        folder = tmp_path / "gone"
        folder.mkdir()
        done = in_shell(f'cd "{folder}"; rmdir "{folder}"; {ASSAY} {words}')
        assert done.code == 3, done.err
        assert is_a_sentence(done, "the folder that Assay was started in")


def test_what_was_being_handled_is_not_why_an_import_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def draws(_: object) -> None:
        try:
            Path("/no/such/cache/vega.json").read_bytes()
        except OSError:
            raise ImportError("vl_convert.so: failed to map segment", name="vl_convert") from (
                ImportError("libvega.so: cannot allocate", name="libvega")
            )

    monkeypatch.setattr(outermost, "_run_verb", draws)
    assert invoke(["report"]) == 3
    assert "libvega.so: cannot allocate" in capsys.readouterr().err

    def draws_less(_: object) -> None:
        try:
            Path("/no/such/cache/vega.json").read_bytes()
        except OSError:
            import_of = ImportError("vl_convert.so: failed to map segment", name="vl_convert")
            raise import_of  # noqa: B904 - as a lazy import does it

    monkeypatch.setattr(outermost, "_run_verb", draws_less)
    assert invoke(["report"]) == 3
    assert "error: vl_convert.so: failed to map segment" in capsys.readouterr().err
