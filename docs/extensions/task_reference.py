"""The reference of operators and the sensor, base classes included."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any, Final

from sphinx.util import logging

RESTS_ON: Final = re.compile(
    r"^Contract: sections? .*| \(contract sections? [^)]*\)"
)
"""How a docstring names the sections of the contract that it rests on."""

SECTION: Final = re.compile(r"^#+ (\d[\d.]* .+)$", re.MULTILINE)
"""A numbered heading of the contract."""

_logger = logging.getLogger(__name__)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", fields_of_task)
    app.connect("autodoc-process-docstring", link_to_contract)
    app.connect("autodoc-process-signature", signature_of_task)


def parameters_of(cls: type) -> dict[str, inspect.Parameter]:
    """
    By name, required ones first.

    Operators pass arguments on to the provider's base classes as
    ``**kwargs``, so those of the bases are among them.
    """
    found: dict[str, inspect.Parameter] = {}
    for base in cls.__mro__:
        ours = base.__module__.startswith("wes_provider.")
        if ours and "__init__" in vars(base):
            signature = inspect.signature(vars(base)["__init__"])
            for name, parameter in signature.parameters.items():
                if parameter.kind is parameter.KEYWORD_ONLY:
                    found.setdefault(name, parameter)
    required_first = sorted(
        found.items(), key=lambda item: item[1].default is not item[1].empty
    )
    return dict(required_first)


def is_task(what: str, obj: Any) -> bool:
    """Whether it is an operator or the sensor."""
    if what != "class":
        return False
    modules = {base.__module__ for base in obj.__mro__}
    return "wes_provider.operators.base" in modules


def fields_of(docstring: str) -> dict[str, str]:
    """The fields of a docstring, such as ``param name``, with its text."""
    found = re.findall(
        r"^:((?:param|raises) \w+):(.*(?:\n +.*)*)", docstring, re.MULTILINE
    )
    return {field: f":{field}:{text}" for field, text in found}


def fields_of_task(
    _app: Any,
    what: str,
    _name: str,
    obj: Any,
    _options: Any,
    lines: list[str],
) -> None:
    """
    An operator's ``:param:`` and ``:raises:``, with types beside them.

    Those of its base classes are among them. The docstring's summary is
    not, since the page begins with it.
    """
    if not is_task(what, obj):
        return
    own = fields_of("\n".join(lines))
    fields = dict(own)
    for base in obj.__mro__[1:]:
        if base.__module__.startswith("wes_provider."):
            fields = {**fields_of(inspect.getdoc(base) or ""), **fields}
    types = {
        f"param {name}": f":type {name}: {parameter.annotation}"
        for name, parameter in parameters_of(obj).items()
    }
    _summary, _, body = "\n".join(lines).partition("\n\n")
    for text in own.values():
        body = body.replace(text + "\n", "")
    lines[:] = body.rstrip().splitlines()
    lines.append("")
    others = (field for field in fields if field not in types)
    for field in [*types, *others]:
        if field in fields:
            lines += fields[field].splitlines()
        if field in types:
            lines.append(types[field])


def link_to_contract(
    app: Any, _what: str, name: str, *arguments: Any
) -> None:
    """
    Make a field of a docstring's ``Contract: section 8``, with links.

    The same of ``(contract section 8)`` within a sentence. It is the last
    field, below arguments and exceptions.
    """
    *_, lines = arguments
    for number, line in enumerate(lines):
        if found := RESTS_ON.search(line):
            lines[number] = line.replace(found[0], "")
            links = links_to_sections(Path(app.srcdir), found[0])
            if not links:
                _logger.warning("%s: no section is named: %s", name, line)
            lines += ["", f":Contract: {', '.join(links)}", ""]
            return


def links_to_sections(pages: Path, line: str) -> list[str]:
    """Return a link to each section of the contract that a line names."""
    page = (pages / "contract.md").read_text(encoding="utf-8")
    headings = {
        heading.split(" ")[0].rstrip("."): heading
        for heading in SECTION.findall(page)
    }
    named = [
        headings[number] for number in re.findall(r"\d+(?:\.\d+)?", line)
    ]
    return [
        f"`{heading} <contract.html#{_anchor(heading)}>`__"
        for heading in named
    ]


def _anchor(heading: str) -> str:
    """Return a heading's anchor, as MyST makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def signature_of_task(
    _app: Any, what: str, _name: str, obj: Any, *_: Any
) -> tuple[str, None] | None:
    """
    The arguments of all classes of an operator, required ones first.

    ``**kwargs`` are those of every Airflow task.
    """
    if not is_task(what, obj):
        return None
    arguments = []
    for name, parameter in parameters_of(obj).items():
        if parameter.default is parameter.empty:
            arguments.append(name)
        else:
            arguments.append(f"{name}={parameter.default!r}")
    return f"(*, {', '.join(arguments)}, **kwargs)", None
