"""Everybody can use the page: names, roles, contrast, keys, narrow windows; and the pictures to look at."""

from selenium.webdriver.common.keys import Keys

from browser import PageCase

# Elements that say something, whose contrast with what is behind them is less than WCAG 2.2 AA asks for.
LOW_CONTRAST = """
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = color => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const ground = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const style = getComputedStyle(e), image = style.backgroundImage.match(/(rgba?|oklch|color)\\([^()]*\\)/);
      layers.push(rgba(image ? image[0] : style.backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const found = [];
  for (const element of document.body.querySelectorAll('*')) {
    const says = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!says || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || element.closest('.vh, :disabled, [aria-disabled=true], option, select')) continue;
    const style = getComputedStyle(element), back = ground(element), fore = over(rgba(style.color), back);
    const [low, high] = [light(fore), light(back)].sort((a, b) => a - b), ratio = (high + .05) / (low + .05);
    const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${element.className || element.id || element.tagName}: ${element.textContent.trim().slice(0, 20)}: ${ratio.toFixed(2)}`);
  }
  return found;
"""

ROLES = {
    "Timeline": "region", "Panel": "region", "Drivers": "region", "Frame": "region", "Events": "region",
    "Cursor in the recording": "slider", "Position in the recording": "slider", "Event list": "grid", "Previous event": "button", "Next event": "button",
    "Press bell": "button", "Turn knob clockwise": "button", "Turn knob counterclockwise": "button", "Switch mute": "switch",
    "Zoom in": "button", "Zoom out": "button", "Whole recording": "button", "Filter events": "searchbox", "Compare with": "combobox",
}


class AccessTests(PageCase):
    def setUp(self):
        self.live()

    def test_each_control_has_a_name_and_the_right_role(self):
        page = self.page
        rung = self.ring()
        for name, role in ROLES.items():
            element = page.named(name)
            self.assertEqual((element.accessible_name, element.aria_role), (name, role))
        self.assertEqual(page.one("#live").accessible_name, "Live; pause")
        for element in page.all("button, input, select, a, summary, [tabindex], [role]"):
            if element.is_displayed() and element.aria_role not in ("presentation", "none", "gridcell", "row", "alert", "status", "generic"):
                self.assertNotEqual(element.accessible_name, "", element.get_attribute("outerHTML")[:120])
        page.wait("the last row to be selected", lambda: page.run("""
          const list = document.querySelector('#list');
          return list.querySelector('[aria-selected=true]')?.ariaRowIndex === list.ariaRowCount"""))
        for name in [f"Approve event {rung}", f"Note at event {rung}", f"Turn off event {rung}", f"Insert after event {rung}"]:
            self.assertEqual(page.named(name).aria_role, "button")
        self.assertIn("change it in the edits", page.one("#tree button.val").accessible_name)
        state = page.one("[data-state=ringing]")
        self.ring()
        page.wait("the state", lambda: state.get_attribute("aria-current") == "true")

    def test_text_can_be_read_in_light_and_dark(self):
        page = self.page
        self.ring()
        for scheme in ("dark", "light"):
            page.resize(1280, 800, scheme)
            page.wait(scheme, lambda: page.attribute("html", "data-theme") == scheme)
            self.assertEqual(page.run(LOW_CONTRAST), [], scheme)
            page.press("?")
            page.wait("the help", lambda: page.text("#dialog h2") == "Keyboard")
            self.assertEqual(page.run(LOW_CONTRAST), [], scheme)
            page.press(Keys.ESCAPE, at="#dialog button")

    def test_keys_do_what_the_help_says(self):
        page = self.page
        self.ring()
        page.press(" ")
        page.wait("a pause", lambda: page.text("#live") == "Paused")
        place = page.place
        page.press(Keys.ARROW_LEFT)
        page.wait("the event before", lambda: page.place != place)
        page.press(Keys.ARROW_RIGHT)
        page.wait("the event after", lambda: page.place == place)
        page.press(Keys.ESCAPE)
        page.wait("live", lambda: page.text("#live") == "Live")
        width = page.text("#span")
        page.press("+")
        page.wait("a nearer look", lambda: page.text("#span") != width)
        page.press("0")
        page.press("d")
        page.wait("the other scheme", lambda: page.attribute("html", "data-theme") == "dark")
        page.press("d")
        page.press("/")
        page.wait("the filter", lambda: page.run("return document.activeElement.id") == "search")
        for key, part in [("1", "film"), ("3", "lenses"), ("5", "list")]:
            page.press(key)
            page.wait(part, lambda: page.run("return document.activeElement.id") == part)
        page.press("?")
        page.wait("the help", lambda: page.text("#dialog h2") == "Keyboard")
        page.one("#dialog input").click()
        page.press(Keys.ESCAPE, at="#dialog button")
        fold = page.attribute("#fold", "aria-pressed")
        page.press("f")
        page.press("?")
        page.wait("the help", lambda: page.text("#dialog h2") == "Keyboard")
        self.assertEqual(page.attribute("#fold", "aria-pressed"), fold)
        page.one("#dialog input").click()
        page.press(Keys.ESCAPE, at="#dialog button")
        page.press("f")
        page.wait("folding", lambda: page.attribute("#fold", "aria-pressed") != fold)
        page.press("f")

    def test_nothing_is_wider_than_the_window(self):
        page = self.page
        self.ring()
        try:
            for width, height in [(360, 800), (640, 800), (1024, 768), (1280, 800), (1920, 1080)]:
                page.resize(width, height, "light")
                page.wait("the width", lambda: page.run("return innerWidth") == width)
                self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), width)
        finally:
            page.resize(1280, 800, "light")

    def test_pictures(self):
        page = self.page
        self.panel.act("turn knob=3")
        self.ring()
        try:
            for width, height in [(1280, 800), (360, 800), (1920, 1080)]:
                for scheme in ("light", "dark"):
                    page.resize(width, height, scheme)
                    page.wait(scheme, lambda: page.attribute("html", "data-theme") == scheme and page.run("return innerWidth") == width)
                    self.live()
                    self.ring()
                    page.picture(f"{width}-live-{scheme}")
                    page.press(Keys.HOME, "x")
                    page.wait("a take", lambda: page.text("#live") == "Edited")
                    page.picture(f"{width}-take-{scheme}")
                    page.press("s")
                    page.wait("a preview", lambda: page.text("#dialog pre"))
                    page.picture(f"{width}-save-{scheme}")
        finally:
            self.live()
            page.resize(1280, 800, "light")
