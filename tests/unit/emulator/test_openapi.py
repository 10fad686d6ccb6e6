"""The emulator responds as its own OpenAPI description says, and has no defect that schemathesis finds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from wes_provider.emulator import Emulator
from wes_provider.emulator.page import OPENAPI
from wes_provider.emulator.settings import OPERATIONS

schemathesis = pytest.importorskip("schemathesis", reason="its dependencies are many: tox -e openapi")
from schemathesis import GenerationMode, checks  # noqa: E402
from schemathesis.specs.openapi import checks as openapi_checks  # noqa: E402

CHECKS = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
    openapi_checks.response_headers_conformance,
]


@pytest.mark.parametrize("mode", [*GenerationMode], ids=lambda mode: f"{mode.value} data")
@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_every_response_is_described(wes_emulator: Emulator, operation_id: str, mode: GenerationMode):
    wes_emulator.configure(rate_limit_headers="all", unknown_list="404", unknown_segment="404")
    schema = schemathesis.openapi.from_dict(json.loads(OPENAPI.read_text()))
    schema.config.update(base_url=wes_emulator.url)
    operation = schema.find_operation_by_id(operation_id)
    key = wes_emulator.data_api_key if operation_id == "update_segment" else wes_emulator.api_key

    @given(operation.as_strategy(generation_mode=mode))
    def try_it(case: Any) -> None:
        if "SVC-APPKEY" in case.headers:  # otherwise 401 would be nearly all that is seen
            case.headers["SVC-APPKEY"] = wes_emulator.workspace_id
        case.call_and_validate(auth=(wes_emulator.workspace_id, key), checks=CHECKS)

    try_it()
    assert operation_id in wes_emulator.counts
