"""
No key, password, pair of credentials in base64 or signed URL shows anywhere, if a template or a
connection gives it: the operators that upload, create catalogs and update segments, and the sensor
in every mode, succeeding and failing. What a DAG file has as text, Airflow stores with the DAG;
and ``docs/security.md`` names forms that no mask knows if the service makes them.

Each run plants its own secrets, and a service that echoes whatever it is given. Then all that
Airflow has written is searched: the database with its XComs, rendered fields, triggers, task state
and asset events, the logs of tasks and of all processes, the exceptions, the metrics, and where its
provider is installed what OpenLineage is told.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, Run, wait_until
from support.statsd_server import StatsD
from support.wire import Session
from wes_provider.contract import OPERATIONS
from wes_provider.emulator import Emulator, faults

# Of this tier, since one of them needs a scheduler.
pytestmark = pytest.mark.usefixtures("scheduler_template")

WORKSPACE = "planted-workspace"
CAMPAIGN_KEY = "planted+campaign/key"
DATA_KEY = "planted+data/key"
SIGNATURE = "planted+signature"
TOKEN = "planted+token"
PASSWORD = "planted+inline/password"
CONN_PASSWORD = "planted+connection/password"
URL_PASSWORD = "planted+url+password"

PLANTED = (CAMPAIGN_KEY, DATA_KEY, SIGNATURE, TOKEN, PASSWORD, CONN_PASSWORD, URL_PASSWORD)
BASIC = (
    f"{WORKSPACE}:{CAMPAIGN_KEY}",
    f"{WORKSPACE}:{DATA_KEY}",
    f"alice:{PASSWORD}",
    f"bob:{CONN_PASSWORD}",
)
FORMS = {
    form.encode(): secret
    for secret in (*PLANTED, *BASIC)
    for form in (secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode())
}

TASKS = """
url, callback = "{{{{ var.value.planted_one }}}}", "{{{{ var.value.planted_two }}}}"
waits = dict(timeout={timeout}, poll_interval=1)
upload = dict(coupon_list_id="uploads", file_url=url, callback_url=callback, **waits)
auth = dict(file_url_auth_username="alice", file_url_auth_password="{{{{ var.value.planted_three }}}}")

WesUploadCouponFileOperator(task_id="upload", **upload, **auth, outlets={outlets})
WesUploadCouponFileOperator(task_id="upload_conn", **upload, file_url_auth_conn_id="files")
WesUploadCouponFileOperator(task_id="upload_wait", **upload, wait_for_completion=True)
WesUploadCouponFileOperator(task_id="upload_defer", **upload, wait_for_completion=True, deferrable=True)
WesUploadCouponFileOperator.partial(task_id="upload_mapped", coupon_list_id="mapped").expand(file_url=[url])
for deferrable in (False, True):
    WesReplenishCouponListOperator(
        task_id=f"replenish_{{deferrable}}", coupon_list_id=f"replenished_{{deferrable}}", deferrable=deferrable,
        files=[dict(file_url=url, callback_url=callback, **auth), "{{{{ var.value.planted_four }}}}"],
        timeout={timeout}, poll_interval=1,
    )
for mode, deferrable in (("poke", False), ("reschedule", False), ("poke", True)):
    WesCouponFileSensor(
        task_id=f"sensor_{{mode}}_{{deferrable}}", coupon_list_id="sensed", coupon_file_id="{{{{ var.value.sensed }}}}",
        mode=mode, deferrable=deferrable, timeout={timeout},
        poke_interval=10 if mode == "reschedule" else 1,  # sooner, and the scheduler takes it for a task that got lost
    )
WesCreateCatalogOperator(task_id="catalog", name="c", price_currency="EUR", attributes=[])
WesUpdateSegmentOperator(task_id="segment", segment_id="s", name="n")
"""


def tasks(timeout: float) -> str:
    # On 3.0, ``dags test`` knows of no asset that the scheduler has not made active.
    outlets = [] if AIRFLOW_VERSION == (3, 0) else "[coupon_list('uploads')]"
    return "from wes_provider.assets import coupon_list\n" + TASKS.format(
        timeout=timeout, outlets=outlets
    )


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    account = {"workspace_id": WORKSPACE, "api_key": CAMPAIGN_KEY, "data_api_key": DATA_KEY}
    with Emulator(**account, processing_time=1, limits=None) as emulator:
        yield emulator


def signed(url: str) -> str:
    return f"{url}?sig={quote(SIGNATURE)}&expires=1"


def environment(site: AirflowSite, emulator: Emulator) -> dict[str, str]:
    """
    The connection and the variables, these called so that Airflow by itself has no reason to mask
    them; and where OpenLineage's events go.
    """
    lineage = {"type": "file", "log_file_path": str(site.home / "lineage.jsonl"), "append": True}
    extra = {
        "max_attempts": 1,
        "coupon_files_lag": 0,
        "console_url": "https://console.example.com/{kind}/{id}",
    }
    more = emulator.host("more.csv", b"CODE-2\n")
    with Session(emulator) as session:
        sensed = session.upload(emulator.host("sensed.csv", b"CODE-1\n"), "sensed")["_id"]
    return {
        "AIRFLOW__OPENLINEAGE__TRANSPORT": json.dumps(lineage),
        **emulator.connection_env(extra=extra),
        "AIRFLOW_CONN_FILES": json.dumps(
            {"conn_type": "http", "login": "bob", "password": CONN_PASSWORD}
        ),
        "AIRFLOW_VAR_PLANTED_ONE": signed(emulator.host("coupons.csv", b"CODE-1\n")),
        "AIRFLOW_VAR_PLANTED_TWO": f"{emulator.url}/callback?token={quote(TOKEN)}",
        "AIRFLOW_VAR_PLANTED_THREE": PASSWORD,
        "AIRFLOW_VAR_PLANTED_FOUR": signed(more.replace("://", f"://carol:{quote(URL_PASSWORD)}@")),
        "AIRFLOW_VAR_SENSED": sensed,
    }


def echo(environment: Mapping[str, str]) -> dict[str, str]:
    """By operation: what the service knows from the request itself, but passwords and tokens."""
    urls = f"{environment['AIRFLOW_VAR_PLANTED_ONE']} {environment['AIRFLOW_VAR_PLANTED_FOUR']}"
    keys = (
        f"bad {CAMPAIGN_KEY} {DATA_KEY} "
        f"{' '.join(base64.b64encode(text.encode()).decode() for text in BASIC[:2])}"
    )
    # Of one request each; a listing or a fetch knows nothing of an upload but its URL.
    return {
        operation: f"{keys} {urls}" if "coupon" in operation else keys for operation in OPERATIONS
    }


def assert_nothing_shows(site: AirflowSite, run: Run, statsd: StatsD) -> None:
    metrics = "\n".join(statsd.packets())
    assert "wes.requests" in metrics
    texts = [*site.texts(), ("metrics", metrics.encode())]
    found = [
        f"{secret} in {name}"
        for name, text in texts
        for form, secret in FORMS.items()
        if form in text
    ]
    assert found == []
    for form, secret in FORMS.items():
        assert form.decode() not in run.output, secret


def test_of_tasks_that_succeed_no_secret_shows(
    site: AirflowSite, emulator: Emulator, statsd: StatsD
):
    site.env = environment(site, emulator)
    run = site.run(tasks(timeout=60))
    assert run.states() == dict.fromkeys(run.states(), "success")
    # What was planted has really been used.
    sent = {request.body for request in emulator.requests_for("upload_coupon_file")}
    for secret in (quote(SIGNATURE), quote(TOKEN), quote(URL_PASSWORD), PASSWORD, CONN_PASSWORD):
        assert any(secret.encode() in body for body in sent), secret
    assert run.xcom("upload", "coupon_file")["coupon_list_id"] == "uploads"
    assert_nothing_shows(site, run, statsd)


alike = pytest.mark.one_airflow("an Airflow stores a failure alike, whatever its cause")


@pytest.mark.parametrize(
    "failure",
    ["refused", *(pytest.param(failure, marks=alike) for failure in ("garbled", "wrong key"))],
)
def test_of_tasks_that_fail_no_secret_shows(
    site: AirflowSite, emulator: Emulator, statsd: StatsD, failure: str
):
    site.env = environment(site, emulator)
    for operation, text in echo(site.env).items():
        if failure == "refused":
            emulator.fail(operation, faults.error(400, "bad", text), times=None)
        elif failure == "garbled":
            emulator.fail(
                operation,
                faults.garbage(json.dumps({"said": text}).encode(), status=200),
                times=None,
            )
        else:
            emulator.configure(api_key="another", data_api_key="yet-another")
    run = site.run(tasks(timeout=2))
    expected = dict.fromkeys(run.states(), "failed")
    if failure == "garbled":
        expected["segment"] = "success"  # as any 2xx is that does not say that it failed
        assert run.xcom("segment", "segment")["said"].startswith("bad *** ")
    assert run.states() == expected
    assert run.exception("upload").message
    assert_nothing_shows(site, run, statsd)


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="once is enough: the others run above")
def test_under_a_scheduler_and_a_triggerer_no_secret_shows(
    tmp_path: Path, scheduler_template: Path, emulator: Emulator, statsd: StatsD
):
    """While tasks are deferred, and after they have ended with success and with failure."""
    with AirflowSite(tmp_path, scheduler_template, statsd.env) as site:
        emulator.configure(processing_time=3600)
        site.env = {**environment(site, emulator), **UNHURRIED}
        # Airflow 3.3 at times gives up a task that has just resumed (apache/airflow issue 72716).
        dag_id = site.write_tasks(
            tasks(timeout=7200), default_args={"retries": 1, "retry_delay": 15}
        )
        site.start()
        waiting = site.trigger(dag_id)
        deferred = ("upload_defer", "replenish_True", "sensor_poke_True")
        for task in deferred:
            waiting.wait("deferred", task_id=task, timeout=240)
            wait_until(lambda task=task: waiting.trigger_of(task), 60, "its trigger")
        assert_nothing_shows(site, waiting, statsd)
        emulator.clock.advance(7200)
        waiting.wait(timeout=240)
        assert waiting.states() == dict.fromkeys(waiting.states(), "success")
        for operation, text in echo(site.env).items():
            emulator.fail(operation, faults.error(400, "bad", text), times=None)
        failed = site.trigger(dag_id).wait(timeout=240)
        assert failed.states() == dict.fromkeys(failed.states(), "failed")
        assert_nothing_shows(site, failed, statsd)
