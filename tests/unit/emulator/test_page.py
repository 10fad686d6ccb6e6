"""The live page, in a real browser: Debian's ``chromium`` and ``chromium-driver``, headless."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from support.wire import Session
from wes_provider.emulator import Emulator

webdriver = pytest.importorskip("selenium.webdriver", reason="not installed: dependency group 'browser'")
ui = pytest.importorskip("selenium.webdriver.support.ui")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no chromium or chromedriver on this machine: apt-get install chromium-driver"
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield browser
    browser.quit()


class Page:
    """The page as a person sees it."""

    def __init__(self, browser: Any, emulator: Emulator) -> None:
        self.browser = browser
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get(f"{emulator.url}/_emulator/")
        self.shows("live", "#link")

    def text(self, selector: str) -> str:
        """What is to be read there."""
        read = "return document.querySelector(arguments[0])?.innerText ?? ''"
        return str(self.browser.execute_script(read, selector)).replace("\u00a0", " ")

    def shows(self, text: str, selector: str) -> None:
        """Wait for a text, or for none to be there."""
        what = f"waited for {text!r} in {selector}; the page reads: {self.text('body')}"
        waiting = ui.WebDriverWait(self.browser, 20, poll_frequency=0.1)
        waiting.until(lambda _: text in self.text(selector) and bool(text) is bool(self.text(selector)), what)

    def press(self, label: str) -> None:
        """Click on the button with this label."""
        self.browser.find_element("xpath", f"//button[normalize-space()='{label}']").click()


@pytest.fixture
def page(chromium: Any, wes_emulator: Emulator) -> Iterator[Page]:
    """The page of an empty emulator; nothing in the browser's log at the end."""
    page = Page(chromium, wes_emulator)
    yield page
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert chromium.get_log("browser") == []


def test_a_full_window_explains_why_the_sixth_upload_waits(
    page: Page, wes_emulator: Emulator, session: Session
) -> None:
    wes_emulator.configure(window_offset=wes_emulator.clock.now() - 10)  # so that the minute began ten seconds ago
    for i in range(5):
        session.upload("http://127.0.0.1:9/none.csv", "spring", name=f"{i}.csv")
    page.shows("5 of 5 uploads this minute: full", "#lists .windows")
    page.shows("The next upload waits: this minute has had its 5 uploads. The service accepts", "#lists .next")
    page.press("+1 minute")
    page.shows("", "#lists .next")
    page.shows("5 of 50 uploads this day", "#lists .windows")


def test_requests_come_in_and_open_without_their_secrets(page: Page, wes_emulator: Emulator, session: Session) -> None:
    secrets = {"file_url_auth_password": "s3cret", "callback_url": "http://x.example/?t=t0ken"}
    session.upload("https://u:p4ssw0rd@files.example.com/c.csv?X-Signature=s1gned", "spring", name="n.csv", **secrets)
    page.shows("upload_coupon_file c.csv as n.csv to spring", "#requests li")
    page.browser.find_element("css selector", "#requests button").click()
    page.shows("files.example.com/c.csv", "#requests pre")
    text = page.browser.page_source
    for secret in ("p4ssw0rd", "s1gned", "s3cret", "t0ken", str(session.auth)):
        assert secret not in text
    assert "Authorization: [redacted]" in text


HOSTILE = "<img src=x onerror=alert(1)>\"'`</script><svg onload=alert(1)>${alert(1)}"


def test_hostile_texts_stay_texts_everywhere_and_long_ones_in_view(
    page: Page, wes_emulator: Emulator, session: Session
) -> None:
    size = {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    session.upload(list_id="l" * 60, name="n" * 200)
    page.shows("n" * 200, "#lists .file")
    assert page.browser.execute_script("return document.documentElement.scrollWidth") <= 360
    wes_emulator.configure(workspaces={HOSTILE: {"api_key": "k2"}})
    wes_emulator.script(outcome=HOSTILE, processing_time=0)
    quoted, data_key = quote(HOSTILE, safe=""), (wes_emulator.workspace_id, wes_emulator.data_api_key)
    session.upload(wes_emulator.host("c.csv", b"A\n") + "?<b>", quoted, name=HOSTILE, created_by=HOSTILE)
    session.post("/v1/catalog", json={"name": HOSTILE, "price_currency": "EUR", "attributes": []})
    session.get(f"/v1/{quote(HOSTILE)}?{quote(HOSTILE)}=1")
    session.patch(f"/v3/custom-segments/{quoted}", json={"name": HOSTILE}, auth=data_key)
    wes_emulator.snapshot(HOSTILE)
    for place in ("#lists h3", "#lists .file .name", "#lists .file .status", "#others", "#snapshots"):
        page.shows(HOSTILE, place)
    for button in page.browser.find_elements("css selector", "#requests button"):
        button.click()
    page.shows("Authorization", "#requests li:nth-child(5) pre")
    assert page.browser.find_elements("css selector", "main img, main svg, main script") == []
    wes_emulator.forget_snapshots()
