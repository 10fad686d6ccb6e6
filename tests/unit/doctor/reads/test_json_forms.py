"""
If the list alone comes in another form than JSON, a link of its reply with ``rel=alternate`` and a
type of JSON names the path of the list as JSON: with another query, or at another path that has the
list, also behind other links. No link names one that is of another relation or type, at another
host, the path that was read, or with braces in its query; and none if no other path replies as the
service does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import FILES, LIST_AT, ids, listed, nowhere
from support.doctor_replies import evidence_of
from wes_provider.doctor.reads.json_forms import path_of_json
from wes_provider.doctor.replies.probes import Probe

GIVEN = "/v1/coupon-list/{coupon_list_id}/files"
CSV = "_id,status"
OF_JSON = 'rel="alternate"; type="application/json"'


def linked(link: str, content: object = CSV) -> list[Probe]:
    """A list with a header Link, and an error of another path."""
    return [listed(200, content, headers={"link": link}), nowhere()]


class Linked(NamedTuple):
    """Replies, and the path that a link of them names; empty for none."""

    name: str
    probes: Sequence[Probe]
    path: str = ""


LINKS = [
    Linked("a query", linked(f"<?format=json>; {OF_JSON}"), f"{GIVEN}?format=json"),
    Linked(
        "a whole URL", linked(f"<https://api.example.com{LIST_AT}?f=j>; {OF_JSON}"), f"{GIVEN}?f=j"
    ),
    Linked("another path", linked(f"<{LIST_AT}.json>; {OF_JSON}"), f"{GIVEN}.json"),
    Linked("another path and a query", linked(f"<{LIST_AT}/a?b=c>; {OF_JSON}"), f"{GIVEN}/a?b=c"),
    Linked("no quotes", linked("<?f=j>; type=application/json; rel=alternate"), f"{GIVEN}?f=j"),
    Linked("behind another link", linked(f'<?a=b>; rel="self", <?f=j>; {OF_JSON}'), f"{GIVEN}?f=j"),
    Linked(
        "a form of JSON",
        linked('<?f=j>; rel=alternate; type="application/hal+json"'),
        f"{GIVEN}?f=j",
    ),
    Linked("another relation", linked('<?f=j>; rel="self"; type="application/json"')),
    Linked("another type", linked('<?f=x>; rel="alternate"; type="text/xml"')),
    Linked("no type", linked('<?f=j>; rel="alternate"')),
    Linked("another host", linked(f"<https://files.example.org{LIST_AT}?f=j>; {OF_JSON}")),
    Linked("another path without the list", linked(f"</v1/export?f=j>; {OF_JSON}")),
    Linked("the same path", linked(f"<{LIST_AT}>; {OF_JSON}")),
    Linked("braces in the query", linked(f"<?f={{form}}>; {OF_JSON}")),
    Linked("no link", linked("")),
    Linked("files as JSON", linked(f"<?f=j>; {OF_JSON}", FILES)),
    Linked("no other path was read", linked(f"<?f=j>; {OF_JSON}")[:1]),
    Linked("nothing was read", []),
]


@pytest.mark.parametrize("row", LINKS, ids=ids(LINKS))
def test_a_link_to_the_alternate_of_type_json_names_the_path_of_the_list_as_json(row: Linked):
    assert path_of_json(evidence_of(*row.probes)) == row.path
