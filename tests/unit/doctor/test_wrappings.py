"""What stands around JSON, so that it cannot be read as it is."""

from __future__ import annotations

import base64
import json
from typing import NamedTuple

import pytest

from wes_provider.doctor.wrappings import wrapping_of


class Wrapping(NamedTuple):
    """A body, and how JSON is wrapped in it; empty if it is not."""

    body: str
    says: str


LISTED = '{"a": [1, 2, 3]}'


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


WRAPPINGS = [
    Wrapping("", ""),
    Wrapping(LISTED, ""),
    Wrapping("no JSON", ""),
    *(
        Wrapping(f"{prefix}{space}{body}", f"after {prefix!r}")
        for prefix, space in (
            *((")]}'", "\n"), (")]}',", " "), (")]}", ""), (")]},", "")),
            *(("while(1);", ""), ("while (1);", ""), ("for(;;);", ""), ("for (;;);", "")),
            *(("throw 1;", " "), ("&&&START&&&", ""), ("{}&&", " ")),
        )
        for body in (LISTED, "[1]")
    ),
    Wrapping(f"/*{LISTED}*/", "after '/*'"),
    Wrapping(f"/* {LISTED}*/", "after '/*'"),
    Wrapping(f"/*{LISTED}", "after '/*'"),
    Wrapping(')]}\'\n"text"', ""),
    Wrapping(")]}'\n{no", ""),
    Wrapping(")]}'\n7", ""),
    Wrapping(f" )]}}'{LISTED}", ""),
    Wrapping(f"a({LISTED})", "in a call of a(), as JSONP"),
    Wrapping(f"/**/ my.$call_1 ( {LISTED} ) ;", "in a call of my.$call_1(), as JSONP"),
    Wrapping("_x([1\n]);", "in a call of _x(), as JSONP"),
    Wrapping("$x([]);", "in a call of $x(), as JSONP"),
    Wrapping("1x([]);", ""),
    Wrapping("x(7);", ""),
    Wrapping("x([]) y", ""),
    Wrapping("x([]);;", ""),
    Wrapping(json.dumps(LISTED), "as a string in JSON"),
    Wrapping(json.dumps("text"), ""),
    Wrapping(json.dumps("7"), ""),
    Wrapping('{"a": 1}\n[2]', "as one object in each line (JSON Lines)"),
    Wrapping('{"a": 1}\n7', "before other text"),
    Wrapping('{"a": 1}\n', ""),
    Wrapping(encoded(LISTED), "in base64"),
    Wrapping(encoded('["??>>??>>?"]').replace("+", "-").replace("/", "_"), "in base64"),
    Wrapping(encoded('{"a": "~~~???"}'), "in base64"),
    Wrapping(encoded('{"abcd": 12}'), "in base64"),
    Wrapping(encoded('{"abcde": 12}'), "in base64"),
    Wrapping(encoded('{"abcdef": 12}'), "in base64"),
    Wrapping(encoded("[1,2,3,4]"), ""),
    Wrapping(encoded("no JSON at all"), ""),
    Wrapping("a" * 17, ""),
    Wrapping(base64.b64encode(b"\xff" * 20).decode(), ""),
]


@pytest.mark.parametrize("row", WRAPPINGS, ids=[row.body for row in WRAPPINGS])
def test_how_json_is_wrapped(row: Wrapping):
    assert wrapping_of(row.body) == row.says
