"""Conclusions rest on evidence: what a gateway, a proxy or a login page replies is not taken for the service."""

from __future__ import annotations

import base64
import datetime
import json
import os
import signal
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.doctor_service import OLD_LIST, PROFILES, diagnose, service
from support.replying import Reply, replying
from support.wes_driver import read as read_settings
from wes_provider.client.diagnosis import Reader, diagnosis, read_keys
from wes_provider.client.sync_client import WesClient
from wes_provider.doctor.examination import examine
from wes_provider.doctor.network import way_to
from wes_provider.doctor.report import Report
from wes_provider.emulator import Emulator, faults

HTML = {"Content-Type": "text/html"}
TEXT = {"Content-Type": "text/plain"}
KEYS = {"password": "campaign-key", "extra": {"data_api_key": "data-key-of-ours"}}


def examined(url: str, **options: Any) -> Report:
    return examine(read_settings({"host": url, "login": "workspace", **KEYS}), {}, **options)


def always(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> Callable[..., Reply]:
    return lambda *_: Reply(status, body, headers or {"Content-Type": "application/json"})


def any_credentials(_method: str, _path: str, headers: Mapping[str, str]) -> Reply:
    """A gateway that wants credentials, whichever, in front of nothing."""
    return Reply(404, b'{"message": "no route"}') if "Authorization" in headers else Reply(401, b"{}")


NOT_THE_SERVICE: dict[str, Callable[..., Reply]] = {
    "login page": always(200, b"<!DOCTYPE html><title>Log in</title>", HTML),
    "JSON for everything": always(200, b"[]"),
    "object for everything": always(200, b'{"data": []}'),
    "records for everything": always(200, b'{"data": [{"_id": "a", "status": "SUCCESS"}]}'),
    "401 for everything": always(401, b"Unauthorized", TEXT),
    "403 page": always(403, b"<html>Blocked</html>", HTML),
    "404 for everything": always(404, b'{"error": {"code": "not-found", "message": "No."}}'),
    "404 page": always(404, b"<html>nginx</html>", HTML),
    "redirect": always(302, b"", {"Location": "https://login.example.com/?next=1"}),
    "bad gateway": always(502, b"<html>Bad Gateway</html>", HTML),
    "any credentials": any_credentials,
    "errors for everything": always(200, b'{"errors": [{"message": "Unknown operation"}], "data": null}'),
    "no route": always(404, b'{"message": "no Route matched with those values"}'),
}


@pytest.mark.parametrize("listed", [None, OLD_LIST], ids=["no list", "list"])
@pytest.mark.parametrize("kind", NOT_THE_SERVICE)
def test_what_is_not_the_service_shows_nothing(kind: str, listed: str | None):
    with replying(NOT_THE_SERVICE[kind]) as url:
        report = examined(url, coupon_list_id=listed)
    assert {certainty for _, certainty in report.values.values()} == {"unsure"}, report.to_text()
    keys = {finding.certainty for finding in report.findings if "API key" in finding.topic}
    assert "sure" not in keys
    assert report.extra == {}
    assert report.reads <= 10
    assert not report.works
    assert "The defaults fit" not in report.to_text()


@pytest.mark.parametrize("kind", ["login page", "redirect", "nobody"])
def test_nothing_is_written_to_what_is_not_the_service(kind: str):
    sent = []

    def reply(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        sent.append(method)
        return NOT_THE_SERVICE.get(kind, any_credentials)(method, path, headers)

    with replying(reply) as url:
        url = url if kind != "nobody" else "http://127.0.0.1:1"
        everything = {"file_url": "https://f.example.com/a", "catalog": "c", "segment_id": "s"}
        report = examined(url, coupon_list_id=OLD_LIST, **everything)
    assert set(sent) <= {"GET"}
    assert report.writes == 0
    for name in ("Upload", "Identifier of a catalog", "Segment"):
        assert [finding.text[:9] for finding in report.findings if finding.topic == name][-1] == "Not sent:"


def test_a_page_instead_of_the_service_is_quoted():
    page = b"<html><head><title>Welcome to Cafe WiFi</title></head><body>Accept the terms</body></html>"
    with replying(always(200, page, HTML)) as url:
        address = topic(examined(url), "Address")
    assert address.certainty == "wrong"
    assert address.came.endswith("200, an HTML page: Welcome to Cafe WiFi | Accept the terms")


def test_a_success_that_reports_an_error_is_no_sure_one():
    body = b'{"errors": [{"message": "Unknown operation", "extensions": {"code": "BAD"}}], "data": null}'
    with replying(always(200, body)) as url:
        report = examined(url, catalog="c", segment_id="s")
    assert topic(report, "Campaign API key").came == "200, JSON: BAD: Unknown operation"
    assert topic(report, "Identifier of a catalog").certainty == "wrong"
    assert topic(report, "Segment").certainty == "unsure"


def test_a_redirect_names_its_target_without_its_query():
    with replying(NOT_THE_SERVICE["redirect"]) as url:
        report = examined(url)
    assert not report.works
    assert "The address redirects to https://login.example.com/;" in report.to_text(400)
    assert "next=1" not in report.to_text(400)


@pytest.mark.parametrize("header", ["via", "x-cache", "age"])
def test_a_cache_or_gateway_between_is_named(header: str):
    with replying(always(200, b"[]", {"Content-Type": "application/json", header: "1.1 cache"})) as url:
        report = examined(url)
    (between,) = [finding for finding in report.findings if finding.topic == "Between"]
    assert between.certainty == "unsure"
    assert header in between.came


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["data", "_id", "status", "error", "message", "total", "next", "name"])
            | st.text(max_size=5),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@settings(max_examples=25)
@example(status=200, body=b'{"_id": "\\u001b", "status": "PENDING"}')
@example(status=200, body=b'[{"_id": " ", "status": "PENDING"}]')
@example(status=200, body=b"[{}]")
@given(
    status=st.sampled_from([200, 201, 204, 400, 401, 403, 404, 422, 429, 500]),
    body=json_values.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=50),
)
def test_any_reply_gives_a_report(status: int, body: bytes, tmp_path_factory: pytest.TempPathFactory):
    with replying(always(status, b"" if status == 204 else body)) as url:
        report = examined(
            url,
            coupon_list_id=OLD_LIST,
            file_url="https://files.example.com/a.csv",
            catalog="c",
            segment_id="s",
            timeout=0.01,
            profile=tmp_path_factory.mktemp("profiles") / "profile.json",
            sleep=lambda _: None,
        )
    assert report.to_text()
    assert json.loads(report.to_json())["reads"] <= 10
    assert report.values["paths.coupon_files"][1] != "sure" or b'"_id"' in body


# -- keys and headers ----------------------------------------------------------------------------------


def topic(report: Report, name: str) -> Any:
    (finding,) = [finding for finding in report.findings if finding.topic == name]
    return finding


def test_swapped_keys_are_recognized():
    with service() as emulator:
        swapped = {"password": emulator.data_api_key, "extra": {"data_api_key": emulator.api_key}}
        report = examine(read_settings(emulator.connection(**swapped)), {})
    assert not report.works
    assert "the two keys may be swapped" in topic(report, "Campaign API key").text
    assert report.values["workspace_header"][1] == "unsure"


def test_a_refusal_is_explained_as_the_test_button_does():
    with service() as emulator:
        connection = emulator.connection(password="wrong-campaign-key")
        report = examine(read_settings(connection), {})
        good, text = diagnosis(read_settings(connection), read_keys(Reader(WesClient(read_settings(connection)))))
    advice = "Paste the Campaign API key again; Workspace identifier and Workspace header are accepted."
    assert advice in text
    assert advice in topic(report, "Campaign API key").text
    assert (good, report.works) == (False, False)
    assert topic(report, "Data API key").certainty == "sure"
    assert report.values["workspace_header"] == ("SVC-APPKEY", "sure")


def test_segments_at_another_address_are_recognized_and_take_a_connection_of_their_own():
    def coupons_only(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        if "/coupon-list/" in path and "no-such" not in path:
            known = base64.b64decode(headers["Authorization"][6:]).endswith(b":campaign-key")
            return Reply(200, b"[]") if known else Reply(401, b"{}")
        return Reply(404, b'{"message": "no such path"}')

    with replying(coupons_only) as url:
        report = examined(url)
    assert topic(report, "Campaign API key").certainty == "sure"
    assert "Segments may have another address" in topic(report, "Data API key").text
    with Emulator(coupon_files_path=None, coupon_file_path=None, wrong_method=404) as emulator:
        segments = emulator.connection(password=emulator.data_api_key, extra={"data_api_key": ""})
        report = examine(read_settings(segments), {}, segment_id="s")
        assert emulator.segments["s"]["updated_by"] == "wes-doctor@example.com"
    assert topic(report, "Segment").certainty == "sure"


@pytest.mark.parametrize("header", ["X-SVC-APPKEY", "X-Client-Id", "workspace-id", "X-Unheard-Of"])
def test_another_workspace_header_is_found_if_it_is_a_usual_one(header: str):
    with service(workspace_header=header) as emulator:
        report = diagnose(emulator, coupon_list_id=OLD_LIST)
    value, certainty = report.values["workspace_header"]
    assert report.reads <= 10
    if header == "X-Unheard-Of":
        assert (value, certainty) == ("SVC-APPKEY", "unsure")
    else:
        assert (value.lower(), certainty) == (header.lower(), "sure")


def test_another_header_is_found_though_a_gateway_knows_no_path_of_segments():
    """Its 404 shows nothing about the data key, so it does not show that the header is right."""

    def gateway(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        if not path.startswith("/v1/coupon-list/"):
            return Reply(404, b'{"message": "no Route matched"}')
        known = base64.b64decode(headers["Authorization"][6:]).endswith(b":campaign-key")
        return Reply(200, b"[]") if known and headers["X-Client-Id"] else Reply(401, b'{"message": "Unauthorized"}')

    with replying(gateway) as url:
        report = examined(url, coupon_list_id=OLD_LIST)
    assert report.values["workspace_header"] == ("X-Client-Id", "sure")
    assert topic(report, "Data API key").certainty == "unsure"
    assert report.reads <= 10


def test_the_campaign_key_is_enough():
    with service() as emulator:
        connection = emulator.connection(extra={"data_api_key": ""})
        report = examine(read_settings(connection), {}, coupon_list_id=OLD_LIST)
    assert report.works
    assert topic(report, "Data API key").certainty == "unsure"


@pytest.mark.parametrize("list_id", ["no-such-list", None])
def test_a_list_that_is_not_there_leaves_the_path_unsure(list_id: str | None):
    with service(unknown_list="404") as emulator:
        report = diagnose(emulator, coupon_list_id=list_id)
    assert report.values["paths.coupon_files"] == ("/v1/coupon-list/{coupon_list_id}/files", "unsure")
    assert report.works


# -- an upload -----------------------------------------------------------------------------------------


def uploaded(emulator: Emulator, **options: Any) -> Report:
    return diagnose(emulator, **{"coupon_list_id": OLD_LIST, "file_url": f"{emulator.files_url}/good.csv", **options})


def test_a_lost_reply_is_not_sent_again():
    with service() as emulator:
        before = len(emulator.requests_for("upload_coupon_file"))
        emulator.fail("upload_coupon_file", faults.reply_lost())
        report = uploaded(emulator)
        assert len(emulator.requests_for("upload_coupon_file")) == before + 1
    assert "the service may have done it or not" in topic(report, "Upload").text
    assert not report.works


def test_a_refused_upload_is_quoted():
    with service(coupon_management=True) as emulator:
        emulator.fail("upload_coupon_file", faults.error(403, "request-forbidden", "No coupons for you."))
        report = uploaded(emulator)
    assert "No coupons for you." in topic(report, "Upload").came


def test_a_list_that_shows_files_late_gets_a_longer_lag():
    with service(list_lag=45) as emulator:
        report = uploaded(emulator)
    value, certainty = report.values["coupon_files_lag"]
    assert certainty == "sure"
    assert 135 <= value <= 180
    assert report.extra == {"coupon_files_lag": value}


def test_a_file_that_fails_leaves_success_unsure():
    with service(failure_status="BROKEN") as emulator:
        report = uploaded(emulator, file_url=f"{emulator.files_url}/missing.csv")
    assert "BROKEN" in report.values["coupon_file_statuses.failure"][0]
    assert report.values["coupon_file_statuses.success"][1] == "unsure"
    assert "The file failed with BROKEN" in topic(report, "Statuses of the upload").text


def test_a_file_that_does_not_end_is_followed_for_the_timeout():
    with service() as emulator:
        emulator.script(url=f"{emulator.files_url}/good.csv", outcome="never")
        report = uploaded(emulator, timeout=300)
    assert "The file did not end within 300 s" in topic(report, "Statuses of the upload").text


def test_an_upload_whose_reply_the_user_does_not_wait_for_is_unknown():
    def reply(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        if method == "POST":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.5)
        return Reply(200, b"[]")

    with replying(reply) as url:
        everything = {"file_url": "https://f.example.com/a", "catalog": "c", "segment_id": "s"}
        report = examined(url, coupon_list_id=OLD_LIST, **everything)
    assert report.writes == 1
    upload = topic(report, "Upload")
    assert (upload.text, upload.came) == (
        "No reply came; the service may have done it or not.",
        "stopped before the reply came",
    )


def test_what_was_seen_is_reported_if_the_user_stops_waiting():
    def stop(_seconds: float) -> None:
        raise KeyboardInterrupt

    with service() as emulator:
        settings = read_settings(emulator.connection())
        url = f"{emulator.files_url}/good.csv"
        report = examine(settings, {}, coupon_list_id=OLD_LIST, file_url=url, sleep=stop)
    assert topic(report, "Upload").certainty == "sure"
    assert topic(report, "Path of one file").certainty == "sure"


def test_reads_that_are_limited_wait_for_the_window():
    with service(limits={"get_coupon_file": [[2, 30]]}) as emulator:
        report = uploaded(emulator)
        statuses = [request.status for request in emulator.requests_for("get_coupon_file")]
    assert topic(report, "Statuses of the upload").certainty == "sure"
    assert 0 < statuses.count(429) < len(statuses) / 2


def test_a_long_list_is_read():
    with service() as emulator:
        emulator.seed_files(OLD_LIST, 45_000, name="seeded-{:06d}.csv", file_url="https://files.example.com/{}")
        report = uploaded(emulator)
    assert report.works, report.to_text()
    assert report.values["paths.coupon_files"][1] == "sure"
    assert report.values["coupon_files_lag"][1] == "sure"


def test_a_name_that_is_cut_is_reported():
    with service(PROFILES["names-cut-short"]) as emulator:
        report = uploaded(emulator)
    name = topic(report, "name in the list")
    assert (name.certainty, name.came) == ("sure", "40 of 120 characters")
    assert name.text == "It is cut to 40 characters. Give no name, or one of at most 40 characters."


# -- the way -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("skew", "text"), [(0, "The clocks agree."), (120, "120 s ahead"), (-90, "90 s behind")])
def test_the_clocks_are_compared(skew: int, text: str):
    with Emulator(date_skew=skew) as emulator:
        assert text in topic(diagnose(emulator), "Clock").text


def test_a_proxy_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://user:PROXY-PASSWORD@proxy.example.com:3128")
    monkeypatch.setenv("NO_PROXY", "inside.example.com")
    for host, proxy in {"api.example.com": "proxy.example.com:3128", "inside.example.com": ""}.items():
        assert way_to(read_settings({"host": host, "login": "w", "password": "p" * 9, "extra": {}})).proxy == proxy


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate that nobody trusts, and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Snooping Proxy CA")])
    now = datetime.datetime.now(datetime.timezone.utc)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "server.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + built.public_bytes(serialization.Encoding.PEM)
    )
    return path


@contextmanager
def tls_server(certificate: Path) -> Iterator[int]:
    """A port that speaks TLS, and closes each connection after the handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                try:
                    context.wrap_socket(connection, server_side=True).close()
                except OSError:
                    connection.close()

        thread = threading.Thread(target=accept)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_an_untrusted_certificate_is_named(certificate: Path):
    with tls_server(certificate) as port:
        report = examined(f"https://localhost:{port}")
    tls = topic(report, "TLS")
    assert tls.certainty == "wrong"
    assert tls.came.startswith("self")
    assert tls.came.endswith("certificate; issued by CN=Snooping Proxy CA")
    assert report.reads == 1


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")  # urllib3's, which is the point of it
def test_tls_is_judged_as_the_client_judges_it():
    with Emulator(tls=True) as emulator:
        trusted = diagnose(emulator)
        unchecked = diagnose(emulator, extra={"verify": False})
        not_trusted = diagnose(emulator, extra={"verify": True})
    assert (trusted.works, topic(trusted, "TLS").certainty) == (True, "sure")
    assert (unchecked.works, topic(unchecked, "TLS").certainty) == (True, "unsure")
    assert "Set Verify TLS to the bundle" in topic(not_trusted, "TLS").text
    with Emulator(tls="expired") as emulator:
        report = diagnose(emulator)
    assert "out of date, or this machine's clock is wrong" in topic(report, "TLS").text


def test_the_certificate_of_another_host_is_named(certificate: Path):
    with tls_server(certificate) as port:
        connection = {"host": f"https://127.0.0.1:{port}", "login": "w", "password": "p" * 9}
        report = examine(read_settings({**connection, "extra": {"verify": str(certificate)}}), {})
    assert "The certificate is for another host" in topic(report, "TLS").text


def test_a_port_without_tls_is_named():
    with replying(always(200, b"[]")) as url:
        report = examined(url.replace("http:", "https:"))
    assert topic(report, "TLS").text == "No TLS connection came about: check scheme and port of the address."
    assert topic(report, "Address").text == "The service was not reached."
