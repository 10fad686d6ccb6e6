"""
A tour of Airflow's pages in a real browser: what users see of the provider, from the connection form to a repaired run.

``python tests/support/browser_tour.py FOLDER`` (or ``tox run -e tour -- FOLDER``) starts an emulator, ``airflow
standalone`` in a temporary home, and Debian's ``chromium``, headless. Each scene does what a user does, checks what
the page shows, and saves a picture into FOLDER.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    StaleElementReferenceException,
    TimeoutException,
    WebDriverException,
)
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(Path(__file__).parents[1]))  # run as a script, it finds what tests share

from support.airflow_site import free_port, kill_tree
from support.examples import COUPONS, EXAMPLES
from wes_provider.emulator import Emulator, faults

ROOT = Path(__file__).parents[2]

WIDTH, HEIGHT = 1500, 1000
"""Of the window, in pixels."""

DIALOG = "//*[@role='dialog']"

IN_VIEW = """
const nodes = [], [text] = arguments;
let all = "";
for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode(); ) {
    nodes.push([all.length, walk.currentNode]);
    all += walk.currentNode.data.replaceAll("\\u00a0", " ");
}
const place = (index) => {
    const [start, node] = nodes.findLast(([start]) => start <= index);
    return [node, index - start];
};
const uncovered = (node, box) => {
    for (let one = node.parentElement; one; one = one.parentElement) {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        if (getComputedStyle(one).overflowX === "visible") continue;
        if (box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1) return false;
    }
    return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
};
for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1)) {
    const range = document.createRange(), [node, offset] = place(at), [last, end] = place(at + text.length - 1);
    range.setStart(node, offset);
    range.setEnd(last, end + 1);
    const boxes = [...range.getClientRects()];
    if (boxes.length && boxes.every((box) => uncovered(node, box))) return true;
}
return false;
"""
"""Whether a text is in view as a whole: nothing of it is beyond the window, or beyond a box that scrolls."""

DECISION = """\
from airflow.providers.common.compat.sdk import DAG, task
from wes_provider.operators import WesUploadCouponFileOperator

with DAG("flash_sale", schedule=None):
    upload = WesUploadCouponFileOperator(
        task_id="upload", coupon_list_id="flash-sale", file_url="{files_url}/coupons.csv", retries=0
    )

    @task
    def announce(coupon_file_id):
        return coupon_file_id

    announce(upload.output)
"""
"""A DAG whose second task needs the identifier that the first one pushes."""


class Tour:
    """
    A browser on Airflow's pages.

    :param url: of Airflow.
    :param folder: where pictures go.
    """

    def __init__(self, browser: Any, url: str, folder: Path, emulator: Emulator) -> None:
        self.browser, self.url, self.folder, self.emulator = browser, url, folder, emulator
        self.resize(HEIGHT)

    # -- what a page shows

    def text(self) -> str:
        """What is to be read on the page."""
        return str(self.browser.execute_script("return document.body.innerText")).replace("\u00a0", " ")

    def wait(self, condition: Callable[[], Any], what: str, timeout: float = 180) -> Any:
        """Until it is true."""
        passing = (StaleElementReferenceException, ElementClickInterceptedException)
        waiting = WebDriverWait(self.browser, timeout, poll_frequency=0.2, ignored_exceptions=passing)
        try:
            return waiting.until(lambda _: condition())
        except TimeoutException as error:
            self.shot("stopped-here")
            raise AssertionError(f"waited for {what} at {self.browser.current_url}; it reads: {self.text()}") from error

    def shows(self, *texts: str, timeout: float = 180) -> None:
        """Wait until the page holds these texts, perhaps further down."""
        for text in texts:
            self.wait(lambda text=text: text in self.text(), repr(text), timeout)

    def sees(self, *texts: str) -> None:
        """Wait until these texts are in view, whole, without scrolling."""
        for text in texts:
            self.wait(lambda text=text: self.browser.execute_script(IN_VIEW, text), f"{text!r} to be in view")

    def shot(self, name: str) -> None:
        """Take a picture. The page must not be wider than the window."""
        path = self.folder / f"{name}.png"
        self.browser.save_screenshot(str(path))
        print(path.name, flush=True)
        width = self.browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= WIDTH, f"{path.name}: the page is {width} pixels wide"

    # -- what a user does

    def resize(self, height: int) -> None:
        """Make the window as high as that."""
        size = {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def open(self, path: str) -> None:
        """Open a page of Airflow."""
        self.browser.get(path if path.startswith("http") else f"{self.url}{path}")

    def find(self, xpath: str) -> Any:
        """Wait for an element that is displayed; the last one, which is in the uppermost dialog."""
        return self.wait(
            lambda: next((e for e in reversed(self.browser.find_elements("xpath", xpath)) if e.is_displayed()), None),
            xpath,
        )

    def wait_for_no_dialog(self) -> None:
        """Wait until the dialog has closed."""

        def closed() -> bool:
            return not any(dialog.is_displayed() for dialog in self.browser.find_elements("xpath", DIALOG))

        self.wait(closed, "the dialog to close")

    def press(self, label: str, inside: str = "") -> None:
        """Click on a button by its label."""
        matches = f"normalize-space()='{label}' or @aria-label='{label}'"
        xpath = f"{inside}//button[{matches}][not(@disabled)]"
        self.wait(lambda: self.find(xpath).click() is None, f"the button {label}")

    def fill(self, **fields: str) -> None:
        """Enter texts into the form's fields."""
        for name, value in fields.items():
            element = self.find(f"{DIALOG}//*[@name='{name}']")
            element.send_keys(Keys.CONTROL, "a")
            element.send_keys(value)

    # -- connections

    def add_connection(self, conn_id: str, **fields: str) -> None:
        """Fill in the standard fields of the form for a new connection; it stays open."""
        self.open("/connections")
        self.press("Add Connection")
        self.fill(connection_id=conn_id)
        kind = self.find(f"{DIALOG}//input[@role='combobox']")
        kind.send_keys("Workforce")
        self.find("//*[@role='option'][contains(., 'Workforce Engagement Service')]")
        kind.send_keys(Keys.ENTER)
        self.fill(**fields)

    def fill_extras(self, **extras: str) -> None:
        """Fill in extra fields."""
        self.press("Extra Fields", DIALOG)
        self.fill(**{f"element_{name}": value for name, value in extras.items()})

    def save(self) -> None:
        """Save the form, and wait until it is gone."""
        self.press("Save", DIALOG)
        self.wait_for_no_dialog()

    def test_connection(self, conn_id: str, title: str, *texts: str) -> None:
        """Press the Test button of a connection. What it says stays for seconds only."""
        self.open("/connections")
        self.press("Test Connection", row(conn_id))
        self.sees(title, *texts)
        time.sleep(0.5)  # the message slides in

    # -- runs

    def trigger(self, dag_id: str) -> str:
        """Trigger a DAG by its button; the address of the run's page."""
        self.open(f"/dags/{dag_id}")
        self.press("Trigger Dag")
        self.press("Trigger", DIALOG)
        self.wait(lambda: "/runs/" in self.browser.current_url, f"the run of {dag_id}")
        return str(self.browser.current_url).partition("?")[0].rstrip("/")

    def start(self, dag_id: str, **conf: Any) -> str:
        """Trigger a DAG with a configuration by the REST API; the address of the run's page."""
        token = requests.get(f"{self.url}/auth/token", timeout=60).json()["access_token"]
        path = f"/dags/{dag_id}/dagRuns"
        response = requests.post(
            f"{self.url}/api/v2{path}",
            json={"logical_date": None, "conf": conf},
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )
        response.raise_for_status()
        return f"{self.url}/dags/{dag_id}/runs/{response.json()['dag_run_id']}"

    def log(self, run: str, task_id: str, state: str, *texts: str) -> None:
        """Open the log of a task that is in this state, or will be; these texts are in view then."""
        self.open(f"{run}/tasks/{task_id}")
        self.find(f"//*[normalize-space()='{state}']")
        opened = time.monotonic()

        def all_in_view() -> bool:
            nonlocal opened
            if all(self.browser.execute_script(IN_VIEW, text) for text in texts):
                return True
            if time.monotonic() - opened > 20:  # the page may have read the log before its last lines were there
                self.browser.refresh()
                opened = time.monotonic()
            return False

        self.wait(all_in_view, f"{texts} to be in view")

    def find_success(self, run: str) -> None:
        """Wait until a run has ended well."""
        self.open(run)
        self.find("//*[normalize-space()='Success']")

    def clear(self, affected: str = "Affected Tasks: ") -> None:
        """Clear the task whose page is open, and those after it."""
        self.press("Press shift+c to clear")
        self.sees(affected)
        self.press("Confirm", DIALOG)
        self.wait_for_no_dialog()


def row(conn_id: str) -> str:
    """Where a connection is in the list of all."""
    return f"//tr[td[normalize-space()='{conn_id}']]"


# -- the scenes


def tutorial(tour: Tour) -> None:
    """The tutorial: a connection by the form, a file that is not there, its repair."""
    emulator, address = tour.emulator, urlsplit(tour.emulator.url)
    right = {
        "host": "http://127.0.0.1",
        "port": str(address.port),
        "login": emulator.workspace_id,
        "password": emulator.api_key,
    }
    tour.add_connection("wes_default", **right)
    tour.fill_extras(data_api_key=emulator.data_api_key)
    tour.shot("form")
    tour.save()
    tour.resize(640)
    tour.test_connection("wes_default", "Test Connection Successful", "Campaign API key: not", "Data API key: not")
    tour.shot("test-right")
    tour.resize(HEIGHT)
    tour.add_connection("wes_wrong_key", **{**right, "password": "a-key-of-last-year"})
    tour.fill_extras(data_api_key=emulator.data_api_key)
    tour.save()
    tour.resize(640)
    tour.test_connection("wes_wrong_key", "Test Connection Failed", "Campaign API key: refused (401)")
    tour.shot("test-button")
    tour.resize(HEIGHT)

    run = tour.trigger("replenish")
    cause = "FAILED: The file cannot be fetched: host responded 404."
    tour.log(run, "upload", "Failed", cause, "Fix the file, then clear this task: it uploads the file again.")
    tour.shot("missing-file")
    emulator.host("coupons.csv", COUPONS)
    tour.clear()
    tour.log(run, "upload", "Success", "5000 coupons added, 0 duplicates (hosted/coupons.csv")
    tour.shot("repaired")
    assert [file["status"] for file in emulator.files("summer-sale")] == ["FAILED", "SUCCESS"]
    tour.open(f"{emulator.url}/_emulator/")
    tour.shows("summer-sale", "coupons.csv")
    tour.shot("emulator")


def decision(tour: Tour) -> None:
    """An upload's reply is lost, and the list cannot be read: a person decides, and the DAG goes on."""
    emulator = tour.emulator
    emulator.host("coupons.csv", COUPONS)
    emulator.fail("upload_coupon_file", faults.reply_lost(), list_id="flash-sale")
    emulator.fail("list_coupon_files", faults.error(403), times=None, list_id="flash-sale")
    run = tour.trigger("flash_sale")
    cause = "Perhaps uploaded: the list cannot be read: 403"
    tour.log(
        run, "upload", "Failed", cause, "Look in the service's console for a file of the list named", "wes_decision_"
    )
    tour.shot("decision-asked")
    (file,) = emulator.files("flash-sale")
    variable = re.findall(r"wes_decision_\w+", tour.text())[0]
    tour.open("/variables")
    tour.press("Add Variable")
    tour.fill(key=variable, value=file["_id"])
    tour.shot("decision")
    tour.press("Save", DIALOG)
    tour.wait_for_no_dialog()
    tour.open(f"{run}/tasks/upload")
    tour.clear("Affected Tasks: 2")
    tour.log(run, "announce", "Success", f"Returned value was: {file['_id']}")
    tour.shot("decision-made")
    assert len(emulator.files("flash-sale")) == 1


def approval(tour: Tour) -> None:
    """A person approves a segment's update that removes half of its cities."""
    dag_id = "wes_refresh_segment_with_approval"
    tour.find_success(tour.trigger(dag_id))
    tour.open(f"{tour.start(dag_id, cities=['Lisbon', 'Porto'])}/tasks/update_segment")
    tour.find("//*[normalize-space()='Awaiting Input']")
    tour.find("//a[starts-with(normalize-space(), 'Required Action')]").click()
    button = tour.find("//button[starts-with(normalize-space(), 'Approve ')]")
    tour.sees("Update segment winter-shoppers?", "Braga", "Faro")
    tour.shot("approval")
    button.click()
    tour.find("//*[normalize-space()='Success']")
    assert "Braga" not in str(tour.emulator.segments["winter-shoppers"])


SCENES = (tutorial, decision, approval)


# -- what it takes


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield browser
    finally:
        browser.quit()


@contextmanager
def running_airflow(home: Path, emulator: Emulator) -> Iterator[str]:
    """``airflow standalone`` with the tutorial's DAG and those of the tour; the address of its pages."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    dags = home / "dags"
    dags.mkdir()
    tutorial = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "tutorial.md").read_text(), re.DOTALL)
    (dags / "replenish.py").write_text(tutorial[0])
    (dags / "flash_sale.py").write_text(DECISION.format(files_url=emulator.files_url))
    shutil.copy(EXAMPLES / "refresh_segment_with_approval.py", dags)
    settings = {
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(home / "dags"),
        "AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION": "False",  # a page that loads slowly leaves a triggered DAG paused
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__PARALLELISM": "4",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": "True",
        "AIRFLOW__CORE__TEST_CONNECTION": "Enabled",
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{url}/execution/",
        "AIRFLOW__API__HOST": "127.0.0.1",
        "AIRFLOW__API__PORT": str(port),
        "AIRFLOW__API__BASE_URL": url,
        "AIRFLOW__API__WORKERS": "1",
        "AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "600",
        "AIRFLOW__DATABASE__LOAD_DEFAULT_CONNECTIONS": "False",
        "AIRFLOW__LOGGING__WORKER_LOG_SERVER_PORT": str(free_port()),
        "AIRFLOW__LOGGING__TRIGGER_LOG_SERVER_PORT": str(free_port()),
        "AIRFLOW__SCHEDULER__USE_JOB_SCHEDULE": "False",  # runs start when the tour says so
        "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "300",
        "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
        "AIRFLOW__WORKERS__EXECUTION_API_TIMEOUT": "60",  # five seconds fail tasks of a busy machine
        "WES_EMULATOR_FILES_URL": emulator.files_url,
        "WES_EMULATOR_URL": emulator.url,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    environment = {name: value for name, value in os.environ.items() if "AIRFLOW" not in name} | settings
    with (home / "standalone.log").open("w") as log:
        airflow = subprocess.Popen(
            ["airflow", "standalone"], cwd=home, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        _until_it_serves(airflow, url, home / "standalone.log")
        yield url
    finally:
        kill_tree(airflow.pid)
        airflow.wait()


def _until_it_serves(airflow: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + 300
    while True:
        try:
            health = requests.get(f"{url}/api/v2/monitor/health", timeout=30).json()
            if all(
                (health[part] or {}).get("status") == "healthy" for part in ("scheduler", "dag_processor", "triggerer")
            ):
                return
        except (requests.ConnectionError, KeyError, ValueError):
            pass
        if airflow.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"Airflow does not start:\n{log.read_text()}")
        time.sleep(1)


def main() -> int:
    parser = argparse.ArgumentParser(description="Pictures of Airflow's pages, and whether they show what they should.")
    parser.add_argument("folder", type=Path, help="for the pictures")
    parser.add_argument("--scene", action="append", choices=[scene.__name__ for scene in SCENES], help="only these")
    options = parser.parse_args()
    names = {"tutorial", *options.scene} if options.scene else {scene.__name__ for scene in SCENES}
    options.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="wes-tour-") as home,
        # A busy scheduler fails a task that is due again before it has seen that it has deferred.
        Emulator(port=8099, processing_time=10) as emulator,
        running_airflow(Path(home), emulator) as url,
        chromium() as browser,
    ):
        tour = Tour(browser, url, options.folder, emulator)
        failed = [scene.__name__ for scene in SCENES if scene.__name__ in names and not passes(scene, tour)]
    print(f"failed: {', '.join(failed)}" if failed else "all scenes are as they should be")
    return len(failed)


def passes(scene: Callable[[Tour], None], tour: Tour) -> bool:
    """Whether all in a scene is as it should be; if not, the tour goes on with the next one."""
    print(f"{scene.__name__}: {scene.__doc__}", flush=True)
    try:
        scene(tour)
    except (AssertionError, WebDriverException):
        traceback.print_exc()
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
