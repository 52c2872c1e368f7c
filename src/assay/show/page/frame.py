"""What all pages share: each is one file made from a template, and loads nothing from elsewhere.

    rendered("report.html", ("report.css",), ("theme", "main"), headline="...") -> bytes

Its Content-Security-Policy names the scripts and styles that may run by their hashes.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from assay.show.page.vega import script_hash
from assay.show.words.palette import DARK, LIGHT, css_variables


class PageNavigation(msgspec.Struct, frozen=True):
    """Links from a page to the main pages of a site; a page that stands alone has none."""

    rooms: Mapping[str, str]  # file -> title, for each main page
    here: str  # file of the main page to which this page belongs
    root: str = "../"  # relative path to the folder of all pages
    # File with the script that draws charts; empty: the script is in the page itself.
    runtime: str = ""


def rendered(
    template: str,
    styles: tuple[str, ...],
    scripts: tuple[str, ...],
    *also_allowed: str,
    form_action: str = "'none'",
    connect: str = "",
    **content: Any,
) -> bytes:
    """The page. Its scripts may fetch from `connect`; it may run scripts of hash `also_allowed`."""
    asking = f"connect-src {connect}; " if connect else ""
    style, script = _style(styles), _script(scripts)
    html: str = _template(template).render(
        policy=f"default-src 'none'; script-src {' '.join((script_hash(script), *also_allowed))}; "
        f"style-src {script_hash(style)}; {asking}base-uri 'none'; "
        f"form-action {form_action}",
        style=style,
        script=script,
        **content,
    )
    return html.encode("utf-8", "backslashreplace")


@cache
def _template(name: str) -> Any:
    """A template; everything that is put into it is escaped."""
    import jinja2

    return jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(_read),
    ).get_template(name)


@cache
def _style(names: tuple[str, ...]) -> str:
    return _themes() + "".join(map(_read, names))


def _themes() -> str:
    """The colours of the light and the dark theme as CSS variables; paper
    always has the light ones.
    """
    dark = css_variables(DARK)
    return (
        f":root{{color-scheme:light;{css_variables(LIGHT)}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
        "@media screen and (prefers-color-scheme:dark){"
        f":root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
    )


@cache
def _script(names: tuple[str, ...]) -> str:
    """The page's scripts wrapped in one function, so that their names do not become global."""
    parts = "\n".join(_read(f"js/{name}.js") for name in names)
    return f'(() => {{\n"use strict";\n{parts}\n}})();'


def _read(name: str) -> str:
    """The text of a file in the folder `templates`."""
    return files("assay.show.page").joinpath("templates", name).read_text(encoding="utf-8")
