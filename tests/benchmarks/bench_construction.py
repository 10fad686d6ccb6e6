"""
What a task costs when a DAG file is parsed: construction and serialisation, beside an ``EmptyOperator``.

Airflow does both for every task at every parse. Each figure is a ratio within a round; rounds are run one after the
other in one process, with the variants in random order, and the median of the ratios counts.

Beside each of the provider's operators stands a bare one: nothing but a link and the same template fields with the same
values, which is what Airflow itself takes for such a task. ``beyond`` is the ratio of the two.

``--instructions`` counts instructions of Python instead, in one round: a busy machine does not change them.

Run it with ``python tests/benchmarks/bench_construction.py``, in an environment with the provider and Airflow 3.3.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

URL = "https://files.example.com/coupons.csv"
BARE = "bare "


def variants() -> dict[str, Callable[[str], Any]]:
    from airflow.providers.standard.operators.empty import EmptyOperator

    from wes_provider.operators import (
        WesCreateCatalogOperator,
        WesReplenishCouponListOperator,
        WesUpdateSegmentOperator,
        WesUploadCouponFileOperator,
    )
    from wes_provider.sensors import WesCouponFileSensor

    return {
        "EmptyOperator": lambda task_id: EmptyOperator(task_id=task_id),
        "WesUploadCouponFileOperator": lambda task_id: WesUploadCouponFileOperator(
            task_id=task_id, coupon_list_id="l", file_url=URL
        ),
        "WesReplenishCouponListOperator": lambda task_id: WesReplenishCouponListOperator(
            task_id=task_id, coupon_list_id="l", files=[URL]
        ),
        "WesCreateCatalogOperator": lambda task_id: WesCreateCatalogOperator(
            task_id=task_id, name="c", price_currency="EUR", attributes=[{"name": "id", "type": "string"}]
        ),
        "WesUpdateSegmentOperator": lambda task_id: WesUpdateSegmentOperator(task_id=task_id, segment_id="s", name="n"),
        "WesCouponFileSensor": lambda task_id: WesCouponFileSensor(
            task_id=task_id, coupon_list_id="l", coupon_file_id="f"
        ),
    }


def bare(make: Callable[[str], Any]) -> Callable[[str], Any]:
    """What makes tasks that Airflow has the same work with as with those of ``make``, and that do nothing else."""
    from airflow.sdk import DAG, BaseOperator, BaseOperatorLink

    class Link(BaseOperatorLink):
        name = "console"
        xcom_key = "console"

        def get_link(self, operator: Any, *, ti_key: Any) -> str:
            raise NotImplementedError

    with DAG("d", schedule=None):
        task = make("t")
    values = {field: getattr(task, field) for field in task.template_fields}

    def construct(self: Any, **arguments: Any) -> None:
        for field in values:
            setattr(self, field, arguments.pop(field))
        super(operator, self).__init__(**arguments)

    members = {
        "__init__": construct,
        "template_fields": tuple(values),
        "template_ext": task.template_ext,
        "template_fields_renderers": type(task).template_fields_renderers,
        "operator_extra_links": (Link(),),
    }
    operator: Any = type("BareOperator", (BaseOperator,), members)
    return lambda task_id: operator(task_id=task_id, **values)


def serialise(dag: Any) -> None:
    from airflow.serialization import serialized_objects

    # Airflow 3.2 and later; before that, SerializedDAG
    serialiser = getattr(serialized_objects, "DagSerialization", None) or serialized_objects.__dict__["SerializedDAG"]
    serialiser.to_dict(dag)


def instructions(make: Callable[[str], Any], tasks: int) -> tuple[float, float]:
    """Instructions of Python to construct a task, and to serialise it; what a DAG takes besides is not counted."""
    few, many = (_instructions(make, number) for number in (2, 2 + tasks))
    return (many[0] - few[0]) / tasks, (many[1] - few[1]) / tasks


def _instructions(make: Callable[[str], Any], tasks: int) -> tuple[int, int]:
    from airflow.sdk import DAG

    with DAG("d", schedule=None) as dag:
        constructed = _count(lambda: [make(f"t{number}") for number in range(tasks)])
    return constructed, _count(lambda: serialise(dag))


def _count(call: Callable[[], object]) -> int:
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(None)
    return count


def measure(make: Callable[[str], Any], tasks: int) -> tuple[float, float]:
    """Microseconds to construct a task, and to serialise it."""
    from airflow.sdk import DAG

    gc.collect()
    with DAG("d", schedule=None) as dag:
        start = time.process_time()
        for number in range(tasks):
            make(f"t{number}")
        constructed = time.process_time() - start
    gc.collect()
    start = time.process_time()
    serialise(dag)
    serialised = time.process_time() - start
    return 1e6 * constructed / tasks, 1e6 * serialised / tasks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--instructions", action="store_true", help="count instructions of Python, with five tasks")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"AIRFLOW_HOME": home, "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}
        makers = variants()
        makers |= {f"{BARE}{name}": bare(make) for name, make in makers.items() if name != "EmptyOperator"}
        for make in makers.values():
            measure(make, 5)  # not counted: it imports and fills caches
        rounds = []
        for _ in range(1 if arguments.instructions else arguments.rounds):
            order = random.sample(list(makers), k=len(makers))
            if arguments.instructions:
                rounds.append({name: instructions(makers[name], 5) for name in order})
            else:
                rounds.append({name: measure(makers[name], arguments.tasks) for name in order})
    unit = "instructions" if arguments.instructions else "µs"

    def ratio(name: str, other: str, kind: int) -> str:
        return f"{statistics.median(figures[name][kind] / figures[other][kind] for figures in rounds):.2f}"

    print(f"| task | construction, {unit} | ratio | bare | beyond | serialisation, {unit} | ratio | bare | beyond |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in makers:
        if name.startswith(BARE):
            continue
        cells = []
        for kind in (0, 1):
            of_bare = f"{BARE}{name}" if name != "EmptyOperator" else name
            cells.append(f"{statistics.median(figures[name][kind] for figures in rounds):.0f}")
            cells += [ratio(name, "EmptyOperator", kind), ratio(of_bare, "EmptyOperator", kind)]
            cells.append(ratio(name, of_bare, kind))
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
