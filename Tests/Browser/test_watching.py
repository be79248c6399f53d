"""The page follows a panel, looks back, edits takes, and keeps them."""

import json
import pathlib
import subprocess
import tempfile

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import Page, PageCase
from monitored import PANEL, ROOT


class WatchingTests(PageCase):
    def setUp(self):
        self.live()

    def test_a_pressed_button_lights_the_lamp_by_one_request_and_with_its_event(self):
        """How long that takes is printed: a busy machine may take any time. What has to happen is counted: one request, and no
        picture between the one that has the event and the one that has the lamp."""
        page, button = self.page, self.page.named("Press bell")
        measure = """
          const done = arguments[0], word = document.querySelector('#m-lamp .v'), button = document.querySelector('[aria-label="Press bell"]');
          const range = document.querySelector('#range'), before = range.max, start = performance.now(), ask = window.fetch, asked = [];
          let waited = -1;
          window.fetch = (path, ...rest) => { asked.push(path); return ask(path, ...rest); };
          const look = () => {
            if (waited >= 0 || range.max !== before) waited++;
            if (word.textContent === 'blinking' || performance.now() - start > 30000) {
              window.fetch = ask;
              done([performance.now() - start, asked, waited]);
            } else requestAnimationFrame(look);
          };
          requestAnimationFrame(() => {
            button.focus();
            button.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
            look();
          });
        """
        page.wait("a dark lamp", lambda: page.text("#m-lamp .v") == "off")
        took, asked, waited = page.driver.execute_async_script(measure)
        page.run("""document.querySelector('[aria-label="Press bell"]').dispatchEvent(new KeyboardEvent('keyup', { key: ' ', bubbles: true }))""")
        print(f"{took:.0f} ms from the press to the lamp", end=" ", flush=True)
        self.assertEqual(asked, ["/api/world"])
        self.assertEqual(waited, 0, "pictures between the event and the lamp")

        ActionChains(page.driver).click_and_hold(button).perform()
        page.wait("the button down", lambda: page.text("#m-bell .v") == "down")
        ActionChains(page.driver).release(button).perform()
        page.wait("the button up", lambda: page.text("#m-bell .v") == "up")

    def test_looking_back_shows_that_frame_while_the_panel_goes_on(self):
        page = self.page
        self.ring()
        page.press(Keys.HOME)
        page.wait("event 1", lambda: page.place.startswith("event 1 "))
        self.assertIn("frame 1", page.place)
        self.assertTrue(page.text("#frame-number").startswith("1 "))
        shown = page.text("#tree")
        before = self.newest_shown()
        self.ring()
        self.assertGreater(self.newest_shown(), before)
        page.wait("how much has come since", lambda: page.text("#live") == f"Paused +{self.newest_shown() - 1}")
        self.assertEqual(page.text("#tree"), shown)
        self.assertTrue(page.place.startswith("event 1 "))

        page.run("""const range = document.querySelector('#range');
          range.value = 3; range.dispatchEvent(new Event('input'))""")
        page.wait("event 3 by the slider", lambda: page.place.startswith("event 3 "))
        self.assertIn("event 3", page.attribute("#film", "aria-valuetext"))

    def test_an_event_is_turned_off_and_moved_in_a_take_and_the_film_stays(self):
        page = self.page
        self.ring()
        rows = self.newest_shown()
        page.press(Keys.HOME, "x")
        page.wait("a take", lambda: page.text("#reels [aria-selected=true]") == "Copy 1 · 1 edit")
        page.wait("the event struck through", lambda: "off" in page.attribute("#list .cur", "class").split())
        self.assertEqual(page.text("#live"), "Edited")

        page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        page.driver.switch_to.active_element.send_keys(Keys.ALT, Keys.ARROW_UP)
        page.wait("a second edit", lambda: page.text("#reels [aria-selected=true]") == "Copy 1 · 2 edits")
        page.wait("the mark", lambda: "moved" in page.text("#list"))
        page.press("u")
        page.wait("one edit less", lambda: page.text("#reels [aria-selected=true]") == "Copy 1 · 1 edit")

        page.press("r")
        page.wait("a rehearsal", lambda: page.attribute("#rehearsed", "aria-checked") == "true")
        # What the rehearsal hasn't got stands where it was.
        times = page.run("""return [...document.querySelectorAll('#rows .ev:not([hidden])')]
          .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map(row => row.querySelector('.time').textContent)""")
        self.assertEqual(times, sorted(times))
        page.press("s")
        page.wait("the take's scenario", lambda: page.text("#dialog h2") == "Save Copy 1" and page.text("#dialog pre").startswith("scenario:"))
        page.press(Keys.ESCAPE, at="#dialog button")
        page.press("t")
        page.wait("the film", lambda: page.text("#live") == "Live")
        self.assertGreaterEqual(self.newest_shown(), rows)

    def test_an_event_is_inserted_between_its_neighbours_only(self):
        page = self.page
        self.ring()
        page.press(Keys.HOME, "i")
        page.wait("the dialog", lambda: page.text("#dialog h2") == "Insert after event 1")
        time = page.named("Time in seconds")
        between = time.get_attribute("value")
        time.clear()
        time.send_keys("99999", Keys.ENTER)
        page.wait("the refusal", lambda: page.text("#fault").startswith("99999 s is not between "))
        time.clear()
        time.send_keys(between, Keys.ENTER)
        page.wait("the event", lambda: "inserted" in page.text("#list .cur"))

    def test_a_saved_scenario_passes(self):
        page = self.page
        newest = self.ring()
        page.press("s")
        page.wait("the preview", lambda: page.text("#dialog pre").lstrip().startswith(("scenario", "#", "panel")))
        fields = page.all("#dialog input")
        for field, value in zip(fields, (1, newest)):
            field.clear()
            field.send_keys(str(value))
        page.wait("steps", lambda: "bell" in page.text("#dialog pre"))
        with tempfile.TemporaryDirectory() as folder:
            source = ROOT / self.panel_file
            for file in source.parent.iterdir():
                if not file.name.endswith(".scenario.yaml"):
                    (pathlib.Path(folder) / file.name).symlink_to(file)
            (pathlib.Path(folder) / "kept.scenario.yaml").write_text(page.text("#dialog pre"))
            done = subprocess.run([PANEL, "test", folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_film_opens_at_its_first_frame_beside_the_live_one(self):
        page = self.page
        self.ring()
        with tempfile.TemporaryDirectory() as folder:
            film = pathlib.Path(folder) / "other.recording"
            film.write_text(self.panel.ask("/api/film.recording"))
            page.press(Keys.HOME)
            page.one("#file").send_keys(str(film))
            page.wait("the film", lambda: page.text("#reels [aria-selected=true]") == "other.recording")
            page.wait("the first frame", lambda: page.place == "start · frame 0")
            page.wait("the list from its beginning", lambda: page.run("return document.querySelector('#list').scrollTop") == 0)
            page.press("s")
            page.wait("the refusal", lambda: page.text("#toast").startswith("A recording from a file is a file already"))
            newest = self.panel.act("turn knob=1")
            page.press("t")
            page.wait("the live film", lambda: self.newest_shown() >= newest)

            film.write_text("this is none\n")
            page.one("#file").send_keys(str(film))
            page.wait("the refusal", lambda: page.text("#toast").startswith("other.recording:1: the file is not a recording of version 1"))

    def test_a_filter_finds_words_and_expressions(self):
        page = self.page
        self.ring()
        self.panel.act("turn knob=-2")
        for text, wanted in [("knob", "knob"), ("level <= 6", None), ("state == ringing and changed", "bell")]:
            box = page.named("Filter events")
            box.clear()
            box.send_keys(text)
            page.wait(f"rows of {text}", lambda: "rows of" in page.text("#count") or page.text("#none"))
            if wanted:
                page.wait(wanted, lambda: wanted in page.text("#rows"))
        box.send_keys(Keys.ESCAPE)
        page.wait("all rows", lambda: page.run("return document.querySelector('#search').value") == "")

    def test_notes_and_approvals_are_kept_and_text_is_text(self):
        page = self.page
        newest = self.ring()
        attack = "<img src=x onerror=alert(1)>"
        self.panel.ask("/api/note", {"event": newest, "text": attack})
        page.wait("the note", lambda: attack in page.text("#list"))
        self.assertEqual(page.all("img"), [])
        page.press(Keys.ARROW_UP, "a")
        page.wait("the approval", lambda: "Withdraw approval" in page.run("return document.querySelector('#list .cur .acts button:last-child').ariaLabel"))
        page.driver.refresh()
        page.wait("the note again", lambda: attack in page.text("#list"))


class TwoPagesTests(PageCase):
    def test_a_page_that_is_opened_again_has_every_event(self):
        for _ in range(3):
            self.ring()
        second = Page(self.panel.addresses["watch"])
        try:
            newest = self.panel.newest
            second.wait("every event", lambda: int(second.run("return document.querySelector('#range').max")) >= newest)
            self.assertEqual(second.all(".ev.hole:not([hidden])"), [])
            self.assertEqual(second.text("#access"), "watch only")
            self.assertEqual(second.named("Press bell").get_attribute("aria-disabled"), "true")
            second.named("Press bell").click()
            second.wait("the refusal", lambda: "only watches" in second.text("#toast"))
            faults = [fault for fault in second.faults() if "403" not in fault]
            self.assertEqual(faults, [])
        finally:
            second.close()


class CellarLightTests(PageCase):
    """The story in docs/run/monitor.md."""

    panel_file = "Examples/cellar-light/cellar-light.panel.yaml"

    def test_a_film_shows_the_press_that_no_rule_took(self):
        page = self.page
        page.one("#file").send_keys(str(ROOT / "Examples/cellar-light/left-in-the-dark.recording"))
        page.wait("the film", lambda: page.text("#reels [aria-selected=true]") == "left-in-the-dark.recording")
        page.wait("the first frame", lambda: page.place == "start · frame 0")
        page.press("0", Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        page.wait("the second press", lambda: page.place.startswith("event 3 "))
        page.wait("what it did", lambda: page.text("#why") == "Last: bottom pressed → values only")
        page.picture("1280-bug-light")
        page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        page.wait("the dark", lambda: page.text("#why") == "Last: timer 1 min in lit → dark")
        self.assertEqual(page.text("#m-light .v"), "open")

        page.press("t")
        for button in ("top", "bottom"):
            self.panel.act(f"press {button}", f"release {button}")
            page.wait("the light", lambda: page.text("#m-light .v") == "closed")
        page.wait("the rule that takes it", lambda: "lit" in page.text("#rows"))
