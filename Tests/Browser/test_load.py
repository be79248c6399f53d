"""Many events: the list scrolls, and the page stays small."""

from browser import PageCase

SCROLL = """
  const done = arguments[0], list = document.querySelector('#list'), start = performance.now();
  let count = 0;
  const step = () => {
    const passed = performance.now() - start;
    list.scrollTop = (list.scrollTop + 400) % (list.scrollHeight - list.clientHeight);
    count++;
    if (passed < 2000) requestAnimationFrame(step); else done(count / passed * 1000);
  };
  list.scrollTop = 0;
  requestAnimationFrame(step);
"""


class LoadTests(PageCase):
    def test_ten_thousand_events_scroll_at_30_frames_a_second(self):
        page, panel = self.page, self.panel
        while panel.newest < 10_000:
            for turns in (1500, -1500):
                panel.step(f"turn knob={turns}")
        newest = panel.newest
        page.wait("every event", lambda: self.newest_shown() >= newest, patience=240)
        self.assertEqual(page.all(".ev.hole:not([hidden])"), [])
        page.named("Film position")
        page.one("#fold").click()
        page.wait("unfolded rows", lambda: int(page.attribute("#list", "aria-rowcount")) >= 10_000)
        rates = []
        for _ in range(8):
            rates.append(page.driver.execute_async_script(SCROLL))
            if rates[-1] >= 30:
                break
        self.assertGreaterEqual(max(rates), 30, f"frames a second: {rates}")
        self.assertLessEqual(page.run("return document.querySelectorAll('*').length"), 2000)
