"""Manual pages from the definitions behind `assay VERB --help`: one for each verb, one for `assay`.

    for name, text in manual.pages().items(): print(name, text)

`tools/reference.py` writes them to docs/man, from where the wheel installs them, so that whoever
builds a wheel needs nothing of what Assay imports.
"""

import re
from collections.abc import Iterator
from typing import Any

from reference import OWN_HELP, known_exit_codes


def pages() -> dict[str, str]:
    """Name and text of each page, as the program describes itself now."""
    from assay.cli.app import VERBS

    verbs = {f"assay-{name}.1": "".join(_verb(name)) for name in VERBS}
    return {"assay.1": "".join(_all()), **verbs}


def _all() -> Iterator[str]:
    from assay.cli.app import VERBS

    yield _heading("assay", "did this get slower, by how much, how sure are we, and why?")
    yield f".SH SYNOPSIS\n.B assay\n.I VERB\n{_words('[OPTIONS] [ARGUMENTS]')}\n"
    yield ".SH VERBS\nEach has a page of its own.\n"
    for name, verb in VERBS.items():
        yield f".TP\n.BR assay\\-{_words(name)} (1)\n{_words(verb.purpose)}\n"
    yield ".SH TARGETS\n"
    yield _words(
        "A TARGET is a Google Benchmark executable, cmd: and a command line, a file of results "
        "(.json, .csv, .journal), git: and a revision, or run: and the name of a run that was kept."
    )
    yield f"\n{_exit_codes()}"


def _verb(name: str) -> Iterator[str]:
    from assay.cli.app import VERBS, _command

    command = _command(name, VERBS[name])
    context = command.make_context(name, [], resilient_parsing=True)
    yield _heading(f"assay-{name}", VERBS[name].purpose.rstrip("."))
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SH SYNOPSIS\n.B assay {_words(name)}\n{_words(usage)}\n"
    yield f".SH DESCRIPTION\n{_paragraphs(command.help or '')}\n"
    if any(words.split()[0] == name for words in OWN_HELP):
        yield f'.PP\nIts own words are told by\n.BR "assay {_words(name)} \\-\\-help" .\n'
    for kind in ("argument", "option"):
        yield from _parameters(command, context, kind)
    yield ".SH SEE ALSO\n.BR assay (1),\nwhich has the exit codes\n"


def _parameters(command: Any, context: Any, kind: str) -> Iterator[str]:
    asked = [one for one in command.params if one.param_type_name == kind and not one.hidden]
    told = [record for one in asked if (record := one.get_help_record(context))]
    if told:
        yield f".SH {kind.upper()}S\n"
    for spelled, what in told:
        yield f".TP\n.B {_words(spelled)}\n{_words(what)}\n"


def _heading(name: str, purpose: str) -> str:
    """The first lines of a page, without a date, so that the same program gives the same pages."""
    from assay import __version__

    title = f'.TH {_words(name.upper())} 1 "" "assay {__version__}" "Assay"\n'
    return f"{title}.SH NAME\n{_words(name)} \\- {_words(purpose)}\n"


def _exit_codes() -> str:
    rows = (
        f".TP\n.B {code}\n{_words(when or name.lower())}\n"
        for name, code, when in known_exit_codes()
    )
    return f".SH EXIT STATUS\n{''.join(rows)}"


def _paragraphs(text: str) -> str:
    return "\n.PP\n".join(
        _words(" ".join(one.split())) for one in re.split(r"\n\s*\n", text.strip())
    )


def _words(text: str) -> str:
    """A text for roff, with backslashes, leading dots and hyphens escaped."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", escaped)
