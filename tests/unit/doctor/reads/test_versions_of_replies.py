"""
Which version or node replied is said by headers that differ between two answers: named after a
version (version, release, build, revision, commit, deployed), how far it is behind (lag, stale,
as-of), the language (Content-Language) or a node (served-by, node, instance, backend, pod), as a word of the name: not tripod or
podcast. A header counts if it has one value for each answer, and another one for each; an answer
without it has "none". Two are said at most, those of a version first, each with 40 characters at
most and without secrets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from support.doctor_reads import probe
from wes_provider.doctor.reads.shapes import versions_of


class Versions(NamedTuple):
    """The headers of answers, their labels, and the version of each."""

    name: str
    headers: Sequence[Mapping[str, str]]
    versions: Mapping[str, str]
    labels: Sequence[str] = ("a", "b")


NAMES = [
    *(
        Versions(name, [{name: "1"}, {name: "2"}], {"a": f"{said}: 1", "b": f"{said}: 2"})
        for name, said in (
            ("x-app-version", "X-App-Version"),
            ("x-release", "X-Release"),
            ("build", "Build"),
            ("x-revision-id", "X-Revision-Id"),
            ("commit", "Commit"),
            ("x-deployed", "X-Deployed"),
            ("x-served-by", "X-Served-By"),
            ("x-replica-lag", "X-Replica-Lag"),
            ("stale", "Stale"),
            ("data-as-of", "Data-As-Of"),
            ("content-language", "Content-Language"),
            ("node", "Node"),
            ("x-instance", "X-Instance"),
            ("x-backend", "X-Backend"),
            ("x-pod", "X-Pod"),
        )
    ),
]


@pytest.mark.parametrize("row", NAMES, ids=[row.name for row in NAMES])
def test_a_header_named_after_a_version_or_a_node_says_which_replied_if_it_differs(row: Versions):
    answers = [probe(200, [], headers=headers) for headers in row.headers]
    assert versions_of(answers, row.labels) == row.versions


NO_NAMES = [
    Versions("no header", [{}, {}], {}),
    Versions("the same", [{"x-version": "1"}, {"x-version": "1"}], {}),
    Versions("another header", [{"date": "1"}, {"date": "2"}], {}),
    Versions("a tripod", [{"tripod": "1"}, {"tripod": "2"}], {}),
    Versions("a podcast", [{"x-podcast": "1"}, {"x-podcast": "2"}], {}),
]


@pytest.mark.parametrize("row", NO_NAMES, ids=[row.name for row in NO_NAMES])
def test_no_version_is_said_without_such_a_header_that_differs(row: Versions):
    answers = [probe(200, [], headers=headers) for headers in row.headers]
    assert versions_of(answers, row.labels) == row.versions


SAID = [
    Versions("in one", [{"build": "1"}, {}], {"a": "Build: 1", "b": "Build: none"}),
    Versions("in the other", [{}, {"build": " 1 "}], {"a": "Build: none", "b": "Build: 1"}),
    Versions(
        "versions before nodes",
        [{"node": "n", "build": "1"}, {"node": "m", "build": "2"}],
        {"a": "Build: 1, Node: n", "b": "Build: 2, Node: m"},
    ),
    Versions(
        "three headers",
        [{"build": "1", "release": "3", "node": "n"}, {"build": "2", "release": "4", "node": "m"}],
        {"a": "Build: 1, Release: 3", "b": "Build: 2, Release: 4"},
    ),
    Versions(
        "a long one", [{"build": "1" * 41}, {}], {"a": f"Build: {'1' * 39}…", "b": "Build: none"}
    ),
    Versions(
        "as long as it may be",
        [{"build": "1" * 40}, {}],
        {"a": f"Build: {'1' * 40}", "b": "Build: none"},
    ),
]


@pytest.mark.parametrize("row", SAID, ids=[row.name for row in SAID])
def test_of_headers_that_differ_two_are_said_with_40_characters_each_at_most(row: Versions):
    """Those of a version come first, and an answer without the header has none."""
    answers = [probe(200, [], headers=headers) for headers in row.headers]
    assert versions_of(answers, row.labels) == row.versions


LABELS = [
    Versions(
        "two of one label",
        [{"build": "1"}, {"build": "2"}, {"build": "1"}],
        {"a": "Build: 1", "b": "Build: 2"},
        ("a", "b", "a"),
    ),
    Versions(
        "a label with two values",
        [{"build": "1"}, {"build": "2"}, {"build": "3"}],
        {},
        ("a", "b", "a"),
    ),
    Versions(
        "two labels with one value",
        [{"build": "1"}, {"build": "2"}, {"build": "2"}],
        {},
        ("a", "b", "c"),
    ),
]


@pytest.mark.parametrize("row", LABELS, ids=[row.name for row in LABELS])
def test_a_header_says_the_version_if_it_has_one_value_for_each_label_and_each_has_another(
    row: Versions,
):
    answers = [probe(200, [], headers=headers) for headers in row.headers]
    assert versions_of(answers, row.labels) == row.versions


def test_secrets_are_taken_out_of_a_version():
    answers = [probe(200, [], headers={"build": value}, clean=str.lower) for value in "AB"]
    assert versions_of(answers, ["a", "b"]) == {"a": "Build: a", "b": "Build: b"}
