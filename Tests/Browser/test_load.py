"""Many events: the list scrolls, and the page stays small."""

import pathlib
import subprocess
import tempfile

from browser import PageCase
from monitored import PANEL, ROOT

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
        page = self.page
        with tempfile.TemporaryDirectory() as folder:
            film = pathlib.Path(folder) / "busy.film"
            turns = "".join(f"turn knob={way * 9}\nclick bell\n" for way in (1, -1) * 500)
            subprocess.run([PANEL, "simulate", str(ROOT / self.panel_file), "--film", str(film)], input=turns, text=True,
                           stdout=subprocess.DEVNULL, check=True)
            page.one("#file").send_keys(str(film))
            page.wait("the film", lambda: self.newest_shown() >= 10_000)
        self.assertEqual(page.run("return document.querySelectorAll('.ev.hole:not([hidden])').length"), 0)
        page.one("#fold").click()
        page.wait("unfolded rows", lambda: int(page.attribute("#list", "aria-rowcount")) >= 10_000)
        rates = []
        for _ in range(8):
            rates.append(page.driver.execute_async_script(SCROLL))
            if rates[-1] >= 30:
                break
        self.assertGreaterEqual(max(rates), 30, f"frames a second: {rates}")
        self.assertLessEqual(page.run("return document.querySelectorAll('*').length"), 2000)
        page.picture("1280-load-light")
