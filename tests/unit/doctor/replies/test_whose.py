"""
Whose is what a refusal names. Of an upload, its file's or its host's, if words name file_url or the
host of the URL that was sent; perhaps, if they speak of fetching, a download or a source, and of no
key; its list's, if they say that the list is full, closed or on hold. A host that is the service's
own, an address that is called source, a member such as file_url_auth_username, and a rate are none
of these. The place of this machine is meant if requests come from a country or a location that is
refused, and not if an account is in a region.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies.subjects import Kind, Subject, subject_of
from wes_provider.doctor.replies.whose import OF_PLACE, Sent, Whose, whose

ADDRESS = "https://api.example.com/v1/coupon-list/spring/files"
UPLOAD = Sent(ADDRESS, "https://files.example.com/new.csv")
FROM_SERVICE = Sent(ADDRESS, "https://api.example.com/new.csv")
READ = Sent(ADDRESS)


class Named(NamedTuple):
    """Words of a refusal, what was refused, and whom the words speak of."""

    words: str
    sent: Sent
    whose: Whose


NAMED = [
    Named("files.example.com is not on the allow-list", UPLOAD, Whose.FILE),
    Named("FILES.EXAMPLE.COM: TLS version 1.1 is no longer supported", UPLOAD, Whose.FILE),
    Named("file_url: the key has expired", UPLOAD, Whose.FILE),
    Named("file-url: unreachable", UPLOAD, Whose.FILE),
    Named("file_url_auth_username is required", UPLOAD, Whose.OTHER),
    Named("api.example.com is not on the allow-list", FROM_SERVICE, Whose.OTHER),
    Named("my.files.example.com is not allowed", UPLOAD, Whose.OTHER),
    Named("files.example.com is not on the allow-list", READ, Whose.OTHER),
    Named("The download failed: certificate expired", UPLOAD, Whose.PERHAPS_FILE),
    Named("Fetching the file failed", UPLOAD, Whose.PERHAPS_FILE),
    Named("The source is not allowed", UPLOAD, Whose.PERHAPS_FILE),
    Named("The source address is not allowed", UPLOAD, Whose.OTHER),
    Named("The source IP is not allowed", UPLOAD, Whose.OTHER),
    Named("This key may not fetch files", UPLOAD, Whose.OTHER),
    Named("Permission to fetch files is missing", UPLOAD, Whose.OTHER),
    Named("Fetching failed", READ, Whose.OTHER),
    Named("The list is full", UPLOAD, Whose.LIST),
    Named("list capacity exceeded", UPLOAD, Whose.LIST),
    Named("The list has the maximum of 100 coupons", UPLOAD, Whose.LIST),
    Named("The quota of codes of this list is used up", UPLOAD, Whose.LIST),
    Named("This list is under a legal hold", UPLOAD, Whose.LIST),
    Named("The list is archived", UPLOAD, Whose.LIST),
    Named("The list 'spring' has been closed", UPLOAD, Whose.LIST),
    Named("The key for this list is disabled", UPLOAD, Whose.OTHER),
    Named("Not on the allow-list, which is full", UPLOAD, Whose.OTHER),
    Named("Your plan has a limit of 5 lists with coupons", UPLOAD, Whose.OTHER),
    Named("The list is locked", UPLOAD, Whose.OTHER),
    Named("The list is full", READ, Whose.OTHER),
    Named("The disk is full", UPLOAD, Whose.OTHER),
    Named("The list takes a maximum of 3 coupons per minute", UPLOAD, Whose.OTHER),
    Named("A file for a list may have a maximum of 9 codes", UPLOAD, Whose.OTHER),
    Named("", UPLOAD, Whose.OTHER),
]


@pytest.mark.parametrize("row", NAMED, ids=[f"{row.words} {row.whose.name}" for row in NAMED])
def test_whose_is_what_a_refusal_names(row: Named):
    assert whose(row.words, row.sent) is row.whose


class About(NamedTuple):
    """Words of a refused upload, and the subject and the kind that follow."""

    words: str
    subject: Subject
    kind: Kind | None


ABOUT_UPLOADS = [
    About("file_url: TLS version 1.1 is no longer supported", Subject.FILE, Kind.ANSWER),
    About("HTTP 401 from files.example.com", Subject.FILE, Kind.ANSWER),
    About("files.example.com: too many requests", Subject.FILE, Kind.ANSWER),
    About("The download was blocked by a firewall", Subject.FILE, Kind.ANSWER),
    About("The quota of coupons of this list is exceeded", Subject.LIST, Kind.ANSWER),
    About("Downloads stop during the maintenance", Subject.MAINTENANCE, Kind.NOT_NOW),
    About("Your quota of downloads is exceeded", Subject.QUOTA, Kind.NOT_NOW),
    About("Your IP is not on the allow-list", Subject.MACHINE, Kind.KEPT_OUT),
    About("Your country is not allowed", Subject.PLACE, Kind.KEPT_OUT),
    About("The API key has expired", Subject.KEY, Kind.REFUSED),
]


@pytest.mark.parametrize("row", ABOUT_UPLOADS, ids=[row.words for row in ABOUT_UPLOADS])
def test_what_is_the_files_or_the_lists_is_about_no_other_subject(row: About):
    found = subject_of("refused", row.words, UPLOAD)
    assert found is not None
    assert (found.subject, found.kind) == (row.subject, row.kind)


PLACES = [
    Tells(
        True,
        [
            "Requests from your country are not permitted",
            "Access from your network location is restricted",
            "Not for requests from this region",
            "not from your region",
            "country not allowed",
            "Your location is not supported",
            "Requests from outside the EU are refused",
            "geo-blocked",
            "export controls",
        ],
    ),
    Tells(
        False,
        [
            "",
            "The workspace is not in this region",
            "Wrong region",
            "The Location header is missing",
            "The account cannot be used from this region",
            "Your account location is the EU",
            "The list is under embargo",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(PLACES))
def test_the_place_of_this_machine_is_told_from_that_of_an_account(text: str, expected: bool):
    assert bool(OF_PLACE.search(text)) is expected
