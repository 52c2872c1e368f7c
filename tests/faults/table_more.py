"""The rest of the table: programs under test, files, stores."""

import itertools
import json
from collections.abc import Callable, Iterator

from table import (
    PROGRAM,
    READING,
    Fault,
    endings,
    inherited,
    space,
    terminal,
    tried,
    write_inputs,
)
from world import World

LIMIT = ("--timeout", "1s", "--rounds", "10", "-q", "-o", "out.json")


def _script(text: str) -> Callable[[World], None]:
    return lambda world: world.program("program", text)


def _gbench(document: str, code: int = 0) -> Callable[[World], None]:
    """A program that lists BM_a as Google Benchmark does, and writes `document` for it."""
    script = f"""
case "$*" in *list_tests*) echo BM_a; exit 0;; esac
for one in "$@"; do case "$one" in --benchmark_out=*) out=${{one#*=}};; esac; done
cat > "$out" <<'END'
{document}
END
exit {code}"""
    return _script(script)


def _document(value: object) -> str:
    row = {
        "name": "BM_a",
        "run_name": "BM_a",
        "run_type": "iteration",
        "iterations": 100,
        "real_time": value,
        "cpu_time": value,
        "time_unit": "ns",
    }
    return json.dumps({"context": {}, "benchmarks": [row]})


COUNTED = "echo x >> $LAUNCHES; test $(($(wc -l < $LAUNCHES) % 10)) != 0 || kill -SEGV $$"
SCRIPTS: dict[str, tuple[str, tuple[int, ...], str]] = {
    "crashes always": ("kill -SEGV $$", (3,), "crashed with SIGSEGV"),
    "ends with 3 always": ("echo why >&2; exit 3", (3,), "exited with code 3"),
    "hangs": ("sleep 600", (3,), "ran past the timeout and was killed"),
    "hangs and ignores SIGTERM": (
        "trap '' TERM INT HUP; sleep 600; sleep 600",
        (3,),
        "ran past the timeout and was killed",
    ),
    "crashes in one launch of ten": (COUNTED, (0, 3), "crashed"),
    "starts daemons": ("setsid sleep 600 &", (0,), "processes behind; they were ended"),
    "prints 100 MB": ("head -c 100000000 /dev/zero", (0,), "printed up to 100 MB"),
    "closes its descriptors": ("exec <&- >&- 2>&-; exit 0", (0,), ""),
    "waits for input": ("read line; exit 0", (0,), ""),
    "leaves its folder": ("cd /; exit 0", (0,), ""),
    "moves to another CPU, with another priority": ("taskset -pc 0 $$; renice 19 $$", (0,), ""),
    "stops itself": ("kill -STOP $$", (3,), "ran past the timeout and was killed"),
    "kills what started it": ("kill -KILL $PPID; exit 0", (3,), "crashed with SIGKILL"),
    "signals its process group": ("kill -TERM 0; exit 0", (3,), "crashed with SIGTERM"),
    "prints a command for CI": (
        "echo '::error::x'; echo '##[error]y' >&2; exit 3",
        (3,),
        "it said",
    ),
    "removes temporary files": ('rm -rf "$TMPDIR"/*; exit 0', (0, 3), ""),
    "deletes itself": ('rm -f "$0"; exit 0', (0, 3), ""),
}


def _programs() -> Iterator[Fault]:
    group = "Programs under test"
    both = {"run": ("run", PROGRAM, *LIMIT), "compare": ("compare", PROGRAM, PROGRAM, *LIMIT)}
    for name, (script, codes, says) in SCRIPTS.items():
        yield Fault(group, name, tuple(both), codes, says, words=both, arrange=_script(script))
    words = {"run": ("run", "./program", *LIMIT)}
    for name, arrange, says in (
        ("writes no JSON", _gbench(""), "cannot be used"),
        ("writes half of its JSON", _gbench(_document(1.0)[:60]), "cannot be used"),
        ("writes two of them", _gbench(_document(1.0) * 2), "cannot be used"),
        ("fails after its JSON", _gbench(_document(1.0), 3), "exited with code 3"),
    ):
        yield Fault(group, name, ("run",), (3,), says, words=words, arrange=arrange)
    for value in ("NaN", "-1.0", "0.0", "1e308", '"text"', "null", "1e999"):
        arrange = _gbench(_document(12345.5).replace("12345.5", value))
        name = f"says that it took {value}"
        yield Fault(group, name, ("run",), (0, 3), words=words, arrange=arrange)


def _changed(change: Callable[[bytes], bytes]) -> Callable[[World], None]:
    def arrange(world: World) -> None:
        write_inputs(world)
        path = world.folder / "base.json"
        path.write_bytes(change(path.read_bytes()))

    return arrange


def _folder(world: World) -> None:
    write_inputs(world)
    (world.folder / "base.json").unlink()
    (world.folder / "base.json").mkdir()


def _loop(world: World) -> None:
    write_inputs(world)
    (world.folder / "base.json").unlink()
    (world.folder / "base.json").symlink_to("base.json")


def _cut(percent: int) -> Callable[[World], None]:
    return _changed(lambda data: data[: len(data) * percent // 100])


def _other(key: str, value: str) -> Callable[[World], None]:
    """One field of the first row of another type."""

    def change(data: bytes) -> bytes:
        document = json.loads(data)
        document["benchmarks"][0][key] = "HERE"
        return json.dumps(document).replace('"HERE"', value).encode()

    return _changed(change)


def _ours(facts: str) -> Callable[[World], None]:
    text = f'"assay": {facts}, "num_cpus"'.encode()
    return _changed(lambda data: data.replace(b'"num_cpus"', text))


CONTENTS: dict[str, Callable[[bytes], bytes]] = {
    "is empty": lambda data: b"",
    "is not JSON": lambda data: b"\x7fELF" + data,
    "is no UTF-8": lambda data: data.replace(b"BM_a", b"\xff\xfe"),
    "is an array": lambda data: b"[1, 2]",
    "has no benchmarks": lambda data: b'{"context": {}, "benchmarks": []}',
    "is 100,000 deep": lambda data: b"[" * 100_000,
}
FACTS = ('{"schema": 999}', '{"host": "mybox"}', '{"targets": 3}', '{"notes": 3}', "[]", "3")


def _files() -> Iterator[Fault]:
    group = "A file of results"
    for part in range(1, 100):
        name, small = f"is cut at {part} of 100", part % 25 == 0
        yield Fault(group, name, READING, (2,), "error: ", arrange=_cut(part), small=small)
    for name, change in CONTENTS.items():
        yield Fault(group, name, READING, (0, 2), arrange=_changed(change))
    yield Fault(group, "is a folder", READING, (2,), "error: ", arrange=_folder)
    yield Fault(group, "is a link to itself", READING, (2,), "symbolic links", arrange=_loop)
    keys, values = ("real_time", "time_unit", "name"), ('"x"', "null", "{}", "-1", "1e999")
    for key, value in itertools.product(keys, values):
        name, small = f"has {value} for a {key}", value == "{}"
        yield Fault(group, name, READING, (0, 2), arrange=_other(key, value), small=small)
    for facts in FACTS:
        name = f"has {facts} for facts of ours"
        yield Fault(group, name, READING, (0, 2), arrange=_ours(facts))


_RUN = "20260101-000000.000000-abcd"
PACK = f"{_RUN}_{_RUN}_0123456789abcdef.zip"
STORED = {
    "a garbled catalogue": ("catalogue.sqlite", b"garbage" * 1000),
    "a run that is garbage": ("runs/2026-01/20260101-000000.000000-abcd.parquet", b"PAR1"),
    "a pack that is garbage": (f"packs/{PACK}", b"PK" * 99),
    "a journal that is garbage": ("journals/x.journal", b"\xff\x00{]\n" * 9),
    "a journal with a bad byte": ("journals/y.journal", b'{"assay_journal":1,"facts":{\xff}}\n'),
    "a label that leads out of it": ("labels/evil", b"../../../etc/passwd"),
}


def _stored(path: str, content: bytes) -> Callable[[World], None]:
    def arrange(world: World) -> None:
        place = world.folder / "store" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        (world.folder / "store" / "store.json").write_text('{"assay_store": 1}')
        place.write_bytes(content)

    return arrange


def _stores() -> Iterator[Fault]:
    for name, (path, content) in STORED.items():
        yield Fault(
            "A store has",
            name,
            ("runs", "history", "runs import"),
            (0,),
            told="what is wrong is named, and the rest works",
            arrange=_stored(path, content),
        )


FAULTS: tuple[Fault, ...] = (
    *endings(),
    *inherited(),
    *tried(),
    *space(),
    *terminal(),
    *_programs(),
    *_files(),
    *_stores(),
)
