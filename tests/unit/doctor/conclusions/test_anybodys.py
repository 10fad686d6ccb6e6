"""
Files are anybody's if the first read with the own key and one with a made-up key get files, some of
them the same; not if the made-up key was not sent, is refused, gets other files or none. They may
be of others if a body or a record names another owner (workspace, tenant, account, organization,
project, realm and the like, at most two of them; an environment only if it is one of tests), and
none names the login, in any case. They may be of others, too, if all of them name other lists, of
which three are named, and no path has files of this one. Secrets in an owner's name are taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest

from support.doctor_anybodys import FOUR, both, listed, made_up, owned
from support.doctor_findings import at_path
from support.doctor_replies import changed, error_body, evidence_of
from support.doctor_service import record
from wes_provider.doctor.conclusions.anybodys import (
    AnybodysFiles,
    anybodys_files,
    conclude_on_anybodys,
    files_of_others,
)
from wes_provider.doctor.replies.probes import Probe


class Replies(NamedTuple):
    """Replies of an account."""

    name: str
    probes: Sequence[Probe]


NOT_ANYBODYS = [
    Replies("nothing", []),
    Replies("no made-up key", [listed(owned())]),
    Replies("a refusal", [listed(owned()), made_up({}, 401)]),
    Replies("other files", [listed([record("a")]), made_up([record("b")])]),
    Replies("no file", both([])),
    Replies("no file for the own key", [listed([]), made_up(owned())]),
    Replies("a file in a 404", both(error_body("x", "y"))),
]


@pytest.mark.parametrize("row", NOT_ANYBODYS, ids=[row.name for row in NOT_ANYBODYS])
def test_files_are_not_anybodys_unless_a_made_up_key_gets_them(row: Replies):
    assert anybodys_files(evidence_of(*row.probes)) is None


class Owner(NamedTuple):
    """
    Replies with the same files to both keys, and whose the files are.

    :ivar owner: whose they say that they are; empty if they do not name others alone.
    :ivar other_lists: the lists that they are of, if none is of the list that was read.
    """

    name: str
    probes: Sequence[Probe]
    owner: str
    other_lists: str = ""


OWNERS = [
    Owner("the same files", both(owned()), ""),
    Owner("another workspace", both(owned(workspace="demo")), "workspace demo"),
    Owner("the own workspace", both(owned(workspace="WorkSpace")), ""),
    Owner("the own one, and another", both(owned({"tenant": "demo"}, workspace="workspace")), ""),
    Owner(
        "two others",
        both(owned(workspace="demo", tenant="t1", realm="r")),
        "workspace demo and tenant t1",
    ),
    Owner("in a record", both(owned({}, {"account": {"id": 7}})), "account 7"),
    Owner("of the made-up key", [listed(owned()), made_up(owned(org="demo"))], "org demo"),
    *(
        Owner(name, both(owned(**{name: "demo"})), f"{word} demo")
        for name, word in (
            *(
                ("currentWorkspaceId", "workspace"),
                ("yourTenant", "tenant"),
                ("accountName", "account"),
            ),
            *(("organization_key", "organization"), ("organisationCode", "organisation")),
            *(("orgSlug", "org"), ("companyIdentifier", "company"), ("projectId", "project")),
            ("realm", "realm"),
        )
    ),
    Owner("further up", both(owned(meta={"workspace": {"id": "demo"}})), "workspace demo"),
    Owner(
        "a name that goes on",
        both(owned(workspaces="demo", myWorkspace="demo", project_url="x")),
        "",
    ),
    Owner("no word", both(owned(workspace=True, tenant=1.5, org=None)), ""),
    Owner("an environment of tests", both(owned(environment="Sandbox")), "environment Sandbox"),
    Owner("an environment", both(owned(environment="eu")), ""),
    Owner("other lists", both(FOUR), "", "a, b, c"),
    Owner("one other list", both(owned({"coupons_list_id": "a"})), "", "a"),
    Owner(
        "other lists, and the list at another path",
        [
            listed(owned({"coupons_list_id": "a"})),
            at_path("/v2/lists/{coupon_list_id}", 200, [record("f9")]),
            made_up(owned({"coupons_list_id": "a"})),
        ],
        "",
    ),
    Owner("other lists, and the list", both(owned({"coupons_list_id": "a"}, {})), ""),
]


@pytest.mark.parametrize("row", OWNERS, ids=[row.name for row in OWNERS])
def test_files_that_anybody_gets_are_of_the_other_owner_that_a_body_names_or_of_other_lists(
    row: Owner,
):
    found = anybodys_files(evidence_of(*row.probes))
    assert found == AnybodysFiles(row.probes[0], row.probes[-1], row.owner, row.other_lists)


@pytest.mark.parametrize("row", OWNERS, ids=[row.name for row in OWNERS])
def test_files_may_be_of_others_if_they_name_another_owner_or_other_lists(row: Owner):
    evidence = evidence_of(*row.probes)
    are_of_others = bool(row.owner or row.other_lists)
    assert (files_of_others(evidence) is not None) is are_of_others
    assert bool(conclude_on_anybodys(evidence)) is are_of_others


def test_the_first_read_with_the_own_key_counts():
    probes = [listed(owned()), listed(owned(org="later")), made_up(owned())]
    found = anybodys_files(evidence_of(*probes))
    assert found is not None
    assert found.own is probes[0]
    assert found.owner == ""


def test_a_secret_in_the_name_of_an_owner_is_not_said():
    def masked(text: str) -> str:
        return text.replace("hunter2", "***")

    probes = [replace(probe, clean=masked) for probe in both(owned(workspace="demo-hunter2"))]
    found = anybodys_files(evidence_of(*probes))
    assert found is not None
    assert found.owner == "workspace demo-***"


def test_whose_files_are_is_compared_with_the_login():
    evidence = evidence_of(*both(owned(workspace="demo")), settings=changed(workspace_id="Demo"))
    assert files_of_others(evidence) is None
