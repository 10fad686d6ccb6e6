"""
What an upload leaves behind if it succeeds, through real task runs; what it decides is in
``unit/uploads``.
"""

from __future__ import annotations

import json

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator, faults
from wes_provider.texts import redact_url

UPLOAD = "upload_coupon_file"
FAULTS = {  # of the upload, by list, and how many requests it takes
    "fresh": (None, 1),
    "waited": (None, 1),
    "reply_lost": (faults.reply_lost(), 1),
    "e503_without_effect": (faults.error(503), 2),
}


def test_every_way_to_upload_once_leaves_the_same_xcoms_and_no_secret(
    site: AirflowSite, wes_emulator: Emulator
):
    wes_emulator.configure(limits=None, list_lag=0.5)
    wes_emulator.script(statuses=[("SUCCESS", None)])
    wes_emulator.script(list_id="waited", statuses=[("PENDING", 1), ("SUCCESS", None)])
    for name, (fault, _) in FAULTS.items():
        if fault is not None:
            wes_emulator.fail(UPLOAD, fault, list_id=name)
    extra = {"coupon_files_lag": 1, "max_attempts": 2}
    site.env["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(wes_emulator.connection(extra=extra))
    run = site.run(site.write_dag_file("uploads_of_all_kinds", lists=list(FAULTS)))
    assert run.state == "success"
    requests = {}
    for name in FAULTS:
        (file,) = wes_emulator.files(name)
        sent = [
            json.loads(r.body)
            for r in wes_emulator.requests_for(UPLOAD)
            if f"/{name}/" in r.raw_path
        ]
        requests[name] = len(sent)
        assert sent[0]["file_url"].endswith("?signature=SECRET-1")
        assert sent[0]["file_url_auth_password"] == "SECRET-2"
        assert run.ti(name).try_number == 1
        xcoms = run.xcoms(name)
        assert set(xcoms) == set(run.xcoms("fresh"))
        assert xcoms["return_value"] == file["_id"]
        assert xcoms["coupon_file"] == {
            "id": file["_id"],
            "coupon_list_id": name,
            "name": file["name"],
            "status": "SUCCESS",
            "file_url": redact_url(file["file_url"]),
            "coupons_added": 0,
            "adopted": False,
            "coupons_duplicate": 0,
        }
    assert requests == {name: count for name, (_, count) in FAULTS.items()}
    assert "return_value" not in run.xcoms("no_xcom")
    assert run.xcom("no_xcom", "coupon_file")["id"] == wes_emulator.files("no_xcom")[0]["_id"]
    assert [name for name, content in site.texts() if b"SECRET-" in content] == []
