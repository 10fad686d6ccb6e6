"""No content is uploaded to a list twice, whoever races, crashes or retries; and none is refused that was not."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from wes_provider.exceptions import WesConfigurationError, WesDuplicateError
from wes_provider.storage import Ledger
from wes_provider.storage.content import CheckedFile
from wes_provider.storage.errors import WesKnownContentError, WesLedgerBusyError, WesLedgerError
from wes_provider.storage.ledger import FRESH, STALE, ListLedger
from wes_provider.storage.stores import BucketStore, Entry, entries_of

LIST = "list/1"
FILE = CheckedFile(path="s3://promo/a.csv", size=10, etag="etag", codes=2, sha256="0" * 64)
PLACE = "s3://s3_promo@promo/ledger"
OURS = "yrj3ebab-g3-y3uz-mpnufx.csv"  # a name that the provider gives
OTHER = CheckedFile(path="s3://promo/b.csv", size=10, etag="etag", codes=2, sha256="1" * 64)


def all_entries() -> list[Entry]:
    return entries_of(BucketStore(PLACE, LIST).stored())


class AssetStates(dict[Any, Any]):
    """Asset state stores as a task's context has them, over one dictionary: what is read and written is JSON."""

    def __getitem__(self, asset: Any) -> Any:
        if asset.uri != "wes://coupon-list/list%2F1":
            raise KeyError(asset)
        return SimpleNamespace(get=self.read, set=self.write)

    def read(self, key: str) -> Any:
        value = self.get(key)
        return None if value is None else json.loads(value)

    def write(self, key: str, value: Any) -> None:
        super().__setitem__(key, json.dumps(value))


def context(run: str, states: Any = None, **extra: Any) -> dict[str, Any]:
    ti = SimpleNamespace(dag_id="summer", run_id=run, task_id="upload", map_index=-1)
    return {"ti": ti, "asset_state_store": states, **extra}


@pytest.fixture(params=["bucket", "unconditional-bucket", "asset"])
def opened(request: pytest.FixtureRequest, mocker: Any) -> Any:
    """Opens the ledger of a list for a task of a run: ``opened("run-1", on_known_content="skip", find=...)``."""
    if "bucket" in request.param:
        request.getfixturevalue("s3").conditional = request.param == "bucket"
        location, states = "s3://s3_promo@promo/ledger/", None
    else:
        location, states = None, AssetStates()
    mocker.patch("wes_provider.storage.stores.WRITES_END", 2 if "bucket" in request.param else 0.2)
    alone = SimpleNamespace(time=time.time, monotonic=time.monotonic, sleep=lambda seconds: None)
    mocker.patch("wes_provider.storage.stores.time", alone)  # nobody else writes meanwhile

    def open_(run: str, on_known_content: str = "fail", **evidence: Any) -> ListLedger:
        asked = {"find": lambda name: None, "failed": lambda file_id: False, "lag": 0, **evidence}
        service: Any = SimpleNamespace(**asked) if evidence else None
        return Ledger(location, on_known_content).open(LIST, context(run, states), service)

    return open_


def upload(ledger: ListLedger, file: CheckedFile = FILE, file_id: str = "f1") -> Entry:
    entry = claim(ledger, file)
    ledger.end(entry, "uploaded", file_id)
    return entry


def claim(ledger: ListLedger, file: CheckedFile = FILE, name: str = "name") -> Entry:
    claimed = ledger.claim(file, name)
    assert claimed is not None
    return claimed[0]


STORIES = {  # what tasks of runs do, one after another; a step's last words are files that failed processing
    "another-run": "1 uploads f1; 2 finds f1",
    "the-same-run": "1 uploads f1; 1 finds nothing",
    "own-claim": "1 claims it; 1 finds nothing",
    "claim-of-another": "1 claims it; 2 waits for-it",
    "released": "1 releases it; 2 finds nothing; 2 uploads f1; 1 finds f1",
    "uploaded-again": "1 uploads f1; 2 uploads f2; 3 finds f2",
    "failed": "1 uploads f1; 2 finds nothing f1; 2 uploads f2; 3 finds f2 f1",
    "released-after-an-upload": "1 uploads f1; 2 releases it; 3 finds f1; 1 finds nothing",
    "own-before-another": "1 uploads f1; 2 uploads f2; 1 finds nothing; 1 finds f2 f1",
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_content_is_known_if_another_task_uploaded_it(opened: Any, story: str) -> None:
    for step in story.split("; "):
        run, verb, what, *failed = step.split()
        ledger = opened(f"run-{run}", "fail" if verb in ("finds", "waits") else "upload", failed=failed.__contains__)
        if verb == "uploads":
            upload(ledger, file_id=what)
        elif verb == "claims":
            claim(ledger)
        elif verb == "releases":
            ledger.end(claim(ledger), "released")
        elif what == "nothing":
            assert ledger.check([FILE]) == {}
        else:
            error: Any = WesKnownContentError if verb == "finds" else WesLedgerBusyError
            text = (
                f"coupon file {what}," if verb == "finds" else r"^Another task is uploading its content \(s3://promo/a"
            )
            for attempt in (lambda: ledger.check([FILE]), lambda: ledger.claim(FILE, "name")):  # noqa: B023
                with pytest.raises(error, match=text) as raised:
                    attempt()
                assert raised.value.permanent is (verb == "finds")


def test_content_of_another_run_is_refused(opened: Any) -> None:
    upload(opened("run-1"))
    for attempt in (lambda: opened("run-2").check([OTHER, FILE]), lambda: opened("run-2").claim(FILE, "name")):
        with pytest.raises(WesKnownContentError) as error:
            attempt()
        assert isinstance(error.value, WesDuplicateError)
        assert str(error.value).startswith("The content of 1 file was uploaded before (list list/1)\n")
        assert "s3://promo/a.csv: coupon file f1, by summer.upload, run run-1" in str(error.value)
    assert opened("run-2").check([OTHER]) == {}
    assert opened("run-2").claim(OTHER, "name") is not None


def test_known_content_can_be_skipped(opened: Any) -> None:
    upload(opened("run-1"))
    ledger = opened("run-2", "skip")
    assert [entry.coupon_file_id for entry in ledger.check([FILE, OTHER]).values()] == ["f1"]
    with pytest.raises(WesLedgerBusyError):
        ledger.claim(FILE, "name")


def test_task_keeps_its_own_claim_from_attempt_to_attempt(opened: Any) -> None:
    first = claim(opened("run-1"))
    again = opened("run-1")
    assert again.check([FILE]) == {}
    assert again.claim(FILE, "name") == (first, False)
    again.end(first, "uploaded", "f1")
    assert opened("run-1").check([FILE]) == {}


def test_owner_that_uploads_again_claims_again(opened: Any, mocker: Any) -> None:
    """Others may take an old claim for abandoned, and a file that failed processing for unknown."""
    ledger = opened("run-1")
    ledger.claim(FILE, "name")
    clock = mocker.patch("wes_provider.storage.ledger.time.time", return_value=time.time() + FRESH + 1)
    assert claim(ledger).number == 2
    clock.return_value += STALE - 1
    with pytest.raises(WesLedgerBusyError):
        opened("run-2").check([FILE])
    upload(ledger)
    again = claim(ledger)
    assert (again.number, again.state) == (4, "claimed")
    with pytest.raises(WesLedgerBusyError):
        opened("run-2", failed=lambda file_id: file_id == "f1").claim(FILE, "name")


def test_content_that_this_task_uploaded_from_another_path_is_known(opened: Any) -> None:
    upload(opened("run-1"))
    with pytest.raises(WesKnownContentError, match="coupon file f1, by summer"):
        opened("run-1").check([replace(FILE, path="s3://promo/copy.csv")])


def test_claim_of_a_task_that_crashed_is_resolved_by_the_list(opened: Any) -> None:
    opened("run-1").claim(FILE, OURS)
    with pytest.raises(WesKnownContentError, match=r"coupon file f9, by summer\.upload, run run-1"):
        opened("run-2", find={OURS: "f9"}.get).check([FILE])
    with pytest.raises(WesKnownContentError, match="coupon file f9"):
        opened("run-3").check([FILE])  # it is in the ledger now


def test_claim_with_a_name_that_an_earlier_file_may_have_is_not_resolved_by_it(opened: Any, mocker: Any) -> None:
    opened("run-1").claim(FILE, "nightly")
    listed = {"nightly": "f-of-yesterday"}.get
    with pytest.raises(WesLedgerBusyError):
        opened("run-2", find=listed).check([FILE])
    mocker.patch("wes_provider.storage.ledger.STALE", 0)
    for policy in ("fail", "skip"):
        with pytest.raises(WesKnownContentError, match=r"f-of-yesterday.*whether it has this content cannot be known"):
            opened("run-2", policy, find=listed).check([FILE])
    assert opened("run-2", find=listed, failed=lambda coupon_file_id: True).check([FILE]) == {}
    upload(opened("run-1"), file_id="f-of-today")
    with pytest.raises(WesKnownContentError, match=r"coupon file f-of-today, by summer.upload, run run-1$"):
        opened("run-2", find=listed).check([FILE])


def test_claim_of_a_task_that_crashed_before_it_uploaded_is_taken_over(opened: Any, mocker: Any) -> None:
    opened("run-1").claim(FILE, "its-name")
    mocker.patch("wes_provider.storage.ledger.STALE", 0)
    assert opened("run-2").check([FILE]) == {}
    assert upload(opened("run-2")).number == 2
    with pytest.raises(WesKnownContentError, match="run run-2"):
        opened("run-1").claim(FILE, "its-name")


def test_of_many_writers_that_race_one_wins(opened: Any, request: pytest.FixtureRequest, mocker: Any) -> None:
    mocker.patch("wes_provider.storage.stores.time", time)
    barrier = threading.Barrier(6)

    def race(number: int) -> str:
        ledger = opened(f"run-{number}")
        barrier.wait()
        try:
            return "won" if ledger.claim(FILE, f"name-{number}") else ""
        except WesLedgerBusyError:
            return "busy"

    with ThreadPoolExecutor(6) as executor:
        outcomes = sorted(executor.map(race, range(6)))
    slow = "busy" if request.node.callspec.params["opened"] == "unconditional-bucket" else "won"  # given up if it is
    assert outcomes in (["busy"] * 5 + ["won"], ["busy"] * 5 + [slow])


def test_slow_claim_is_not_trusted(mocker: Any) -> None:
    mocker.patch("wes_provider.storage.stores.WRITES_END", 0.2)
    states = AssetStates()
    write = states.write
    mocker.patch.object(states, "write", lambda key, value: (time.sleep(0.15), write(key, value)))
    with pytest.raises(WesLedgerBusyError, match="was too slow to claim"):
        Ledger().open(LIST, context("run-1", states)).claim(FILE, "name")


def test_entries_tell_what_was_uploaded_by_whom(s3: Any) -> None:
    ledger = Ledger(PLACE).open(LIST, context("run-1"))
    upload(ledger)
    upload(ledger, OTHER, "f2")
    first, second = all_entries()
    assert (first.path, first.etag, first.sha256, first.codes) == (FILE.path, FILE.etag, FILE.sha256, FILE.codes)
    assert (first.dag_id, first.run_id, first.coupon_file_id, first.state) == ("summer", "run-1", "f1", "uploaded")
    assert second.coupon_file_id == "f2"
    assert s3.names("ledger/")[0] == f"ledger/list%2F1/{FILE.sha256}-1-result.json"


STORED = {
    "version": 1, "sha256": FILE.sha256, "number": 1, "coupon_list_id": LIST, "path": "s3://promo/a.csv",
    "etag": "etag", "size": 10, "codes": 2, "at": 1795329791.5, "dag_id": "winter", "run_id": "run-0",
    "task_id": "upload", "map_index": 3, "owner": "someone", "name": "n", "state": "uploaded",
    "coupon_file_id": "f0", "nonce": "x", "of a later version": True,
}  # fmt: skip


def test_entry_of_version_1_stays_readable_and_counts_under_the_name_that_it_has(s3: Any) -> None:
    for number in (1, 7):
        s3.clear()
        name = f"ledger/list%2F1/{FILE.sha256}-{number}"
        s3.put(f"{name}.json", json.dumps({**STORED, "state": "claimed"}).encode())
        s3.put(f"{name}-result.json", json.dumps(STORED).encode())
        with pytest.raises(WesKnownContentError, match=r"coupon file f0, by winter.upload\[3\], run run-0"):
            Ledger(PLACE).open(LIST, context("run-1")).check([FILE])
        assert claim(Ledger(PLACE, "upload").open(LIST, context("run-1"))).number == number + 1


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"null", b"\xff"),
        *({**STORED, **change} for change in ({"at": "x"}, {"state": "done"}, {"coupon_file_id": ""})),
    ],
    ids=["empty", "cut", "array", "null", "binary", "time", "state", "no-id"],
)
def test_entry_that_someone_changed_is_an_error_and_not_taken_for_none(s3: Any, content: Any) -> None:
    name = f"ledger/list%2F1/{FILE.sha256}-1.json"
    s3.put(name, content if isinstance(content, bytes) else json.dumps(content).encode())
    ledger = Ledger(PLACE).open(LIST, context("run-1"))
    for attempt in (lambda: ledger.check([FILE]), lambda: ledger.claim(FILE, "name"), all_entries):
        with pytest.raises(WesLedgerError, match=f"{PLACE}/list%2F1/{FILE.sha256}-1.json\nSomeone has changed it"):
            attempt()
    s3.delete(name)
    assert ledger.check([FILE]) == {}


def test_ledger_that_cannot_be_read_or_written_is_an_error_without_secrets(s3: Any) -> None:
    ledger = Ledger(PLACE).open(LIST, context("run-1"))
    s3.read_only = True
    with pytest.raises(WesLedgerError, match=rf"{PLACE}/list%2F1 cannot be written \(PermissionError\)\n"):
        ledger.claim(FILE, "name")
    s3.secrets["AKIDTESTS"] = "rotated"
    with pytest.raises(WesLedgerError, match="cannot be listed") as error:
        ledger.check([FILE])
    assert "s3-secret" not in str(error.value)
    gone = Ledger("s3://s3_promo@nowhere/ledger").open(LIST, context("run-1"))
    s3.clear()
    for attempt in (lambda: gone.check([FILE]), lambda: gone.claim(FILE, "name")):
        with pytest.raises(WesLedgerError, match=r"The bucket of the ledger does not exist[^*]*s3_promo@nowhere/led"):
            attempt()


@pytest.mark.parametrize("store", ["bucket", "asset"])
@pytest.mark.parametrize(
    "deleted",
    [["1"], ["1", "1-result"], ["1", "2"], ["1", "1-result", "2"], ["2", "2-result"]],
    ids=["first-claim", "first", "both-claims", "all-but-a-result", "last"],
)
def test_content_stays_known_whatever_else_is_deleted(
    store: str, deleted: list[str], request: pytest.FixtureRequest, mocker: Any
) -> None:
    mocker.patch("wes_provider.storage.stores.WRITES_END", 0.01)
    s3, states = request.getfixturevalue("s3") if store == "bucket" else None, AssetStates()
    place = PLACE if s3 else None
    for run, file_id in (("run-1", "f1"), ("run-2", "f2")):
        upload(Ledger(place, "upload").open(LIST, context(run, states)), file_id=file_id)
    for name in deleted:
        if s3:
            s3.delete(f"ledger/list%2F1/{FILE.sha256}-{name}.json")
        else:
            del states[f"wes_ledger_{FILE.sha256}-{name}"]
    ledger = Ledger(place).open(LIST, context("run-3", states))
    for attempt in (lambda: ledger.check([FILE]), lambda: ledger.claim(FILE, "name")):
        with pytest.raises(WesKnownContentError, match="coupon file f"):
            attempt()


@pytest.mark.parametrize("policy", ["fail", "skip"])
def test_both_contents_of_an_overwritten_object_are_known_as_uncertain(opened: Any, policy: str) -> None:
    ledger = opened("run-1")
    upload(ledger)
    ledger.overwritten(ledger.own(FILE), replace(OTHER, path=FILE.path))
    for file in (FILE, OTHER):
        with pytest.raises(WesKnownContentError, match="whether it has this content cannot be known"):
            opened("run-2", policy).check([file])
    assert opened("run-2", "upload").check([FILE, OTHER]) == {}
    assert opened("run-2", policy, failed=lambda coupon_file_id: True).check([FILE, OTHER]) == {}


def test_plan_asks_the_service_nothing(opened: Any, caplog: Any, mocker: Any) -> None:
    claim(opened("run-1"), OTHER, OURS)
    with pytest.raises(WesLedgerBusyError):
        opened("run-2").check([OTHER])
    mocker.patch("wes_provider.storage.ledger.STALE", 0)
    assert opened("run-2").check([OTHER]) == {}
    assert "a plan does not look whether the list has it" in caplog.text


def test_iterations_of_a_loop_are_different_tasks() -> None:
    loops = [SimpleNamespace(index=index) for index in (1, 2)]
    assert len({Ledger().open(LIST, context("run-1", AssetStates(), loop=loop)).owner for loop in loops}) == 2


@pytest.mark.parametrize(
    ("list_id", "states", "advice"),
    [
        (LIST, None, r"Ledger\('s3://aws_default@bucket/ledger'\)"),
        ("list-2", AssetStates(), r"Add coupon_list\('list-2'\) from wes_provider.assets"),
    ],
    ids=["no-store", "no-outlet"],
)
def test_ledger_without_a_place_says_what_to_do(list_id: str, states: Any, advice: str) -> None:
    with pytest.raises(WesConfigurationError, match=advice):
        Ledger().open(list_id, context("run-1", states))


@pytest.mark.parametrize(
    ("location", "problem"),
    [
        *((place, "A ledger needs a folder of object storage") for place in ("/ledger", "file:///ledger", "", 5)),
        ("https://example.com/ledger", "A ledger needs a folder of object storage"),
        ("s3://key:very-secret@promo/ledger", "has credentials before the @"),
    ],
)
def test_place_that_is_no_object_storage_is_refused_at_once(location: Any, problem: str) -> None:
    ledger = Ledger("{{ params.place }}")
    ledger.location = location
    for attempt in (lambda: Ledger(location), lambda: ledger.open(LIST, context("run-1"))):
        with pytest.raises(WesConfigurationError, match=problem) as error:
            attempt()
        assert "very-secret" not in str(error.value)


@pytest.mark.parametrize(
    ("template", "warns"),
    [("{{ ds }}", True), ("{{ data_interval_end }}", True), ("{{ params.place }}", False), ("ds", False)],
)
def test_place_that_changes_from_run_to_run_is_warned_of(s3: Any, caplog: Any, template: str, warns: bool) -> None:
    ledger = Ledger(f"s3://s3_promo@promo/{template}")
    ledger.location = "s3://s3_promo@promo/rendered"
    ledger.open(LIST, context("run-1"))
    assert ("Each date or run has a ledger of its own" in caplog.text) is warns


def test_unknown_policy_is_refused_at_once() -> None:
    with pytest.raises(WesConfigurationError, match="on_known_content takes fail, skip or upload, not 'ignore'"):
        Ledger(on_known_content="ignore")
    assert Ledger(on_known_content="{{ params.policy }}")
