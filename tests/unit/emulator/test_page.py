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

STRINGS = re.compile(r"""`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""")
DEFINITIONS = (
    re.compile(r"function\s+(\w+)"),
    re.compile(r"(?:const|let)\s+(\w+)\s*="),
    re.compile(r"\b(\w+)\s*=>"),
)
PARAMETERS = re.compile(r"\(([^()]*)\)\s*(?:=>|\{)")
CALLS = re.compile(r"(?<![.\w])([A-Za-z_]\w*)\(")
STATEMENTS = {"catch", "for", "if", "switch", "while"}


def test_the_page_calls_only_functions_that_there_are():
    script = (files("wes_provider.emulator") / "page.js").read_text()
    code = STRINGS.sub("''", re.sub(r"//[^\n]*", "", script))
    defined = {name for pattern in DEFINITIONS for name in pattern.findall(code)}
    for parameters in PARAMETERS.findall(code):
        defined |= set(re.findall(r"\w+", parameters))
    called = set(CALLS.findall(code)) - STATEMENTS
    assert called - defined == BROWSERS
