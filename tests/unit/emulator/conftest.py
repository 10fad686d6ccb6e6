"""
Callers of the emulator: over HTTP, and straight to its rules; values as a caller of the service
writes them.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from multidict import CIMultiDict

from support.wire import Session
from wes_provider.emulator import Emulator, EmulatorControl, openapi
from wes_provider.emulator.counting import CouponCounter
from wes_provider.emulator.replies import Reply
from wes_provider.emulator.rules import Request
from wes_provider.emulator.seeds import apply_seed
from wes_provider.emulator.service import Service
from wes_provider.emulator.settings import Settings
from wes_provider.emulator.world import Clock

MIDNIGHT = 1_699_920_000.0  # 2023-11-14 00:00:00 UTC: minute, hour and day begin here

WORKSPACE = "emulated-workspace"
KEY = "emulated-campaign-key"
DATA_KEY = "emulated-data-key"

UPLOAD = {"file_url": "https://files.example.com/nightly/coupons.csv"}
CATALOG = {
    "name": "summer",
    "price_currency": "EUR",
    "attributes": [{"name": "id", "type": "string"}],
}
CITY = {"name": "city", "data_type": "string", "operator": "in", "value": ["Lisbon"]}
FILTERS = {"filter_operator": "and", "filters": [{"filter_type": "user_attributes", **CITY}]}
SEGMENT = {"name": "Lisbon", "included_filters": FILTERS, "updated_by": "ana@example.com"}
FILES = "/v1/coupon-list/list-1/files"


def basic(username: str, password: str) -> str:
    """An ``Authorization`` header."""
    return "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()


def right_headers(key: str = KEY, workspace: str = WORKSPACE) -> CIMultiDict[str]:
    """What every request of a workspace carries."""
    return CIMultiDict(
        {
            "Authorization": basic(workspace, key),
            "SVC-APPKEY": workspace,
            "Content-Type": "application/json",
        }
    )


@cache
def described_replies() -> dict[tuple[str, int], Any]:
    """The responses of the description, by operation and status, with references resolved."""
    description = openapi.describe()
    found = {}
    for path in description["paths"].values():
        for operation in [one for one in path.values() if "responses" in one]:
            for status, response in operation["responses"].items():
                name = response.get("$ref", "").removeprefix("#/components/responses/")
                if name:
                    response = description["components"]["responses"][name]
                found[operation["operationId"], int(status)] = response
    return found


class Caller:
    """
    A service whose clock stands, and requests to it.

    :param at: what the clock shows.
    :param held: a seed: what the service holds by then.
    """

    def __init__(
        self, at: float = MIDNIGHT, held: Mapping[str, Any] | None = None, **settings: Any
    ) -> None:
        self.service = Service(Settings.of(settings))
        state = self.service.state
        state.world.clock = Clock(at, speed=0)
        if held is not None:
            apply_seed(held, state.world, state.coupons)

    def send(
        self, method: str, path: str, body: Any = b"", *, headers: CIMultiDict[str] | None = None
    ) -> Reply:
        """``body`` is bytes, or becomes JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        if headers is None:
            headers = right_headers()
        reply = self.service.respond(Request(method, path, headers, data)).reply
        request = self.service.state.log[-1]
        if request.operation and not request.fault and reply.status >= 400:
            assert (request.operation, reply.status) in described_replies(), (
                "openapi.json does not describe this reply: name its status there, among the "
                "responses of the operation, and add a row to DESCRIBED in test_rules.py"
            )
        return reply

    def upload(self, list_id: str = "list-1", **fields: Any) -> Reply:
        """One coupon file; ``fields`` on top of its URL."""
        return self.send("POST", f"/v1/coupon-list/{list_id}/files", {**UPLOAD, **fields})

    def uploaded(self, list_id: str = "list-1", **fields: Any) -> str:
        """The identifier of a file just uploaded."""
        return str(content(self.upload(list_id, **fields))["_id"])

    def get(self, file_id: str, list_id: str = "list-1") -> Reply:
        """The fetch of one coupon file."""
        return self.send("GET", f"/v1/coupon-list/{list_id}/files/{file_id}")

    def list(self, list_id: str = "list-1") -> Reply:
        """The listing."""
        return self.send("GET", f"/v1/coupon-list/{list_id}/files")

    def create_catalog(self, **fields: Any) -> Reply:
        """One catalog."""
        return self.send("POST", "/v1/catalog", {**CATALOG, **fields})

    def update_segment(self, segment_id: str = "7", body: Any = SEGMENT) -> Reply:
        """One segment, with the key of its kind."""
        return self.send(
            "PATCH", f"/v3/custom-segments/{segment_id}", body, headers=right_headers(DATA_KEY)
        )

    def process(self, file_id: str, *coupons: str) -> None:
        """What the server does once it has fetched a file."""
        counter = CouponCounter(self.service.state.world.room)
        counter.feed("\n".join(coupons).encode())
        counter.finish()
        self.service.state.coupons.processed(
            self.service.state.coupons.unfetched[file_id], counter, ""
        )


def content(reply: Reply) -> Any:
    """A JSON body."""
    assert reply.headers["Content-Type"] == "application/json"
    return json.loads(reply.body)


def refusal(reply: Reply) -> tuple[int, str]:
    """Status and code of an error, whose body is the contract's (section 7)."""
    body = content(reply)
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message"}
    assert body["error"]["message"]
    return reply.status, body["error"]["code"]


def failure(check: Any, *arguments: Any, **named: Any) -> list[str]:
    """The message of an assertion that fails, by line, without times."""
    with pytest.raises(AssertionError) as raised:
        check(*arguments, **named)
    return re.sub(r"\d\d:\d\d:\d\d", "TIME", str(raised.value)).splitlines()


@pytest.fixture
def controls(wes_emulator: Emulator) -> EmulatorControl:
    """The emulator as another process has it; a slash at the end of its address does not count."""
    return EmulatorControl(wes_emulator.url + "/", wes_emulator.ca_file)


@pytest.fixture
def session(wes_emulator: Emulator) -> Iterator[Session]:
    """A caller with the key of coupons and catalogs."""
    with Session(wes_emulator) as session:
        yield session
