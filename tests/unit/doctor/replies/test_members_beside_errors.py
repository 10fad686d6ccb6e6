"""
The first two reasons for fields are said unless the message has the reason: from arrays called
errors, details, violations, invalid-params and the like, of objects that have a field and a reason,
or of texts by field. Three names to choose from (candidates, suggestions and the like) are said
unless the message has them. From when on a key is valid is said by all members such as validFrom, startsAt
or nbf that have a whole number or a digit, if the message says that the key is not valid yet. The
first three members that say where an account is (region, dataCenter, shardId, dc and the like, with
a digit) are said, unless the status is 401.
"""

from __future__ import annotations

import pytest

from support.doctor_errors import NOT_YET, Error, beside

FIELDS = [
    Error(
        "parameters of a problem",
        content={"invalid-params": [{"name": "name", "reason": "must be at most 64 characters"}]},
        says=["name: must be at most 64 characters"],
        status=422,
    ),
    Error(
        "an array for each field",
        content={"errors": {"file_url": ["must be HTTPS", "x"], "name": ["is long"]}},
        says=["file_url: must be HTTPS", "file_url: x"],
    ),
    Error(
        "the place of a field, in an array under detail, which is none for fields",
        content={"detail": [{"loc": ["body", "name"], "msg": "field required"}], "details": []},
    ),
    Error(
        "the place of a field as an array, under details",
        content={"error": {"details": [{"loc": ["body", "name"], "msg": "field required"}]}},
        says=["body.name: field required"],
    ),
    Error(
        "two of three fields",
        content={"violations": [{"field": name, "message": "is odd"} for name in ("a", "b", "c")]},
        says=["a: is odd", "b: is odd"],
    ),
    Error(
        "a field that the message names",
        content={"errors": [{"field": "a", "message": "is odd"}]},
        message="The field a is odd.",
    ),
    Error(
        "no field, no reason, no object, no array",
        content={"errors": [{"message": "m"}, {"field": "f"}, "text"], "fields": {"a": "b"}},
    ),
    Error(
        "two arrays",
        content={
            "errors": [{"field": "a", "message": "is odd"}],
            "details": [{"field": "b", "message": "is even"}],
        },
        says=["a: is odd", "b: is even"],
    ),
    Error(
        "two of three fields, of which the first says no reason",
        content={
            "errors": [
                {"field": "a"},
                {"field": "b", "message": "is odd"},
                {"field": "c", "message": "is even"},
            ]
        },
        says=["b: is odd", "c: is even"],
    ),
    Error("another name of an array", content={"items": [{"name": "a", "reason": "b"}]}),
]


@pytest.mark.parametrize("row", FIELDS, ids=[row.name for row in FIELDS])
def test_the_first_two_reasons_for_fields_are_said_unless_the_message_says_them(row: Error):
    assert beside(row) == [*row.says]


CHOICES = [
    Error("candidates", content={"candidates": ["a", "b"]}, says=["candidates: a, b"]),
    Error(
        "three of four suggestions of an error",
        content={"error": {"suggestions": ["a", "b", "c", "d"]}},
        says=["candidates: a, b, c"],
    ),
    Error("names in a message", content={"choices": ["a", "b"]}, message="candidates: a, b"),
    Error("no array, no strings, none", content={"choices": "a", "matches": [1], "candidate": []}),
    Error("another name", content={"lists": ["a", "b"]}),
]


@pytest.mark.parametrize("row", CHOICES, ids=[row.name for row in CHOICES])
def test_the_first_three_names_to_choose_from_are_said(row: Error):
    assert beside(row) == [*row.says]


BEGINNINGS = [
    *(
        Error(name, content={name: "2027-01-01"}, message=NOT_YET, says=[f"{name}: 2027-01-01"])
        for name in (
            "validFrom",
            "valid_after",
            "active_since",
            "enabledAt",
            "effectiveOn",
            "usableDate",
            "availableTime",
            "activation_date",
            "starts_at",
            "startTime",
            "key_valid_from",
            "tokenStartsOn",
            "notBefore",
            "nbf",
            "activates_at",
            "activatesOn",
            "becomesActiveAt",
            "becomes_valid_on",
        )
    ),
    Error("a number", content={"nbf": 1800000000}, message=NOT_YET, says=["nbf: 1800000000"]),
    Error("no time", content={"nbf": "soon", "validFrom": True, "startsAt": 1.5}, message=NOT_YET),
    Error(
        "another name",
        content={"validFromX": "1", "xnbf": "1", "valid": "1", "from": 1},
        message=NOT_YET,
    ),
    Error("another message", content={"nbf": 1}, message="No."),
    Error(
        "two, further down",
        content={"error": {"nbf": 1, "key": {"validFrom": "2"}}},
        message=NOT_YET,
        says=["nbf: 1", "validFrom: 2"],
    ),
]


@pytest.mark.parametrize("row", BEGINNINGS, ids=[row.name for row in BEGINNINGS])
def test_from_when_on_a_key_is_valid_is_said_if_the_message_says_that_it_is_not_yet(row: Error):
    assert beside(row) == [*row.says]


PLACES = [
    *(
        Error(name, content={name: "eu-03"}, says=[f"{name}: eu-03"])
        for name in (
            "dataCenter",
            "data_centre",
            "region",
            "home_region",
            "cluster",
            "cell",
            "shardId",
            "podCode",
            "stack_name",
            "siloNumber",
            "stamp",
            "accountShard",
            "dc",
            "dc_id",
            "home_dc",
            "correctDc",
            "rightDc",
            "targetDc",
            "expected_dc",
            "actual_dc",
            "workspaceDc",
            "account_dc",
            "tenantDc",
            "yourDc",
            "dcCode",
            "dcName",
            "dcNumber",
        )
    ),
    Error("a number of a place", content={"dc": 3}, says=["dc: 3"]),
    Error("a place without a number", content={"region": "west", "dc": True, "shard": 1.5}),
    Error("names that go on", content={"regional": "1", "dcs": "1"}),
    Error("a place, of a 401", content={"dc": 3}, status=401),
    Error("a place, of a 404", content={"dc": 3}, status=404, says=["dc: 3"]),
    Error(
        "four places",
        content={"dc": 1, "a": {"region": "2", "cell": 3}, "pod": 4},
        says=["dc: 1", "region: 2", "cell: 3"],
    ),
]


@pytest.mark.parametrize("row", PLACES, ids=[row.name for row in PLACES])
def test_the_first_three_places_of_an_account_are_said_unless_a_key_is_refused(row: Error):
    assert beside(row) == [*row.says]
