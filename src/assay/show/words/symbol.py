"""The name of a function, short enough to be read, with what tells it from others.

    symbol("int fmt::v9::vprint<char, 8>(fmt::v9::view<char>)", 40)
    'fmt::v9::vprint<…>(…)'

A demangled template has its arguments in its name, its parameters and its type, a thousand
letters of them. What is left out first is what tells least: the type it returns, then what its
parameters are, then its template arguments.
"""

import re

from assay.show.words import format

_UNNAMED = "(anonymous namespace)"
# A closing bracket of these closes nothing: operator>, operator(), operator->, and the arrow.
_OPERATOR = re.compile(r"operator(?:\(\)|\[\]|->\*?|<=>|[<>]{1,2}=?|[^\w\s(<]+)|->")
_CLOSES = {"<": ">", "(": ")", "{": "}"}


def symbol(name: str, longest: int) -> str:
    """`name` in at most `longest` visible letters. Any text is taken, demangled or not."""
    text = format.visible(name[:20_000])
    for brackets in ("", "(", "(<", "(<{"):
        if len(text) <= longest:
            break
        text = _without_type(_folded(text, brackets))
    return format.name(text, longest)


def _folded(text: str, brackets: str) -> str:
    """With `…` for what is in the outermost of these brackets."""
    parts, at = list[str](), 0
    while at < len(text):
        end = _end_of_token(text, at)
        if end == at + 1 and text[at] in brackets:
            end = _closed(text, at)
            inside = text[at + 1 : end - 1].strip()
            parts.append(text[at] + ("…" if inside else "") + _CLOSES[text[at]])
        else:
            parts.append(text[at:end])
        at = end
    return "".join(parts)


def _end_of_token(text: str, at: int) -> int:
    """Where what begins at `at` ends: a name of an operator, an unnamed namespace, or a letter."""
    if text.startswith(_UNNAMED, at):
        return at + len(_UNNAMED)
    operator = _OPERATOR.match(text, at)
    return operator.end() if operator else at + 1


def _closed(text: str, at: int) -> int:
    """After the bracket that closes the one at `at`; the end of the text when none does."""
    waiting = [_CLOSES[text[at]]]
    at += 1
    while at < len(text) and waiting:
        end = _end_of_token(text, at)
        if end == at + 1:
            if text[at] == waiting[-1]:
                waiting.pop()
            elif text[at] in _CLOSES:
                waiting.append(_CLOSES[text[at]])
        at = end
    return at


def _without_type(text: str) -> str:
    """A template's name begins with the type it returns: all before the last space outside."""
    start = depth = at = 0
    while at < len(text):
        end = _end_of_token(text, at)
        if end == at + 1:
            depth += (text[at] in "<({") - (text[at] in ">)}")
            if text[at] == "(" and depth == 1 and not text[:at].endswith("decltype "):
                break  # its parameters: what follows is no type
            if depth == 0 and _parts_type(text, at):
                start = end
        at = end
    return text[start:]


def _parts_type(text: str, at: int) -> bool:
    """Whether this is a space, and not one of `operator new` or `operator<< <char>`."""
    return text[at] == " " and text[at + 1 : at + 2] != "<" and not text[:at].endswith("operator")
