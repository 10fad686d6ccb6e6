"""
The place that an account is not in is read as a word in small letters, such as "shard", "region" or
"data center", if words name an account, and say "not", "no", "nicht", "unknown", "another",
"other", "different", "wrong" or "incorrect" before the place in the same sentence.

The numbers of data centers are read once each: two or three digits after data center, region,
cluster, zone, dc or api-; one to three digits directly after a place, such as "shard #3" or
"home_region: eu-3"; two or three in a name after "hosted in", "located at", "moved to" and the
like, such as west-03; a zero and a digit in a name such as eu-03 or pod-03. eu-west-1, us33, "pod
3-4", a number alone and one of four digits are none.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

OTHER_PLACE = [
    Tells(
        "shard",
        [
            "account is not in this shard",
            "no tenant on shard 3",
            "Account nicht in shard 3",
            "this isn't the Shard of the account",
            "account doesn't live in shard 1",
            "unknown workspace in shard",
            "account is in another shard",
            "other shard: account",
            "account of a different shard",
            "wrong shard for account",
            "incorrect shard, account",
        ],
    ),
    *(
        Tells(place, [f"account is not in this {place.upper()}"])
        for place in (
            "data center",
            "datacentre",
            "data-center",
            "region",
            "cluster",
            "cell",
            "pod",
            "stack",
            "silo",
            "stamp",
            "dc",
        )
    ),
    Tells(
        "",
        [
            "",
            "not in this shard",
            "account in this shard",
            "account is not here. Shard 3",
            "account is unknown",
            "another account",
            "account not in this sharded",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(OTHER_PLACE))
def test_the_place_that_an_account_is_not_in_is_named(text: str, expected: Any):
    assert remedies.other_place(text) == expected


DATA_CENTERS_IN = [
    Tells(
        ["03"],
        [
            "data center 03",
            "datacentre: 03",
            "region 03",
            "cluster is 03",
            "zone 03",
            "dc 03",
            "api-03.example.com",
            "homed in eu03",
            "home at eu03",
            "hosted in west-03",
            "located at eu03",
            "lives in eu-03",
            "moved to the eu-03",
            "served from us03",
            "belongs to us-03",
            "eu-03",
            "emea03",
            "us03",
            "na-03",
            "amer03",
            "ap03",
            "apac03",
            "asia-03",
            "sa03",
            "latam03",
            "me03",
            "af03",
            "uk03",
            "de03",
            "pod-03",
            "cell03",
            "shard03",
            "region 03 and region 03",
        ],
    ),
    Tells(
        ["3"],
        [
            "data center 3",
            "region: 3",
            "cluster #3",
            "cell=3",
            "shard '3'",
            "pod no. 3",
            "stack number 3",
            "silo id 3",
            "stamp eu-3",
            "dc (3)",
            "home_region: eu-3",
            "my_dc_x: 3",
        ],
    ),
    Tells(["03", "4"], ["data center 03 or shard 4"]),
    Tells(
        [],
        [
            "",
            "no",
            "eu-west-1",
            "data center 1234",
            "region eu-west-1",
            "03",
            "pod 3-4",
            "us33",
            "us 0",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(DATA_CENTERS_IN))
def test_the_numbers_of_data_centers_are_read_once_each(text: str, expected: Any):
    assert remedies.data_centers_in(text) == expected
