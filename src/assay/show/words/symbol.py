"""Shortens the name of a function, keeping what distinguishes it from others.

    symbol("int fmt::v9::vprint<char, 8>(fmt::v9::view<char>)", 40)
    'fmt::v9::vprint<…>(…)'

A demangled template has its arguments, its parameters and its return type in its name, which can
take thousands of characters. Left out first is what distinguishes least: the return type, then the
parameters, then the template arguments.
"""

import re

from assay.show.words import format

_UNNAMED = "(anonymous namespace)"
# Tokens whose brackets do not pair: operator>, operator(), operator->, and the arrow ->.
_OPERATOR = re.compile(r"operator(?:\(\)|\[\]|->\*?|<=>|[<>]{1,2}=?|[^\w\s(<]+)|->")
_CLOSES = {"<": ">", "(": ")", "{": "}"}


def symbol(name: str, longest: int) -> str:
    """`name` in at most `longest` visible characters; any text is accepted, demangled or not."""
    text = format.visible(name[:20_000])
    for brackets in ("", "(", "(<", "(<{"):
        if len(text) <= longest:
            break
        text = _without_type(_folded(text, brackets))
    return format.name(text, longest)


def _folded(text: str, brackets: str) -> str:
    """The text with `…` in place of the content of the outermost brackets of these kinds."""
    parts, at = list[str](), 0
    while at < len(text):
        end = _end_of_token(text, at)
        if end == at + 1 and text[at] in brackets:
            end = _end_of_bracket(text, at)
            inside = text[at + 1 : end - 1].strip()
            parts.append(text[at] + ("…" if inside else "") + _CLOSES[text[at]])
        else:
            parts.append(text[at:end])
        at = end
    return "".join(parts)


def _end_of_token(text: str, at: int) -> int:
    """The end of what begins at `at` in a function's name: an operator's name, an unnamed
    namespace, or a single character.
    """
    if text.startswith(_UNNAMED, at):
        return at + len(_UNNAMED)
    operator = _OPERATOR.match(text, at)
    return operator.end() if operator else at + 1


def _end_of_bracket(text: str, at: int) -> int:
    """The position after the bracket that closes the one at `at`; the text's end if none does."""
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
    """The name without its return type, which ends at the last space outside of brackets."""
    start = depth = at = 0
    while at < len(text):
        end = _end_of_token(text, at)
        if end == at + 1:
            depth += (text[at] in "<({") - (text[at] in ">)}")
            if text[at] == "(" and depth == 1 and not text[:at].endswith("decltype "):
                break  # the parameters begin here; what follows is no return type
            if depth == 0 and _ends_return_type(text, at):
                start = end
        at = end
    return text[start:]


def _ends_return_type(text: str, at: int) -> bool:
    """Whether the space at `at` ends the return type: not in `operator new`, `operator<< <T>`."""
    return text[at] == " " and text[at + 1 : at + 2] != "<" and not text[:at].endswith("operator")
