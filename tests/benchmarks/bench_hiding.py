"""
What rendering and hiding secrets costs, against Airflow's own rendering of the same value.

Run it with ``python tests/benchmarks/bench_hiding.py``. Each measurement is a process of its own,
since Airflow's masker keeps what it was told; it counts CPU seconds, without imports. URLs are
signed as S3 does with a session's token: 1,100 characters, most of which they share.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from types import SimpleNamespace
from typing import Any, Final

WAYS: Final = ("rendered", "mapped", "output of a task")
TOKEN: Final = "IQoJb3JpZ2luX2Vj" * 50
SHARED: Final = (
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20261125%2F"
    "eu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20261125T203000Z&X-Amz-Expires=7200&"
    f"X-Amz-SignedHeaders=host&X-Amz-Security-Token={TOKEN}"
)


def signed_urls(number: int) -> list[str]:
    """URLs of a bucket, each with a signature of its own."""
    return [
        f"https://promo.s3.example.com/nightly/{index}.csv?{SHARED}"
        f"&X-Amz-Signature={sha256(str(index).encode()).hexdigest()}"
        for index in range(number)
    ]


def filters(number: int) -> dict[str, Any]:
    """A filter with so many values."""
    from wes_provider.models import all_of, user_attribute

    return all_of(
        user_attribute("page", [f"https://shop.example/p?id={index}" for index in range(number)])
    )


KINDS: Final[dict[str, tuple[str, Callable[[int], Any]]]] = {
    "signed URLs": ("files", signed_urls),
    "values of a filter": ("included_filters", filters),
}


class Output:
    """What another task returned, as Airflow resolves it."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def resolve(self, context: Any) -> Any:
        return self.value


def measure(kind: str, way: str, number: int, *, by_airflow: bool) -> float:
    """Render an argument once; CPU seconds."""
    from airflow.providers.common.compat.sdk import DAG, BaseOperator

    from wes_provider.operators import WesReplenishCouponListOperator, WesUpdateSegmentOperator

    field, make = KINDS[kind]
    value = make(number)
    with DAG("benchmark", schedule=None):
        if by_airflow:
            task: Any = BaseOperator(task_id="task")
        elif field == "files":
            task = WesReplenishCouponListOperator(
                task_id="task", coupon_list_id="summer", files="{{ files }}"
            )
        else:
            task = WesUpdateSegmentOperator(task_id="task", segment_id="s", name="{{ name }}")
    setattr(task, field, Output(value) if way == "output of a task" else value)
    # Airflow renders no value that a mapped task got from another.
    seen = {id(value)} if way == "mapped" else set()
    environment = task.get_template_env()
    holder = SimpleNamespace(value=getattr(task, field))
    began = time.process_time()
    task.render_template(holder.value, {}, environment, seen)
    return time.process_time() - began


def run(kind: str, way: str, number: int, *, by_airflow: bool) -> float:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, "--child", kind, way, str(number), str(int(by_airflow))]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(json.loads(output.splitlines()[-1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", default="1,200,2000", help="how many signed URLs")
    parser.add_argument("--values", default="1,200,5000", help="how many values of a filter")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        kind, way, number, by_airflow = options.child
        print(json.dumps(measure(kind, way, int(number), by_airflow=by_airflow == "1")))
        return
    print("| what | how many | way | CPU seconds | Airflow's own rendering | ratio |")
    print("|---|---|---|---|---|---|")
    sizes = {"signed URLs": options.urls, "values of a filter": options.values}
    for kind, numbers in sizes.items():
        for number in map(int, numbers.split(",")):
            for way in WAYS:
                ours = run(kind, way, number, by_airflow=False)
                airflows = run(kind, "rendered", number, by_airflow=True)
                ratio = ours / max(airflows, 1e-6)
                print(
                    f"| {kind} | {number} | {way} | {ours:.2f} | {airflows:.2f} | {ratio:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
