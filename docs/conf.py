"""How Sphinx builds these pages: ``tox run -e docs``, where every warning is an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import wes_provider

project = "airflow-provider-wes"
author = "the WES provider's authors"
release = version = wes_provider.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {
    "description": wes_provider.get_provider_info()["description"],
    "page_width": "1280px",
    "body_max_width": "none",  # tables and code are wide
    "font_family": "system-ui, sans-serif",
    "head_font_family": "system-ui, sans-serif",
    "font_size": "16px",
    "code_font_size": "0.85em",
}
html_show_copyright = False
html_show_sourcelink = False
toc_object_entries = False  # longer than the sidebar is wide

myst_heading_anchors = 3

autodoc_typehints = "description"  # beside each :param:, which a signature of twenty arguments would not show
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
nitpick_ignore_regex = [
    ("py:.*", r"(?!wes_provider).*"),  # what others document
    ("py:.*", r"wes_provider\.(client|uploads)\..*"),  # internals, whose source is linked
]


def readme_as_first_page(_app: Any, path: Path, _parent: str, content: list[str]) -> None:
    """The README's links lead from the repository's root, this page's from here."""
    if path.name == "README.md":
        text = content[0].replace("](docs/", "](")
        for outside in ("example_dags", "LICENSE"):
            text = text.replace(f"[{outside}]({outside})", f"`{outside}`").replace(f"]({outside})", "](#license)")
        content[0] = text


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("include-read", readme_as_first_page)
