"""Coupon files in object storage: which they are, and URLs that live."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
from fsspec import AbstractFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from wes_provider.arguments import HOSTING
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import BucketFiles
from wes_provider.storage.errors import WesStorageError
from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.location import Location
from wes_provider.storage.objects import download_object, sign_url
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
    "a name with brackets, not quoted": Pattern("s3://s3_promo@promo/winter/a[1].csv", []),
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


@pytest.mark.parametrize("place", ["promo/*.csv", "promo/a.csv", "nowhere/*.csv", "promo/folder/"])
def test_nothing_that_matches_is_an_error_unless_allowed(s3: Any, place: str) -> None:
    s3.put("folder/a.csv", b"A1\n")
    with pytest.raises(
        WesStorageError,
        match=rf"No object matches {re.escape('s3://s3_promo@' + place)}\n.*write \[\[\], \[\*\]",
    ):
        BucketFiles(f"s3://s3_promo@{place}").expand()
    assert BucketFiles(f"s3://s3_promo@{place}", allow_none=True).expand() == []


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


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        # Instead of going out anonymously.
        ("s3://nope@promo/a/*.csv", "There is no connection 'nope'"),
        (
            "oss://promo/a.csv",
            r"Airflow has no object storage for oss:// here(?s:.*)airflow-provider-wes\[storage\]",
        ),
    ],
)
def test_storage_that_is_not_there_is_named_with_the_way_out(
    s3: Any, url: str, problem: str
) -> None:
    with pytest.raises(WesConfigurationError, match=problem):
        BucketFiles(url).expand()
    assert not s3.requests


@pytest.mark.parametrize("url", [URL, "s3://s3_promo@promo/summer/a.csv"], ids=["pattern", "path"])
def test_storage_that_refuses_is_an_error_that_names_the_url_and_no_secret(
    s3: Any, url: str, tmp_path: Path
) -> None:
    file = one(s3)
    s3.secrets["AKIDTESTS"] = "rotated"
    with pytest.raises(WesStorageError, match="cannot be listed") as error:
        BucketFiles(url, allow_none=True).expand()
    assert str(error.value).startswith(url)
    for attempt in (lambda: sign_url(file), lambda: download_object(file, tmp_path / "a")):
        with pytest.raises(
            WesStorageError, match=r"s3://promo/summer/a.csv cannot be read \(\w+\)"
        ) as error:
            attempt()
        assert "s3-secret-of-the-tests" not in str(error.value)


def test_signed_url_lives_for_its_lifetime_and_no_longer(s3: Any) -> None:
    url = sign_url(one(s3, url_lifetime=timedelta(minutes=2)))
    signed_at = datetime.now(timezone.utc).timestamp()
    s3.now = lambda: signed_at + 118
    assert requests.get(url, timeout=10).status_code == 200
    s3.now = lambda: signed_at + 122
    assert requests.get(url, timeout=10).status_code == 403
    assert "expired" in s3.requests[-1].refused


def test_object_overwritten_after_listing_is_neither_signed_nor_read(
    s3: Any, tmp_path: Path
) -> None:
    file = one(s3)
    one(s3, b"code\nother\n")
    for attempt in (lambda: sign_url(file), lambda: download_object(file, tmp_path / "a")):
        with pytest.raises(WesStorageError, match="was overwritten after the task listed it"):
            attempt()
    s3.clear()
    with pytest.raises(WesStorageError, match="was deleted"):
        sign_url(file)


def test_anonymous_storage_is_refused(s3: Any, mocker: Any) -> None:
    file = one(s3)
    mocker.patch("s3fs.S3FileSystem.sign", return_value="http://127.0.0.1/promo/summer/a.csv")
    with pytest.raises(
        WesStorageError, match=r"No URL of .* can be signed \(it came without signature\)"
    ):
        sign_url(file)


def test_storage_that_can_sign_no_url_is_not_asked_again(mocker: Any) -> None:
    """A retry lists and checks the objects again, and would come to the same end."""
    fs = mocker.create_autospec(AbstractFileSystem, instance=True)
    fs.info.return_value = {"type": "file", "size": 8, "etag": "0x8DC1"}
    fs.sign.side_effect = NotImplementedError
    mocker.patch("wes_provider.storage.objects.filesystem", return_value=fs)
    with pytest.raises(
        WesStorageError, match=r"can be signed \(NotImplementedError\)\nCheck"
    ) as error:
        sign_url(ListedFile(path="abfs://promo/a.csv", conn_id="azure", etag="0x8DC1"))
    assert error.value.permanent


@pytest.mark.parametrize(
    ("protocol", "properties", "etag"),
    [
        (
            "gs",
            {"etag": "CLDb8gE=", "md5Hash": "XrY7u+Ae7tCT==", "crc32c": "yZRlqg=="},
            "XrY7u+Ae7tCT==",
        ),
        ("gs", {"etag": "CLDb8gE=", "crc32c": "yZRlqg=="}, "yZRlqg=="),
        ("abfs", {"etag": "0x8DC1", "content_settings": {}}, "0x8DC1"),
    ],
    ids=["gcs", "gcs-composed", "azure"],
)
def test_other_storages_are_listed_and_signed(
    protocol: str, properties: dict[str, Any], etag: str, tmp_path: Path, mocker: Any
) -> None:
    """As gcsfs and adlfs show themselves."""
    fs, found = (
        mocker.create_autospec(AbstractFileSystem, instance=True),
        {"type": "file", "size": 8, **properties},
    )
    # Hadoop marks a folder so, in whatever storage.
    fs.glob.return_value = {"promo/a.csv": found, "promo/deep_$folder$": found}
    fs.info.return_value = found
    fs.sign.side_effect = lambda path, expiration: (
        f"https://{path.partition('://')[2]}?sig=secret&expires={expiration}"
    )
    for module in ("files", "objects"):
        mocker.patch(f"wes_provider.storage.{module}.filesystem", return_value=fs)
    (file,) = BucketFiles(f"{protocol}://promo/*.csv", url_lifetime=120).expand()
    assert (file.path, file.etag, file.size) == (f"{protocol}://promo/a.csv", etag, 8)
    assert sign_url(file) == "https://promo/a.csv?sig=secret&expires=120"
    download_object(file, tmp_path / "a")
    fs.get_file.assert_called_once_with(file.path, str(tmp_path / "a"))


NO_STORAGE = ["/data/a.csv", "local://a", "FILE:///a", "", "s3://", None]


@pytest.mark.parametrize("url", NO_STORAGE, ids=repr)
def test_url_of_no_object_storage_is_refused(url: Any) -> None:
    with pytest.raises(WesConfigurationError, match="is no URL of object"):
        BucketFiles(url).expand()


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
    "a query": Unusable(
        "s3://promo/a.csv?sv=1&sig=hunter2",
        "s3://promo/a.csv has a ?, which begins a query.\n"
        "Leave it out: the URL is signed for its upload. In names, write [?]",
    ),
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
            path=f"s3://promo/summer/{name}", item=4, conn_id="s3_promo", url_lifetime=90,
            etag=file.etag, size=6, checked=False,
        )
        for name, file in zip(("a.csv", "b.csv"), listed.expand(), strict=True)
    ]  # fmt: skip
    first, second = listed.expand()
    assert (first.item, first.checked, first.etag != second.etag) == (0, True, True)


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
    "lifetime", [0, -1, True, "60", None, timedelta(0), timedelta(days=8), float("nan")]
)
def test_lifetime_that_no_storage_takes_is_refused(lifetime: Any) -> None:
    with pytest.raises(WesConfigurationError, match="url_lifetime takes a timedelta or seconds"):
        BucketFiles("s3://promo/a.csv", url_lifetime=lifetime)


def test_a_listing_is_read_anew_each_time(objects: Any, mocker: Any):
    asked = mocker.spy(MemoryFileSystem, "invalidate_cache")
    objects.put("summer/a.csv", b"code\nA1\n")
    BucketFiles(URL).expand()
    BucketFiles(URL).expand()
    assert asked.call_count == 2


def test_a_files_text_has_no_password_and_no_query():
    files = BucketFiles("https://user:hunter2@host.example/{{ ds }}.csv?sig=hunter3")
    assert repr(files).startswith("BucketFiles('https://user@host.example/{{ ds }}.csv', ")
    assert "hunter" not in repr(files)


@pytest.mark.parametrize("lifetime", [1, timedelta(seconds=1), 604_800, timedelta(days=7)], ids=str)
def test_lifetime_may_be_as_short_and_as_long_as_the_limits(lifetime: Any) -> None:
    BucketFiles("s3://promo/a.csv", url_lifetime=lifetime)


LOCATIONS = {
    "s3://c@promo/a.csv": Location("s3", "c", "promo/a.csv"),
    "S3://promo/a.csv": Location("s3", "", "promo/a.csv"),
    "s3://c@promo/a@b.csv": Location("s3", "c", "promo/a@b.csv"),
    "s3://promo/folder/a@b.csv": Location("s3", "", "promo/folder/a@b.csv"),
    "s3:///promo/a.csv": Location("s3", "", "promo/a.csv"),
    "s3://promo/a[?]b[*].csv": Location("s3", "", "promo/a[?]b[*].csv"),
    "gs://promo/**/a.csv": Location("gs", "", "promo/**/a.csv"),
}


@pytest.mark.parametrize(("url", "location"), LOCATIONS.items(), ids=LOCATIONS)
def test_url_is_taken_apart(url: str, location: Location) -> None:
    assert Location.of(url) == location


@pytest.mark.parametrize("message", ["was overwritten", "was deleted"])
def test_object_that_changes_while_it_is_fetched_is_not_read(
    message: str, tmp_path: Path, mocker: Any
) -> None:
    fs = mocker.create_autospec(AbstractFileSystem, instance=True)
    fs.info.return_value = {"ETag": "1"}

    def change(path: str, target: str) -> None:
        if message == "was deleted":
            fs.info.side_effect = FileNotFoundError
            raise FileNotFoundError
        fs.info.return_value = {"ETag": "2"}

    fs.get_file.side_effect = change
    mocker.patch("wes_provider.storage.objects.filesystem", return_value=fs)
    file = ListedFile(path="gs://promo/a.csv", conn_id="", etag="1")
    with pytest.raises(WesStorageError, match=f"{message} after the task listed it"):
        download_object(file, tmp_path / "a")


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


def test_naming_files_in_a_dag_loads_no_storage_library() -> None:
    code = (
        "import sys; from wes_provider.storage import BucketFiles; BucketFiles('s3://c@b/*.csv')\n"
        "print([m for m in ('fsspec', 'upath', 's3fs', 'duckdb', 'botocore', 'aiohttp', "
        "'requests', 'airflow') "
        "if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
