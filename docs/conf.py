"""How Sphinx builds these pages: ``tox run -e docs``, where every warning is an error."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.transforms.post_transforms import SphinxPostTransform

import wes_provider
from wes_provider.connection_form import FIELDS
from wes_provider.emulator.settings import Settings
from wes_provider.guards.segment_guard import Options
from wes_provider.storage.content import Rules

project = "airflow-provider-wes"
author = "the WES provider's authors"
release = version = wes_provider.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_copybutton"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_title = f"{project} {version}"
html_theme_options = {
    "source_repository": "https://github.com/airflow-provider-wes/airflow-provider-wes",
    "source_branch": "main",
    "source_directory": "docs/",
}
copybutton_exclude = ".linenos, .gp, .go"
html_show_copyright = False
html_show_sourcelink = False
toc_object_entries = False  # longer than the sidebar is wide

myst_heading_anchors = 3

# Beside each :param:, which a signature of twenty arguments would not show.
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
nitpick_ignore_regex = [
    ("py:class", r"wes_provider\.(emulator\.settings\.Keys|settings\.WesSettings)"),
    ("py:func", r"wes_provider\.models\.coupon_file_body"),
    ("py:.*", r"(?!wes_provider).*"),  # what others document
    ("py:.*", r"wes_provider\.(client|uploads|settings|emulator\.settings\.Keys).*"),  # internals
]


def parameters_of(cls: type) -> dict[str, inspect.Parameter]:
    """
    By name, those of the provider's base classes among them: operators pass them on as
    ``**kwargs``.
    """
    found: dict[str, inspect.Parameter] = {}
    for base in cls.__mro__:
        if base.__module__.startswith("wes_provider.") and "__init__" in vars(base):
            for name, parameter in inspect.signature(vars(base)["__init__"]).parameters.items():
                if parameter.kind is parameter.KEYWORD_ONLY:
                    found.setdefault(name, parameter)
    return found


def is_task(what: str, obj: Any) -> bool:
    """Whether it is an operator or the sensor."""
    return what == "class" and "wes_provider.operators.base" in {
        base.__module__ for base in obj.__mro__
    }


def fields_of(docstring: str) -> dict[str, str]:
    """The fields of a docstring, such as ``param name``, each with its text."""
    found = re.findall(r"^:((?:param|raises) \w+):(.*(?:\n +.*)*)", docstring, re.MULTILINE)
    return {field: f":{field}:{text}" for field, text in found}


def fields_of_task(
    _app: Any, what: str, _name: str, obj: Any, _options: Any, lines: list[str]
) -> None:
    """
    An operator's ``:param:`` and ``:raises:``, those of its base classes among them, and types
    beside them.
    """
    if not is_task(what, obj):
        return
    own = fields_of("\n".join(lines))
    fields = dict(own)
    for base in obj.__mro__[1:]:
        if base.__module__.startswith("wes_provider."):
            fields = {**fields_of(inspect.getdoc(base) or ""), **fields}
    types = {
        f"param {name}": f":type {name}: {p.annotation}" for name, p in parameters_of(obj).items()
    }
    body = "\n".join(lines)
    for text in own.values():
        body = body.replace(text + "\n", "")
    lines[:] = body.rstrip().splitlines()
    lines.append("")
    for field in [*types, *(field for field in fields if field not in types)]:
        lines += fields[field].splitlines() if field in fields else []
        lines += [types[field]] if field in types else []


def signature_of_task(
    _app: Any, what: str, _name: str, obj: Any, *_: Any
) -> tuple[str, None] | None:
    """The arguments of all classes of an operator; ``**kwargs`` are those of every Airflow task."""
    if not is_task(what, obj):
        return None
    arguments = [
        name if p.default is p.empty else f"{name}={p.default!r}"
        for name, p in parameters_of(obj).items()
    ]
    return f"(*, {', '.join(arguments)}, **kwargs)", None


class CommandHelp(Directive):
    """What a command of the package prints with ``--help``."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Run the command."""
        name, *arguments = self.arguments[0].split()
        command = [Path(sys.executable).with_name(name), *arguments, "--help"]
        environment = {**os.environ, "COLUMNS": "110"}
        # Written in our own pages
        text = subprocess.check_output(command, env=environment, text=True)  # noqa: S603
        return [nodes.literal_block(text, text, language="text")]


class ConnectionExtras(Directive):
    """The extras of a connection, as Airflow's form explains them."""

    def run(self) -> list[nodes.Node]:
        """Make a list of them."""
        found = nodes.definition_list()
        for name, field in FIELDS.items():
            term = nodes.term("", "", nodes.literal(name, name), nodes.Text(f" ({field['label']})"))
            meaning = nodes.definition("", nodes.paragraph("", field["description"]))
            found += nodes.definition_list_item("", term, meaning)
        return [found]


class ImageLinks(SphinxPostTransform):
    """Makes each picture a link to itself, since a narrow page shows it too small to read."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Wrap the images."""
        for image in list(self.document.findall(nodes.image)):
            link = nodes.reference(
                "", "", internal=True, refuri=f"_images/{Path(image['uri']).name}"
            )
            image.replace_self(link)
            link += image


def setup(app: Any) -> None:
    """Called by Sphinx."""
    # Without the limits of ``Annotated``, which are for validation.
    for cls in (Options, Rules, Settings):
        cls.__annotations__ = get_type_hints(cls)
    app.add_directive("command-help", CommandHelp)
    app.add_directive("connection-extras", ConnectionExtras)
    app.add_post_transform(ImageLinks)
    app.connect("autodoc-process-docstring", fields_of_task)
    app.connect("autodoc-process-signature", signature_of_task)
