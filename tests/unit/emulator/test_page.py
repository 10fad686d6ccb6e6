"""The emulator's page, as far as no browser is needed: ``tox run -e tour`` opens it in one."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import NamedTuple

import pytest

from unit.emulator.conftest import Caller, right_headers
from wes_provider.emulator.page_state import newest_requests
from wes_provider.emulator.request_log import shown
from wes_provider.emulator.rules import Request

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


@pytest.mark.parametrize("writes", ["innerHTML", "outerHTML", "insertAdjacentHTML", "write("])
def test_the_page_takes_no_text_as_html(writes: str):
    """Names of lists, files and snapshots are anybody's."""
    assert writes not in (files("wes_provider.emulator") / "page.js").read_text()


class Sent(NamedTuple):
    """
    Five requests, of which a log keeps some.

    :ivar kept: how many.
    :ivar since: the number of the last one that the page has.
    :ivar numbers: of those that the page gets.
    """

    kept: int
    since: int
    numbers: list[int]


SENT = {
    "all": Sent(9, 0, [1, 2, 3, 4, 5]),
    "the newest ones": Sent(9, 3, [4, 5]),
    "none": Sent(9, 5, []),
    "those that the log has": Sent(2, 0, [4, 5]),
    "of those that the log has, the newest": Sent(3, 4, [5]),
    "none, since the log keeps none": Sent(0, 0, []),
}


@pytest.mark.parametrize("row", SENT.values(), ids=SENT)
def test_a_request_on_the_page_has_the_number_that_shows_it(row: Sent):
    caller = Caller(request_log=row.kept)
    for number in range(1, 6):
        caller.service.respond(Request("GET", f"/{number}", right_headers(), b""))
    newest = newest_requests(caller.service, row.since)
    assert [request["number"] for request in newest] == row.numbers
    log = caller.service.state.log
    paths = [shown(log.numbered(number))["path"] for number in row.numbers]
    assert [request["about"] for request in newest] == paths
    assert paths == [f"/{number}" for number in row.numbers]
