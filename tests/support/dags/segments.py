"""Segments whose filters come from a task, a file, or nobody."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesUpdateSegmentOperator

GIVEN = json.loads(Path(__file__).with_suffix(".json").read_text())

with DAG(GIVEN["dag_id"], schedule=None, start_date=datetime(2025, 1, 1, tzinfo=timezone.utc)):

    @task
    def cities() -> list[str]:
        return ["Rome", "Oslo"]

    @task
    def nobody() -> list[str]:
        return []

    WesUpdateSegmentOperator(
        task_id="t",
        segment_id="s-{{ 1 }}",
        name="n",
        updated_by="a@b.example",
        included_filters=all_of(user_attribute("city", cities())),
    )
    WesUpdateSegmentOperator(task_id="file", segment_id="s-2", included_filters="filters.json")
    WesUpdateSegmentOperator(
        task_id="meant",
        segment_id="s-3",
        included_filters={"filter_operator": "and", "filters": nobody()},
        allow_empty=True,
    )
