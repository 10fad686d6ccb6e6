"""
How Sphinx builds these pages: ``tox run -e docs``.

Every warning is an error. What is ours is in the folder ``extensions``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_type_hints

import wes_provider
from wes_provider.emulator.settings import Settings
from wes_provider.guards.segment_guard import Options
from wes_provider.storage.content import Rules

sys.path.insert(0, str(Path(__file__).with_name("extensions")))

project = "airflow-provider-wes"
author = "the WES provider's authors"
release = version = wes_provider.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "accessible",
    "code_lines",
    "descriptions",
    "diagrams",
    "generated",
    "narrow_pages",
    "sidebar",
    "task_reference",
    "typed_search",
]
exclude_patterns = ["_build"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_js_files = [
    ("search-as-you-type.js", {"defer": "defer"}),
]
templates_path = ["_templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/links.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_favicon = "_static/favicon.svg"
html_logo = "_static/favicon.svg"
html_title = f"{project} {version}"
html_theme_options = {
    "source_repository": "https://github.com/airflow-provider-wes/airflow-provider-wes",
    "source_branch": "main",
    "source_directory": "docs/",
}
copybutton_exclude = ".linenos, .gp, .go"
# What a command prints is not to be copied.
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"
html_show_copyright = False
html_show_sourcelink = False
toc_object_entries = False  # longer than the sidebar is wide

myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 3

# Beside each :param:, which a signature of twenty arguments would not show.
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 76
nitpick_ignore_regex = [
    (
        "py:class",
        r"wes_provider\.(emulator\.settings\.Keys|settings\.WesSettings)",
    ),
    ("py:func", r"wes_provider\.models\.coupon_file_body"),
    # What others document, and internals.
    ("py:.*", r"(?!wes_provider).*"),
    (
        "py:.*",
        r"wes_provider\.(client|uploads|settings|emulator\.settings\.Keys).*",
    ),
]


def setup(_app: Any) -> None:
    """Called by Sphinx."""
    # Without the limits of ``Annotated``, which are for validation.
    for cls in (Options, Rules, Settings):
        cls.__annotations__ = get_type_hints(cls)
