"""
Coupon files from a bucket in real task runs; an S3-compatible server on loopback stands in for it.

The example with a bucket uploads each object once: a second night uploads the one that is new, and
its plan has the others as skipped. The example that waits for files uploads each content once: an
object that is written again, and a copy with another name, upload nothing. A file without a URL is
copied into a bucket by a DAG of the docs, and uploaded from there. After all that, no file of the
site (DAGs, logs, database) has a part of a signed URL's signature. The command of the storage page
runs with an emulator and a bucket of its own, and prints what the page says.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.airflow_site import AirflowSite
from support.examples import EXAMPLES, prepare
from support.pages import PAGES, snippets
from support.storage_tasks import bucket_server
from wes_provider.emulator import Emulator

pytest.importorskip("wes_provider.storage")

CODES = b"code\n" + b"".join(b"WINTER-%05d\n" % number for number in range(100))


@pytest.fixture(scope="module")
def _s3() -> Iterator[Any]:
    with bucket_server() as server:
        yield server


@pytest.fixture
def bucket(_s3: Any, site: AirflowSite, wes_emulator: Emulator) -> Any:
    _s3.clear()
    prepare(site, wes_emulator)
    site.env["AIRFLOW_CONN_AWS_DEFAULT"] = _s3.connection()
    return _s3


def no_signature_is_kept(site: AirflowSite) -> None:
    found = [
        name
        for name, text in site.texts()
        if b"X-Amz-Signature" in text or b"X-Amz-Credential" in text
    ]
    assert found == []


def test_a_second_night_uploads_only_the_object_that_is_new(
    bucket: Any, site: AirflowSite, wes_emulator: Emulator
) -> None:
    bucket.put("winter/a.csv", CODES)
    bucket.put("winter/b.csv", CODES.lower())
    run = site.run("wes_replenish_from_bucket")
    assert run.state == "success"
    assert "100 codes, 100 added" in run.log("report")
    assert len(run.xcom("replenish")) == 2
    bucket.put("winter/c.csv", CODES.replace(b"WINTER", b"SPRING"))
    another_night = site.run("wes_replenish_from_bucket")
    assert another_night.state == "success"
    assert len(another_night.xcom("replenish")) == 1
    assert len(wes_emulator.files("winter-sale")) == 3
    skipped = [file.get("skipped") for file in another_night.xcom("replenish", "plan")["files"]]
    assert (all(skipped[:2]), skipped[2:]) == (True, [None])
    no_signature_is_kept(site)


def test_a_file_without_a_url_is_uploaded_from_its_copy_in_a_bucket(
    bucket: Any, site: AirflowSite, wes_emulator: Emulator, tmp_path: Path
) -> None:
    (tmp_path / "summer.csv").write_bytes(CODES)
    (dag,) = (code for code in snippets(PAGES["storage.md"], "python") if "copyfileobj" in code)
    site.write_dag("copying", dag.replace("file:///mnt/coupons", tmp_path.as_uri()))
    assert site.run("copy_then_upload").states() == {"copy": "success", "upload": "success"}
    assert [file["coupons_added"] for file in wes_emulator.files("summer-sale")] == [100]
    no_signature_is_kept(site)


def test_objects_that_arrive_are_uploaded_unless_their_content_already_was(
    bucket: Any, site: AirflowSite, wes_emulator: Emulator
) -> None:
    bucket.put("arrivals/a.csv", CODES)
    assert site.run("wes_replenish_when_files_arrive").state == "success"
    assert [file["coupons_added"] for file in wes_emulator.files("winter-sale")] == [100]
    bucket.put("arrivals/a.csv", CODES)  # again, so that it is newer than the run
    bucket.put("arrivals/copy.csv", CODES)
    seen_twice = site.run("wes_replenish_when_files_arrive")
    assert seen_twice.state == "success"
    assert seen_twice.xcom("replenish") == []
    assert len(wes_emulator.files("winter-sale")) == 1
    bucket.put("arrivals/b.csv", CODES.lower())
    run = site.run("wes_replenish_when_files_arrive")
    assert run.state == "success"
    assert len(run.xcom("replenish")) == 1
    assert len(wes_emulator.files("winter-sale")) == 2
    no_signature_is_kept(site)


def test_command_of_the_page_runs_the_example_end_to_end(
    bucket: Any, site: AirflowSite, tmp_path: Path
) -> None:
    """The emulator and the server that it starts are its own."""
    page = re.sub(r" \\\n +", " ", PAGES["storage.md"])
    (command,) = re.findall(r"^(wes-emulator exec -- python .*)$", page, re.MULTILINE)
    (tmp_path / "tests").symlink_to(EXAMPLES.parent / "tests")
    (tmp_path / "coupons").mkdir()
    (tmp_path / "coupons" / "coupons.csv").write_bytes(
        b"".join(b"SUMMER-%05d\n" % number for number in range(5000))
    )
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", command],
        cwd=tmp_path,
        env={**site.settings(), "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    printed = snippets(PAGES["storage.md"], "text")[0].replace("\n  ", " ")
    for line in printed.splitlines():
        assert line.lstrip("…") in done.stdout
