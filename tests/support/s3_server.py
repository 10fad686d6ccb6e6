"""
An S3-compatible server on loopback, which stands in for the cloud.

moto keeps the objects, and what stands before it checks every signature. They are checked by the rules of Signature
Version 4, written down here once more, so that a mistake of botocore's would show; their expiry is checked on a clock
that tests can move.

The tutorial runs it by itself: ``python tests/support/s3_server.py --folder FOLDER -- COMMAND`` puts the files of a
folder into the bucket, and runs a command with a connection ``aws_default`` to it.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import WSGIRequestHandler, make_server

ACCESS_KEY, SECRET_KEY = "AKIDTESTS", "s3-secret-of-the-tests"
SKEW = 900  # seconds by which a request's date may differ, and no more
PACKET = 128 * 1024  # bytes
LONGEST_EXPIRY = 7 * 24 * 3600


@dataclass
class Request:
    """What was requested, and what came of it; ``signature`` is that of a signed URL."""

    method: str
    path: str
    refused: str
    at: float
    signature: str = ""


@dataclass
class S3Server:
    """
    One bucket, ``promo``, unless more are made.

    :ivar now: the clock that dates and expiries are checked with.
    :ivar tokens: by access key, the session token that has to come with it.
    :ivar bandwidth: bytes a second that all responses share; 0 does not limit them.
    :ivar conditional: keep to ``If-None-Match``; older servers ignore it.
    """

    now: Callable[[], float] = time.time
    secrets: dict[str, str] = field(default_factory=lambda: {ACCESS_KEY: SECRET_KEY})
    tokens: dict[str, str] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    bandwidth: float = 0
    conditional: bool = True
    read_only: bool = False
    url: str = ""
    _wire: Any = field(default_factory=Lock, repr=False)
    _wire_free: float = 0  # when the last packet is through, on the monotonic clock

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        parts = urlsplit(environ["REQUEST_URI"])
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        refused = self._refused(environ, parts.path, query)
        signature = query.get("X-Amz-Signature", "")
        request = Request(environ["REQUEST_METHOD"], parts.path, refused, self.now(), signature)
        if not refused:
            if not self.conditional:
                environ.pop("HTTP_IF_NONE_MATCH", None)
            # moto has its own, looser idea of signed URLs, and of what a query may hold.
            environ["QUERY_STRING"] = urlencode([(k, v) for k, v in query.items() if not k.startswith("X-Amz-")])
            environ.setdefault("HTTP_AUTHORIZATION", f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/20260101/us-east-1/s3/")
            environ["REQUEST_URI"] = environ["RAW_URI"] = parts._replace(query=environ["QUERY_STRING"]).geturl()
            reply = self._range(environ, parts.path, start_response) or self._slowed(
                self._objects(environ, start_response)  # type: ignore[attr-defined]
            )
            self.requests.append(request)  # now that nothing which becomes of the object can change the reply
            return reply
        self.requests.append(request)
        start_response("403 Forbidden", [("Content-Type", "application/xml")])
        code = "AccessDenied" if "expired" in refused or self.read_only else "SignatureDoesNotMatch"
        return [f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{refused}</Message></Error>".encode()]

    def _range(self, environ: dict[str, Any], path: str, start_response: Any) -> list[bytes]:
        """A range of an object, without the copy of the whole object that moto makes of each; empty if it is none."""
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", environ.get("HTTP_RANGE", ""))
        bucket, _, name = unquote(path).lstrip("/").partition("/")
        buckets = s3_backends["123456789012"]["aws"].buckets
        key = buckets[bucket].keys.get(name) if bucket in buckets else None
        if wanted is None or key is None or environ["REQUEST_METHOD"] != "GET" or environ["QUERY_STRING"]:
            return []
        first, last = map(int, wanted.groups())
        with key.lock:
            size = key._value_buffer.seek(0, 2)
            key._value_buffer.seek(first)
            content = key._value_buffer.read(last + 1 - first)
        if not content:
            return []
        headers = [
            ("Content-Length", str(len(content))),
            ("Content-Range", f"bytes {first}-{first + len(content) - 1}/{size}"),
            ("ETag", key.etag),
        ]
        start_response("206 Partial Content", headers)
        return list(self._slowed([content]))

    def _slowed(self, pieces: Iterable[bytes]) -> Iterable[bytes]:
        for piece in pieces:
            if not self.bandwidth:
                yield piece
                continue
            for start in range(0, len(piece), PACKET):
                packet = piece[start : start + PACKET]
                with self._wire:
                    self._wire_free = max(time.monotonic(), self._wire_free) + len(packet) / self.bandwidth
                    arrives = self._wire_free
                time.sleep(max(0, arrives - time.monotonic()))
                yield packet

    def _refused(self, environ: dict[str, Any], path: str, query: dict[str, str]) -> str:
        """Why a request is refused; empty if it is not."""
        now = self.now()
        if self.read_only and environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return "The policy of this server is to be read only"
        if "X-Amz-Signature" in query:
            scope, date, given = query["X-Amz-Credential"], query["X-Amz-Date"], query["X-Amz-Signature"]
            signed, token = query["X-Amz-SignedHeaders"], query.get("X-Amz-Security-Token")
            payload, expires = "UNSIGNED-PAYLOAD", int(query["X-Amz-Expires"])
            if not 0 < expires <= LONGEST_EXPIRY:
                return "X-Amz-Expires is not between a second and a week"
            if now > _seconds(date) + expires:
                return f"Request has expired {now - _seconds(date) - expires:.0f} s ago"
        elif environ.get("HTTP_AUTHORIZATION", "").startswith("AWS4-HMAC-SHA256 "):
            fields = dict(
                part.strip().split("=", 1) for part in environ["HTTP_AUTHORIZATION"].partition(" ")[2].split(",")
            )
            scope, date, given = fields["Credential"], environ["HTTP_X_AMZ_DATE"], fields["Signature"]
            signed, token = fields["SignedHeaders"], environ.get("HTTP_X_AMZ_SECURITY_TOKEN")
            payload = environ["HTTP_X_AMZ_CONTENT_SHA256"]
            if abs(now - _seconds(date)) > SKEW:
                return "The difference between the request time and the current time is too large"
        else:
            return "Anonymous access, or a signature that is not of version 4"
        access_key, *region = scope.split("/")
        if access_key not in self.secrets or self.tokens.get(access_key) != token:
            return "The access key or its token is not known"
        canonical_query = "&".join(
            f"{quote(key, safe='-_.~')}={quote(value, safe='-_.~')}"
            for key, value in sorted(query.items())
            if key != "X-Amz-Signature"
        )
        headers = "".join(f"{name}:{_header(environ, name)}\n" for name in signed.split(";"))
        canonical = "\n".join((environ["REQUEST_METHOD"], path, canonical_query, headers, signed, payload))
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        to_sign = "\n".join(("AWS4-HMAC-SHA256", date, "/".join(region), digest))
        key = b"AWS4" + self.secrets[access_key].encode()
        for part in (*region, to_sign):
            key = hmac.digest(key, part.encode(), "sha256")
        return "" if hmac.compare_digest(key.hex(), given) else "The signature does not match"

    def put(self, name: str, content: bytes, bucket: str = "promo") -> None:
        """Write an object, past any signature."""
        backend = s3_backends["123456789012"]["aws"]
        if bucket not in backend.buckets:
            backend.create_bucket(bucket, "us-east-1")
        backend.put_object(bucket, name, content)

    def get(self, name: str, bucket: str = "promo") -> bytes:
        """Read an object, past any signature."""
        return bytes(s3_backends["123456789012"]["aws"].get_object(bucket, name).value)

    def delete(self, name: str, bucket: str = "promo") -> None:
        """Delete an object, past any signature."""
        s3_backends["123456789012"]["aws"].delete_object(bucket, name)

    def names(self, prefix: str = "", bucket: str = "promo") -> list[str]:
        """List objects, past any signature."""
        keys = s3_backends["123456789012"]["aws"].buckets[bucket].keys
        return sorted(name for name in keys if name.startswith(prefix))

    def clear(self) -> None:
        """Start again with an empty bucket, and the machine's clock."""
        s3_backends.reset()
        s3_backends["123456789012"]["aws"].create_bucket("promo", "us-east-1")
        self.requests.clear()
        self.tokens.clear()
        self.now, self.bandwidth, self.conditional, self.read_only = time.time, 0, True, False
        self.secrets = {ACCESS_KEY: SECRET_KEY}

    @property
    def signed(self) -> list[Request]:
        """The requests that used a signed URL."""
        return [request for request in self.requests if request.signature]

    def connection(self, access_key: str = ACCESS_KEY, **extra: Any) -> str:
        """An ``aws`` connection to this server, as JSON for ``AIRFLOW_CONN_*``."""
        return json.dumps(
            {
                "conn_type": "aws",
                "login": access_key,
                "password": self.secrets[access_key],
                "extra": {"endpoint_url": self.url, "region_name": "us-east-1", **extra},
            }
        )


@contextmanager
def s3_server() -> Any:
    """Serve on a free port, in a thread."""
    server = S3Server()
    server._objects = DomainDispatcherApplication(create_backend_app)  # type: ignore[attr-defined]
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


def main() -> int:
    parser = argparse.ArgumentParser(description="An S3-compatible server for as long as a command runs.")
    parser.add_argument("--folder", type=Path, required=True, help="whose files are put into the bucket promo")
    parser.add_argument("--prefix", default="winter", help="of their names there")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    with s3_server() as server:
        for path in options.folder.iterdir():
            server.put(f"{options.prefix}/{path.name}", path.read_bytes())
        return subprocess.call(options.command, env={**os.environ, "AIRFLOW_CONN_AWS_DEFAULT": server.connection()})


def _seconds(date: str) -> float:
    return datetime.strptime(date, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc).timestamp()


def _header(environ: dict[str, Any], name: str) -> str:
    key = name.upper().replace("-", "_")
    value = environ.get(f"HTTP_{key}", environ.get(key, ""))
    return " ".join(str(value).split())


if __name__ == "__main__":
    sys.exit(main())
