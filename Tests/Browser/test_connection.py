"""The page goes through what connections go through, and asks for nothing that nobody sees."""

import pathlib
import tempfile
import unittest

from selenium.webdriver.common.keys import Keys

from browser import Page, PageCase
from monitored import MonitoredPanel

# Makes the page's connection slow while `isSlow` is set: events are skipped. Afterwards the page receives their count and a whole
# frame, as from a panel that has skipped them.
SLOW = """
  const ask = window.fetch;
  window.fetch = async (path, ...rest) => {
    const answer = await ask(path, ...rest);
    if (!path.startsWith('/api/events')) return answer;
    let tail = '', skipped = [];
    const slow = new TransformStream({ transform(text, out) {
      const parts = (tail + text).split('\\n\\n');
      tail = parts.pop();
      for (const part of parts) {
        const id = +(/^id: ([0-9]+)/m.exec(part)?.[1] ?? 0);
        if (id && window.isSlow) { skipped.push(id); continue; }
        if (id && skipped.length) {
          out.enqueue(`event: skipped\\ndata: {"from":${skipped[0]},"count":${skipped.length}}\\n\\ndata: ${window.wholeFrame}\\n\\n`);
          skipped = [];
        }
        out.enqueue(part + '\\n\\n');
      }
    } });
    return new Response(answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(slow).pipeThrough(new TextEncoderStream()));
  };
"""


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


class SlowTests(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SLOW})

    def setUp(self):
        page = self.page
        page.driver.refresh()
        page.wait("the film", lambda: page.text("#live") == "Live" and page.text("#link").endswith("ms"))

    def skip(self):
        """Skips some events, and waits for the gap that they leave in the list. Returns the newest event."""
        page = self.page
        page.run("window.isSlow = true")
        newest = self.panel.act("turn knob=2", "turn knob=-2", "turn knob=1")
        page.run("window.isSlow = false; window.wholeFrame = arguments[0]", self.panel.ask(f"/api/film?from={newest + 1}").splitlines()[0])
        newest = self.panel.act("turn knob=1")
        page.wait("the gap and an event after it", lambda: page.all(".ev.hole:not([hidden])") and f"event {newest} " in page.place)
        return newest

    def fetched(self):
        self.page.wait("the events that were skipped", lambda: not self.page.all(".ev.hole:not([hidden])"))

    def test_skipped_events_are_fetched_and_the_row_that_is_looked_at_stays(self):
        page = self.page
        self.ring()
        self.skip()
        page.press(" ")
        page.wait("a pause", lambda: page.text("#live").startswith("Paused"))
        place = page.place
        self.fetched()
        self.assertEqual(page.place, place, "a row after the gap")
        page.press(Keys.END)
        page.wait("each event once", lambda: self.newest_shown() == self.panel.newest)
        self.assertNotIn("whole frame", page.text("#rows"))

    def test_a_row_before_the_gap_stays(self):
        page = self.page
        self.ring()
        self.skip()
        page.press(Keys.HOME)
        page.wait("event 1", lambda: page.place.startswith("event 1 "))
        self.fetched()
        self.assertTrue(page.place.startswith("event 1 "), page.place)


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
