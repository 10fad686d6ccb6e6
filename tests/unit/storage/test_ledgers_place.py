"""
Where a ledger is. A bucket that does not exist, or refuses to list, read or write, is an error
with the place and without the bucket's own text or a secret; caches of the file system are passed
by. Without a location, the asset state store of the list's outlet holds it, or the error says
what to do. Arguments that make no sense are refused when the DAG is parsed, or when a template is
rendered.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from support.ledgers import (
    FILE,
    LIST,
    PLACE,
    AssetStates,
    attempt_in,
    in_bucket,
    none_failed,
    upload,
)
from support.memory_bucket import MemoryBucket
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import Ledger
from wes_provider.storage.errors import WesKnownContentError, WesStorageError
from wes_provider.storage.stores import AssetStore


def test_ledger_whose_bucket_does_not_exist_is_an_error(s3: Any) -> None:
    gone = in_bucket(place="s3://s3_promo@nowhere/ledger")
    with pytest.raises(
        WesStorageError,
        match=r"bucket of the ledger does not exist: s3://s3_promo@nowhere/ledger/list%2F1/",
    ):
        gone.claim(FILE)


def test_ledger_in_a_bucket_that_may_only_be_read_is_an_error(s3: Any) -> None:
    ledger = in_bucket()
    s3.read_only = True
    with pytest.raises(
        WesStorageError, match=rf"{PLACE}/list%2F1/ cannot be written \(PermissionError\)\n"
    ):
        ledger.claim(FILE)


def test_ledger_whose_key_was_changed_is_an_error_without_the_secret(s3: Any) -> None:
    ledger = in_bucket()
    s3.secrets["AKIDTESTS"] = "rotated"
    with pytest.raises(WesStorageError, match="cannot be listed") as error:
        ledger.find_known([FILE])
    assert "s3-secret" not in str(error.value)


class NoPlace(NamedTuple):
    """A task for which ``Ledger()`` has no asset state store, and the advice in the error."""

    name: str
    list_id: str
    states: AssetStates | None
    advice: str


NO_PLACES = (
    NoPlace(
        "an Airflow without asset state stores",
        LIST,
        None,
        r"Ledger\('s3://aws_default@bucket/ledger'\)",
    ),
    NoPlace(
        "a list whose asset is not in the outlets",
        "list-2",
        AssetStates(),
        r"Airflow 3.3, and wes_provider.assets.coupon_list\('list-2'\) in the outlets",
    ),
)


@pytest.mark.parametrize("row", NO_PLACES, ids=[row.name for row in NO_PLACES])
def test_ledger_without_a_place_says_what_to_do(row: NoPlace) -> None:
    with pytest.raises(WesConfigurationError, match=row.advice):
        Ledger().open(row.list_id, attempt_in("run-1", row.states), none_failed)


def test_asset_store_cannot_list_the_entries_of_all_contents() -> None:
    """``wes-ledger`` calls ``all_entries``, which stores in buckets have."""
    assert not hasattr(AssetStore(LIST, attempt_in("run-1", AssetStates())), "all_entries")


@pytest.mark.usefixtures("memory")
def test_place_is_the_same_with_a_slash_at_its_end() -> None:
    upload(in_bucket("run-1", place=f"{PLACE}/"))
    with pytest.raises(WesKnownContentError):
        in_bucket("run-2", place=PLACE).find_known([FILE])


def test_folder_that_a_bucket_does_not_have_has_no_entries(
    memory: MemoryBucket, mocker: Any
) -> None:
    mocker.patch.object(memory.filesystem, "find", side_effect=FileNotFoundError)
    assert in_bucket().find_known([FILE]) == {}


class Broken(NamedTuple):
    """
    What a bucket refuses, and the whole message.

    :ivar method: of the file system, which fails with the error.
    """

    name: str
    method: str
    error: Exception
    message: str


RIGHTS = "Check the connection's address, credentials and rights"
LEDGER_NAME = f"{PLACE}/list%2F1/"
BROKEN = (
    Broken(
        "list",
        "find",
        PermissionError("hunter2"),
        f"The ledger {LEDGER_NAME} cannot be listed (PermissionError)\n{RIGHTS}",
    ),
    Broken(
        "read",
        "cat_file",
        PermissionError("hunter2"),
        f"The ledger {LEDGER_NAME} cannot be read (PermissionError)\n{RIGHTS}",
    ),
    Broken(
        "write",
        "pipe_file",
        PermissionError("hunter2"),
        f"The ledger {LEDGER_NAME} cannot be written (PermissionError)\n{RIGHTS}",
    ),
    Broken(
        "no bucket",
        "pipe_file",
        FileNotFoundError("hunter2"),
        f"The bucket of the ledger does not exist: {LEDGER_NAME}\nCreate it",
    ),
)


@pytest.mark.parametrize("row", BROKEN, ids=[row.name for row in BROKEN])
def test_bucket_that_refuses_is_an_error_without_the_buckets_own_text(
    row: Broken, memory: MemoryBucket, mocker: Any
) -> None:
    ledger = in_bucket(place=f"{PLACE}/")
    mocker.patch.object(memory.filesystem, row.method, side_effect=row.error)
    with pytest.raises(WesStorageError) as error:
        ledger.claim(FILE)
    assert str(error.value) == row.message
    assert (error.value.__cause__, error.value.__suppress_context__) == (None, True)


def test_names_and_entries_are_read_past_the_cache_of_the_file_system(
    memory: MemoryBucket, mocker: Any
) -> None:
    ledger = in_bucket()
    ledger.claim(FILE)
    emptied = mocker.spy(MemoryFileSystem, "invalidate_cache")
    ledger.find_known([FILE])
    # Before the names are listed, and before the claim is read.
    assert emptied.call_count == 2


class Text(NamedTuple):
    """A ledger, and its ``repr``."""

    name: str
    ledger: Ledger
    text: str


TEXTS = (
    Text("no location", Ledger(), "Ledger(None, on_known_content='fail')"),
    Text(
        "a location",
        Ledger("s3://c@promo/ledger", on_known_content="skip"),
        "Ledger('s3://c@promo/ledger', on_known_content='skip')",
    ),
    Text(
        "a location with a password and a query",
        Ledger("s3://key:very-secret@{{ params.bucket }}/ledger?sig=very-secret"),
        "Ledger('s3://key@{{ params.bucket }}/ledger', on_known_content='fail')",
    ),
)


@pytest.mark.parametrize("row", TEXTS, ids=[row.name for row in TEXTS])
def test_text_of_a_ledger_has_its_arguments_and_no_secret(row: Text) -> None:
    assert repr(row.ledger) == row.text


class Refused(NamedTuple):
    """An argument that makes no sense, and what the error says of it."""

    name: str
    arguments: dict[str, Any]
    problem: str


OTHER_FOLDER = "has a part that is empty, . or .."
REFUSED = (
    Refused("a local path", {"location": "/ledger"}, "location of Ledger is '/ledger', "),
    Refused(
        "a local URL",
        {"location": "file:///tmp/ledger"},
        "location of Ledger is 'file:///tmp/ledger', which is no URL of object storage",
    ),
    Refused("an empty location", {"location": ""}, "location of Ledger is '', which is no URL"),
    Refused("a number", {"location": 5}, "location of Ledger is '5', which is no URL"),
    Refused("an empty name", {"location": "s3://promo//ledger"}, OTHER_FOLDER),
    Refused("the folder above", {"location": "s3://promo/ledger/../ledger"}, OTHER_FOLDER),
    Refused("the same folder", {"location": "s3://promo/./ledger"}, OTHER_FOLDER),
    Refused("a pattern", {"location": "s3://promo/ledger*"}, r"has a \*, \? or \[, as patterns"),
    Refused("brackets", {"location": "s3://promo/led[1]"}, r"has a \*, \? or \[, as patterns"),
    Refused(
        "a password in the location",
        {"location": "s3://key:very-secret@promo/ledger"},
        "has credentials before the @",
    ),
    Refused(
        "an unknown policy",
        {"on_known_content": "ignore"},
        "on_known_content takes fail, skip or upload, not 'ignore'",
    ),
)


@pytest.mark.parametrize("row", REFUSED, ids=[row.name for row in REFUSED])
def test_argument_that_makes_no_sense_is_refused_when_the_dag_is_parsed(row: Refused) -> None:
    with pytest.raises(WesConfigurationError, match=row.problem) as error:
        Ledger(**row.arguments)
    assert "very-secret" not in str(error.value)


@pytest.mark.parametrize("row", REFUSED, ids=[row.name for row in REFUSED])
def test_template_that_renders_to_what_makes_no_sense_is_refused_when_it_is_opened(
    row: Refused,
) -> None:
    ledger = Ledger(**dict.fromkeys(row.arguments, "{{ params.x }}"))
    vars(ledger).update(row.arguments)
    with pytest.raises(WesConfigurationError, match=row.problem) as error:
        ledger.open(LIST, attempt_in("run-1", AssetStates()), none_failed)
    assert "very-secret" not in str(error.value)
