"""Writes the pages of docs/reference that can be generated from the program itself.

    .venv/bin/python tools/reference.py     writes them, and names those that changed

Generated are: the options of every verb (from the command objects of `assay.cli.app`), the help of
the programs behind `assay index` and `assay os`, the exit codes, the table of metrics, the keys of
a record (from the golden files of schema/), the keys of `assay.toml` and their JSON schema, the
table of the OS lab's cases, the faults that tests/faults tries, and the manual pages in docs/man.
tests/python/tools/test_reference.py fails if a page differs from what this writes.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGES_IN = ROOT / "docs" / "reference"
MANUAL_IN = ROOT / "docs" / "man"
SCHEMA = ROOT / "schema"
PROJECT_SCHEMA = SCHEMA / "assay-toml.schema.json"
NOTE = "<!-- Written by tools/reference.py: change the program, then run it again. -->"
BEGIN, END = "<!-- begin: tools/reference.py -->", "<!-- end: tools/reference.py -->"

# Help that command objects do not have: of native programs, and of verbs that parse by themselves.
OWN_HELP = (
    "index --help",
    "index --sweep PLAN.toml --help",
    "index --crash 1 --help",
    "os all --help",
)


def main() -> int:
    """Write every page; returns the exit code."""
    import manual  # which reads what is here

    texts = {PAGES_IN / name: text for name, text in written().items()}
    texts |= {MANUAL_IN / name: text for name, text in manual.pages().items()}
    for path in set(MANUAL_IN.glob("*")) - texts.keys():
        path.unlink()
        print(f"removed {path.relative_to(ROOT)}")
    for path, text in {**texts, PROJECT_SCHEMA: project_schema()}.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"wrote {path.relative_to(ROOT)}")
    return 0


def written() -> dict[str, str]:
    """Name and text of each page, as the program describes itself now."""
    return {name: page() for name, page in PAGES.items()}


# ---- verbs ------------------------------------------------------------------------------


def commands() -> str:
    """Arguments and options of every verb."""
    from assay.cli.app import VERBS

    parts = [
        "# Commands and their options",
        f"{NOTE}\n",
        "`assay VERB --help` prints the same. A TARGET is a Google Benchmark executable, `cmd:`",
        "and a command line, a file of results (`.json`, `.csv`, `.journal`), or `git:` and a",
        "[revision](../guides/revisions.md). A verb that reads its words itself, or hands them to",
        "a program, has its help in [programs](programs.md).\n",
        *(f"* [`assay {name}`](#assay-{name}): {verb.purpose}" for name, verb in VERBS.items()),
    ]
    for name in VERBS:
        parts += ["", *_verb(name)]
    return "\n".join(parts) + "\n"


def _verb(name: str) -> Iterator[str]:
    from assay.cli.app import VERBS, _command

    command = _command(name, VERBS[name])
    context = command.make_context(name, [], resilient_parsing=True)
    yield f"## assay {name}\n"
    yield _unwrapped(command.help or "")
    if any(words.split()[0] == name for words in OWN_HELP):
        yield "\nIts own words: [programs](programs.md)."
    for kind in ("argument", "option"):
        asked = [one for one in command.params if one.param_type_name == kind]
        rows = [_parameter(one.get_help_record(context)) for one in asked if not one.hidden]
        if rows:
            yield "\n" + _table((kind, "what it is", "default"), rows)


def _parameter(help_record: tuple[str, str]) -> tuple[str, str, str]:
    spelled, what = help_record
    what, _, extra = what.partition("  [")
    return f"`{spelled}`", what, extra.rstrip("]").removeprefix("default: ")


def _unwrapped(text: str) -> str:
    """The text with each paragraph on one line."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(" ".join(one.split()) for one in paragraphs)


# ---- programs ---------------------------------------------------------------------------


def programs() -> str:
    """The help of programs and verbs that parse their own command line."""
    parts = ["# Help of the programs behind the verbs", f"{NOTE}\n"]
    parts += [
        "`assay index` and `assay os` hand their words to native programs, so that PiBench's and",
        "libMicro's command lines work as they are. This is what those programs say of themselves.",
    ]
    for words in OWN_HELP:
        parts += ["", f"## assay {words}\n", "```text", _help(words).rstrip(), "```"]
    return "\n".join(parts) + "\n"


def _help(words: str) -> str:
    """What `assay WORDS` prints, at a fixed width."""
    done = subprocess.run(
        [sys.executable, "-c", "from assay.cli import main; main()", *words.split()],
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"assay {words}: {done.stderr.strip()}")
    return re.sub(r" +$", "", done.stdout, flags=re.MULTILINE)


# ---- exit codes -------------------------------------------------------------------------


def exit_codes() -> str:
    """The exit codes, and the errors that end with each."""
    from assay import errors

    parts = ["# Exit codes", f"{NOTE}\n"]
    parts += [
        "They are the same for every verb. Where several hold, the README says",
        "[which comes first](../../README.md#gating-ci). `assay index` ends as the native program",
        "does whose place it takes: [programs](programs.md).\n",
    ]
    rows = [(code, f"`{name}`", when or name.lower()) for name, code, when in known_exit_codes()]
    parts += [_table(("code", "name in `exit_codes.py`", "when"), rows)]
    parts += ["", "## Errors\n"]
    parts += ["An error is one line on standard error: what is wrong, where, and what to try.\n"]
    named = [
        (f"`{error.__name__}`", str(error.exit_code), _first_line(error.__doc__))
        for error in _tree(errors.AssayError)
    ]
    parts += [_table(("error", "exit code", "when"), named)]
    return "\n".join(parts) + "\n"


def known_exit_codes() -> list[tuple[str, str, str]]:
    """Name, code and meaning of each exit code."""
    from assay.cli.common import exit_codes as codes

    line = r"^([A-Z_]+) = (?:Slower\()?(\d+)\)?(?:  # (.*))?$"
    return re.findall(line, _source(codes), re.MULTILINE)


def _tree(error: type[Any]) -> Iterator[type[Any]]:
    yield error
    for each in error.__subclasses__():
        if each.__module__ == "assay.errors":
            yield from _tree(each)


# ---- metrics ----------------------------------------------------------------------------


def metrics() -> str:
    """What the name of a metric says about it."""
    from assay import units

    parts = ["# Metrics", f"{NOTE}\n"]
    parts += [
        "What a metric is counted in, and whether less or more of it is better, follows from its",
        "name. The first pattern that fits the whole name holds. A name that fits none has no",
        "better direction: a change of it is reported as `different`, and no gate fails by it.",
        "What is not compared unasked is compared with `--metric`. The table is in",
        "`src/assay/units.py` and nowhere else.\n",
    ]
    rows = [
        (
            f"`{rule.pattern}`".replace("|", "\\|"),
            _unit(rule.unit),
            str(rule.better),
            "yes" if rule.is_count else "",
            "yes" if rule.is_compared else "",
        )
        for rule in units._TABLE
    ]
    heads = ("name (regular expression)", "unit", "better", "a count", "compared unasked")
    parts += [_table(heads, rows)]
    return "\n".join(parts) + "\n"


def _unit(unit: str) -> str:
    return "the row's time unit" if unit == "time" else unit


# ---- records ----------------------------------------------------------------------------


def record() -> str:
    """The keys of a record, and a golden file that has each."""
    found: dict[str, tuple[str, list[str]]] = {}
    for path in sorted((SCHEMA / "golden").glob("*.json")):
        for key, kind in _keys(json.loads(path.read_text())):
            files = found.setdefault(key, (kind, []))[1]
            if path.stem not in files:
                files.append(path.stem)
    parts = ["# Keys of a record", f"{NOTE}\n"]
    parts += [
        "Every key of the golden files in `schema/golden`, which the tests of both languages read.",
        "[The contract](../../schema/README.md) says what each key below an `assay` object means.",
        "All others are Google Benchmark's, or counters of one benchmark. `*` stands for any name,",
        "`[]` for each item of a list.\n",
    ]
    rows = [(f"`{key}`", kind, ", ".join(files)) for key, (kind, files) in found.items()]
    parts += [_table(("key", "type", "in"), rows)]
    return "\n".join(parts) + "\n"


# Objects whose keys name something measured, and are not part of the format.
_NAMED_BY_USERS = re.compile(r"\.(samples|histograms|clamped|size_classes|series|sides)$")
_KINDS = {str: "text", bool: "true or false", dict: "object", list: "list", type(None): "null"}


def _keys(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if path:
        yield path, _KINDS.get(type(value), "number")
    if isinstance(value, dict):
        for key, inner in value.items():
            name = "*" if _NAMED_BY_USERS.search(path) else key
            yield from _keys(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, dict | list):
                yield from _keys(inner, f"{path}[]")


# ---- assay.toml -------------------------------------------------------------------------


def project() -> str:
    """The keys of `assay.toml`, and an example of the file."""
    from assay.project.project import SMALLEST

    schema = json.loads(project_schema())
    parts = ["# Keys of assay.toml", f"{NOTE}\n"]
    parts += [
        "The file says how a revision of a project is built and what is measured then:",
        "[revisions](../guides/revisions.md). This is enough to begin with:\n",
        *(f"    {line}" for line in SMALLEST.splitlines()),
        "",
        "Assay looks for it in the working directory and in the folders above, up to the root of",
        "the git repository. Only `commands` of [build] and `run` of a suite must be there. A key",
        "that is not known is refused. Editors that know JSON schemas can read",
        "[the schema](../../schema/assay-toml.schema.json).",
    ]
    for name, value in schema["properties"].items():
        own = name == "suites"
        table = schema["$defs"][(value["additionalProperties"] if own else value)["$ref"][8:]]
        parts += ["", f"## [{name}{'.NAME' if own else ''}]\n", f"{table['description']}\n"]
        rows = [_project_key(key, kind) for key, kind in table["properties"].items()]
        parts += [_table(("key", "value", "what it is", "default"), rows)]
    return "\n".join(parts) + "\n"


def _project_key(key: str, kind: dict[str, Any]) -> tuple[str, str, str, str]:
    default = kind.get("default")
    told = "" if default in (None, "", [], {}) else f"`{json.dumps(default)}`"
    values = {"string": "text", "integer": "whole number", "array": "list of texts"}
    value = "table of texts" if kind.get("type") == "object" else "number"
    if choices := kind.get("enum"):
        value = " or ".join(f'`"{one}"`' for one in choices)
    elif kind["type"] in values:
        value = values[kind["type"]]
    return f"`{key}`", value, kind.get("description", ""), told


def project_schema() -> str:
    """The JSON schema of `assay.toml`, from the structures that read it."""
    import msgspec

    from assay.project.configuration import Configuration

    schema = msgspec.json.schema(Configuration)
    top = schema["$defs"].pop("Configuration")
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", **top, **schema}
    del whole["$ref"]
    whole["title"] = "assay.toml"
    return json.dumps(_without_null(whole), indent=2) + "\n"


def _without_null(value: Any) -> Any:
    """The schema without null, because TOML has none: a key is there or not."""
    if isinstance(value, list):
        return [_without_null(one) for one in value]
    if not isinstance(value, dict):
        return value
    nothing = [
        k for k, v in value.items() if k == "default" and (v is None or v == {} or "$ref" in value)
    ]
    rest = {k: _without_null(v) for k, v in value.items() if k not in ("anyOf", *nothing)}
    for one in value.get("anyOf", ()):
        if one != {"type": "null"}:
            rest.update(_without_null(one))
    return rest


# ---- cases of the OS lab ----------------------------------------------------------------


def os_cases() -> str:
    """The page about cases, with its table as `assay os list --markdown` prints it."""
    text = (PAGES_IN / "os-cases.md").read_text()
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{_help('os list --markdown')}\n{END}{after}"


# ---- text -------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _first_line(text: str | None) -> str:
    return (text or "").strip().splitlines()[0]


def _source(module: Any) -> str:
    return Path(module.__file__).read_text()


# ---- faults -----------------------------------------------------------------------------


def faults() -> str:
    """What the user sees of each fault that tests/faults tries; one row for each fault."""
    sys.path[:0] = [str(ROOT / "tests" / "faults"), str(ROOT / "tests" / "support")]
    from table_more import FAULTS

    parts = [
        "# Faults, and what you see of them",
        f"{NOTE}\n",
        "Each of these is done to each of the verbs beside it by `tests/faults`: some cells",
        "in `./dev test`, all of them in `./dev soak`. For every cell it holds that there is",
        "no traceback, that the files that were read are as they were, and that no process,",
        "scratch folder or part of a file is left behind; after SIGKILL, from the next start on.",
        "What the numbers mean: [exit codes](exit-codes.md); 128 and more are signals.",
    ]
    for group in dict.fromkeys(one.group for one in FAULTS):
        rows = [_fault(one) for one in FAULTS if one.group == group]
        head = ("fault", "verbs", "exit code", "you see", "kept")
        parts += ["", f"## {group}\n", _table(head, rows)]
    return "\n".join(parts) + "\n"


def _fault(one: Any) -> tuple[str, str, str, str, str]:
    codes = " or ".join("killed" if code < 0 else str(code) for code in one.codes if code != 137)
    said = one.told or (
        f"`{one.says}`" if one.says else "what it always says, or one line of what is wrong"
    )
    return (
        one.name.replace("|", "\\|"),
        ", ".join(f"`{verb}`" for verb in one.verbs),
        codes,
        said.replace("|", "\\|"),
        "what was measured" if one.keeps_record else "",
    )


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "programs.md": programs,
    "exit-codes.md": exit_codes,
    "metrics.md": metrics,
    "record.md": record,
    "assay-toml.md": project,
    "os-cases.md": os_cases,
    "faults.md": faults,
}

if __name__ == "__main__":
    sys.exit(main())
