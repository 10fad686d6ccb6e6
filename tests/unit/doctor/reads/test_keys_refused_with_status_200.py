"""
The data key is refused if its read gets, with status 200, the error that made-up keys get for
segments and for coupons, while each read with the campaign key gets something else (files or a
404). It is not shown if both keys get that error, if one of two reads with the campaign key gets
it, or if none was sent. It is not shown either if the data key gets another error, or another one
later, if the error comes with 404, if a made-up key gets another error for coupons, or if what all
of them get is no error.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    NOT_FOUND,
    ids,
    listed,
    made_up,
    made_up_segment,
    segment,
    segment_again,
)
from support.doctor_replies import (
    error_body,
    evidence_of,
)
from support.doctor_standings import Key
from wes_provider.doctor.reads import key_facts
from wes_provider.doctor.reads.key_facts import Standing

ERROR_OF_KEYS = {"result": "FAIL", "code": "E7", "message": "Unknown key."}
IN_SUCCESS = [
    Key(
        "the data key gets the error of made-up ones, while the campaign key gets files",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.REFUSED_ONCE,
    ),
    Key(
        "the data key gets the error of made-up ones, while the campaign key gets a 404",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(404, NOT_FOUND),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.REFUSED_ONCE,
    ),
    # The campaign key gets it, too, or nothing.
    Key(
        "both keys get it",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the campaign key was not read",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "one of two reads with the campaign key gets it",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            listed(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    # The data key does not get an error of made-up keys in a success.
    Key(
        "the data key gets it, then another error",
        [
            segment(200, ERROR_OF_KEYS),
            segment_again(200, error_body("x", "No.")),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the data key gets another error",
        [
            segment(200, error_body("x", "No.")),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the error comes with 404",
        [
            segment(404, ERROR_OF_KEYS),
            made_up_segment(404, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(404, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a made-up key gets another error for coupons",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, error_body("x", "No.")),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "made-up keys get no error",
        [
            segment(200, {"a": 1}),
            made_up_segment(200, {"a": 1}),
            listed(200, FILES),
            made_up(200, {"a": 1}),
        ],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", IN_SUCCESS, ids=ids(IN_SUCCESS))
def test_a_data_key_is_refused_that_gets_the_error_of_made_up_keys_while_the_other_does_not(
    row: Key,
):
    assert key_facts.data_key(evidence_of(*row.probes)).standing is row.standing
