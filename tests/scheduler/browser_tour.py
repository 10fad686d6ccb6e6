"""
A tour of Airflow's pages in a real browser: what users see of the provider, from the connection
form to a repaired run.

``python tests/scheduler/browser_tour.py FOLDER`` (or ``tox run -e tour -- FOLDER``) starts an
emulator, an Airflow in a temporary home, and Debian's ``chromium``, headless. Each scene does what
a user does, checks what the page shows, and saves a picture into FOLDER.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
import traceback
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image
from selenium import webdriver
from selenium.common import exceptions
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(Path(__file__).parents[1]))  # run as a script, it finds what tests share

from support.airflow_site import UNHURRIED, WITH_PUBLIC_API, AirflowSite
from support.examples import COUPONS, EXAMPLES
from support.pages import PAGES, snippets
from support.wire import Session
from wes_provider.emulator import Emulator, faults

WIDTH, HEIGHT = 1500, 1000
"""Of the window, in pixels."""

SETTINGS = {
    "AIRFLOW__CORE__TEST_CONNECTION": "Enabled",
    "AIRFLOW__LOGGING__NAMESPACE_LEVELS": "airflow=WARNING task=WARNING "
    "airflow.task.operators.wes_provider=INFO",
    "AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "600",
    "AIRFLOW__SCHEDULER__USE_JOB_SCHEDULE": "False",  # runs start when the tour says so
    **UNHURRIED,
}

MARGIN = 10
"""Around the fields of a picture, in pixels: less than between two of them."""

DIALOG = "//*[@role='dialog']"

DECISION = """
from airflow.providers.common.compat.sdk import DAG, task
from wes_provider.operators import WesUploadCouponFileOperator

with DAG("flash_sale", schedule=None):
    upload = WesUploadCouponFileOperator(
        task_id="upload", coupon_list_id="flash-sale", file_url="{files_url}/coupons.csv"
    )

    @task
    def announce(coupon_file_id):
        return coupon_file_id

    announce(upload.output)
"""
"""A DAG whose second task needs the identifier that the first one pushes."""

ASKING = """
from airflow.providers.common.compat.sdk import DAG
from wes_provider.operators import WesCreateCatalogOperator, WesUploadCouponFileOperator

for dag_id, decision_timeout in (("gift_cards", 86400), ("gift_cards_in_a_hurry", 20)):
    with DAG(dag_id, schedule=None):
        WesUploadCouponFileOperator(
            task_id="upload",
            coupon_list_id="gift-cards",
            file_url="{files_url}/coupons.csv",
            on_unknown="ask",
            decision_timeout=decision_timeout,
        )

with DAG("gift_catalog", schedule=None):
    WesCreateCatalogOperator(
        task_id="create",
        name="gifts",
        price_currency="EUR",
        attributes=[{{"name": "id", "type": "string"}}],
        on_unknown="ask",
    )
"""
"""DAGs whose tasks ask a person on a form; one does not wait long for the answer."""

KILLED = """
import os
import sys
from datetime import timedelta

from airflow.providers.common.compat.sdk import DAG

sys.path.insert(0, os.path.dirname(__file__))
from crashing import AskingCatalog, AskingUpload

KILLS = {{
    "crashes": ["before_the_form", "after_the_form", "answered"],
    "retries": 5,
    "retry_delay": timedelta(0),
}}

with DAG("gift_cards_killed", schedule=None):
    AskingUpload(
        task_id="upload",
        coupon_list_id="gift-cards-killed",
        file_url="{files_url}/coupons.csv",
        on_unknown="ask",
        **KILLS,
    )

with DAG("gift_catalog_killed", schedule=None):
    AskingCatalog(
        task_id="create",
        name="killed-gifts",
        price_currency="EUR",
        attributes=[{{"name": "id", "type": "string"}}],
        on_unknown="ask",
        **KILLS,
    )
"""
"""DAGs whose tasks are killed before a form, after it, and after what a response has led to."""


WAITING = """
from airflow.providers.common.compat.sdk import DAG
from wes_provider.operators import WesUploadCouponFileOperator

for dag_id, deferrable in (("upload_and_wait", False), ("upload_and_defer", True)):
    with DAG(dag_id, schedule=None):
        WesUploadCouponFileOperator.partial(
            task_id="upload",
            coupon_list_id="summer-sale",
            wait_for_completion=True,
            deferrable=deferrable,
            wes_conn_id="wes_with_console",
        ).expand(file_url=["{files_url}/shops.csv"])
"""
"""DAGs whose mapped tasks wait for their file, on a worker and in the triggerer."""


class Tour:
    """
    A browser on Airflow's pages.

    :param folder: where pictures go.
    """

    def __init__(self, browser: Any, site: AirflowSite, folder: Path, emulator: Emulator) -> None:
        self.browser, self.site, self.folder, self.emulator = browser, site, folder, emulator
        self.resize(HEIGHT)

    # -- what a page shows

    def text(self) -> str:
        """What is to be read on the page."""
        return str(self.browser.execute_script("return document.body.innerText")).replace(
            "\u00a0", " "
        )

    def wait(self, condition: Callable[[], Any], what: str) -> Any:
        """Until it is true."""
        passing = (
            exceptions.StaleElementReferenceException,
            exceptions.ElementClickInterceptedException,
        )
        waiting = WebDriverWait(self.browser, 180, poll_frequency=0.2, ignored_exceptions=passing)
        try:
            return waiting.until(lambda _: condition())
        except exceptions.TimeoutException as error:
            self.shot("stopped-here")
            raise AssertionError(
                f"waited for {what} at {self.browser.current_url}; it reads: {self.text()}"
            ) from error

    def sees(self, *texts: str, reload_after: float = 1000) -> None:
        """Wait until the page shows these texts; reload it after so many seconds."""
        opened = time.monotonic()

        def all_shown() -> bool:
            nonlocal opened
            if time.monotonic() - opened > reload_after:
                self.browser.refresh()
                opened = time.monotonic()
            return all(text in self.text() for text in texts)

        self.wait(all_shown, f"the texts {texts}")

    def shot(self, name: str) -> None:
        """Take a picture. The page must not be wider than the window."""
        path = self.folder / f"{name}.png"
        self.browser.save_screenshot(str(path))
        print(path.name, flush=True)
        width = self.browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= self.width, f"{path.name}: the page is {width} pixels wide"

    def picture(self, name: str, width: int, height: int) -> None:
        """Take one for a page of the docs: of a narrow window, with sharp letters."""
        self.resize(height, width, scale=2)
        time.sleep(1)  # the page rearranges itself
        self.browser.save_screenshot(str(self.folder / f"{name}.png"))
        print(f"{name}.png", flush=True)
        self.resize(HEIGHT)

    def picture_of(self, name: str, xpath: str) -> None:
        """Take one of a part of the page, as narrow as a telephone."""
        self.resize(HEIGHT, scale=2)
        part = self.find(xpath)
        script = "arguments[0].style.width = '500px'; arguments[0].style.padding = '15px'"
        self.browser.execute_script(script, part)
        time.sleep(1)  # the page rearranges itself
        part.screenshot(str(self.folder / f"{name}.png"))
        print(f"{name}.png", flush=True)
        self.resize(HEIGHT)

    def picture_of_fields(self, name: str, first: str, last: str, panel: str) -> None:
        """
        Take one of a form in a narrow window, from the ``first`` element to the ``last``.

        :param panel: the button of the form's part that has them.
        """
        self.resize(HEIGHT, 520, scale=2)
        time.sleep(1)  # the page rearranges itself
        self.browser.execute_script("arguments[0].scrollIntoView()", self.find(first))
        top, bottom = self.find(first).rect, self.find(last).rect
        across = self.find(f"//button[normalize-space()='{panel}']").rect
        begins = top["y"] if top == across else top["y"] - MARGIN
        ends = max(field["x"] + field["width"] for field in (top, across))
        clip = {
            "x": across["x"] - MARGIN,
            "y": begins,
            "width": ends - across["x"] + 5 * MARGIN,
            "height": bottom["y"] + bottom["height"] + MARGIN - begins,
            "scale": 1,
        }
        taken = self.browser.execute_cdp_cmd(
            "Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True}
        )
        (self.folder / f"{name}.png").write_bytes(b64decode(taken["data"]))
        print(f"{name}.png", flush=True)
        self.resize(HEIGHT)

    def crop(self, name: str, part: str, box: tuple[int, int, int, int]) -> None:
        """Save a part of a picture, without what is too small to read on a telephone."""
        with Image.open(self.folder / f"{name}.png") as picture:
            picture.crop(box).save(self.folder / f"{part}.png")
        print(f"{part}.png", flush=True)

    def hide(self, selector: str) -> None:
        """Leave parts of the page out of its picture."""
        # A sheet of this kind is also taken by pages that forbid style elements.
        self.browser.execute_script(
            "const sheet = new CSSStyleSheet();"
            "sheet.replaceSync(`${arguments[0]} { display: none }`);"
            "document.adoptedStyleSheets.push(sheet)",
            selector,
        )

    # -- what a user does

    def resize(self, height: int, width: int = WIDTH, scale: int = 1) -> None:
        """Make the window as high and wide as that."""
        self.width = width
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def prefer(self, scheme: str) -> None:
        """Prefer ``light`` or ``dark`` pages, as a user sets it for a whole system."""
        preferred = [{"name": "prefers-color-scheme", "value": scheme}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": preferred})

    def open(self, path: str) -> None:
        """Open a page of Airflow."""
        self.browser.get(f"http://127.0.0.1:{self.site.port}{path}")

    def find(self, xpath: str) -> Any:
        """Wait for an element that is displayed; the last one, which is in the uppermost dialog."""

        def displayed() -> Any:
            return next(
                (
                    e
                    for e in reversed(self.browser.find_elements("xpath", xpath))
                    if e.is_displayed()
                ),
                None,
            )

        return self.wait(displayed, xpath)

    def press(self, label: str, inside: str = "", *, closes: bool = False) -> None:
        """
        Click on a button by its label; wait until the dialog has closed if the button ``closes``
        it.
        """
        matches = f"normalize-space()='{label}' or @aria-label='{label}'"
        xpath = f"{inside}//button[{matches}][not(@disabled)]"
        self.wait(lambda: self.find(xpath).click() is None, f"the button {label}")
        if closes:
            dialogs = lambda: self.browser.find_elements("xpath", DIALOG)  # noqa: E731
            self.wait(
                lambda: not any(one.is_displayed() for one in dialogs()), "the dialog to close"
            )

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

    # -- runs

    def trigger(self, dag_id: str) -> str:
        """Trigger a DAG by its button; the path of the run's page."""
        self.open(f"/dags/{dag_id}")
        self.press("Trigger Dag")
        self.press("Trigger", DIALOG)
        self.wait(lambda: "/runs/" in self.browser.current_url, f"the run of {dag_id}")
        return (
            "/dags/"
            + str(self.browser.current_url).partition("?")[0].rstrip("/").partition("/dags/")[2]
        )

    def clear(self, affected: str) -> None:
        """Clear the task whose page is open, and those after it."""
        self.press("Press shift+c to clear")
        self.sees(affected)
        self.press("Confirm", DIALOG, closes=True)

    def log(self, name: str, run: str, task_id: str, state: str, *texts: str) -> None:
        """
        Open the log of a task that is in this state, or will be; with these texts in view, take a
        picture.
        """
        self.open(f"{run}/tasks/{task_id}")
        self.find(f"//*[normalize-space()='{state}']")
        # The page may have read the log before its last lines were there.
        self.sees(*texts, reload_after=20)
        self.shot(name)


# -- the scenes


def tutorial(tour: Tour) -> None:
    """To repair a red task: a connection by the form, a file that is not there, its repair."""
    emulator, (url, _, port) = tour.emulator, tour.emulator.url.rpartition(":")
    right = {
        "host": url,
        "port": port,
        "login": emulator.workspace_id,
        "password": emulator.api_key,
    }
    success, failure, accepted = (
        "Test Connection Successful",
        "Test Connection Failed",
        "API key: not refused (200",
    )
    for name, conn_id, changes, texts in (
        (
            "test-right",
            "wes_default",
            {},
            (success, f"Campaign {accepted}", "Data API key: not refused (405"),
        ),
        (
            "test-button",
            "wes_wrong_key",
            {"password": "last-years"},
            (failure, "Campaign API key: refused (401)."),
        ),
        # Airflow's own.
        ("test-no-port", "wes_without_port", {"host": emulator.url, "port": ""}, ("Bad Request",)),
    ):
        tour.add_connection(conn_id, **{**right, **changes})
        if conn_id == "wes_default":
            # Without the cursor in the field that was filled in last.
            tour.browser.execute_script("document.activeElement.blur()")
            tour.picture_of_fields(
                "form", "//*[@name='connection_id']", "//*[@name='port']", "Standard Fields"
            )
        tour.press("Extra Fields", DIALOG)
        tour.fill(element_data_api_key=emulator.data_api_key)
        if conn_id == "wes_default":
            tour.shot("form-extra-fields")
            tour.picture_of_fields(
                "form-extra",
                "//button[normalize-space()='Extra Fields']",
                "//*[contains(text(), 'API key for segment updates')]",
                "Extra Fields",
            )
        tour.press("Save", DIALOG, closes=True)
        # Without the columns between the connection's name and its button.
        tour.resize(460, 480, scale=2)
        tour.open("/connections")
        tour.find(f"//tr[td[normalize-space()='{conn_id}']]")
        tour.hide("th:nth-child(n+3):nth-last-child(n+2), td:nth-child(n+3):nth-last-child(n+2)")
        tour.press("Test Connection", f"//tr[td[normalize-space()='{conn_id}']]")
        tour.sees(*texts)  # for seconds only
        time.sleep(0.5)  # the message slides in
        tour.shot(name)
        if name == "test-right":
            tour.crop(name, name, (120, 661, 882, 883))
        tour.resize(HEIGHT)

    run = tour.trigger("replenish")
    cause, advice = (
        "FAILED: The file cannot be fetched: host responded 404. (coupons.csv",
        "Fix the file, then",
    )
    tour.log("missing-file", run, "upload", "Failed", cause, advice)
    tour.picture("red-square", 1200, 420)
    tour.crop("red-square", "red-square", (130, 120, 590, 600))
    emulator.host("coupons.csv", COUPONS)
    tour.clear("Affected Tasks: 1")
    added = "5000 coupons added, 0 duplicates (coupons.csv"
    tour.log("repaired", run, "upload", "Success", added)
    assert [file["status"] for file in emulator.files("summer-sale")] == ["FAILED", "SUCCESS"]
    tour.browser.get(f"{emulator.url}/_emulator/")
    tour.sees("summer-sale", "coupons.csv")
    tour.shot("emulator")


def decision(tour: Tour) -> None:
    """
    An upload's reply is lost, and the list cannot be read: a person decides, and the DAG goes on.
    """
    emulator = tour.emulator
    emulator.host("coupons.csv", COUPONS)
    emulator.fail("upload_coupon_file", faults.reply_lost(), list_id="flash-sale")
    emulator.fail("list_coupon_files", faults.error(403), times=None, list_id="flash-sale")
    run = tour.trigger("flash_sale")
    texts = (
        "Perhaps uploaded: the service refuses to show the list: 403",
        "Look in the service's console",
        "wes_decision_",
    )
    tour.log("decision-asked", run, "upload", "Failed", *texts)
    (file,) = emulator.files("flash-sale")
    variable = re.findall(r"wes_decision_\w+", tour.text())[0]
    tour.open("/variables")
    tour.press("Add Variable")
    tour.fill(key=variable, value=file["_id"])
    tour.shot("decision")
    tour.press("Save", DIALOG, closes=True)
    tour.open(f"{run}/tasks/upload")
    tour.clear("Affected Tasks: 2")
    tour.log("decision-made", run, "upload", "Success", f"names coupon file {file['_id']}")
    tour.log("announced", run, "announce", "Success")
    assert len(emulator.files("flash-sale")) == 1


def form(tour: Tour) -> None:
    """
    An upload's reply is lost, and the list cannot be read: a person is asked on a form, gives a
    wrong identifier at first, and the task goes on with the right one. Then the two other answers.
    """
    emulator = tour.emulator
    emulator.host("coupons.csv", COUPONS)
    emulator.fail("list_coupon_files", faults.error(403), times=None, list_id="gift-cards")
    ask_on_form(tour, "form-asked")
    (file,) = emulator.files("gift-cards")
    respond(tour, "It is there", "no-such-file")
    # The form comes back, for whoever opens the page again.
    time.sleep(20)
    tour.browser.refresh()
    respond(tour, "It is there", file["_id"], picture="form-filled")
    tour.find("//*[normalize-space()='Success']")
    assert len(emulator.files("gift-cards")) == 1

    ask_on_form(tour, "form-stop")
    respond(tour, "Stop")
    tour.find("//*[normalize-space()='Failed']")
    assert len(emulator.files("gift-cards")) == 2

    ask_on_form(tour, "form-absent", accepted=False)
    assert len(emulator.files("gift-cards")) == 2
    respond(tour, "It is not there: send it")
    tour.find("//*[normalize-space()='Success']")
    assert len(emulator.files("gift-cards")) == 3


def form_unanswered(tour: Tour) -> None:
    """
    A task that waits with its form is cleared, and asks anew; nobody answers another one in time.
    """
    emulator = tour.emulator
    emulator.host("coupons.csv", COUPONS)
    emulator.fail("list_coupon_files", faults.error(403), times=None, list_id="gift-cards")
    before = {file["_id"] for file in emulator.files("gift-cards")}
    run = ask_on_form(tour, "form-before-the-clear")
    (file_id,) = {file["_id"] for file in emulator.files("gift-cards")} - before
    tour.open(f"{run}/tasks/upload")
    tour.clear("Affected Tasks: 1")
    # The page shows the state of before the clear for a moment.
    time.sleep(10)
    open_form(tour, run, "upload")
    respond(tour, "It is there", file_id, picture="form-after-the-clear")
    tour.find("//*[normalize-space()='Success']")
    assert len(emulator.files("gift-cards")) == len(before) + 1

    run = ask_on_form(tour, "form-in-a-hurry", dag_id="gift_cards_in_a_hurry")
    tour.log("form-too-late", run, "upload", "Failed", "Nobody responded within 20 s")
    assert len(emulator.files("gift-cards")) == len(before) + 2


def form_of_a_catalog(tour: Tour) -> None:
    """The identifier of a new catalog gets lost: a person is asked, and gives it on the form."""
    emulator = tour.emulator
    emulator.fail("create_catalog", faults.error(201, body=b"{}", effect=True))
    run = tour.trigger("gift_catalog")
    open_form(tour, run, "create")
    tour.sees("Was catalog gifts created?")
    (catalog_id,) = emulator.catalogs
    respond(tour, "It is there", catalog_id, picture="form-catalog")
    tour.find("//*[normalize-space()='Success']")
    assert list(emulator.catalogs) == [catalog_id]


def form_and_kills(tour: Tour) -> None:
    """
    A task is killed before its form and after it, and again when a response had it send the upload:
    it asks each time, and nothing is uploaded twice. The same for a catalog.
    """
    emulator = tour.emulator
    list_id = "gift-cards-killed"
    emulator.host("coupons.csv", COUPONS)
    emulator.fail("list_coupon_files", faults.error(403), times=None, list_id=list_id)
    emulator.fail("upload_coupon_file", faults.reset(effect=False), list_id=list_id)
    run = tour.trigger("gift_cards_killed")
    open_form(tour, run, "upload")
    assert emulator.files(list_id) == []
    respond(tour, "It is not there: send it", picture="form-after-kills")
    tour.wait(lambda: emulator.files(list_id), "the upload")
    (file,) = emulator.files(list_id)
    # The page shows the state of before the kill for a moment.
    time.sleep(20)
    open_form(tour, run, "upload")
    respond(tour, "It is there", file["_id"])
    tour.find("//*[normalize-space()='Success']")
    assert len(emulator.files(list_id)) == 1

    # Each attempt that was killed creates the catalog again, since names are unique.
    emulator.fail("create_catalog", faults.error(201, body=b"{}"), times=3)
    run = tour.trigger("gift_catalog_killed")
    open_form(tour, run, "create")
    before = set(emulator.catalogs)
    respond(tour, "It is not there: send it")
    tour.wait(lambda: set(emulator.catalogs) - before, "the catalog")
    (catalog_id,) = set(emulator.catalogs) - before
    time.sleep(20)
    open_form(tour, run, "create")
    respond(tour, "It is there", catalog_id, picture="form-catalog-after-kills")
    tour.find("//*[normalize-space()='Success']")
    assert set(emulator.catalogs) - before == {catalog_id}


def ask_on_form(
    tour: Tour, picture: str, *, accepted: bool = True, dag_id: str = "gift_cards"
) -> str:
    """
    Run the task that asks until its form is shown; its upload was ``accepted`` or not.

    :return: the path of the run's page.
    """
    lost = faults.reset(effect=accepted)
    tour.emulator.fail("upload_coupon_file", lost, list_id="gift-cards")
    run = tour.trigger(dag_id)
    open_form(tour, run, "upload")
    tour.sees("Is hosted/coupons.csv in coupon list gift-cards?", "It is not there: send it")
    tour.shot(picture)
    return run


def open_form(tour: Tour, run: str, task_id: str) -> None:
    """Open the form of a task as soon as it waits."""
    tour.open(f"{run}/tasks/{task_id}")
    tour.find("//*[normalize-space()='Awaiting Input']")
    tour.find("//a[starts-with(normalize-space(), 'Required Action')]").click()


def respond(tour: Tour, button: str, identifier: str = "", picture: str = "") -> None:
    """Fill in the form's field, and press a button, five seconds after the form was shown."""
    # Airflow gives a task up that is resumed right after it began to wait.
    time.sleep(5)
    if identifier:
        field = tour.find("//*[starts-with(@name, 'element_identifier')][not(@disabled)]")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(identifier)
    if picture:
        tour.shot(picture)
    if picture == "form-filled":
        stop = "button[normalize-space()='Stop']"
        tour.picture_of("form-whole", f"//*[contains(., 'may have been uploaded')][.//{stop}]")
        tour.crop("form-whole", "form-question", (0, 45, 1000, 620))
        tour.crop("form-whole", "form-decision", (0, 680, 1000, 977))
    tour.press(button)


def approval(tour: Tour) -> None:
    """A person approves a segment's update that removes half of its cities."""
    dag_id = "wes_refresh_segment_with_approval"
    first = tour.trigger(dag_id)
    tour.log("segment", first, "update_segment", "Success", "Updated segment winter-shoppers")
    tour.site.airflow(
        "dags", "trigger", dag_id, "--run-id", "fewer", "--conf", '{"cities": ["Lisbon", "Porto"]}'
    )
    tour.open(f"/dags/{dag_id}/runs/fewer/tasks/update_segment")
    tour.find("//*[normalize-space()='Awaiting Input']")
    tour.find("//a[starts-with(normalize-space(), 'Required Action')]").click()
    button = tour.find("//button[starts-with(normalize-space(), 'Approve ')]")
    tour.sees("Update segment winter-shoppers?", "Braga", "Faro")
    tour.shot("approval")
    button.click()
    tour.find("//*[normalize-space()='Success']")
    assert "Braga" not in str(tour.emulator.segments["winter-shoppers"])


def landing(tour: Tour) -> None:
    """The picture of the landing page: the list that the README's DAG fills, in a narrow window."""
    emulator = tour.emulator
    emulator.reset()
    emulator.configure(processing_time=0)
    with Session(emulator) as session:
        for name, count in (("shops.csv", 5000), ("web.csv", 3000)):
            codes = "".join(f"{name}-{number}\n" for number in range(count))
            url = emulator.host(name, f"coupon\n{codes}".encode())
            session.upload(url, "summer-sale", name=f"6yj2i34a-g3-76al-{name}")
    tour.browser.get(f"{emulator.url}/_emulator/")
    tour.resize(1200, 560, scale=2)
    tour.sees("8,000 coupons in stock", "3,000 coupons added, 0 duplicates")
    tour.hide(".name small")  # would be too small to read there
    for scheme, picture in (("light", "landing"), ("dark", "landing-dark")):
        tour.prefer(scheme)
        card = tour.find("//*[@id='lists']/*[@open]")
        card.screenshot(str(tour.folder / f"{picture}.png"))
        print(f"{picture}.png", flush=True)
    tour.prefer("light")
    tour.resize(HEIGHT)


def waiting(tour: Tour) -> None:
    """Mapped tasks that wait for their file: label, state, and the link to the service's console."""
    emulator = tour.emulator
    emulator.reset()
    emulator.configure(processing_time=90)
    emulator.host("shops.csv", COUPONS)
    for dag_id, state, picture in (
        ("upload_and_wait", "Running", "running"),
        ("upload_and_defer", "Deferred", "deferred"),
    ):
        run = tour.trigger(dag_id)
        # So wide that its label and its state can be cut out without the columns beside them.
        tour.resize(HEIGHT, 2400)
        tour.open(f"{run}/tasks/upload/mapped/0/details")
        tour.find(f"//*[normalize-space()='{state}']")
        tour.sees("summer-sale shops.csv", "WES console", reload_after=10)
        tour.shot(picture)
        tour.resize(HEIGHT)


HOSTILE = "<img src=x onerror=alert(1)>\"'`</script><svg onload=alert(1)>${alert(1)}"


def emulator_page(tour: Tour) -> None:
    """
    The emulator's own page on a telephone: what people name things stays text, and shows no secret.
    """
    emulator, quoted = tour.emulator, quote(HOSTILE, safe="")
    emulator.reset()
    emulator.configure(
        workspaces={HOSTILE: {"api_key": "k2"}}, window_offset=emulator.clock.now() - 10
    )
    emulator.script(outcome=HOSTILE, processing_time=0)
    secrets = {"file_url_auth_password": "s3cret", "callback_url": "http://x.example/?t=t0ken"}
    tour.browser.get(f"{emulator.url}/_emulator/")
    tour.resize(800, 360)
    with Session(emulator) as session:
        for url in (
            emulator.host("c.csv", b"A\n"),
            *["https://u:p4ssw0rd@127.0.0.1:9/c.csv?X-Signature=s1gned"] * 4,
        ):
            session.upload(url, quoted, name=HOSTILE, created_by=HOSTILE, **secrets)
        session.post(
            "/v1/catalog", json={"name": HOSTILE, "price_currency": "EUR", "attributes": []}
        )
        session.get(f"/v1/{quoted}?{quoted}=1")
        data_key = (emulator.workspace_id, emulator.data_api_key)
        session.patch(f"/v3/custom-segments/{quoted}", json={"name": HOSTILE}, auth=data_key)
    emulator.snapshot(HOSTILE)
    tour.sees(
        "5 of 5 uploads this minute: full",
        "The next upload waits: this minute has had its 5 uploads.",
    )
    for place in (
        "#lists h3",
        "#lists .file .name",
        "#lists .file .status",
        "#others",
        "#snapshots",
    ):

        def hostile_name_is_shown(at: str = place) -> bool:
            found = tour.browser.find_elements("css selector", at)
            return any(HOSTILE in one.text for one in found)

        tour.wait(hostile_name_is_shown, f"the name in {place}")
    for button in tour.browser.find_elements("css selector", "#requests button"):
        button.click()
    tour.sees("Authorization: [redacted]")
    tour.shot("emulator-page")
    assert not [
        secret
        for secret in ("p4ssw0rd", "s1gned", "s3cret", "t0ken")
        if secret in tour.browser.page_source
    ]
    assert tour.browser.find_elements("css selector", "main img, main svg, main script") == []
    tour.press("+1 minute")
    tour.sees("5 of 50 uploads this day")
    tour.resize(HEIGHT)


SCENES = (
    tutorial,
    decision,
    form,
    form_unanswered,
    form_of_a_catalog,
    form_and_kills,
    approval,
    emulator_page,
    landing,
    waiting,
)


# -- what it takes


def chromium() -> webdriver.Chrome:
    """A browser without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    return webdriver.Chrome(
        options=options, service=webdriver.ChromeService(shutil.which("chromedriver"))
    )


@contextmanager
def running_airflow(emulator: Emulator) -> Iterator[AirflowSite]:
    """An Airflow with an example DAG and the one of the tour."""
    with tempfile.TemporaryDirectory(prefix="wes-tour-") as folder:
        home = Path(folder, "airflow")
        home.mkdir()
        with AirflowSite(home, Path(folder, "template.db"), SETTINGS) as site:
            site.write_dag("replenish", snippets(PAGES["tutorial.md"], "python")[0])
            site.write_dag("flash_sale", DECISION.format(files_url=emulator.files_url))
            site.write_dag("gift_cards", ASKING.format(files_url=emulator.files_url))
            site.write_dag("waiting", WAITING.format(files_url=emulator.files_url))
            site.write_dag("killed", KILLED.format(files_url=emulator.files_url))
            shutil.copy(Path(__file__).parents[1] / "support" / "crashing.py", site.dags)
            shutil.copy(EXAMPLES / "refresh_segment_with_approval.py", site.dags)
            console = {"console_url": "https://console.example.com"}
            site.env = {
                "WES_EMULATOR_FILES_URL": emulator.files_url,
                **emulator.connection_env("wes_with_console", extra=console),
            }
            site.airflow("dags", "reserialize")
            # A file has to be deferred for longer than a scheduler is busy.
            emulator.configure(processing_time=10, hosted_url="https://files.example.com")
            site.processes["api-server"] = WITH_PUBLIC_API
            site.start()
            yield site


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Pictures of Airflow's pages, and whether they show what they should."
    )
    parser.add_argument("folder", type=Path, help="for the pictures")
    names = [scene.__name__ for scene in SCENES]
    parser.add_argument("--scene", action="append", choices=names, help="only this one, and others")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with Emulator(port=8099) as emulator, running_airflow(emulator) as site, chromium() as browser:
        tour = Tour(browser, site, options.folder, emulator)
        failed = []
        for scene in SCENES:
            if options.scene and scene.__name__ not in options.scene:
                continue
            print(f"{scene.__name__}: {scene.__doc__}", flush=True)
            try:
                scene(tour)
            # The tour goes on with the next one.
            except (AssertionError, exceptions.WebDriverException):
                traceback.print_exc()
                failed.append(scene.__name__)
    print(f"failed: {', '.join(failed)}" if failed else "all scenes are as they should be")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
