"""
What a synchronous call costs against the same call through a bare ``requests.Session``.

A small server in a process of its own answers every GET with a coupon file. In each round the variants take turns in
random order, a batch of calls each; ratios are formed within a round, then the median is taken. The HTTP provider's
hook is measured too, where it is installed.

Run it with ``python tests/benchmarks/bench_call.py``, in an environment with the provider and Airflow.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress

from bench_waiting import serving, stats

PATH = "/v1/coupon-list/l/files/1"
LOGIN, KEY = "workspace", "key"


def bare_session(url: str) -> Callable[[], object]:
    import requests

    session = requests.Session()
    headers = {"SVC-APPKEY": LOGIN}
    return lambda: session.get(url + PATH, auth=(LOGIN, KEY), headers=headers, timeout=(10, 60)).json()


def wes_hook(url: str) -> Callable[[], object]:
    from wes_provider.hooks import WesHook

    hook = WesHook("bench")
    return lambda: hook.get_coupon_file("l", "1")


def http_hook(url: str) -> Callable[[], object]:
    from airflow.providers.http.hooks.http import HttpHook

    hook = HttpHook(method="GET", http_conn_id="bench_http")
    return lambda: hook.run(PATH).json()


BARE = "requests.Session.get"
VARIANTS = {BARE: bare_session, "WesHook.get_coupon_file": wes_hook, "HttpHook.run (HTTP provider)": http_hook}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=200, help="calls of a variant in a round")
    parser.add_argument("--rounds", type=int, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, serving() as (url, _):
        os.environ["AIRFLOW_HOME"] = home
        os.environ["AIRFLOW__LOGGING__LOGGING_LEVEL"] = "WARNING"
        connection = {"conn_type": "wes", "host": url, "login": LOGIN, "password": KEY}
        os.environ["AIRFLOW_CONN_BENCH"] = json.dumps(connection)
        os.environ["AIRFLOW_CONN_BENCH_HTTP"] = json.dumps({**connection, "conn_type": "http"})
        ready: dict[str, Callable[[], object]] = {}
        for name, make in VARIANTS.items():
            with suppress(ImportError):
                ready[name] = make(url)
        seconds, connections = {name: list[float]() for name in ready}, dict.fromkeys(ready, 0)
        for round_number in range(arguments.rounds + 1):
            for name in random.sample(list(ready), len(ready)):
                before, start = stats(url)["connections"], time.perf_counter()
                for _ in range(arguments.calls):
                    ready[name]()
                seconds[name] += [time.perf_counter() - start] * (round_number > 0)  # the first one warms up
                connections[name] += stats(url)["connections"] - before
    print(
        f"| {arguments.rounds} rounds of {arguments.calls} calls | µs a call | ratio | connections |\n|---|---|---|---|"
    )
    for name, own in seconds.items():
        ratio = statistics.median(mine / bare for mine, bare in zip(own, seconds[BARE], strict=True))
        each = statistics.median(own) / arguments.calls * 1e6
        print(f"| {name} | {each:.0f} | {ratio:.3f} | {connections[name]} |")


if __name__ == "__main__":
    main()
