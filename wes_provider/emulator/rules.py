"""
The service's rules: plain, synchronous, without a socket.

Each request takes the same way, once: path (404), credentials (401), method (405), access (403),
identifiers that are no UTF-8 (400), body (400, 413), limits (429), then the effect, which may still
be refused (404, 409). What was carried out counts against the limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from wes_provider import contract
from wes_provider.contract import Operation
from wes_provider.emulator.bodies import Body
from wes_provider.emulator.credentials import authenticate, workspace_named
from wes_provider.emulator.effects import EFFECTS, Call, success_status
from wes_provider.emulator.faults import Fault, altered
from wes_provider.emulator.limits import LimitReached, QuotaKey
from wes_provider.emulator.replies import Refusal, Reply
from wes_provider.emulator.request_log import LoggedRequest, UsedUpLimit
from wes_provider.emulator.routes import Match, NoSuchPath, Route, Routes, WrongMethod
from wes_provider.emulator.state import State

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = ["Request", "Response", "Rules"]


class Request(NamedTuple):
    """One request as it came on the wire; ``raw_path`` has the query."""

    method: str
    raw_path: str
    headers: MultiMapping[str]
    body: bytes


class Response(NamedTuple):
    """What is to be sent, and what is to go wrong with it."""

    reply: Reply
    fault: Fault | None


class _Decision(NamedTuple):
    """
    What becomes of a request, before a fault changes the response.

    :ivar accepted: it was carried out.
    :ivar beyond: the limit that it went beyond, whether it was accepted or refused for that.
    """

    reply: Reply
    accepted: bool = False
    beyond: UsedUpLimit | None = None


class Rules:
    """
    The rules as the settings have them; other settings make new rules.

    :param refused: returns what a refusal looks like.
    """

    def __init__(self, state: State, refused: Callable[[Refusal], Reply]) -> None:
        self._state = state
        self._refused = refused
        self._settings = state.world.settings
        self._routes = Routes(self._settings)

    def respond(self, request: Request) -> Response:
        """Carry out a request, or refuse it, and log it."""
        route = self._routes.match(request.method, request.raw_path)
        fault = None
        if isinstance(route, Match):
            fault = self._next_fault(route)
        decision = self._decide(route, request, fault)
        reply = decision.reply
        if fault is not None:
            reply = altered(reply, fault, self._state.world.clock.now())
        response = Response(reply, fault)
        self._log(route, request, response, decision)
        return response

    def lists_read_by(self, raw_path: str) -> set[str]:
        """Return the lists whose files a GET of this path may show."""
        route = self._routes.match("GET", raw_path)
        if not isinstance(route, Match):
            return set()
        if route.list_id:
            return {route.list_id}
        return {file.list_id for file in self._state.coupons.unfetched.values()}

    # -- from request to effect

    def _decide(self, route: Route, request: Request, fault: Fault | None) -> _Decision:
        """Carry out a request, unless a fault keeps it from the service; or refuse it."""
        if isinstance(route, Match) and fault is not None and not fault.effect:
            return _Decision(self._leave_undone(route.operation, fault))
        try:
            return self._carry_out(route, request)
        except LimitReached as refusal:
            return _Decision(self._refused(refusal), beyond=refusal.limit)
        except Refusal as refusal:
            return _Decision(self._refused(refusal))

    def _carry_out(self, route: Route, request: Request) -> _Decision:
        if isinstance(route, NoSuchPath):
            raise route.refusal()
        workspace = authenticate(route.operation, request.headers, self._settings)
        if isinstance(route, WrongMethod):
            raise route.refusal()
        key = QuotaKey.of(route.operation, workspace, route.list_id)
        try:
            decision = self._perform(route, request, key)
        except LimitReached:
            raise
        except Refusal as refusal:
            refusal.headers = {**refusal.headers, **self._state.quotas.headers(key)}
            raise
        reply = decision.reply.with_headers(self._state.quotas.headers(key))
        return decision._replace(reply=reply)

    def _perform(self, route: Match, request: Request, key: QuotaKey) -> _Decision:
        """Check access, body and limit; then carry out the operation, and count it."""
        self._check_access(route.operation)
        effect = EFFECTS[route.operation.name]
        identifiers = route.identifiers()
        fields = effect.read_body(Body(request.headers, request.body), self._settings)
        beyond = self._state.quotas.check(key)
        now = self._state.world.clock.now()
        reply = effect.carry_out(
            self._state, Call(key.workspace, identifiers, fields, request.raw_path)
        )
        self._state.quotas.count(key, now)
        return _Decision(reply, accepted=True, beyond=beyond)

    def _check_access(self, operation: Operation) -> None:
        if operation.needs_coupon_management and not self._settings.coupon_management:
            message = "The account has no access to coupon management features."
            raise Refusal(403, contract.REQUEST_FORBIDDEN, message)

    # -- faults and the log

    def _next_fault(self, route: Match) -> Fault | None:
        faults = self._state.faults
        return faults.next(route.operation.name, route.list_id, self._settings.fault_rate)

    def _leave_undone(self, operation: Operation, fault: Fault) -> Reply:
        """
        Respond to a request that is not carried out.

        The service's own response to it is an internal failure. A fault with a body of its own
        stands for somebody between service and caller, who pretends a success.
        """
        if fault.body is None and fault.status is None:
            message = "The request was not carried out, on purpose."
            return self._refused(Refusal(500, contract.UNEXPECTED_ERROR, message))
        return Reply.json(success_status(operation, self._settings), {})

    def _log(
        self,
        route: Route,
        request: Request,
        response: Response,
        decision: _Decision,
    ) -> None:
        operation = ""
        if isinstance(route, Match):
            operation = route.operation.name
        status: int | None = response.reply.status
        words = ""
        if response.fault is not None:
            words = str(response.fault)
            if response.fault.unanswered:
                status = None
        logged = LoggedRequest(
            operation=operation,
            method=request.method,
            raw_path=request.raw_path,
            headers=request.headers,
            body=request.body,
            status=status,
            time=self._state.world.clock.now(),
            accepted=decision.accepted,
            fault=words,
            workspace=workspace_named(request.headers, self._settings),
            beyond=decision.beyond,
        )
        self._state.log.add(logged, self._settings.request_log)
