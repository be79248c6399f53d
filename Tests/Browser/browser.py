"""A browser with the monitor's page, and the case that all tests of it are."""

import os
import pathlib
import shutil
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from monitored import PATIENCE, ROOT, MonitoredPanel

PICTURES = ROOT / ".build/browser"


class Page:
    """The page in a window of a size, in light or dark."""

    def __init__(self, address, width=1280, height=800, scheme="light"):
        self.profile = tempfile.mkdtemp(prefix="browser-")
        options = Options()
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
                         f"--user-data-dir={self.profile}", f"--window-size={width},{height}"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(PATIENCE)
        self.resize(width, height, scheme)
        self.open(address)

    def resize(self, width, height, scheme):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 640})
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, address):
        self.driver.get(address)
        self.wait("the film", lambda: self.text("#live") == "Live" and self.text("#link").endswith("ms"))

    def wait(self, what, holds, patience=PATIENCE):
        """Waits until something holds; fails with what it was after so many seconds."""
        end = time.monotonic() + patience
        while True:
            try:
                found = holds()
                if found:
                    return found
            except StaleElementReferenceException:
                pass
            if time.monotonic() > end:
                raise AssertionError(f"not within {patience} s: {what}")
            time.sleep(0.02)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def named(self, name):
        """The element with an accessible name that the page gives itself, as soon as the page has it."""
        return self.wait(name, lambda: next(iter(self.all(f'[aria-label="{name}"]')), None))

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def attribute(self, selector, name):
        return self.run("return document.querySelector(arguments[0])?.getAttribute(arguments[1])", selector, name)

    def press(self, *keys, at="#list"):
        """Types keys at an element; each of them is a shortcut or a step in the list."""
        self.run("document.querySelector(arguments[0]).focus()", at)
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    @property
    def place(self):
        """What the top says of the row shown: `event 12 · frame 4`."""
        return self.text("#place")

    def picture(self, name):
        PICTURES.mkdir(parents=True, exist_ok=True)
        # The next picture but one has all that came before this call.
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(arguments[0], 100)))")
        self.driver.save_screenshot(str(PICTURES / f"{name}.png"))

    def faults(self):
        """What the browser has complained of, but for a connection that a test has cut."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING") and "net::ERR_" not in entry["message"]]

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)


class PageCase(unittest.TestCase):
    """Tests of the page on one panel and in one browser, which each class has for itself."""

    panel_file = "Examples/doorbell/doorbell.panel.yaml"

    @classmethod
    def watched(cls):
        """What the page shows."""
        return MonitoredPanel(cls.panel_file)

    @classmethod
    def setUpClass(cls):
        cls.panel = cls.watched()
        cls.addClassCleanup(cls.panel.close)
        cls.page = Page(cls.panel.addresses["control"])
        cls.addClassCleanup(cls.page.close)

    def tearDown(self):
        self.assertEqual(self.page.faults(), [])

    def live(self):
        """Goes back to the live end of the film, with nothing open."""
        self.page.run("localStorage.clear(); document.querySelector('dialog').close()")
        while self.page.run("return !document.querySelector('#close').hidden"):
            self.page.run("document.querySelector('#close').click()")
        self.page.run("const box = document.querySelector('#search'); box.value = ''; box.dispatchEvent(new Event('input'))")
        self.page.press(Keys.END)
        self.page.wait("live", lambda: self.page.text("#live") == "Live")

    def ring(self):
        """Rings the bell once, and waits until the page has seen it."""
        newest = self.panel.act("press bell", "release bell")
        self.page.wait(f"event {newest}", lambda: self.newest_shown() >= newest)
        return newest

    def newest_shown(self):
        """The number of rows that the page has: of an unbroken film that begins with event 1, the newest event."""
        return int(self.page.run("return document.querySelector('#range').max"))
