"""
Options ask for three changes: an upload into a list, the creation of a catalog and the update of a
segment. Each is announced in words, without the query of a URL, and sends a body of its own; the
update sends ``updated_by`` alone. Without these options, nothing is sent. Options that cannot be
sent are refused before anything is: an upload without a list, an identifier that is empty, and one
with control characters. A change that was not sent is *not shown* if the user stopped it, and *Not
proved* if something else kept it from being sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_changes import (
    NAME,
    OPTIONS,
    SETTINGS,
    WRITES,
)
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.options import Options
from wes_provider.doctor.writes.write import not_sent, writes_of
from wes_provider.exceptions import WesConfigurationError


class Planned(NamedTuple):
    """A change as it is announced and sent."""

    topic: Topic
    text: str
    path: str
    body: Mapping[str, Any]


PLANNED = [
    Planned(
        Topic.UPLOAD,
        "Upload https://files.example.com/a.csv to the list spring",
        "POST https://api.example.com/v1/coupon-list/spring/files",
        {
            "file_url": "https://files.example.com/a.csv?sig=hunter2",
            "name": NAME,
        },
    ),
    Planned(
        Topic.CATALOG,
        "Create the catalog shop",
        "POST https://api.example.com/v1/catalog",
        {
            "name": "shop",
            "price_currency": "EUR",
            "attributes": [
                {"name": "id", "type": "string"},
                {"name": "title", "type": "string"},
            ],
        },
    ),
    Planned(
        Topic.SEGMENT,
        "Update the segment vip: its updated_by becomes wes-doctor@example.com",
        "PATCH https://api.example.com/v3/custom-segments/vip",
        {"updated_by": "wes-doctor@example.com"},
    ),
]


@pytest.mark.parametrize("row", PLANNED, ids=[row.topic.stable_name for row in PLANNED])
def test_each_change_is_announced_in_words_and_sends_a_body_of_its_own(row: Planned):
    options = replace(OPTIONS)
    object.__setattr__(options, "file_name", NAME)
    write = {write.topic: write for write in writes_of(options)}[row.topic]
    request = write.request(SETTINGS)

    assert write.text == row.text
    assert f"{request.method} {request.url}" == row.path
    assert json.loads(request.body or b"") == row.body


class Wrong(NamedTuple):
    """Options that cannot be sent, and the error."""

    name: str
    options: Options
    error: str


WRONG = [
    Wrong(
        "no list",
        Options(file_url="https://files.example.com/a.csv"),
        "--upload needs --coupon-list: the list that the file goes into",
    ),
    Wrong(
        "an empty list",
        Options(coupon_list_id=" "),
        "--coupon-list is empty",
    ),
    Wrong(
        "an empty segment",
        Options(segment_id=""),
        "--segment is empty",
    ),
    Wrong(
        "control characters",
        Options(segment_id="v\x07p"),
        "--segment holds U+0007, BELL 'v p'",
    ),
    Wrong(
        "a character that cannot be seen",
        Options(segment_id="v\ue000p"),
        "--segment holds U+E000, a control character 'v p'",
    ),
]


@pytest.mark.parametrize("row", WRONG, ids=[row.name for row in WRONG])
def test_options_that_cannot_be_sent_are_refused_before_anything_is(row: Wrong):
    with pytest.raises(WesConfigurationError) as error:
        writes_of(row.options)
    assert str(error.value).splitlines()[0] == row.error


def test_without_changes_nothing_is_sent():
    assert writes_of(Options(coupon_list_id="spring")) == []


def test_a_change_that_the_user_stopped_was_not_asked():
    finding = not_sent(WRITES[Topic.UPLOAD], "you stopped it", stopped=True)
    assert (finding.topic, finding.certainty) == (Topic.UPLOAD, Certainty.NOT_SHOWN)
    assert finding.text == "Not sent: you stopped it."


def test_a_change_that_something_kept_from_being_sent_is_not_proved():
    finding = not_sent(WRITES[Topic.SEGMENT], "nothing shows the service", stopped=False)
    assert (finding.topic, finding.certainty) == (Topic.SEGMENT, Certainty.NOT_PROVED)
    assert finding.text == "Not sent: nothing shows the service."
