"""Coupon files in object storage: which they are, and URLs that live."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage import BucketFiles
from wes_provider.storage.errors import (
    WesFileChangedError,
    WesFileNotFoundError,
    WesSigningError,
    WesStorageError,
)
from wes_provider.storage.files import BucketFile

URL = "s3://s3_promo@promo/summer/*.csv"


def one(s3: Any, content: bytes = b"code\nA1\n", **options: Any) -> BucketFile:
    s3.put("summer/a.csv", content)
    (file,) = BucketFiles(URL, **options).expand()
    return file


def test_pattern_gives_matching_objects_sorted(s3: Any) -> None:
    for name in ("summer/b.csv", "summer/a.csv", "summer/a.txt", "summer/deep/c.csv", "winter/d.csv"):
        s3.put(name, b"code\nA1\n")
    assert [file.path for file in BucketFiles(URL).expand()] == ["s3://promo/summer/a.csv", "s3://promo/summer/b.csv"]
    below = BucketFiles("s3://s3_promo@promo/summer/**/*.csv").expand()
    assert [file.path for file in below][-1] == "s3://promo/summer/deep/c.csv"


def test_object_storage_path_means_the_same_as_its_url(s3: Any) -> None:
    from airflow.providers.common.compat.sdk import ObjectStoragePath

    file = one(s3)
    assert BucketFiles(ObjectStoragePath("s3://s3_promo@promo/summer/a.csv")).expand() == [file]
    assert BucketFiles(ObjectStoragePath("s3://promo/summer/*.csv", conn_id="s3_promo")).expand() == [file]


@pytest.mark.parametrize("url", [URL, "s3://s3_promo@promo/summer/a.csv"])
def test_nothing_that_matches_is_an_error_unless_allowed(s3: Any, url: str) -> None:
    with pytest.raises(WesFileNotFoundError, match="No object matches s3://s3_promo@promo/summer"):
        BucketFiles(url).expand()
    assert BucketFiles(url, allow_none=True).expand() == []


@pytest.mark.parametrize(
    "name",
    [
        "summer/with space.csv",
        "summer/ä+b&c=d%20e#f.csv",
        "summer/ünï/код.csv",
        "summer/a?b.csv",
        "summer/a*[1]{b}.csv",
        "summer/%2e;'\"\\.csv",
        "summer//a.csv",
    ],
)
def test_signed_url_gives_the_object_whatever_its_name(s3: Any, name: str) -> None:
    s3.put(name, b"code\nA1\n")
    (file,) = BucketFiles("s3://s3_promo@promo/summer/**").expand()
    assert file.path == f"s3://promo/{name}"
    assert requests.get(file.url(), timeout=10).content == b"code\nA1\n"


@pytest.mark.parametrize("allow_none", [False, True])
@pytest.mark.parametrize("name", ["*.csv", "a.csv"])
def test_bucket_that_does_not_exist_is_an_error_that_says_so(s3: Any, name: str, allow_none: bool) -> None:
    with pytest.raises(WesFileNotFoundError, match=r"The bucket of s3://s3_promo@nowhere/[*a].csv does not exist"):
        BucketFiles(f"s3://s3_promo@nowhere/{name}", allow_none=allow_none).expand()


@pytest.mark.parametrize(
    ("connection", "message"),
    [
        (None, "There is no connection 'nope'"),
        ('{"conn_type": "http"}', "Connection 'nope' is of another type than the storage's"),
    ],
    ids=["none", "http"],
)
def test_connection_of_no_storage_is_named_instead_of_going_out_anonymously(
    s3: Any, monkeypatch: pytest.MonkeyPatch, connection: str | None, message: str
) -> None:
    if connection:
        monkeypatch.setenv("AIRFLOW_CONN_NOPE", connection)
    with pytest.raises(WesConfigurationError, match=message) as error:
        BucketFiles("s3://nope@promo/a/*.csv").expand()
    assert error.value.__cause__ is None
    assert not s3.requests


def test_signature_in_a_storage_url_is_refused_and_not_shown() -> None:
    for query in ("X-Amz-Signature=hunter2", "sv=1&sig=hunter2", "GoogleAccessId=a&Signature=hunter2"):
        with pytest.raises(WesConfigurationError, match=r"s3://promo/a.csv has a query with a signature") as error:
            BucketFiles(f"s3://promo/a.csv?{query}")
        assert "hunter2" not in str(error.value)
    assert repr(BucketFiles("s3://promo/a.csv?other=hunter2")) == repr(BucketFiles("s3://promo/a.csv"))
    assert "day=0?/x=1.csv" in repr(BucketFiles("s3://promo/day=0?/x=1.csv"))


def test_name_with_the_characters_of_patterns_is_written_in_brackets(s3: Any) -> None:
    s3.put("summer/a[1].csv", b"code\nA1\n")
    (file,) = BucketFiles("s3://s3_promo@promo/summer/a[[]1].csv").expand()
    assert file.path == "s3://promo/summer/a[1].csv"
    with pytest.raises(WesFileNotFoundError, match=r"In names, write \[\[\], \[\*\] and \[\?\]"):
        BucketFiles("s3://s3_promo@promo/summer/a[1].csv").expand()


def test_folders_and_their_placeholders_are_no_files(s3: Any) -> None:
    s3.put("summer/", b"")
    s3.put("summer/deep/", b"")
    s3.put("summer/deep_$folder$", b"")
    assert [file.path for file in (one(s3), *BucketFiles("s3://s3_promo@promo/summer/**").expand())] == [
        "s3://promo/summer/a.csv"
    ] * 2


def test_entries_of_a_ledger_within_the_pattern_are_left_out(s3: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    for key in ("1", "1-result", "12"):
        s3.put(f"summer/ledger/winter-sale/{'0f' * 32}-{key}.json", b"{}")
    s3.put(f"summer/{'0f' * 32}-1.csv", b"A1\n")
    s3.put("summer/0f-1.json", b"A2\n")
    files = BucketFiles("s3://s3_promo@promo/summer/**").expand()
    assert [file.path.rpartition("/")[2] for file in files] == ["0f-1.json", f"{'0f' * 32}-1.csv"]
    assert "Leaving out 3 entries of a ledger that s3://s3_promo@promo/summer/** matches" in caplog.text


def test_listing_of_several_pages_is_complete(s3: Any) -> None:
    for number in range(1001):
        s3.put(f"summer/{number:04}.csv", b"A1\n")
    assert len(BucketFiles(URL).expand()) == 1001


@pytest.mark.parametrize("url", [URL, "s3://s3_promo@promo/summer/a.csv"], ids=["pattern", "path"])
def test_storage_that_refuses_is_an_error_that_names_the_url(s3: Any, url: str, tmp_path: Path) -> None:
    file = one(s3)
    s3.secrets["AKIDTESTS"] = "rotated"
    with pytest.raises(WesStorageError, match="cannot be listed") as error:
        BucketFiles(url, allow_none=True).expand()
    assert str(error.value).startswith(url)
    for attempt in (file.url, lambda: file.download(tmp_path / "a", print)):
        with pytest.raises(WesStorageError, match=r"s3://promo/summer/a.csv cannot be read \(\w+\)"):
            attempt()


def test_signed_url_lives_for_its_lifetime_and_no_longer(s3: Any) -> None:
    file = one(s3, url_lifetime=timedelta(minutes=2))
    url = file.url()
    signed_at = datetime.now(timezone.utc).timestamp()
    s3.now = lambda: signed_at + 118
    assert requests.get(url, timeout=10).status_code == 200
    s3.now = lambda: signed_at + 122
    assert requests.get(url, timeout=10).status_code == 403
    assert "expired" in s3.requests[-1].refused


def test_each_url_is_signed_when_it_is_needed(s3: Any, mocker: Any) -> None:
    pytest.importorskip("botocore.compat")
    file = one(s3)
    clock = mocker.patch("botocore.auth.get_current_datetime")
    dates = []
    for minute in (1, 2):
        moment = datetime.now(timezone.utc).replace(tzinfo=None) + timedelta(minutes=minute)
        clock.return_value = moment
        dates += parse_qs(urlsplit(file.url()).query)["X-Amz-Date"]
    assert dates[0] < dates[1]


def test_object_overwritten_after_listing_is_neither_signed_nor_read(s3: Any, tmp_path: Path) -> None:
    file = one(s3)
    one(s3, b"code\nother\n")
    with pytest.raises(WesFileChangedError, match="was overwritten after the task listed it"):
        file.url()
    with pytest.raises(WesFileChangedError):
        file.download(tmp_path / "a", print)
    s3.clear()
    with pytest.raises(WesFileNotFoundError, match="was deleted"):
        file.url()


class TestCredentials:
    @pytest.fixture
    def session(self, s3: Any, monkeypatch: pytest.MonkeyPatch, mocker: Any) -> Any:
        """Credentials of a role's session, whose end botocore knows: set ``session.minutes``."""
        s3.secrets["ASIASESSION"], s3.tokens["ASIASESSION"] = "session-secret", "session-token"
        session = SimpleNamespace(minutes=60, fetched=0)

        async def refresh() -> dict[str, str]:
            session.fetched += 1
            end = datetime.now(timezone.utc) + timedelta(minutes=session.minutes)
            return {
                "access_key": "ASIASESSION",
                "secret_key": "session-secret",
                "token": "session-token",
                "expiry_time": end.isoformat(),
            }

        from aiobotocore.credentials import AioDeferredRefreshableCredentials

        async def credentials(*args: Any) -> Any:
            return AioDeferredRefreshableCredentials(refresh, "assume-role")

        mocker.patch("aiobotocore.session.AioSession.get_credentials", credentials)
        monkeypatch.setenv("AIRFLOW_CONN_S3_PROMO", s3.connection())
        return session

    def test_url_that_outlives_its_credentials_is_refused(self, s3: Any, session: Any) -> None:
        file = one(s3, url_lifetime=timedelta(hours=2))
        with pytest.raises(WesSigningError) as error:
            file.url()
        assert str(error.value).startswith("The storage's credentials end before a URL of s3://promo/summer/a.csv does")
        assert "which is 2:00:00" in str(error.value)
        assert not s3.signed

    def test_url_within_its_credentials_is_signed(self, s3: Any, session: Any) -> None:
        file = one(s3, url_lifetime=timedelta(minutes=50))
        assert requests.get(file.url(), timeout=10).status_code == 200

    def test_credentials_that_are_nearly_over_are_fetched_again(self, s3: Any, session: Any) -> None:
        session.minutes = 30
        file = one(s3, url_lifetime=timedelta(minutes=50))
        session.minutes = 60
        assert requests.get(file.url(), timeout=10).status_code == 200

    def test_wrong_credentials_are_an_error_without_them(self, s3: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        file = one(s3)
        s3.secrets["AKIDTESTS"] = "rotated"
        with pytest.raises(Exception) as error:  # noqa: PT011 - the storage library's own
            file.url()
        assert "s3-secret-of-the-tests" not in str(error.value)

    def test_anonymous_storage_is_refused(self, s3: Any, mocker: Any) -> None:
        file = one(s3)
        mocker.patch("s3fs.S3FileSystem.sign", return_value="http://127.0.0.1/promo/summer/a.csv")
        with pytest.raises(WesSigningError, match="gave a URL without signature"):
            file.url()


class FakeStorage:
    """A filesystem as gcsfs and adlfs show themselves, over fsspec's memory."""

    @staticmethod
    def attach(protocol: str, properties: dict[str, Any], query: str) -> None:
        from fsspec.implementations.memory import MemoryFileSystem

        class Fake(MemoryFileSystem):
            store: dict[str, Any] = {}  # noqa: RUF012
            pseudo_dirs = [""]  # noqa: RUF012

            @classmethod
            def _strip_protocol(cls, path: str) -> str:
                return MemoryFileSystem._strip_protocol(path.partition("://")[2] or path)

            def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
                return {**super().info(path, **kwargs), **properties}

            def find(self, path: str, *args: Any, detail: bool = False, **kwargs: Any) -> Any:
                found = super().find(path, *args, detail=True, **kwargs)
                return {name: {**info, **properties} for name, info in found.items()} if detail else sorted(found)

            def sign(self, path: str, expiration: int = 100, **kwargs: Any) -> str:
                return f"https://storage.example.com/{path.partition('://')[2]}?{query}&expires={expiration}"

        try:
            from airflow.sdk.io.store import _STORE_CACHE, attach
        except ImportError:  # Airflow 2.11
            from airflow.io.store import _STORE_CACHE, attach
        _STORE_CACHE.clear()
        fs = Fake(skip_instance_cache=True)
        fs.pipe_file("/promo/a.csv", b"code\nA1\n")
        attach(protocol, fs=fs)


@pytest.mark.parametrize(
    ("protocol", "properties", "etag"),
    [
        (
            "gs",
            {"etag": "CLDb8gE=", "md5Hash": "XrY7u+Ae7tCTyyK7j1rNww==", "crc32c": "yZRlqg=="},
            "XrY7u+Ae7tCTyyK7j1rNww==",
        ),
        ("gs", {"etag": "CLDb8gE=", "crc32c": "yZRlqg=="}, "yZRlqg=="),
        ("abfs", {"etag": "0x8DC1", "content_settings": {}}, "0x8DC1"),
    ],
    ids=["gcs", "gcs-composed", "azure"],
)
def test_other_storages_are_listed_and_signed(
    protocol: str, properties: dict[str, Any], etag: str, tmp_path: Path
) -> None:
    seen: list[int] = []
    FakeStorage.attach(protocol, properties, "sig=secret")
    (file,) = BucketFiles(f"{protocol}://promo/*.csv", url_lifetime=120).expand()
    assert (file.path, file.etag, file.size) == (f"{protocol}://promo/a.csv", etag, 8)
    assert file.url() == "https://storage.example.com/promo/a.csv?sig=secret&expires=120"
    file.download(tmp_path / "a", seen.append)
    assert (tmp_path / "a").read_bytes() == b"code\nA1\n"


@pytest.mark.parametrize(
    "url", ["file:///data/a.csv", "/data/a.csv", "./a.csv", "~/a.csv", "local://a.csv", "FILE:///data/a.csv"]
)
def test_local_files_are_refused_with_advice(url: str) -> None:
    with pytest.raises(WesConfigurationError, match=r"is a local file, which the service cannot fetch.\nPut it into"):
        BucketFiles(url)


@pytest.mark.parametrize("url", ["", "a.csv", "https://example.com/a.csv", "s3://", "s3:///", None, 5])
def test_what_is_no_storage_url_is_refused(url: Any) -> None:
    with pytest.raises(WesConfigurationError, match="is no URL of object storage"):
        BucketFiles(url).expand()


def test_credentials_in_a_url_are_refused_and_not_shown() -> None:
    with pytest.raises(WesConfigurationError) as error:
        BucketFiles("s3://key:very-secret@promo/a.csv")
    assert "very-secret" not in str(error.value)


def test_folder_is_refused_with_advice() -> None:
    with pytest.raises(WesConfigurationError, match=r"names a folder.\nAppend \*"):
        BucketFiles("s3://promo/summer/")


def test_pattern_that_the_library_does_not_take_is_refused(s3: Any) -> None:
    with pytest.raises(WesConfigurationError, match=r"The pattern of s3://s3_promo@promo/summer/\*\*.csv is not valid"):
        BucketFiles("s3://s3_promo@promo/summer/**.csv").expand()


@pytest.mark.parametrize("lifetime", [0, -1, True, "60", None, timedelta(0), timedelta(days=8), float("nan")])
def test_lifetime_that_no_storage_takes_is_refused(lifetime: Any) -> None:
    with pytest.raises(WesConfigurationError, match="url_lifetime takes a timedelta or seconds"):
        BucketFiles("s3://promo/a.csv", url_lifetime=lifetime)


def test_missing_storage_library_is_named_with_the_way_out() -> None:
    with pytest.raises(WesConfigurationError, match="Airflow has no object storage for oss:// here") as error:
        BucketFiles("oss://promo/a.csv").expand()
    assert "airflow-provider-wes[storage]" in str(error.value)
    assert error.value.__suppress_context__  # no other traceback above it


def test_naming_files_in_a_dag_loads_no_storage_library() -> None:
    code = (
        "import sys; from wes_provider.storage import BucketFiles; BucketFiles('s3://c@b/*.csv')\n"
        "print([m for m in ('fsspec', 'upath', 's3fs', 'duckdb', 'botocore', 'aiohttp', 'requests', 'airflow') "
        "if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
