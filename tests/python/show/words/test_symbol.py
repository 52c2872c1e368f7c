"""Names of functions, shortened."""

import random

import pytest

from assay.show.words.symbol import symbol

APPEND = "void fmt::v9::detail::buffer<char>::append<char>(char const*, char const*)"
VISIT = (
    "decltype ({parm#1}(0)) fmt::v7::visit_format_arg<fmt::v7::detail::arg_formatter<fmt::v7::"
    "buffer<char> >, char>(fmt::v7::arg_formatter<char>&&, fmt::v7::basic_format_arg<char> const&)"
)
UNNAMED = "(anonymous namespace)::Log::append(char const*, unsigned int, std::vector<char> const&)"


@pytest.mark.parametrize(
    ("name", "longest", "short"),
    [
        ("mix(unsigned int)", 40, "mix(unsigned int)"),
        ("mix(unsigned int)", 17, "mix(unsigned int)"),
        ("mix(unsigned int)", 16, "mix(…)"),
        ("int a::b<char>::c()", 14, "a::b<…>::c()"),
        ("int a::b<char>::c( )", 14, "a::b<…>::c()"),
        ("void a::{lambda()#1}::operator()(int) const", 30, "a::{…}::operator()(…) const"),
        (APPEND, 80, APPEND),
        (APPEND, 70, "fmt::v9::detail::buffer<char>::append<char>(char const*, char const*)"),
        (APPEND, 50, "fmt::v9::detail::buffer<char>::append<char>(…)"),
        (APPEND, 40, "fmt::v9::detail::buffer<…>::append<…>(…)"),
        (VISIT, 60, "fmt::v7::visit_format_arg<…>(…)"),
        (UNNAMED, 50, "(anonymous namespace)::Log::append(…)"),
        ("std::ostream& a::operator<< <char>(std::ostream&, char)", 20, "a::operator<< <…>(…)"),
        ("bool a::operator()<int>(int, long, char) const", 26, "a::operator()<…>(…) const"),
        ("a::b::{lambda(int, char)#1}::operator()(int, char) const", 40, None),
        ("x" * 10_000, 40, None),
        ("f<" * 5_000, 40, None),
    ],
)
def test_a_name(name: str, longest: int, short: str | None) -> None:
    found = symbol(name, longest)
    assert len(found) <= longest
    if short is not None:
        assert found == short


def test_any_text_is_taken() -> None:
    chance = random.Random(1)
    for _ in range(2000):
        text = "".join(chance.choices("<>(){}->: operator,a\x1b\n\u202e", k=chance.randrange(300)))
        found = symbol(text, 60)
        assert len(found) <= 60
        assert not set(found) & set("\x1b\n\u202e")
