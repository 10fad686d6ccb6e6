"""
An S3-compatible server on loopback, which stands in for the cloud.

moto keeps the objects, and what stands before it checks every signature. They are checked by the
rules of Signature Version 4, written down here once more, so that a mistake of botocore's would
show; their expiry is checked on a clock that tests can move.

The page about buckets runs it by itself: ``python tests/support/s3_server.py --folder FOLDER -- COMMAND``
puts the files of a folder into the bucket, and runs a command with a connection ``aws_default`` to
it.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import WSGIRequestHandler, make_server

ACCESS_KEY, SECRET_KEY = "AKIDTESTS", "s3-secret-of-the-tests"
BUCKET = "promo"
SKEW = 900  # seconds by which a request's date may differ, and no more


class Request(NamedTuple):
    """What was requested, and why it was refused; ``signature`` is that of a signed URL."""

    refused: str
    signature: str


@dataclass
class S3Server:
    """
    One bucket, ``promo``.

    :ivar now: the clock that dates and expiries are checked with.
    :ivar tokens: by access key, the session token that has to come with it.
    :ivar conditional: keep to ``If-None-Match``; older servers ignore it.
    """

    now: Callable[[], float] = time.time
    secrets: dict[str, str] = field(default_factory=lambda: {ACCESS_KEY: SECRET_KEY})
    tokens: dict[str, str] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    conditional: bool = True
    read_only: bool = False
    url: str = ""
    objects: Any = field(
        default_factory=lambda: DomainDispatcherApplication(create_backend_app), repr=False
    )

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        parts = urlsplit(environ["REQUEST_URI"])
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        request = Request(
            self._refused(environ, parts.path, query), query.get("X-Amz-Signature", "")
        )
        if request.refused:
            self.requests.append(request)
            start_response("403 Forbidden", [("Content-Type", "application/xml")])
            code = "SignatureDoesNotMatch" if "signature" in request.refused else "AccessDenied"
            return [
                f"<Error><Code>{code}</Code><Message>{request.refused}</Message></Error>".encode()
            ]
        if not self.conditional:
            environ.pop("HTTP_IF_NONE_MATCH", None)
        # moto has its own, looser idea of signed URLs, and of what a query may hold.
        environ["QUERY_STRING"] = urlencode(
            [(k, v) for k, v in query.items() if not k.startswith("X-Amz-")]
        )
        environ.setdefault(
            "HTTP_AUTHORIZATION", f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/20260101/us-east-1/s3/"
        )
        environ["REQUEST_URI"] = environ["RAW_URI"] = parts._replace(
            query=environ["QUERY_STRING"]
        ).geturl()
        reply: Iterable[bytes] = self.objects(environ, start_response)
        # Now that nothing which becomes of the object can change the reply.
        self.requests.append(request)
        return reply

    def _refused(self, environ: dict[str, Any], path: str, query: dict[str, str]) -> str:
        """Why a request is refused; empty if it is not."""
        if self.read_only and environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return "The policy of this server is to be read only"
        scheme, _, parameters = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        if "X-Amz-Signature" in query:
            given = {name.removeprefix("X-Amz-"): value for name, value in query.items()}
            payload, least, most = "UNSIGNED-PAYLOAD", -SKEW, int(given["Expires"])
        elif scheme == "AWS4-HMAC-SHA256":
            given = dict(part.strip().split("=", 1) for part in parameters.split(","))
            given |= {
                "Date": environ["HTTP_X_AMZ_DATE"],
                "Security-Token": environ.get("HTTP_X_AMZ_SECURITY_TOKEN"),
            }
            payload, least, most = environ["HTTP_X_AMZ_CONTENT_SHA256"], -SKEW, SKEW
        else:
            return "Anonymous access, or a signature that is not of version 4"
        date = datetime.strptime(given["Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
        if not least <= self.now() - date.timestamp() <= most:
            return "Request has expired"
        access_key, *scope = given["Credential"].split("/")
        if access_key not in self.secrets or self.tokens.get(access_key) != given.get(
            "Security-Token"
        ):
            return "The access key or its token is not known"
        encoded = sorted(
            (quote(key, safe="-_.~"), quote(value, safe="-_.~")) for key, value in query.items()
        )
        canonical_query = "&".join(
            f"{key}={value}" for key, value in encoded if key != "X-Amz-Signature"
        )
        headers = "".join(
            f"{name}:{_header(environ, name)}\n" for name in given["SignedHeaders"].split(";")
        )
        lines = (
            environ["REQUEST_METHOD"],
            path,
            canonical_query,
            headers,
            given["SignedHeaders"],
            payload,
        )
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        key = b"AWS4" + self.secrets[access_key].encode()
        for part in (
            *scope,
            "\n".join(("AWS4-HMAC-SHA256", given["Date"], "/".join(scope), digest)),
        ):
            key = hmac.digest(key, part.encode(), "sha256")
        return (
            ""
            if hmac.compare_digest(key.hex(), given["Signature"])
            else "The signature does not match"
        )

    @property
    def backend(self) -> Any:
        """The objects, past any signature."""
        return s3_backends["123456789012"]["aws"]

    def put(self, name: str, content: bytes) -> None:
        self.backend.put_object(BUCKET, name, content)

    def get(self, name: str) -> bytes:
        return bytes(self.backend.get_object(BUCKET, name).value)

    def delete(self, name: str) -> None:
        self.backend.delete_object(BUCKET, name)

    def names(self, prefix: str) -> list[str]:
        return sorted(name for name in self.backend.buckets[BUCKET].keys if name.startswith(prefix))

    def clear(self) -> None:
        """Start again with an empty bucket, and the machine's clock."""
        s3_backends.reset()
        self.backend.create_bucket(BUCKET, "us-east-1")
        vars(self).update(vars(S3Server(url=self.url, objects=self.objects)))

    @property
    def signed(self) -> list[Request]:
        """The requests that used a signed URL."""
        return [request for request in self.requests if request.signature]

    def connection(self, access_key: str = ACCESS_KEY, **extra: Any) -> str:
        """An ``aws`` connection to this server, as JSON for ``AIRFLOW_CONN_*``."""
        extra = {"endpoint_url": self.url, "region_name": "us-east-1", **extra}
        fields = {
            "conn_type": "aws",
            "login": access_key,
            "password": self.secrets[access_key],
            "extra": extra,
        }
        return json.dumps(fields)


@contextmanager
def s3_server() -> Any:
    """Serve on a free port, in a thread."""
    server = S3Server()
    http = make_server("127.0.0.1", 0, server, threaded=True, request_handler=_Handler)
    server.url = f"http://127.0.0.1:{http.server_port}"
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        server.clear()
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


class _Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *args: Any) -> None:
        """Silent: the log would show signatures."""


def _header(environ: dict[str, Any], name: str) -> str:
    key = name.upper().replace("-", "_")
    return " ".join(str(environ.get(f"HTTP_{key}", environ.get(key, ""))).split())


def main() -> int:
    parser = argparse.ArgumentParser(
        description="An S3-compatible server for as long as a command runs."
    )
    parser.add_argument(
        "--folder", type=Path, required=True, help="whose files are put into the bucket promo"
    )
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    with s3_server() as server:
        for path in options.folder.iterdir():
            server.put(f"winter/{path.name}", path.read_bytes())
        return subprocess.call(
            options.command, env={**os.environ, "AIRFLOW_CONN_AWS_DEFAULT": server.connection()}
        )


if __name__ == "__main__":
    sys.exit(main())
