"""The page goes through what connections go through, and asks for nothing that nobody sees."""

import pathlib
import tempfile
import unittest

from browser import Page, PageCase
from monitored import MonitoredPanel


class HiddenTests(PageCase):
    def test_a_hidden_page_is_no_watcher_and_goes_on_without_a_gap(self):
        page, panel = self.page, self.panel
        self.ring()
        watchers = lambda: panel.get("/api/account")["watchers"]
        page.wait("a watcher", lambda: watchers() == 1)
        first = page.driver.current_window_handle
        page.driver.switch_to.new_window("tab")
        page.wait("no watcher", lambda: watchers() == 0)
        panel.act("turn knob=1")
        page.driver.close()
        page.driver.switch_to.window(first)
        newest = panel.newest
        page.wait("what came meanwhile", lambda: self.newest_shown() >= newest)
        self.assertEqual(page.all(".ev.hole:not([hidden])"), [])
        self.assertEqual(watchers(), 1)


class RestartTests(unittest.TestCase):
    def test_m22_a_page_connects_again_to_a_program_that_was_killed_and_restarted(self):
        """M22: a page is of one panel, tells whether it is connected, connects again by itself, and begins with the new film."""
        with tempfile.TemporaryDirectory() as folder:
            tokens = str(pathlib.Path(folder) / "tokens")
            panel = MonitoredPanel(tokens=tokens)
            page = None
            try:
                page = Page(panel.addresses["control"])
                panel.step("press bell")
                page.wait("an event", lambda: page.place.startswith("event "))
                port = panel.port
                panel.close()
                page.wait("the alert", lambda: "No connection" in page.text("#alert") or "has ended" in page.text("#alert"))
                page.wait("what it says", lambda: page.text("#link") == "none" and page.text("#live") == "Offline")
                page.picture("1280-offline-light")
                panel = MonitoredPanel(port=port, tokens=tokens)
                page.wait("the connection", lambda: page.text("#live") == "Live" and page.text("#link").endswith("ms"))
                page.wait("the news", lambda: "has restarted" in page.text("#toast"))
                panel.step("press bell")
                page.wait("a first event", lambda: page.place.startswith("event "))
            finally:
                if page:
                    page.close()
                panel.close()
