"""The emulator's page, as far as no browser is needed: ``tox run -e tour`` opens it in one."""

from __future__ import annotations

import re
from importlib.resources import files

BROWSERS = {
    "Date",
    "EventSource",
    "Map",
    "Number",
    "String",
    "addEventListener",
    "confirm",
    "fetch",
    "getSelection",
    "prompt",
    "setInterval",
}
"""What the page calls of the browser's by a bare name."""

TEMPLATES = re.compile(r"`(?:\\.|[^`\\])*`")
INTERPOLATED = re.compile(r"\$\{([^}]*)\}")
STRINGS = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""")
DEFINITIONS = (
    re.compile(r"function\s+(\w+)"),
    re.compile(r"(?:const|let)\s+(\w+)\s*="),
    re.compile(r"\b(\w+)\s*=>"),
)
PARAMETERS = re.compile(r"function\s*\w*\s*\(([^()]*)\)|\(([^()]*)\)\s*=>")
# Not a method, whose name follows a dot; three dots spread what a function returns.
CALLS = re.compile(r"(?<!\w)(?<!(?<!\.\.)\.)([A-Za-z_]\w*)\s*\(")
STATEMENTS = {"async", "await", "catch", "for", "if", "return", "switch", "while"}


def interpolated(template: re.Match[str]) -> str:
    """The code of a template, without its text."""
    return "".join(f"({code})" for code in INTERPOLATED.findall(template[0]))


def test_the_page_calls_only_functions_by_name_that_there_are():
    script = (files("wes_provider.emulator") / "page.js").read_text()
    code = re.sub(r"(?m)//[^\n]*$", "", STRINGS.sub("''", TEMPLATES.sub(interpolated, script)))
    defined = {name for pattern in DEFINITIONS for name in pattern.findall(code)}
    for parameters in PARAMETERS.findall(code):
        defined |= set(re.findall(r"\w+", " ".join(parameters)))
    called = set(CALLS.findall(code)) - STATEMENTS
    assert called - defined == BROWSERS
