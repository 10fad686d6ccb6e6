"""
Coupon files in object storage. A URL, or an ObjectStoragePath, gives the objects that match it,
sorted, without those that stand for folders; ``*`` matches within a name, ``**/`` all folders
below, and brackets quote. A path without ``*`` whose name has brackets is meant as it is, and an
error if it also matches others; beside a ``*``, also in a folder's name, brackets are a pattern. No
match is an error unless ``allow_none``; a listing that is refused, and a connection that is not
there, always are. Credentials, a query, and what is no URL of object storage are refused.
``url_lifetime`` takes 1 s to 7 days, two hours by default.

A signed URL gives the object, whatever its name, for its lifetime. An object that was overwritten
or deleted after the listing is not signed, and an error if it is fetched, which is found out after
the fetch. Its content is identified by the first of ETag, md5Hash, crc32c, etag and checksum, or by
the storage's key. A storage that cannot sign is a permanent error; one that fails is told by the
kind of its error, may be asked again, and no secret is shown. An object that two items name is
uploaded once, as the first says, over whatever connection, if it has the same content. A storage
that Airflow lacks is named with what to install. Naming files in a DAG loads no library of storage.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem

from wes_provider.arguments import HOSTING
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import BucketFiles
from wes_provider.storage.errors import WesStorageError
from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.location import Location, access, filesystem
from wes_provider.storage.objects import download_object, etag_of, sign_url
from wes_provider.storage.task import StorageUploads

URL = "s3://s3_promo@promo/summer/*.csv"
BELOW = "s3://s3_promo@promo/summer/**"


def one(s3: Any, content: bytes = b"code\nA1\n", **options: Any) -> ListedFile:
    s3.put("summer/a.csv", content)
    (file,) = BucketFiles(URL, **options).expand()
    return file


def listed(url: Any) -> list[str]:
    return [
        file.path.removeprefix("s3://promo/") for file in BucketFiles(url, allow_none=True).expand()
    ]


class Pattern(NamedTuple):
    """A URL, and the objects that match it."""

    url: str
    objects: list[str]


PATTERNS = {
    "names of a folder": Pattern(URL, ["summer/a.csv", "summer/b.csv"]),
    "names at any depth": Pattern(
        f"{BELOW}/*.csv", ["summer/a.csv", "summer/b.csv", "summer/deep/c.csv"]
    ),
    "one name": Pattern("s3://s3_promo@promo/summer/b.csv", ["summer/b.csv"]),
    "a name with brackets, quoted": Pattern(
        "s3://s3_promo@promo/winter/a[[]1].csv", ["winter/a[1].csv"]
    ),
    "a name with brackets, not quoted": Pattern(
        "s3://s3_promo@promo/winter/a[1].csv", ["winter/a[1].csv"]
    ),
    "objects that stand for folders": Pattern("s3://s3_promo@promo/folders/**", ["folders/a.csv"]),
    "nothing there": Pattern("s3://s3_promo@promo/autumn/*", []),
}


@pytest.mark.parametrize("row", PATTERNS.values(), ids=PATTERNS)
def test_pattern_gives_matching_objects_sorted(s3: Any, row: Pattern) -> None:
    for name in ("b.csv", "a.csv", "a.txt", "deep/c.csv"):
        s3.put(f"summer/{name}", b"A1\n")
    for name in ("winter/a[1].csv", "folders/a.csv"):
        s3.put(name, b"A1\n")
    for name in ("", "deep/", "deep_$folder$"):  # objects that stand for folders
        s3.put(f"folders/{name}", b"")
    assert listed(row.url) == row.objects


def test_object_storage_path_means_the_same_as_its_url(s3: Any) -> None:
    from airflow.providers.common.compat.sdk import ObjectStoragePath

    file = one(s3)
    assert BucketFiles(ObjectStoragePath("s3://s3_promo@promo/summer/a.csv")).expand() == [file]
    assert BucketFiles(
        ObjectStoragePath("s3://promo/summer/*.csv", conn_id="s3_promo")
    ).expand() == [file]


NOWHERE = {
    "a pattern in an empty folder": "s3://s3_promo@promo/*.csv",
    "a name": "s3://s3_promo@promo/a.csv",
    "a pattern in a bucket that is not there": "s3://s3_promo@nowhere/*.csv",
    "a folder without the name of an object": "s3://s3_promo@promo/folder/",
}


@pytest.mark.parametrize("url", NOWHERE.values(), ids=NOWHERE)
def test_nothing_that_matches_is_an_error(s3: Any, url: str) -> None:
    s3.put("folder/a.csv", b"A1\n")
    with pytest.raises(
        WesStorageError, match=rf"No object matches {re.escape(url)}\n.*write \[\[\], \[\*\]"
    ):
        BucketFiles(url).expand()


@pytest.mark.parametrize("url", NOWHERE.values(), ids=NOWHERE)
def test_nothing_that_matches_is_no_file_with_allow_none(s3: Any, url: str) -> None:
    s3.put("folder/a.csv", b"A1\n")
    assert BucketFiles(url, allow_none=True).expand() == []


def test_signed_url_gives_the_object_whatever_its_name(s3: Any) -> None:
    names = [
        "with space.csv",
        "ä+b&c=d%20e#f.csv",
        "ünï/код.csv",
        "a?b.csv",
        "a*[1]{b}.csv",
        "%2e;'\"\\.csv",
        "/a.csv",
    ]
    for name in names:
        s3.put(f"summer/{name}", name.encode())
    files = BucketFiles(BELOW).expand()
    assert {file.path for file in files} == {f"s3://promo/summer/{name}" for name in names}
    for file in files:
        assert (
            requests.get(sign_url(file), timeout=10).text.encode()
            == file.path.removeprefix("s3://promo/summer/").encode()
        )


def test_a_connection_that_is_not_there_is_an_error_instead_of_anonymous_access(s3: Any) -> None:
    with pytest.raises(WesConfigurationError, match="There is no connection 'nope'"):
        BucketFiles("s3://nope@promo/a/*.csv").expand()
    assert not s3.requests


def test_a_storage_that_airflow_does_not_have_is_an_error_with_what_to_install() -> None:
    problem = r"Airflow has no object storage for oss:// here(?s:.*)airflow-provider-wes\[storage\]"
    with pytest.raises(WesConfigurationError, match=problem):
        BucketFiles("oss://promo/a.csv").expand()


@pytest.mark.parametrize("url", [URL, "s3://s3_promo@promo/summer/a.csv"], ids=["pattern", "path"])
def test_a_listing_that_the_storage_refuses_is_an_error_that_names_the_url(
    s3: Any, url: str
) -> None:
    one(s3)
    s3.secrets["AKIDTESTS"] = "rotated"
    with pytest.raises(WesStorageError, match="cannot be listed") as error:
        BucketFiles(url, allow_none=True).expand()
    assert str(error.value).startswith(url)
    assert "s3-secret-of-the-tests" not in str(error.value)


def sign(file: ListedFile, _: Path) -> None:
    sign_url(file)


def fetch(file: ListedFile, folder: Path) -> None:
    download_object(file, folder / "a")


USES = pytest.mark.parametrize("use", [sign, fetch], ids=["to be signed", "to be read"])
Use = Callable[[ListedFile, Path], None]


@USES
def test_an_object_that_the_storage_refuses_is_an_error_that_names_it_and_no_secret(
    s3: Any, use: Use, tmp_path: Path
) -> None:
    file = one(s3)
    s3.secrets["AKIDTESTS"] = "rotated"
    refused = r"s3://promo/summer/a.csv cannot be read \(\w+\)"
    with pytest.raises(WesStorageError, match=refused) as error:
        use(file, tmp_path)
    assert "s3-secret-of-the-tests" not in str(error.value)


def test_signed_url_lives_for_its_lifetime_and_no_longer(s3: Any) -> None:
    url = sign_url(one(s3, url_lifetime=timedelta(minutes=2)))
    signed_at = datetime.now(timezone.utc).timestamp()
    s3.now = lambda: signed_at + 118
    assert requests.get(url, timeout=10).status_code == 200
    s3.now = lambda: signed_at + 122
    assert requests.get(url, timeout=10).status_code == 403
    assert "expired" in s3.requests[-1].refused


@USES
def test_object_that_is_overwritten_after_the_listing_is_an_error(
    s3: Any, use: Use, tmp_path: Path
) -> None:
    file = one(s3)
    one(s3, b"code\nother\n")
    with pytest.raises(WesStorageError, match="was overwritten after the task listed it"):
        use(file, tmp_path)


@USES
def test_object_that_is_deleted_after_the_listing_is_an_error(
    s3: Any, use: Use, tmp_path: Path
) -> None:
    file = one(s3)
    s3.clear()
    with pytest.raises(WesStorageError, match="was deleted after the task listed it"):
        use(file, tmp_path)


def test_a_url_that_the_storage_gives_without_a_signature_is_an_error(s3: Any, mocker: Any) -> None:
    file = one(s3)
    mocker.patch("s3fs.S3FileSystem.sign", return_value="http://127.0.0.1/promo/summer/a.csv")
    with pytest.raises(
        WesStorageError, match=r"No URL of .* can be signed \(it came without signature\)"
    ):
        sign_url(file)


SIGNING_FAILS = (
    (NotImplementedError("hunter2"), True),
    (AttributeError("hunter2"), True),
    (ValueError("hunter2"), True),
    (TimeoutError("hunter2"), False),
    (ConnectionError("hunter2"), False),
    (FileNotFoundError("hunter2"), False),
    (RuntimeError("hunter2"), False),
)


@pytest.mark.parametrize(
    ("raised", "permanent"), SIGNING_FAILS, ids=[type(row[0]).__name__ for row in SIGNING_FAILS]
)
def test_storage_that_cannot_sign_is_not_asked_again_and_one_that_fails_is(
    raised: Exception, permanent: bool, mocker: Any
) -> None:
    """Some storages get keys from a server to sign with, which may fail for now."""
    fs = mocker.create_autospec(AbstractFileSystem, instance=True)
    fs.info.return_value = {"type": "file", "size": 8, "etag": "0x8DC1"}
    fs.sign.side_effect = raised
    mocker.patch("wes_provider.storage.objects.filesystem", return_value=fs)
    with pytest.raises(WesStorageError, match=r"can be signed \(\w+\)\nCheck") as error:
        sign_url(ListedFile(path="abfs://promo/a.csv", conn_id="azure", etag="0x8DC1"))
    assert type(raised).__name__ in str(error.value)
    assert "hunter2" not in str(error.value)
    assert error.value.permanent is permanent


class Shows(NamedTuple):
    """What another storage shows of an object, and what identifies its content by that."""

    name: str
    protocol: str
    properties: dict[str, Any]
    etag: str


OTHER_STORAGES = [
    Shows(
        "Google, with an MD5",
        "gs",
        {"etag": "CLDb8gE=", "md5Hash": "XrY7u+Ae7tCT==", "crc32c": "yZRlqg=="},
        "XrY7u+Ae7tCT==",
    ),
    Shows(
        "Google, of an object that is composed of others",
        "gs",
        {"etag": "CLDb8gE=", "crc32c": "yZRlqg=="},
        "yZRlqg==",
    ),
    Shows("Azure", "abfs", {"etag": "0x8DC1", "content_settings": {}}, "0x8DC1"),
]


@pytest.mark.parametrize("row", OTHER_STORAGES, ids=[row.name for row in OTHER_STORAGES])
def test_other_storages_are_listed_signed_and_read(row: Shows, tmp_path: Path, mocker: Any) -> None:
    """As gcsfs and adlfs show themselves."""
    fs = mocker.create_autospec(AbstractFileSystem, instance=True)
    found = {"type": "file", "size": 8, **row.properties}
    # Hadoop marks a folder so, in whatever storage.
    fs.glob.return_value = {"promo/a.csv": found, "promo/deep_$folder$": found}
    fs.info.return_value = found
    fs.sign.side_effect = lambda path, expiration: (
        f"https://{path.partition('://')[2]}?sig=secret&expires={expiration}"
    )
    for module in ("files", "objects"):
        mocker.patch(f"wes_provider.storage.{module}.filesystem", return_value=fs)
    (file,) = BucketFiles(f"{row.protocol}://promo/*.csv", url_lifetime=120).expand()
    assert (file.path, file.etag, file.size) == (f"{row.protocol}://promo/a.csv", row.etag, 8)
    assert sign_url(file) == "https://promo/a.csv?sig=secret&expires=120"
    download_object(file, tmp_path / "a")
    fs.get_file.assert_called_once_with(file.path, str(tmp_path / "a"))


NO_STORAGE = [
    "/data/a.csv",
    "local://a",
    "FILE:///a",
    "",
    "s3://",
    "s3://c@",
    "s3:///",
    "http://h/a",
    "https://h/a",
    "://a",
    None,
]


@pytest.mark.parametrize("url", NO_STORAGE, ids=repr)
def test_url_of_no_object_storage_is_refused(url: Any) -> None:
    with pytest.raises(WesConfigurationError, match="is no URL of object"):
        BucketFiles(url)


@pytest.mark.parametrize("url", NO_STORAGE, ids=repr)
def test_url_that_a_template_renders_is_refused_as_well(url: Any) -> None:
    files = BucketFiles("{{ params.url }}")
    files.url = url
    with pytest.raises(WesConfigurationError, match="is no URL of object"):
        files.expand()


class Unusable(NamedTuple):
    """A URL that cannot be used, with a secret or not, and what the error says of it."""

    url: str
    message: str


NO_STORAGE_ADVICE = (
    " is no URL of object storage\nOne is s3://aws_default@bucket/folder/codes.csv. The service "
    f"cannot fetch local files. {HOSTING}"
)
UNUSABLE = {
    "a URL of the web": Unusable(
        "https://example.com/a.csv?sig=hunter2", f"https://example.com/a.csv{NO_STORAGE_ADVICE}"
    ),
    "a path": Unusable("/data/a.csv", f"/data/a.csv{NO_STORAGE_ADVICE}"),
    "credentials": Unusable(
        "s3://key:hunter2@promo/a.csv",
        "s3://key@promo/a.csv has credentials before the @.\n"
        "Put them into a connection, and its id there",
    ),
    "credentials with a slash": Unusable(
        "s3://key:hunt/er2@promo/a.csv",
        "s3://key@promo/a.csv has credentials before the @.\n"
        "Put them into a connection, and its id there",
    ),
    "credentials with a slash and an @": Unusable(
        "s3://key:hunt/er@hunter2@promo/a.csv",
        "s3://key@promo/a.csv has credentials before the @.\n"
        "Put them into a connection, and its id there",
    ),
    "a name with a ?": Unusable(
        "s3://promo/a?.csv",
        "s3://promo/a has a ?, which begins a query.\n"
        "Leave it out: the URL is signed for its upload. In names, write [?]",
    ),
    "a query": Unusable(
        "s3://promo/a.csv?sv=1&sig=hunter2",
        "s3://promo/a.csv has a ?, which begins a query.\n"
        "Leave it out: the URL is signed for its upload. In names, write [?]",
    ),
    "a query beside a mark in brackets": Unusable(
        "s3://c@promo/a[?]b?sig=hunter2",
        "s3://c@promo/a[ has a ?, which begins a query.\n"
        "Leave it out: the URL is signed for its upload. In names, write [?]",
    ),
    "** at the end of a name": Unusable(
        "s3://promo/summer**/a.csv",
        "s3://promo/summer**/a.csv has ** within a name.\n"
        "Write **/ for all folders below, and * within a name",
    ),
    "a path of several lines": Unusable("/data\n/a.csv", f"/data /a.csv{NO_STORAGE_ADVICE}"),
    "** within a name": Unusable(
        "s3://promo/summer/**.csv",
        "s3://promo/summer/**.csv has ** within a name.\n"
        "Write **/ for all folders below, and * within a name",
    ),
}


@pytest.mark.parametrize("row", UNUSABLE.values(), ids=UNUSABLE)
def test_url_that_cannot_be_used_is_refused_and_no_secret_is_shown(row: Unusable) -> None:
    with pytest.raises(WesConfigurationError) as error:
        BucketFiles(row.url).expand()
    assert str(error.value) == row.message


def test_listed_objects_have_all_that_the_task_needs(objects: Any) -> None:
    for name in ("b.csv", "a.csv", "deep/c.csv", "a.txt"):
        objects.put(f"summer/{name}", f"{name}\n".encode())
    listed = BucketFiles("s3://s3_promo@promo/summer/*.csv", url_lifetime=90)
    assert listed.expand(4, checked=False) == [
        ListedFile(
            path=f"s3://promo/summer/{name}",
            item=4,
            conn_id="s3_promo",
            url_lifetime=90,
            etag=file.etag,
            size=6,
            checked=False,
        )
        for name, file in zip(("a.csv", "b.csv"), listed.expand(), strict=True)
    ]
    first, second = listed.expand()
    assert (first.item, first.checked, first.etag != second.etag) == (0, True, True)


class Bracketed(NamedTuple):
    """A path with brackets, the objects in its folder, and the one that it gives."""

    path: str
    folder: list[str]
    gives: str


BRACKETED = {
    "the object of that very name": Bracketed("codes[1].csv", ["codes[1].csv"], "codes[1].csv"),
    "an object that matches, and none of that name": Bracketed(
        "codes[1].csv", ["codes1.csv"], "codes1.csv"
    ),
    "an object of that name that is quoted": Bracketed(
        "codes[[]1].csv", ["codes[1].csv", "codes1.csv"], "codes[1].csv"
    ),
}


@pytest.mark.parametrize("row", BRACKETED.values(), ids=BRACKETED)
def test_a_path_with_brackets_gives(objects: Any, row: Bracketed) -> None:
    for name in row.folder:
        objects.put(f"summer/{name}", b"A1\n")
    (file,) = BucketFiles(f"s3://s3_promo@promo/summer/{row.path}").expand()
    assert file.path == f"s3://promo/summer/{row.gives}"


def test_a_name_with_brackets_that_also_matches_another_object_is_an_error(objects: Any) -> None:
    """The older ``codes1.csv`` must not be uploaded in the place of the newer download."""
    for name in ("codes[1].csv", "codes1.csv"):
        objects.put(f"summer/{name}", b"A1\n")
    with pytest.raises(WesConfigurationError) as error:
        BucketFiles("s3://s3_promo@promo/summer/codes[1].csv").expand()
    first, second = str(error.value).split("\n")
    assert first.startswith("s3://s3_promo@promo/summer/codes[1].csv is the name of an object, and")
    assert first.endswith("promo/summer/codes1.csv")
    assert second.startswith("Write [[] for [ in the name of an object")


@pytest.mark.usefixtures("objects")
def test_nothing_that_matches_is_an_error_that_says_what_to_check() -> None:
    with pytest.raises(WesStorageError) as error:
        BucketFiles("s3://s3_promo@promo/summer/*.csv").expand()
    assert str(error.value) == (
        "No object matches s3://s3_promo@promo/summer/*.csv\n"
        "Check the bucket, the path and the connection; a folder's objects are folder/*. "
        "BucketFiles(..., allow_none=True) accepts that there are none. In names, write [[], [*] "
        "and [?] for [, * and ?"
    )


def test_storage_that_cannot_sign_says_what_a_connection_needs(mocker: Any) -> None:
    fs = mocker.create_autospec(AbstractFileSystem, instance=True)
    fs.info.return_value = {"etag": "1"}
    fs.sign.return_value = "https://promo/a.csv"
    mocker.patch("wes_provider.storage.objects.filesystem", return_value=fs)
    with pytest.raises(WesStorageError) as error:
        sign_url(ListedFile(path="abfs://promo/a.csv", conn_id="azure", etag="1"))
    assert str(error.value) == (
        "No URL of abfs://promo/a.csv can be signed (it came without signature)\n"
        "Check that the connection has credentials of its own: GCS needs a service account's key "
        "or the right to sign, Azure an account key or a delegation key. If the object is public, "
        "pass its https URL instead"
    )


def test_storage_is_that_of_the_protocol_and_the_connection(mocker: Any, tmp_path: Path) -> None:
    fs = mocker.create_autospec(AbstractFileSystem, instance=True)
    fs.info.side_effect = PermissionError("secret")
    found = mocker.patch("wes_provider.storage.objects.filesystem", return_value=fs)
    file = ListedFile(path="abfs://promo/a.csv", conn_id="azure", etag="1")
    for attempt in (lambda: sign_url(file), lambda: download_object(file, tmp_path / "a")):
        with pytest.raises(WesStorageError) as error:
            attempt()
        assert str(error.value) == (
            "abfs://promo/a.csv cannot be read (PermissionError)\n"
            "Check the connection's address, credentials and rights"
        )
    assert found.call_args_list == [mocker.call("abfs", "azure")] * 2


@pytest.mark.parametrize(
    "lifetime", [0, -1, True, "60", None, timedelta(0), timedelta(days=8), float("nan")], ids=repr
)
def test_lifetime_that_no_storage_takes_is_refused(lifetime: Any) -> None:
    with pytest.raises(WesConfigurationError, match="url_lifetime takes a timedelta or seconds"):
        BucketFiles("s3://promo/a.csv", url_lifetime=lifetime)


def test_a_files_text_has_no_user_no_password_and_no_query():
    files = BucketFiles("https://user:hunter2@host.example/{{ ds }}.csv?sig=hunter3")
    assert repr(files).startswith("BucketFiles('https://host.example/{{ ds }}.csv', ")
    assert "hunter" not in repr(files)


def test_a_files_text_has_the_connection_of_its_bucket():
    assert repr(BucketFiles("s3://c@promo/a.csv")).startswith("BucketFiles('s3://c@promo/a.csv', ")


@pytest.mark.parametrize("lifetime", [1, timedelta(seconds=1), 604_800, timedelta(days=7)], ids=str)
def test_lifetime_may_be_as_short_and_as_long_as_the_limits(lifetime: Any) -> None:
    """One second and seven days, as seconds or as a timedelta."""
    assert BucketFiles("s3://promo/a.csv", url_lifetime=lifetime)


LOCATIONS = {
    "s3://c@promo/a.csv": Location("s3", "c", "promo/a.csv"),
    "S3://promo/a.csv": Location("s3", "", "promo/a.csv"),
    "s3://c@promo/a@b.csv": Location("s3", "c", "promo/a@b.csv"),
    "s3://promo/folder/a@b.csv": Location("s3", "", "promo/folder/a@b.csv"),
    "s3:///promo/a.csv": Location("s3", "", "promo/a.csv"),
    "s3://arn:aws:s3:eu-1:7:accesspoint/promo/a@b.csv": Location(
        "s3", "", "arn:aws:s3:eu-1:7:accesspoint/promo/a@b.csv"
    ),
    "s3://promo/a[?]b[*].csv": Location("s3", "", "promo/a[?]b[*].csv"),
    "gs://promo/**/a.csv": Location("gs", "", "promo/**/a.csv"),
    " s3://c@promo/a.csv ": Location("s3", "c", "promo/a.csv"),
    "s3://promo": Location("s3", "", "promo"),
    "gs://promo/**": Location("gs", "", "promo/**"),
    "abfs://@promo/a.csv": Location("abfs", "", "promo/a.csv"),
}


@pytest.mark.parametrize(("url", "location"), LOCATIONS.items(), ids=LOCATIONS)
def test_url_is_taken_apart(url: str, location: Location) -> None:
    assert Location.of(url) == location


GS_FILE = ListedFile(path="gs://promo/a.csv", conn_id="", etag="1")


def test_object_that_is_overwritten_while_it_is_fetched_is_an_error(
    tmp_path: Path, found: Any
) -> None:
    def overwrite(path: str, target: str) -> None:
        found.info.return_value = {"ETag": "2"}

    found.info.return_value = {"ETag": "1"}
    found.get_file.side_effect = overwrite
    with pytest.raises(WesStorageError, match="was overwritten after the task listed it"):
        download_object(GS_FILE, tmp_path / "a")


def test_object_that_is_deleted_while_it_is_fetched_is_an_error(tmp_path: Path, found: Any) -> None:
    def delete(path: str, target: str) -> None:
        found.info.side_effect = FileNotFoundError
        raise FileNotFoundError

    found.info.return_value = {"ETag": "1"}
    found.get_file.side_effect = delete
    with pytest.raises(WesStorageError, match="was deleted after the task listed it"):
        download_object(GS_FILE, tmp_path / "a")


def test_object_that_two_items_name_is_uploaded_once_as_the_first_says(mocker: Any) -> None:
    fs = mocker.create_autospec(AbstractFileSystem, instance=True)
    fs.glob.return_value = {"promo/a.csv": {"type": "file", "size": 8, "ETag": "1"}}
    mocker.patch("wes_provider.storage.files.filesystem", return_value=fs)
    items = [
        {"file_url": "gs://promo/a.csv", "created_by": "first"},
        {"file_url": "gs://promo/*.csv", "created_by": "second"},
    ]
    hook: Any = None
    uploads = StorageUploads("l", items, context=None, hook=hook, preflight=False)
    (request,) = uploads.requests(uploads.prepare())
    assert request.body["created_by"] == "first"


class NamedTwice(NamedTuple):
    """
    Two URLs of one object; the second over another storage that shows its content.

    :ivar etag: of what the second storage shows.
    :ivar error: what comes of it; ``None`` if the object is uploaded once.
    """

    name: str
    url: str
    etag: str
    error: tuple[type[Exception], str] | None = None


NAMED_TWICE = (
    NamedTwice("another connection to the same storage", "s3://c2@promo/a.csv", "1"),
    NamedTwice("another protocol of the same storage", "s3a://c1@promo/a.csv", "1"),
    NamedTwice(
        "a bucket of that name in another storage",
        "s3://c2@promo/a.csv",
        "2",
        (
            WesConfigurationError,
            "s3://promo/a.csv is named over two connections, 'c1' and 'c2', and is another object",
        ),
    ),
    NamedTwice(
        "an object that is overwritten in between",
        "s3://c1@promo/*.csv",
        "2",
        (WesStorageError, "s3://promo/a.csv was overwritten while the task listed it"),
    ),
)


@pytest.mark.parametrize("row", NAMED_TWICE, ids=[row.name for row in NAMED_TWICE])
def test_object_that_two_items_name_is_one_only_if_its_content_is(
    row: NamedTwice, mocker: Any
) -> None:
    fs = mocker.create_autospec(AbstractFileSystem, instance=True)
    fs.glob.side_effect = [
        {"promo/a.csv": {"type": "file", "size": 8, "ETag": "1"}},
        {"promo/a.csv": {"type": "file", "size": 8, "ETag": row.etag}},
    ]
    mocker.patch("wes_provider.storage.files.filesystem", return_value=fs)
    items = [{"file_url": "s3://c1@promo/a.csv"}, {"file_url": row.url}]
    hook: Any = None
    uploads = StorageUploads("l", items, context=None, hook=hook, preflight=False)
    if row.error is None:
        assert len(uploads.requests(uploads.prepare())) == 1
        return
    error_class, message = row.error
    with pytest.raises(error_class, match=re.escape(message)):
        uploads.prepare()


def test_naming_files_in_a_dag_loads_no_storage_library() -> None:
    code = (
        "import sys; from wes_provider.storage import BucketFiles; BucketFiles('s3://c@b/*.csv')\n"
        "print([m for m in ('fsspec', 'upath', 's3fs', 'duckdb', 'botocore', 'aiohttp', "
        "'requests', 'airflow') "
        "if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


# -- file systems of Airflow -----------------------------------------------------------------------


@pytest.fixture
def _no_filesystem_is_kept() -> Iterator[None]:
    filesystem.cache_clear()
    yield
    filesystem.cache_clear()


@pytest.mark.usefixtures("_no_filesystem_is_kept")
def test_storage_without_its_connection_is_an_error_instead_of_anonymous_access() -> None:
    with pytest.raises(WesConfigurationError) as error:
        filesystem("file", "nope")
    assert str(error.value) == (
        "There is no connection 'nope'\nAdd it, or correct the id before the @ of file://...@..."
    )


@pytest.mark.usefixtures("_no_filesystem_is_kept")
@pytest.mark.parametrize("conn_id", ["", "s3_promo"], ids=["no connection", "a connection"])
def test_storage_is_opened_once_with_its_connection(
    conn_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_S3_PROMO", "aws://")
    opened = filesystem("file", conn_id)
    assert isinstance(opened, LocalFileSystem)
    assert filesystem("file", conn_id) is opened


@pytest.mark.usefixtures("_no_filesystem_is_kept")
def test_storage_that_airflow_does_not_have_says_what_to_install() -> None:
    with pytest.raises(WesConfigurationError) as error:
        filesystem("nowhere", "")
    assert str(error.value) == (
        "Airflow has no object storage for nowhere:// here.\n"
        "Install airflow-provider-wes[storage] and what "
        "https://airflow-provider-wes.readthedocs.io/en/stable/storage.html#set-it-up lists for "
        "your storage.\n"
        "ValueError: 'No filesystem registered for scheme nowhere'"
    )


@pytest.mark.usefixtures("_no_filesystem_is_kept")
def test_library_of_a_storage_that_is_not_installed_is_named(mocker: Any) -> None:
    mocker.patch(
        "airflow.providers.common.compat.sdk.io.get_fs",
        side_effect=ImportError("No module named 's3fs'"),
    )
    with pytest.raises(WesConfigurationError) as error:
        filesystem("s3", "")
    assert str(error.value).splitlines()[0] == "Airflow has no object storage for s3:// here."
    assert str(error.value).splitlines()[-1] == "ImportError: \"No module named 's3fs'\""


SIGNATURES = {
    "s3": {"signature_version": "s3v4"},
    "s3a": {"signature_version": "s3v4"},
    "s3n": {"signature_version": "s3v4"},
    "gs": {},
    "abfs": {},
}


@pytest.mark.usefixtures("_no_filesystem_is_kept")
@pytest.mark.parametrize("protocol", SIGNATURES)
def test_urls_of_s3_alone_are_signed_with_version_4(
    protocol: str, monkeypatch: pytest.MonkeyPatch, mocker: Any
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_C", "aws://")
    opened = mocker.patch("airflow.providers.common.compat.sdk.io.get_fs", autospec=True)
    filesystem(protocol, "c")
    filesystem(protocol, "")
    options = SIGNATURES[protocol]
    assert opened.call_args_list == [
        mocker.call(protocol, "c", options),
        mocker.call(protocol, None, options),
    ]


PASSED_ON = {
    "not found": FileNotFoundError("a"),
    "already there": FileExistsError("a"),
    "ours": WesConfigurationError("a"),
}


@pytest.mark.parametrize("error", PASSED_ON.values(), ids=PASSED_ON)
def test_error_of_a_storage_that_has_a_meaning_is_passed_on(error: Exception) -> None:
    with pytest.raises(type(error)) as raised, access("s3://promo/a.csv", "read"):
        raise error
    assert raised.value is error


@pytest.mark.parametrize("kind", [PermissionError, OSError, ValueError, KeyError, RuntimeError])
def test_error_of_a_storage_is_called_by_its_kind_and_its_text_is_hidden(
    kind: type[Exception],
) -> None:
    with pytest.raises(WesStorageError) as raised, access("s3://promo/a.csv", "written"):
        raise kind("hunter2")
    assert str(raised.value) == (
        f"s3://promo/a.csv cannot be written ({kind.__name__})\n"
        "Check the connection's address, credentials and rights"
    )
    assert (raised.value.__cause__, raised.value.__suppress_context__) == (None, True)
    assert not raised.value.permanent


# -- objects in memory -----------------------------------------------------------------------------


FOLDERS = {
    "promo/folder/": {"type": "file", "size": 0},
    "promo/hadoop_$folder$": {"type": "file", "size": 0},
    "promo/deep": {"type": "directory", "size": 0},
    "promo/other": {"type": "other", "size": 0},
}


@pytest.fixture
def found(mocker: Any) -> Any:
    """A storage, whose objects are those of ``glob``."""
    storage = mocker.create_autospec(AbstractFileSystem, instance=True)
    storage.ukey.return_value = "of the storage"
    for module in ("files", "objects"):
        mocker.patch(f"wes_provider.storage.{module}.filesystem", return_value=storage)
    return storage


def test_what_stands_for_a_folder_is_no_object(found: Any) -> None:
    found.glob.return_value = {**FOLDERS, "promo/a.csv": {"type": "file", "size": 8}}
    assert [file.path for file in BucketFiles("gs://promo/**").expand()] == ["gs://promo/a.csv"]


def test_a_listing_is_read_anew_each_time(found: Any) -> None:
    found.glob.return_value = {"promo/a.csv": {"type": "file", "size": 8}}
    for _ in range(2):
        BucketFiles("gs://promo/*").expand()
    calls = [call[0] for call in found.method_calls if call[0] != "ukey"]
    assert calls == ["invalidate_cache", "glob"] * 2


def test_folders_alone_are_nothing_that_matches(found: Any) -> None:
    found.glob.return_value = FOLDERS
    with pytest.raises(WesStorageError, match=r"^No object matches gs://promo/\*\*\n"):
        BucketFiles("gs://promo/**").expand()


def test_objects_are_sorted_by_path_whatever_the_storages_order(found: Any) -> None:
    names = ("b", "a", "c")
    found.glob.return_value = {f"/promo/{name}": {"type": "file", "size": 1} for name in names}
    assert [file.path for file in BucketFiles("gs://promo/*").expand()] == [
        "gs://promo/a",
        "gs://promo/b",
        "gs://promo/c",
    ]


def test_object_without_a_size_and_a_checksum_has_the_storages_key(found: Any) -> None:
    found.glob.return_value = {"promo/a": {"type": "file", "size": None, "ETag": ""}}
    (file,) = BucketFiles("gs://promo/*").expand()
    assert (file.size, file.etag, file.conn_id, file.url_lifetime) == (
        0,
        "of the storage",
        "",
        7200,
    )
    assert file.is_object


@pytest.mark.parametrize("allow_none", [False, True], ids=["without allow_none", "with allow_none"])
def test_listing_that_the_storage_refuses_is_an_error_even_if_none_is_allowed(
    found: Any, allow_none: bool
) -> None:
    found.glob.side_effect = PermissionError("hunter2")
    with pytest.raises(WesStorageError) as error:
        BucketFiles("gs://c@promo/*", allow_none=allow_none).expand()
    assert str(error.value) == (
        "gs://c@promo/* cannot be listed (PermissionError)\n"
        "Check the connection's address, credentials and rights"
    )


def test_bucket_that_is_not_there_is_nothing_that_matches(found: Any) -> None:
    found.glob.side_effect = FileNotFoundError
    with pytest.raises(WesStorageError, match=r"^No object matches gs://c@promo/\*\n"):
        BucketFiles("gs://c@promo/*").expand()


def test_bucket_that_is_not_there_has_no_file_with_allow_none(found: Any) -> None:
    found.glob.side_effect = FileNotFoundError
    assert BucketFiles("gs://c@promo/*", allow_none=True).expand() == []


IDENTITIES = {
    "ETag": {"ETag": '"1"', "md5Hash": "2", "crc32c": "3", "etag": "4", "checksum": "5"},
    "md5Hash": {"ETag": "", "md5Hash": "1", "crc32c": "3", "etag": "4", "checksum": "5"},
    "crc32c": {"md5Hash": None, "crc32c": "1", "etag": "4", "checksum": "5"},
    "etag": {"etag": "1", "checksum": "5"},
    "checksum": {"checksum": 1},
}


@pytest.mark.parametrize("properties", IDENTITIES.values(), ids=IDENTITIES)
def test_content_is_identified_by_the_first_property_that_is_there(
    found: Any, properties: dict[str, Any]
) -> None:
    assert etag_of(found, "gs://promo/a", properties) == "1"


def test_object_that_is_overwritten_is_named_with_both_etags(found: Any) -> None:
    found.info.return_value = {"ETag": "now"}
    with pytest.raises(WesStorageError) as error:
        sign_url(ListedFile(path="gs://promo/a.csv", conn_id="", etag="then"))
    assert str(error.value) == (
        "gs://promo/a.csv was overwritten after the task listed it\n"
        "It was not uploaded. A retry lists and checks it again. ETag then then, now now"
    )
    assert not error.value.permanent
    found.sign.assert_not_called()


def test_object_that_is_deleted_is_named(found: Any) -> None:
    found.info.side_effect = FileNotFoundError("hunter2")
    with pytest.raises(WesStorageError) as error:
        sign_url(ListedFile(path="gs://promo/a.csv", conn_id="", etag="1"))
    assert str(error.value) == (
        "gs://promo/a.csv was deleted after the task listed it\n"
        "It was not uploaded. A retry lists the objects again, and uploads those that are there"
    )
    assert not error.value.permanent
    assert (error.value.__cause__, error.value.__suppress_context__) == (None, True)


def test_storage_that_fails_to_sign_is_a_permanent_error_without_its_text(found: Any) -> None:
    found.info.return_value = {"ETag": "1"}
    found.sign.side_effect = NotImplementedError("hunter2")
    with pytest.raises(WesStorageError) as error:
        sign_url(ListedFile(path="gs://promo/a.csv", conn_id="", etag="1"))
    assert str(error.value).splitlines()[0] == (
        "No URL of gs://promo/a.csv can be signed (NotImplementedError)"
    )
    assert error.value.permanent


def test_object_that_cannot_be_fetched_is_an_error_without_the_storages_text(
    found: Any, tmp_path: Path
) -> None:
    found.info.return_value = {"ETag": "1"}
    found.get_file.side_effect = PermissionError("hunter2")
    with pytest.raises(WesStorageError) as error:
        download_object(ListedFile(path="gs://promo/a.csv", conn_id="", etag="1"), tmp_path / "a")
    assert str(error.value) == (
        "gs://promo/a.csv cannot be read (PermissionError)\n"
        "Check the connection's address, credentials and rights"
    )
    assert error.value.__cause__ is None


def test_object_is_looked_up_anew_before_it_is_signed(found: Any) -> None:
    found.info.return_value = {"ETag": "1"}
    found.sign.return_value = "https://h/a?sig=1"
    sign_url(ListedFile(path="gs://promo/a.csv", conn_id="", etag="1", url_lifetime=9))
    assert [call[0] for call in found.method_calls] == ["invalidate_cache", "info", "sign"]


# -- arguments -------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """Files, and their text in logs."""

    name: str
    files: Any
    text: str


SHOWN = (
    Shown(
        "by default",
        BucketFiles("s3://c@promo/*.csv"),
        "BucketFiles('s3://c@promo/*.csv', datetime.timedelta(seconds=7200), allow_none=False)",
    ),
    Shown(
        "all arguments",
        BucketFiles("s3://promo/a.csv", url_lifetime=60.5, allow_none=True),
        "BucketFiles('s3://promo/a.csv', 60.5, allow_none=True)",
    ),
    Shown(
        "a template",
        BucketFiles("{{ params.url }}", timedelta(seconds=1)),
        "BucketFiles('{{ params.url }}', datetime.timedelta(seconds=1), allow_none=False)",
    ),
)


@pytest.mark.parametrize("row", SHOWN, ids=[row.name for row in SHOWN])
def test_text_of_files_has_all_arguments(row: Shown) -> None:
    assert repr(row.files) == row.text


def test_lifetime_of_part_of_a_second_is_that_of_the_whole_seconds(found: Any) -> None:
    found.glob.return_value = {"promo/a": {"type": "file", "size": 1}}
    (file,) = BucketFiles("gs://promo/*", url_lifetime=60.9).expand()
    assert (file.url_lifetime, type(file.url_lifetime)) == (60, int)


@pytest.mark.parametrize("lifetime", [0.5, 604_801, timedelta(days=7, seconds=1), True], ids=str)
def test_lifetime_beyond_the_limits_is_shown_as_it_was_given(lifetime: Any) -> None:
    with pytest.raises(WesConfigurationError) as error:
        BucketFiles("s3://promo/a.csv", url_lifetime=lifetime)
    assert str(error.value) == (
        f"url_lifetime takes a timedelta or seconds, from 1 second to 7 days, not {lifetime!r}"
    )


@pytest.mark.parametrize("allow_none", ["false", None, 1], ids=repr)
def test_whether_none_is_allowed_is_true_or_false(allow_none: Any) -> None:
    with pytest.raises(WesConfigurationError) as error:
        BucketFiles("s3://promo/a.csv", allow_none=allow_none)
    assert str(error.value) == f"allow_none takes True or False, not {allow_none!r}"
