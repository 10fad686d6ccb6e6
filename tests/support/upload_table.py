"""
Every disaster of an upload in every environment: the cells of the table in ``docs/at-most-once-table.md``.

A cell runs the operator in attempts, as Airflow does, over real connections to the emulator. Only time, Airflow's
context and the death of the process are faked.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from support.attempts import Store
from support.proxy import Proxy, make_certificate, response, tls_in_front_of
from support.variants import Emulator
from wes_provider.client.settings import WesSettings
from wes_provider.client.sync_client import WesClient
from wes_provider.emulator import faults
from wes_provider.exceptions import WesDuplicateError, WesUnknownOutcomeError
from wes_provider.hooks import WesHook
from wes_provider.operators import WesUploadCouponFileOperator
from wes_provider.uploads.identity import TaskIdentity
from wes_provider.uploads.request import UploadRequest

UPLOAD = "upload_coupon_file"
URL = "https://files.example.com/Coupons%20of%20spring.csv"
RUN, YESTERDAY = "scheduled__2026-01-02T03:00:00+00:00", "scheduled__2026-01-01T03:00:00+00:00"
RETRIES = 2
MOST_ATTEMPTS = 4  # without a clear in between


class Killed(BaseException):
    """Stands for SIGKILL: nothing of ours may catch it."""


class Cell(NamedTuple):
    disaster: str
    route: str
    names: str
    record: str
    name: str
    on_duplicate: str
    story: str
    others: str


KILLS = (
    "killed before the intent",
    "killed after the intent",
    "killed after the request was sent",
    "killed after the response",
    "killed after the XCom",
    "killed after the record",
)
# What the service does; in brackets, what the http proxy does in its place.
FAULTS: dict[str, tuple[faults.Fault, bytes | None]] = {
    "reply lost": (faults.reply_lost(), None),
    "5xx after the effect": (faults.error(503, effect=True), response(502)),
    "2xx of no use": (faults.garbage(b'{"status": "PENDING"}'), response(200)),
    "reply lost, no effect": (faults.reply_lost(effect=False), b""),
    "2xx of no use, no effect": (faults.empty(effect=False), response(200)),
}
NAMES: dict[str, dict[str, Any]] = {
    "kept": {},
    "cut to 64": {"name_length": 64},
    "lower-cased": {"name_case": "lower"},
    "not shown": {"list_hides": ["name"]},
    "cut to 20": {"name_length": 20},
    "kept, URL rewritten": {"url_rewrites": ["upper_host", "add_port", "decode"]},
}
PLAIN: dict[str, Any] = {"name_length": None, "name_case": "keep", "list_hides": [], "url_rewrites": []}
LONG = "Coupons of the spring sale, for the newsletter of the shop in the Market Street"  # over 64 characters
AXES: dict[str, Sequence[str]] = {
    "disaster": ("none", *KILLS, *FAULTS),
    "route": ("direct", "http proxy", "CONNECT proxy"),
    "names": tuple(NAMES),
    "record": ("kept", "wiped by clear", "wiped on success", "never had"),
    "name": ("own name", "user's name", "user's name with run_id"),
    "on_duplicate": ("adopt", "upload", "fail"),
    "story": (
        "retried, then cleared",
        "cleared",
        "cleared before, then retried",
        "retried after a clear of another task",
        "cleared after retries were lowered",
    ),
    "others": ("none", "same name and URL", "an earlier run of the same id", "a sibling with the same beginning"),
}


def product_cells() -> Iterator[Cell]:
    """Every disaster, route, name in the list, record, name and mode together, in the order that has most attempts."""
    axes = {**AXES, "names": AXES["names"][:4], "story": AXES["story"][:1], "others": AXES["others"][:1]}
    return itertools.starmap(Cell, itertools.product(*axes.values()))


ROUTE = 1  # place of the axis


def axes_together(strength: int) -> list[tuple[int, ...]]:
    """Which axes :func:`covering_cells` combines."""
    others = [axis for axis in range(len(AXES)) if axis != ROUTE]
    return [*itertools.combinations(others, strength), *((ROUTE, axis) for axis in others)]


def covering_cells(strength: int, seed: int = 17) -> list[Cell]:
    """
    Cells in which any values of some axes occur together, chosen greedily and the same in each run.

    :param strength: of how many axes; of two if one is the route, since proxies are slow.
    """
    draw = random.Random(seed)
    values = list(AXES.values())
    groups = axes_together(strength)
    missing = {
        (group, combination) for group in groups for combination in itertools.product(*(values[axis] for axis in group))
    }
    left = sorted(missing)
    draw.shuffle(left)
    cells = []
    for group, combination in left:
        if (group, combination) not in missing:
            continue
        candidates = []
        for _ in range(12):
            cell = [draw.choice(axis) for axis in values]
            cell[ROUTE] = draw.choice((*[values[ROUTE][0]] * 5, cell[ROUTE]))
            for axis, value in zip(group, combination, strict=True):
                cell[axis] = value
            covered = {(axes, tuple(cell[axis] for axis in axes)) for axes in groups} & missing
            candidates.append((len(covered), cell, covered))
        _, cell, covered = max(candidates, key=lambda candidate: candidate[0])
        missing -= covered
        cells.append(Cell(*cell))
    return cells


@dataclass
class Clock:
    """Time that only sleeping moves, the service's included."""

    emulator: Emulator
    now: float = 1_700_000_000.0

    def time(self) -> float:
        return self.now

    monotonic = time

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.emulator.clock.advance(seconds)


class Environment:
    """The emulator, and the routes to it."""

    def __init__(self, emulator: Emulator, routes: dict[str, WesSettings], proxy: Proxy) -> None:
        self.emulator = emulator
        self.routes = routes
        self.proxy = proxy
        self.clock = Clock(emulator)
        self.service = WesHook()  # for what is no part of a life
        client = WesClient(routes["direct"], sleep=self.clock.sleep)
        self.service.__dict__.update(settings=client.settings, _client=client)
        self._lists = 0

    @classmethod
    @contextmanager
    def running(cls, folder: Path) -> Iterator[Environment]:
        """
        :param folder: for a certificate.
        """
        with ExitStack() as stack:
            emulator = stack.enter_context(Emulator(limits=None, list_lag=1.0, fetch_lag=0.0))
            emulator.script(statuses=[("SUCCESS", None)])
            certificate = make_certificate(folder)
            https = stack.enter_context(tls_in_front_of(emulator.url, certificate))
            proxy = stack.enter_context(Proxy().serving())
            connection = emulator.connection(extra={"max_attempts": 2, "coupon_files_lag": 2})
            fields = {"schema": None, "port": None, "conn_id": "wes_default", **connection}
            settings = WesSettings.from_connection(SimpleNamespace(**{**fields, "extra": json.dumps(fields["extra"])}))
            routes = {
                "direct": settings,
                "http proxy": settings,
                "CONNECT proxy": replace(settings, base_url=https, verify=str(certificate)),
            }
            environment = cls(emulator, routes, proxy)
            stack.callback(environment.service.get_conn().close)
            yield environment

    def new_list(self) -> str:
        self._lists += 1
        return f"list-{self._lists}"

    def client(self, route: str) -> WesClient:
        with pytest.MonkeyPatch.context() as patch:
            for name in ("no_proxy", "NO_PROXY", "http_proxy", "https_proxy"):
                patch.delenv(name, raising=False)
            if route != "direct":
                patch.setenv("http_proxy", self.proxy.url)
                patch.setenv("https_proxy", self.proxy.url)
            return WesClient(self.routes[route], sleep=self.clock.sleep)


class Result(NamedTuple):
    """How an attempt ended: with a file's identifier, an error, or (neither) killed."""

    file_id: str | None = None
    error: BaseException | None = None

    @property
    def ended(self) -> bool:
        """Whether Airflow makes no further attempt."""
        permanent = isinstance(self.error, AirflowFailException) or getattr(self.error, "permanent", False)
        return self.file_id is not None or permanent

    def __str__(self) -> str:
        if self.file_id is not None:
            return "uploaded"
        if isinstance(self.error, WesDuplicateError) and "on_duplicate is 'fail'" in str(self.error):
            return "duplicate"
        return "error"


@dataclass
class KillingStore(Store):
    """A task state store, around whose writing the process dies."""

    point: str = ""
    values: dict[str, str] = field(default_factory=dict)

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        intent = value["file"] is None
        if intent and self.point == "killed before the intent":
            raise Killed
        super().set(key, value, retention=retention)
        if self.point == ("killed after the intent" if intent else "killed after the record"):
            raise Killed


class Life:
    """
    A task instance from its first attempt on, in one cell.

    :ivar results: of each attempt.
    :ivar problems: what must not be.
    """

    def __init__(self, environment: Environment, cell: Cell) -> None:
        self.environment = environment
        self.emulator = environment.emulator
        self.cell = cell
        self.list_id = environment.new_list()
        self.store = None if cell.record == "never had" else KillingStore()
        self.try_number, self.max_tries, self.clears = 1, RETRIES, 0
        self.retries, self.clear_number = RETRIES, 0
        self.started = datetime(2026, 1, 2, 3, tzinfo=timezone.utc)
        self.results: list[Result] = []
        self.problems: list[str] = []
        self.before_clear: Result | None = None
        self.uploads: list[tuple[str, int]] = []  # identifier, and how many clears came before it
        self.emulator.configure(**{**PLAIN, **NAMES[cell.names]})
        self.name = {"own name": None, "user's name": f"{LONG}.csv", "user's name with run_id": f"{LONG} {RUN}.csv"}[
            cell.name
        ]
        self._upload_those_of_others()
        self.others = {file["_id"] for file in self.emulator.files(self.list_id)}

    # -- the story

    def run(self) -> Life:
        """From the first attempt to the last."""
        if self.cell.story == "cleared before, then retried":
            self._attempts("none")
            self._clear()
            self._attempts(self.cell.disaster)
        elif self.cell.story == "retried after a clear of another task":
            if not self._attempt(self.cell.disaster).ended:
                self._restart_run()
                self.try_number += 1
                self._attempts("none")
        elif self.cell.story.startswith("cleared"):
            self._attempt(self.cell.disaster)
            self.retries -= "lowered" in self.cell.story
            self._clear()
            self._attempts("none")
        else:
            self._attempts(self.cell.disaster)
            self._clear()
            self._attempts("none")
        return self

    def _attempts(self, disaster: str) -> None:
        """One attempt, and Airflow's retries; the disaster meets the first."""
        for number in range(MOST_ATTEMPTS):
            if number:
                self.try_number += 1
            if self._attempt(disaster).ended:
                return
            disaster = "none"
        self.problems.append(f"no end after {MOST_ATTEMPTS} attempts: {self.results[-1].error}")

    def _clear(self) -> None:
        self.before_clear = self.results[-1]
        self.max_tries = self.try_number + self.retries
        self.try_number += 1
        self.clears += 1
        self._restart_run()
        if self.store is not None and self.cell.record == "wiped by clear":
            self.store.values.clear()

    def _restart_run(self) -> None:
        """As a clear of any of its tasks does."""
        self.clear_number += 1
        self.started += timedelta(hours=1)

    # -- an attempt

    def _context(self, disaster: str = "none") -> dict[str, Any]:
        def push(key: str, value: Any) -> None:
            if key == "coupon_file":
                self.pushed = value
                if "file" in disaster or disaster == "killed after the XCom":
                    raise Killed
                if disaster == "killed after the record" and self.store is None:
                    raise Killed

        ti = SimpleNamespace(
            dag_id="shop", task_id="Replenish", run_id=RUN, map_index=-1, try_number=self.try_number,
            max_tries=self.max_tries, start_date=self.started, xcom_push=push,
        )  # fmt: skip
        run = SimpleNamespace(start_date=self.started, clear_number=self.clear_number)
        context = {"ti": ti, "task": SimpleNamespace(retries=self.retries), "run_id": RUN, "dag_run": run}
        return context if self.store is None else {**context, "task_state_store": self.store}

    def _attempt(self, disaster: str) -> Result:
        before = {file["_id"] for file in self.emulator.files(self.list_id)}
        operator = WesUploadCouponFileOperator(
            task_id="Replenish",
            coupon_list_id=self.list_id,
            file_url=URL,
            name=self.name,
            on_duplicate=self.cell.on_duplicate,
        )
        client = self.environment.client(self.cell.route)
        hook = WesHook()
        hook.__dict__.update(settings=client.settings, _client=client)
        vars(operator).update(hook=hook, clock=self.environment.clock)
        self.pushed: Any = None
        self.recorded = self.store is not None and bool(self.store.values)
        self._arrange(disaster, hook, client)
        try:
            result = Result(file_id=operator.execute(self._context(disaster)))
        except Killed:
            result = Result()
        except Exception as error:
            result = Result(error=error)
        self.environment.proxy.on_reply = lambda piece: piece
        self.environment.proxy.responses.clear()
        self.emulator.clear_faults()
        client.close()
        if self.store is not None:
            self.store.point = ""
        self.environment.clock.sleep(1.0)
        new = [file["_id"] for file in self.emulator.files(self.list_id) if file["_id"] not in before]
        self.uploads += [(file_id, self.clears) for file_id in new]
        self.results.append(result)
        self._check(result)
        if result.file_id is not None and self.store is not None and self.cell.record == "wiped on success":
            self.store.values.clear()
        return result

    def _arrange(self, disaster: str, hook: WesHook, client: WesClient) -> None:
        """Let the disaster happen in the next attempt."""
        if disaster in FAULTS:
            fault, by_proxy = FAULTS[disaster]
            if self.cell.route == "http proxy":
                self._let_the_proxy_respond(by_proxy, effect=fault.effect)
            elif self.cell.route == "CONNECT proxy" and fault == faults.reply_lost():
                self._let_the_proxy_respond(None, effect=True)
            else:
                self.emulator.fail(UPLOAD, fault, list_id=self.list_id)
        if self.store is not None:
            self.store.point = disaster
        elif disaster in ("killed before the intent", "killed after the intent"):
            hook.upload_coupon_file = dies  # type: ignore[method-assign]
        if disaster == "killed after the request was sent":
            run = client.run
            client.run = lambda operation, **kwargs: run(  # type: ignore[method-assign]
                replace(operation, read=dies) if operation.request.method == "POST" else operation, **kwargs
            )
        if disaster == "killed after the response":
            upload = hook.upload_coupon_file
            hook.upload_coupon_file = lambda *args, **kwargs: dies(upload(*args, **kwargs))  # type: ignore[method-assign]

    def _let_the_proxy_respond(self, reply: bytes | None, *, effect: bool) -> None:
        """To the next upload, in the service's place: with nothing if it is ``None``."""
        count, proxy = len(self.emulator.files(self.list_id)), self.environment.proxy
        if not effect:
            listings = 1 if self.name else 0  # before the upload
            proxy.responses = [*[None] * listings, reply]
            return

        def on_reply(piece: bytes) -> bytes | None:
            if len(self.emulator.files(self.list_id)) == count:
                return piece
            proxy.on_reply = lambda piece: piece
            return reply

        proxy.on_reply = on_reply

    # -- files of others

    def _upload_those_of_others(self) -> None:
        name = self.name
        other = TaskIdentity("shop", "Replenish", RUN, 1, None, "abcdef", False)
        files = [(URL, given_name(other))]  # of a mapped sibling
        if self.cell.others == "same name and URL":
            files.append((URL, name.replace(RUN, YESTERDAY) if name else given_name(other)))
            files.append((URL.replace("spring", "autumn"), name or given_name(other)))
        elif self.cell.others == "an earlier run of the same id":
            earlier = replace(TaskIdentity.of(self._context()), mark="abcdef")
            files.append((URL, name or given_name(earlier)))
        elif self.cell.others == "a sibling with the same beginning":
            files.append((URL, name.removesuffix(".csv") if name else given_name(other)))
        for url, given in files:
            self.environment.service.upload_coupon_file(self.list_id, url, name=given)
        self.environment.clock.sleep(10.0)

    # -- what must be true

    def _check(self, result: Result) -> None:
        generations = [clears for _, clears in self.uploads]
        for generation in set(generations):
            if generations.count(generation) > 1:
                self._problem(f"{generations.count(generation)} uploads after {generation} clears")
        if len(generations) > 1 and self.cell.on_duplicate != "upload":
            self._problem(f"{len(generations)} uploads")
        if result.file_id is not None:
            self._check_success(result.file_id)
        elif result.error is not None:
            self._check_error(result.error)

    def _check_success(self, file_id: str) -> None:
        uploaded = dict(self.uploads)
        if file_id not in uploaded:
            if not self._of_deleted_run:
                self._problem("a success without its own file")
        elif self.cell.on_duplicate == "upload" and uploaded[file_id] != self.clears and not self._looks_like_a_retry:
            self._problem("a success with the file of the time before the clear")
        if (self.pushed or {}).get("id") != file_id:
            self._problem(f"an XCom with another file: {self.pushed}")

    def _check_error(self, error: BaseException) -> None:
        text = str(error)
        if isinstance(error, WesDuplicateError) or "WesDuplicateError" in text:
            mine = any(file_id in text for file_id, _ in self.uploads)
            if self.cell.on_duplicate != "fail" or not (mine or self._of_deleted_run):
                self._problem(f"{text}")
        elif isinstance(error, WesUnknownOutcomeError) or "WesUnknownOutcomeError" in text:
            if not (self.list_id in text and URL in text and "Look in the list for a file named" in text):
                self._problem(f"an error that does not say what to look for: {text}")
        else:
            self._problem(f"{type(error).__name__}: {text}")

    @property
    def _looks_like_a_retry(self) -> bool:
        """The attempt before was killed, and since retries were lowered, the clear has changed no number."""
        return self.retries < RETRIES and self.results[-2] == Result()

    @property
    def _of_deleted_run(self) -> bool:
        """Without a record, the only file of this name is of a run of the same id: docs/reliability.md, "open"."""
        return self.cell.others == "an earlier run of the same id" and not self.uploads and not self.recorded

    def _problem(self, what: str) -> None:
        self.problems.append(f"attempt {len(self.results)}: {what}")


def given_name(identity: TaskIdentity) -> str:
    """The name of an upload without one of the user's."""
    return identity.name("", RETRIES, URL, UploadRequest.of("list", {"file_url": URL}).file)


def dies(*_: Any, **__: Any) -> Any:
    """Stands for what a process does that is killed."""
    raise Killed
