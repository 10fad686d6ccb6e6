"""Catalogs whose attributes come from objects, a file, a task and a template."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.models import CatalogAttribute
from wes_provider.operators import WesCreateCatalogOperator

GIVEN = json.loads(Path(__file__).with_suffix(".json").read_text())


def fail(context: Any, result: Any = None) -> None:
    raise RuntimeError("post")


with DAG(GIVEN["dag_id"], schedule=None, start_date=datetime(2025, 1, 1, tzinfo=timezone.utc)):

    @task
    def schema() -> list[dict[str, str]]:
        return [{"name": "id", "type": "string"}]

    made = schema()
    WesCreateCatalogOperator(
        task_id="objects",
        name="winter-{{ dag.dag_id }}",
        price_currency="EUR",
        attributes=[CatalogAttribute("id"), {"name": "price_{{ 1 + 1 }}", "type": "double"}],
    )
    WesCreateCatalogOperator(
        task_id="file", name="b", price_currency="EUR", attributes="attributes.json"
    )
    WesCreateCatalogOperator(task_id="output", name="c", price_currency="EUR", attributes=made)
    made >> WesCreateCatalogOperator(
        task_id="json",
        name="d",
        price_currency="EUR",
        attributes="{{ ti.xcom_pull(task_ids='schema') | tojson }}",
    )
    WesCreateCatalogOperator(
        task_id="fails", name="e", price_currency="EUR", attributes=[], post_execute=fail
    )
