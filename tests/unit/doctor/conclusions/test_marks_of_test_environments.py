"""
The last replies to the own keys say that they are of a test environment, and so what tasks upload
may reach nobody. They do so by a member of the body, at any depth: livemode, live or production
that is false or 0; sandbox, test_mode, isTest or demo that is true or 1; or environment with a word
such as sandbox, test, staging, demo or dev as its whole value. Null and strings in place of true
and false do not count. They do so by a header whose name has "environment", or ends with the word
env, mode or stage, with such a word, in any case of letters. Two marks are named at most, headers
first, and only those of one reply: that to the campaign key, or else that to the data key.
"""

from __future__ import annotations

import pytest

from support.doctor_notices import FILES, Announced, list_reply, segment_reply
from support.doctor_replies import evidence_of
from wes_provider.doctor.conclusions.notices import conclude_on_notices

TESTS = "what tasks upload may reach nobody. Put in the keys of production, if you mean that."
MARKS = [
    Announced(
        "livemode false",
        [list_reply({"livemode": False, "data": FILES})],
        f"Replies say that this is no production (livemode: false): {TESTS}",
        [0],
    ),
    Announced("livemode true", [list_reply({"livemode": True, "data": FILES})]),
    *(
        Announced(
            f"{name} {shown}",
            [list_reply({"meta": {name: value}, "data": FILES})],
            f"Replies say that this is no production (meta.{name}: {shown}): {TESTS}",
            [0],
        )
        for name, value, shown in (
            ("live", False, "false"),
            ("production", False, "false"),
            ("sandbox", True, "true"),
            ("test_mode", True, "true"),
            ("isTest", True, "true"),
            ("demo", True, "true"),
        )
    ),
    Announced("live null", [list_reply({"live": None, "data": FILES})]),
    Announced("sandbox a string", [list_reply({"sandbox": "1", "data": FILES})]),
    Announced(
        "live 0 and sandbox 1",
        [list_reply({"live": 0, "sandbox": 1, "data": FILES})],
        f"Replies say that this is no production (live: 0, sandbox: 1): {TESTS}",
        [0],
    ),
    Announced("live 1 and sandbox 0", [list_reply({"live": 1, "sandbox": 0, "data": FILES})]),
]


@pytest.mark.parametrize("row", MARKS, ids=[row.name for row in MARKS])
def test_a_test_environment_is_known_by_members_that_are_true_or_false_or_1_or_0(row: Announced):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings


ENVIRONMENTS = [
    *(
        Announced(
            word,
            [list_reply({"environment": word, "data": FILES})],
            f'Replies say that this is no production (environment: "{word}"): {TESTS}',
            [0],
        )
        for word in ("sandbox", "Test", "testing", "staging", "demo", "development", "dev")
    ),
    Announced("environment production", [list_reply({"environment": "production", "data": FILES})]),
    Announced("environment latest", [list_reply({"environment": "latest", "data": FILES})]),
    *(
        Announced(
            name,
            [list_reply(**{name: " Test "})],
            f"Replies say that this is no production ({name.replace('_', '-').title()}:  Test ): "
            f"{TESTS}",
            [0],
        )
        for name in ("environment_id", "x_env", "env", "mode", "x_stage")
    ),
    Announced("a header with mode in the middle of its name", [list_reply(x_mode_of_x="test")]),
    Announced("a header with mode as the end of a word", [list_reply(commode="test")]),
    Announced("env live", [list_reply(env="live")]),
]


@pytest.mark.parametrize("row", ENVIRONMENTS, ids=[row.name for row in ENVIRONMENTS])
def test_a_test_environment_is_known_by_its_name_in_a_member_or_a_header(row: Announced):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings


SEVERAL_MARKS = [
    Announced(
        "three marks, of which two are shown",
        [list_reply({"live": False, "demo": True, "data": FILES}, env="dev")],
        f"Replies say that this is no production (Env: dev, live: false): {TESTS}",
        [0],
    ),
    Announced(
        "a header of a reply to the data key",
        [list_reply(), segment_reply(env="dev")],
        f"Replies say that this is no production (Env: dev): {TESTS}",
        [1],
    ),
    Announced(
        "headers of replies to both keys, of which one is shown",
        [list_reply(env="dev"), segment_reply(env="demo")],
        f"Replies say that this is no production (Env: dev): {TESTS}",
        [0],
    ),
]


@pytest.mark.parametrize("row", SEVERAL_MARKS, ids=[row.name for row in SEVERAL_MARKS])
def test_two_marks_of_a_test_environment_are_said_and_a_header_of_replies_to_both_keys_once(
    row: Announced,
):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings
