"""
A value is a mask if it is a word for hidden in brackets or signs, alone in capitals, or has several
signs that stand for characters: asterisks, dots, blocks, four capital X or number signs. Headers
about masking are those whose name or value has such a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_findings import ids, listed
from wes_provider.doctor.replies.masks import headers_about_masking, is_mask

MASKS = [
    "[REDACTED]",
    "<masked>",
    "{hidden}",
    "*** removed ***",
    "[REDACTED:PAN]",
    "[redacted by policy 7]",
    "##filtered##",
    "REDACTED",
    "****************",
    "************1051",
    "5105********1051",
    "\u2022\u2022\u2022\u2022 1051",
    "\u2588\u2588\u2588",
    "XXXXXXXX1051",
    "#### 1051",
    " [REDACTED] ",
]


@pytest.mark.parametrize("value", MASKS)
def test_a_value_that_something_hides_is_a_mask(value: str):
    assert is_mask(value)


NO_MASKS = [
    "",
    "f1",
    "510500000000001051",
    "[summer]",
    "<none>",
    "masked-ball.csv",
    "hidden",
    "redacted",
    "** summer **",
    "XXL shirts",
    "xxxx",
    "a.b.c",
    "unmasked]",
]


@pytest.mark.parametrize("value", NO_MASKS)
def test_any_other_value_is_none(value: str):
    assert not is_mask(value)


class Spoken(NamedTuple):
    """Headers of a reply, and which of them are about masking."""

    name: str
    headers: Mapping[str, str]
    about: list[str]


HEADERS = [
    Spoken("none", {"Server": "nginx"}, []),
    Spoken("by its name", {"x-dlp-action": "on"}, ["x-dlp-action: on"]),
    Spoken("by its value", {"x-policy": "fields masked"}, ["x-policy: fields masked"]),
    Spoken(
        "two",
        {"x-redacted": "2", "x-policy": "anonymized"},
        ["x-redacted: 2", "x-policy: anonymized"],
    ),
    Spoken("those that are quoted anyway", {"via": "1.1 dlp", "warning": "214 - masked"}, []),
]


@pytest.mark.parametrize("row", HEADERS, ids=ids(HEADERS))
def test_headers_that_speak_of_masking(row: Spoken):
    assert headers_about_masking(listed(200, [], headers=row.headers)) == row.about
