"""
What tells two successes of one read apart is what one has and the other has not, of the same
records (the same identifier and status): at most three properties are named, with "which the
provider cannot read" if that holds for one.

A record that has ended may have no other property, neither more nor less; one on its way may get or
lose some, and has another shape only if it gets some in place of others. A property that is a
number in one and a string in the other differs, too; other values, null and booleans do not. Lists
differ if the same records stand in another place, or if the provider can read one and not the
other. They do not differ if one has more files, other statuses, or no file (null, no body, an empty
array). One file is compared likewise; replies about segments are not. Each is told from the first,
and the first from the next other one. Errors differ by the form of their bodies only (JSON, text).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import FILE_READ, LIST_READ, SEGMENT_READ, error_body, probe
from wes_provider.client.requests import Request
from wes_provider.doctor.reads.shapes import labels_of_shapes
from wes_provider.doctor.replies.probes import Probe

F1 = {"_id": "f1", "status": "DONE"}
ON_ITS_WAY = {"_id": "f1", "status": "PENDING"}
ENDED = {"_id": "f9", "status": "SUCCESS"}
UNREADABLE = ", which the provider cannot read"


class Bodies(NamedTuple):
    """Bodies of replies to one request, and what tells them apart."""

    name: str
    bodies: Sequence[Any]
    labels: Sequence[str] = ()
    request: Request = LIST_READ


PROPERTIES = [
    Bodies(
        "another property",
        [[{**F1, "status": "SUCCESS"}], [{**F1, "status": "SUCCESS", "n": 1}]],
        ["1 object without n", "1 object with n"],
    ),
    Bodies(
        "a property less of a failure",
        [[{"_id": "f1", "status": "FAILED", "n": 1}], [{"_id": "f1", "status": "FAILED"}]],
        ["1 object with n", "1 object without n"],
    ),
    Bodies(
        "another property in place of one on its way",
        [[{**ON_ITS_WAY, "a": 1}], [{**ON_ITS_WAY, "b": 1}]],
        ["1 object with a", "1 object with b"],
    ),
    Bodies(
        "another kind",
        [[{**ON_ITS_WAY, "n": 1}], [{**ON_ITS_WAY, "n": "1"}]],
        ["1 object with n as a number", "1 object with n as a string"],
    ),
    Bodies(
        "a float in place of a string",
        [[{**ON_ITS_WAY, "n": 1.5}], [{**ON_ITS_WAY, "n": "1"}]],
        ["1 object with n as a number", "1 object with n as a string"],
    ),
    Bodies(
        "two others with a property each",
        [[ENDED], [{**ENDED, "a": 1}], [{**ENDED, "b": 1}]],
        ["1 object without a", "1 object with a", "1 object with b"],
    ),
    Bodies(
        "two files, of which one lacks what it has later",
        [[{**F1, "n": 1}, ENDED], [{**F1, "n": 1}, {**ENDED, "n": 1}]],
        ["2 objects without n", "2 objects with n"],
    ),
    Bodies(
        "four properties",
        [[{**ON_ITS_WAY, "a": 1, "b": 1, "c": 1, "d": 1}], [{**ON_ITS_WAY, "e": 1}]],
        ["1 object with a, b and c", "1 object with e"],
    ),
    Bodies(
        "two properties",
        [[{**ON_ITS_WAY, "a": 1, "b": 1}], [{**ON_ITS_WAY, "e": 1}]],
        ["1 object with a and b", "1 object with e"],
    ),
    Bodies(
        "four properties less",
        [
            [{"_id": "f", "status": "SUCCESS", "a": 1, "b": 1, "c": 1, "d": 1}],
            [{"_id": "f", "status": "SUCCESS"}],
        ],
        ["1 object with a, b and c", "1 object without a, b and c"],
    ),
    Bodies(
        "unreadable, with one property more",
        [[{"id": "f1"}], [{"id": "f1", "n": 1}]],
        [f"1 object without n{UNREADABLE}", f"1 object with n{UNREADABLE}"],
    ),
    Bodies(
        "two files, of which one differs",
        [
            [{"_id": "f0", "status": "SUCCESS", "x": 1}, {"_id": "f1", "status": "SUCCESS"}],
            [
                {"_id": "f0", "status": "SUCCESS", "x": 1},
                {"_id": "f1", "status": "SUCCESS", "n": 1},
            ],
        ],
        ["2 objects without n", "2 objects with n"],
    ),
]


@pytest.mark.parametrize("row", PROPERTIES, ids=[row.name for row in PROPERTIES])
def test_successes_whose_same_records_have_other_properties_or_kinds_are_told_apart(row: Bodies):
    """A file on its way may get properties, and no others in place of its own."""
    answers = [probe(200, body, request=row.request) for body in row.bodies]
    assert labels_of_shapes(answers) == list(row.labels)


READABLE = [
    Bodies(
        "what the provider reads is named first",
        [[{"a": 1, "b": 1, "status": "DONE", "_id": "f1"}], [{"id": "f1"}]],
        ["1 object with _id, status and a", f"1 object with id{UNREADABLE}"],
    ),
    Bodies(
        "another identifier",
        [[{"n": 1, **ON_ITS_WAY}], [{"n": 1, "id": "f1", "state": "PENDING"}]],
        ["1 object with _id and status", f"1 object with id and state{UNREADABLE}"],
    ),
    Bodies(
        "a list, and no list",
        [[F1], {"x": 1}],
        [
            "1 object with _id and status",
            f"an object without an array without _id and status{UNREADABLE}",
        ],
    ),
    Bodies(
        "no body and no list",
        [None, {"x": 1}],
        ["without a body", f"an object without an array{UNREADABLE}"],
    ),
    Bodies(
        "a null and no list",
        ["null", {"x": 1}],
        ["with null", f"an object without an array{UNREADABLE}"],
    ),
    Bodies(
        "an odd status",
        [[{"_id": "f1", "status": "x"}], [{"_id": "f1", "status": 7}]],
        ["1 object with status as a string", f"1 object with status as a number{UNREADABLE}"],
    ),
]


@pytest.mark.parametrize("row", READABLE, ids=[row.name for row in READABLE])
def test_successes_are_told_apart_if_the_provider_can_read_one_and_not_the_other(row: Bodies):
    answers = [probe(200, body, request=row.request) for body in row.bodies]
    assert labels_of_shapes(answers) == list(row.labels)


PLACES = [
    Bodies(
        "under a property",
        [[F1], {"data": [F1]}],
        ["1 object", "1 object under data"],
    ),
    Bodies(
        "the third as the first",
        [[F1], {"data": [F1]}, [F1]],
        ["1 object", "1 object under data", "1 object"],
    ),
    Bodies(
        "two others",
        [[F1], {"data": [F1]}, {"files": [F1]}],
        ["1 object", "1 object under data", f"1 object under files{UNREADABLE}"],
    ),
]


@pytest.mark.parametrize("row", PLACES, ids=[row.name for row in PLACES])
def test_lists_with_the_same_records_in_another_place_are_told_apart(row: Bodies):
    answers = [probe(200, body, request=row.request) for body in row.bodies]
    assert labels_of_shapes(answers) == list(row.labels)


ONE_FILE = [
    Bodies(
        "one file, with another property",
        [{"_id": "f1", "status": "SUCCESS"}, {"_id": "f1", "status": "SUCCESS", "n": 1}],
        ["an object without n", "an object with n"],
        FILE_READ,
    ),
    Bodies(
        "one file, and no file",
        [F1, {"id": "f1", "status": "DONE"}],
        ["an object with _id", f"an object with id{UNREADABLE}"],
        FILE_READ,
    ),
    Bodies(
        "one file, and an array",
        [F1, [1]],
        ["an object with _id and status", f"an object without _id and status{UNREADABLE}"],
        FILE_READ,
    ),
]


@pytest.mark.parametrize("row", ONE_FILE, ids=[row.name for row in ONE_FILE])
def test_successes_of_the_path_of_one_file_are_told_apart_likewise(row: Bodies):
    answers = [probe(200, body, request=row.request) for body in row.bodies]
    assert labels_of_shapes(answers) == list(row.labels)


GOING_ON = [
    Bodies("more files", [[F1], [F1, {"_id": "f2", "status": "SUCCESS", "n": 1}]]),
    Bodies("another status", [[ON_ITS_WAY], [{**F1, "n": 1}]]),
    Bodies("a property more on its way", [[ON_ITS_WAY], [{**ON_ITS_WAY, "n": 1}]]),
    Bodies("a property less on its way", [[{**ON_ITS_WAY, "n": 1}], [ON_ITS_WAY]]),
]


@pytest.mark.parametrize("row", GOING_ON, ids=[row.name for row in GOING_ON])
def test_a_list_may_get_files_and_a_file_on_its_way_a_status_or_properties(row: Bodies):
    answers = [probe(200, body, request=row.request) for body in row.bodies]
    assert labels_of_shapes(answers) == []


VALUES = [
    Bodies("other values", [[{**F1, "n": 1}], [{**F1, "n": 2}]]),
    Bodies("a float", [[{**ON_ITS_WAY, "n": 1}], [{**ON_ITS_WAY, "n": 1.5}]]),
    Bodies("no number or string", [[{**ON_ITS_WAY, "n": 1}], [{**ON_ITS_WAY, "n": None}]]),
    Bodies("null in place of a number", [[{**ENDED, "n": 1}], [{**ENDED, "n": None}]]),
    Bodies("a number in place of null", [[{**ENDED, "n": None}], [{**ENDED, "n": 1}]]),
    Bodies("a boolean", [[{**ON_ITS_WAY, "n": "1"}], [{**ON_ITS_WAY, "n": True}]]),
    Bodies("null, and then a string", [[{**ON_ITS_WAY, "n": None}], [{**ON_ITS_WAY, "n": "1"}]]),
]


@pytest.mark.parametrize("row", VALUES, ids=[row.name for row in VALUES])
def test_other_values_are_not_told_apart_unless_one_is_a_number_and_one_a_string(row: Bodies):
    answers = [probe(200, body, request=row.request) for body in row.bodies]
    assert labels_of_shapes(answers) == []


EMPTY = [
    Bodies("under a property, without a file", [[F1], {"data": []}]),
    Bodies("no file, under a property", [{"data": []}, [F1]]),
    Bodies("a null", [[F1], "null"]),
    Bodies("no body", [[F1], None]),
    Bodies("an empty list", [[], [F1]]),
]


@pytest.mark.parametrize("row", EMPTY, ids=[row.name for row in EMPTY])
def test_a_list_without_files_is_not_told_apart_from_one_with_files(row: Bodies):
    answers = [probe(200, body, request=row.request) for body in row.bodies]
    assert labels_of_shapes(answers) == []


ALIKE = [
    Bodies("one", [[F1]]),
    Bodies("the same", [[F1], [F1]]),
    Bodies("unreadable alike", [[{"id": "f1"}], [{"id": "f2"}]]),
    Bodies("no list twice", [{"x": 1}, {"y": 1}]),
    Bodies("one file", [F1, F1], request=FILE_READ),
    Bodies("one file, below data", [F1, {"data": F1}], request=FILE_READ),
    Bodies("a segment", [{"a": 1}, {"b": 1}], request=SEGMENT_READ),
    Bodies("a segment as a text", [{"a": 1}, None], request=SEGMENT_READ),
]


@pytest.mark.parametrize("row", ALIKE, ids=[row.name for row in ALIKE])
def test_successes_of_one_shape_and_replies_about_segments_are_not_told_apart(row: Bodies):
    answers = [probe(200, body, request=row.request) for body in row.bodies]
    assert labels_of_shapes(answers) == []


class Forms(NamedTuple):
    """Errors, and what tells their forms apart."""

    name: str
    answers: Sequence[Probe]
    labels: Sequence[str] = ()


FORMS = [
    Forms("alike", [probe(404, error_body("x", "a")), probe(404, error_body("x", "b"))]),
    Forms(
        "JSON and a text",
        [probe(404, {}), probe(404, "not here")],
        ["404 as JSON", "404 as text"],
    ),
]


@pytest.mark.parametrize("row", FORMS, ids=[row.name for row in FORMS])
def test_errors_are_told_apart_by_the_form_of_their_bodies(row: Forms):
    assert labels_of_shapes(row.answers) == list(row.labels)
