"""What CycleMonitor's window does, on the page; `make seeds` prints these by their marks."""

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PageCase

# The colour of a lens is one of its number, in every session.
HUES = "return [...document.querySelectorAll('#lenses tbody .tick')].map(tick => tick.style.getPropertyValue('--c'))"
ACTING = "return [...document.querySelectorAll('#lenses tbody tr.hot .name span:nth-child(2)')].map(name => name.textContent)"


class SeedTests(PageCase):
    def setUp(self):
        self.live()

    def test_m14_watch_inject_show_record(self):
        """M14: the page watches, injects events, shows frames on the panel, and records."""
        page, newest = self.page, self.ring()
        page.wait("what was recorded", lambda: int(page.text("#written").replace("\u202f", "") or 0) >= newest)
        page.one("#inject").click()
        page.wait("the dialog", lambda: page.text("#dialog h2") == "Inject an event")
        page.run("""for (const [name, value] of [['Lens', '0'], ['Event', '[0,"pressed"]']]) {
          const box = document.querySelector(`[aria-label="${name}"]`);
          box.value = value; box.dispatchEvent(new Event('change')); }""")
        page.one("#dialog button.main").click()
        page.wait("the event", lambda: self.newest_shown() > newest)
        page.wait("its mark", lambda: "injected" in page.text("#rows"))
        page.press(Keys.HOME)
        page.wait("event 1", lambda: page.place.startswith("event 1 "))
        before = self.newest_shown()
        page.one("#show").click()
        page.wait("the frame that was set", lambda: self.newest_shown() > before and "frame set" in page.text("#rows"))
        page.wait("live", lambda: page.text("#live") == "Live")

    def test_m15_the_cursor(self):
        """M15: the cursor goes by slider, arrow keys and clicks; without one the page is live."""
        page = self.page
        self.ring()
        page.run("const range = document.querySelector('#range'); range.value = 2; range.dispatchEvent(new Event('input'))")
        page.wait("event 2", lambda: page.place.startswith("event 2 "))
        page.press(Keys.ARROW_LEFT)
        page.wait("event 1", lambda: page.place.startswith("event 1 "))
        page.press(Keys.ARROW_LEFT)
        page.wait("the first frame", lambda: page.place == "start · frame 0")
        page.run("""[...document.querySelectorAll('#rows .ev:not([hidden])')].find(row => row.ariaRowIndex === '3').click()""")
        page.wait("the third row", lambda: page.attribute("#list .cur", "aria-rowindex") == "3")
        canvas = page.one("#film")
        ActionChains(page.driver).move_to_element_with_offset(canvas, -canvas.size["width"] // 2 + 2, 0).click().perform()
        page.press(Keys.END)
        page.wait("live", lambda: page.text("#live") == "Live")
        # An event may arrive between the two readings.
        page.wait("the newest frame", lambda: page.attribute("#film", "aria-valuenow") == page.attribute("#film", "aria-valuemax"))

    def test_m16_the_acting_driver(self):
        """M16: of each moment the driver that acted is marked, in a colour that is its number's in every session."""
        page = self.page
        self.ring()
        self.panel.act("turn knob=1")
        lenses = [lens["name"] for lens in self.panel.get("/api/panel")["film"]["lenses"]]
        self.assertEqual(page.run(HUES), [f"oklch(var(--lens-l) .1 {(lens * 47 + 165) % 360})" for lens in range(len(lenses))])
        for k in range(1, 5):
            page.run("const range = document.querySelector('#range'); range.value = arguments[0]; range.dispatchEvent(new Event('input'))", k)
            page.wait(f"event {k}", lambda: page.place.startswith(f"event {k} "))
            lines = self.panel.ask(f"/api/film?from={k}&to={k}").splitlines()
            record = next(line for line in lines if line.startswith((f'["e",{k},', f'["i",{k},')))
            acting = lenses[int(record.split(",")[3])]
            page.wait(f"{acting} to be marked", lambda: page.run(ACTING) == [acting])
