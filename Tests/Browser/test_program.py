"""The page shows an application in Swift, of which it knows lenses and frames only."""

from selenium.webdriver.common.keys import Keys

from browser import PageCase
from monitored import TALLY, Monitored


class ProgramTests(PageCase):
    @classmethod
    def watched(cls):
        return Monitored([TALLY, "--simulated"])

    def setUp(self):
        self.live()

    def press_key(self):
        newest = self.panel.act("press GPIO17", "release GPIO17")
        self.page.wait(f"event {newest}", lambda: self.newest_shown() >= newest)
        return newest

    def count_shown(self):
        return self.page.run("return document.querySelector('#json [aria-label^=\"count \"]')?.textContent")

    def test_a_press_of_a_line_is_seen_in_the_frame_the_drivers_and_the_lanes(self):
        page = self.page
        before = self.panel.newest
        page.run("""const button = document.querySelector('[aria-label="Press GPIO17"]');
          button.focus();
          button.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))""")
        page.wait("the press", lambda: self.panel.newest > before)
        page.run("""document.querySelector('[aria-label="Press GPIO17"]').dispatchEvent(new KeyboardEvent('keyup', { key: ' ', bubbles: true }))""")
        page.wait("its release", lambda: "released" in page.text("#rows"))
        count = self.panel.get(f"/api/frame/{self.panel.get('/api/panel')['frame']}")["value"]["count"]
        page.wait("the frame", lambda: self.count_shown() == str(count))
        lenses = [row.text.split("\n") for row in page.all("#lenses tbody tr")]
        self.assertEqual([cells[0].split()[0] for cells in lenses], ["Button", "LEDBar", "AudioPlayer"])
        page.wait("the lamps' model", lambda: f"level {count}" in page.text("#lenses"))
        self.assertEqual([lane.text for lane in page.all("#lanes li") if lane.text], ["frames", "Button", "LEDBar", "AudioPlayer"])
        self.assertEqual(page.text("#kind"), "simulated")

    def test_looking_back_shows_that_frame_and_its_models(self):
        page = self.page
        self.press_key()
        self.press_key()
        first = self.panel.get("/api/frame/1")
        self.assertEqual(first["value"], {"count": 1, "isBeeping": True})
        self.assertEqual(first["models"][1], {"level": 1})
        page.press(Keys.HOME)
        page.wait("event 1", lambda: page.place == "event 1 · frame 1")
        page.wait("frame 1", lambda: self.count_shown() == "1")
        page.wait("its model", lambda: "level 1" in page.text("#lenses"))
        self.assertIn("was", page.run("return document.querySelector('#json .chg .was')?.className"))

    def test_a_take_turns_an_event_off_and_sets_a_value(self):
        page = self.page
        self.press_key()
        page.press(Keys.HOME, "x")
        page.wait("a take", lambda: page.text("#reels [aria-selected=true]") == "Copy 1 · 1 edit")
        self.assertTrue(page.one("#mode").get_attribute("hidden"))
        last = self.panel.get("/api/panel")["frame"]
        page.press(Keys.ARROW_DOWN)
        page.wait("the second event and its frame", lambda: self.count_shown() == "0" and not page.all("#json.stale"))
        page.run("document.querySelector('#json [aria-label^=\"count \"]').click()")
        box = page.named("New count")
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys("40", Keys.ENTER)
        page.wait("a second edit", lambda: page.text("#reels [aria-selected=true]") == "Copy 1 · 2 edits")
        page.run("const range = document.querySelector('#range'); range.value = range.max; range.dispatchEvent(new Event('input'))")
        page.wait("the value", lambda: (self.count_shown() or "").startswith("4"))
        # The application itself goes on as it was.
        self.assertEqual(self.panel.get("/api/panel")["frame"], last)

    def test_a_part_is_saved_as_a_film_and_as_a_test(self):
        page = self.page
        newest = self.press_key()
        film = self.panel.ask("/api/save", {"as": "recording", "from": 1, "to": newest})
        self.assertTrue(film.startswith('{"film":1,"app":"tally"'))
        self.panel.ask("/api/approve", {"event": 1, "approved": True})
        page.press(Keys.HOME, "s")
        page.wait("the preview", lambda: page.text("#dialog pre").startswith('{"film":1'))
        self.assertEqual([button.text for button in page.all("#dialog [role=radio]")], ["Recording", "Test"])
        page.one("#dialog [data-as=test]").click()
        page.wait("the test's name", lambda: page.text("#dialog pre").startswith('1-button-pressed.recording\n\n{"film":1'))

    def test_pictures(self):
        page = self.page
        self.press_key()
        try:
            for width, height in [(1280, 800), (360, 800)]:
                for scheme in ("light", "dark"):
                    page.resize(width, height, scheme)
                    page.wait(scheme, lambda: page.attribute("html", "data-theme") == scheme and page.run("return innerWidth") == width)
                    self.live()
                    self.press_key()
                    page.wait("the frame", lambda: self.count_shown() is not None and not page.all("#json.stale"))
                    page.picture(f"{width}-program-{scheme}")
                    self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), width)
        finally:
            page.resize(1280, 800, "light")
