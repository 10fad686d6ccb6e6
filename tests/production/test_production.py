"""
Airflow as production has it, with Celery, PostgreSQL and Redis: all of it is killed while the three
use cases run, and afterwards each file was accepted once.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from urllib.parse import quote

import pytest

from support.attack import (
    CAMPAIGN_KEY,
    CATALOGS,
    DATA_KEY,
    FETCH_PASSWORD,
    FETCH_USER,
    WAVES,
    WORKSPACE,
    Deployment,
    Wave,
)
from wes_provider.models import all_of, user_attribute

SECRETS = (
    CAMPAIGN_KEY,
    DATA_KEY,
    FETCH_PASSWORD,
    f"{WORKSPACE}:{CAMPAIGN_KEY}",
    f"{WORKSPACE}:{DATA_KEY}",
    f"{FETCH_USER}:{FETCH_PASSWORD}",
)
FORMS = {
    form.encode(): secret
    for secret in SECRETS
    for form in (secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode())
}
"""The secrets as they may stand somewhere."""


def ids_by_url(deployment: Deployment, list_id: str) -> dict[str, str]:
    return {file["file_url"]: file["_id"] for file in deployment.service.files(list_id)}


def test_all_runs_end_well(deployment: Deployment):
    runs = [run for wave in deployment.waves for run in wave.runs]
    assert len(runs) == 3 * len(WAVES)
    failed = {f"{run.dag_id} {run.run_id}": run.states() for run in runs if run.state != "success"}
    assert failed == {}


def test_all_parts_were_attacked(deployment: Deployment):
    assert set(deployment.done) == {
        "task process",
        "pool process",
        "worker",
        "triggerer",
        "scheduler",
        "PostgreSQL (SIGINT)",
        "PostgreSQL (SIGQUIT)",
        "Redis",
        "service frozen",
        "responses lost",
    }


def test_each_file_was_accepted_once(deployment: Deployment):
    accepted = {
        list_id: Counter(file["file_url"] for file in deployment.service.files(list_id))
        for wave in deployment.waves
        for list_id in wave.lists
    }
    expected = {
        list_id: Counter(deployment.urls[:1] if list_id == wave.sensed_list else deployment.urls)
        for wave in deployment.waves
        for list_id in wave.lists
    }
    assert accepted == expected


def test_each_return_value_is_the_files_of_its_list(deployment: Deployment):
    for wave in deployment.waves:
        run = wave.replenish
        for index, list_id in enumerate(wave.deferred_lists):
            ids = ids_by_url(deployment, list_id)
            pushed = run.xcom("replenish_deferred", map_index=index)
            assert pushed == [ids[url] for url in deployment.urls]
        ids = ids_by_url(deployment, wave.list_on_worker)
        assert run.xcom("replenish_on_worker") == [ids[url] for url in deployment.urls]
        ids = ids_by_url(deployment, wave.sensed_list)
        assert run.xcom("upload") == ids[deployment.urls[0]]
        assert run.xcom("wait")["id"] == ids[deployment.urls[0]]


def test_each_file_is_known_to_be_processed(deployment: Deployment):
    for wave in deployment.waves:
        for index in range(len(wave.deferred_lists)):
            files = wave.replenish.xcom("replenish_deferred", "coupon_files", index)
            assert [file["status"] for file in files] == ["SUCCESS"] * len(deployment.urls)
        assert wave.replenish.xcom("wait")["status"] == "SUCCESS"


def test_each_catalog_is_there_once_with_its_identifier(deployment: Deployment):
    assert len(deployment.service.catalogs) == CATALOGS * len(deployment.waves)
    for wave in deployment.waves:
        for task_id, catalog_id in deployment.catalog_ids(wave).items():
            assert wave.provision.xcom(task_id) == catalog_id


def test_the_segment_is_as_sent_last(deployment: Deployment):
    last: Wave = deployment.waves[-1]
    segment = deployment.service.segments["shoppers"]
    assert segment["included_filters"] == all_of(user_attribute("city", last.cities))


def test_xcoms_are_in_object_storage(deployment: Deployment):
    rows = deployment.site.rows("SELECT value FROM xcom WHERE key = 'coupon_files'")
    assert rows
    assert all(re.match(r'"?file:', str(row.value)) for row in rows)


def test_no_key_or_password_is_in_the_database_in_redis_or_in_logs(deployment: Deployment):
    names = []
    leaks = []
    for name, content in deployment.site.texts():
        if name == "service.log":
            # The service's own, which shows the connection that leads to it.
            continue
        names.append(name)
        leaks += [(name, secret) for form, secret in FORMS.items() if form in content]
    assert leaks == []
    # What was searched.
    assert {"dump of PostgreSQL", "worker-1.log", "triggerer-2.log"} <= set(names)
    assert any("appendonly" in name for name in names)
    assert any(name.startswith("logs/dag_id=replenish/") for name in names)


@pytest.mark.parametrize("secret", [CAMPAIGN_KEY, DATA_KEY, FETCH_PASSWORD])
def test_the_service_was_given_each_secret(deployment: Deployment, secret: str):
    backend = (deployment.site.folder / "connections.json").read_text()
    assert secret in backend
