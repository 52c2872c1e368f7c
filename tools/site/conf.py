"""How Sphinx makes the site; `tools/site_of_documents.py` lays its sources and runs it."""

from typing import Any

from sphinx.application import Sphinx

project = "Assay"
author = "the Assay authors"
project_copyright = "the Assay authors"
extensions = ["myst_parser"]
include_patterns = ["index.md", "*.md", "docs/**.md", "schema/README.md"]
myst_heading_anchors = 4  # links to headings as on the forges where the documents are read, too
myst_links_external_new_tab = False
html_theme = "furo"
html_title = "Assay"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False
html_show_sphinx = False
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "a11y-high-contrast-dark"
html_show_search_summary = False  # it fetches pages, which a browser refuses where they are files


def setup(app: Sphinx) -> None:
    """What axe finds in Sphinx's pages: captions without a level, what no key can scroll."""
    app.connect("html-page-context", _accessible, priority=900)  # after the theme's


def _accessible(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    tree, heading = "furo_navigation_tree", 'role="heading"'
    context[tree] = context.get(tree, "").replace(heading, f'{heading} aria-level="2"')
    body = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
    context["body"] = body.replace(
        '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'
    )
