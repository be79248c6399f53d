"""Many events: the list scrolls, and the page stays small."""

import pathlib
import subprocess
import tempfile

from browser import PageCase
from monitored import PANEL, ROOT

# Scrolls for so many pictures: how many a second there were, the elements that were made and taken away meanwhile, and
# pictures in which a part of the list had no row.
SCROLL = """
  const [pictures, done] = arguments, list = document.querySelector('#list'), start = performance.now();
  let count = 0, made = 0, bare = 0;
  const observer = new MutationObserver(changes => { for (const change of changes) made += change.addedNodes.length + change.removedNodes.length; });
  const isBare = () => {
    const height = 26, rows = [...document.querySelectorAll('#rows .ev:not([hidden])')].map(row => +row.ariaRowIndex);
    const first = Math.floor(list.scrollTop / height) + 1, last = Math.min(+list.ariaRowCount, Math.floor((list.scrollTop + list.clientHeight - 1) / height) + 1);
    for (let row = first; row <= last; row++) if (!rows.includes(row)) return true;
    return false;
  };
  const step = () => {
    list.scrollTop = (list.scrollTop + 400) % (list.scrollHeight - list.clientHeight);
    // The scroll event comes before the next picture's callbacks.
    requestAnimationFrame(() => {
      if (isBare()) bare++;
      // The first steps make the rows that the list has for itself.
      if (++count === 10) observer.observe(document.querySelector('#rows'), { childList: true });
      if (count < pictures) step(); else { observer.disconnect(); done([count / (performance.now() - start) * 1000, made, bare]); }
    });
  };
  list.scrollTop = 0;
  requestAnimationFrame(step);
"""


class LoadTests(PageCase):
    def test_ten_thousand_events_scroll_without_a_bare_row_and_without_a_new_element(self):
        """How many pictures a second there are is printed: a busy machine makes any number."""
        page = self.page
        with tempfile.TemporaryDirectory() as folder:
            film = pathlib.Path(folder) / "busy.recording"
            turns = "".join(f"turn knob={way * 9}\nclick bell\n" for way in (1, -1) * 500)
            subprocess.run([PANEL, "simulate", str(ROOT / self.panel_file), "--record", str(film)], input=turns, text=True,
                           stdout=subprocess.DEVNULL, check=True)
            page.one("#file").send_keys(str(film))
            page.wait("the film", lambda: self.newest_shown() >= 10_000)
        self.assertEqual(page.run("return document.querySelectorAll('.ev.hole:not([hidden])').length"), 0)
        page.one("#fold").click()
        page.wait("unfolded rows", lambda: int(page.attribute("#list", "aria-rowcount")) >= 10_000)
        rate, made, bare = page.driver.execute_async_script(SCROLL, 120)
        print(f"{rate:.0f} pictures a second", end=" ", flush=True)
        self.assertEqual((made, bare), (0, 0), "elements made, pictures with a bare row")
        self.assertLessEqual(page.run("return document.querySelectorAll('*').length"), 2000)
        page.picture("1280-load-light")
