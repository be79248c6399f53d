"""Random panel files of the language as it was at cf2fe2d (`git show cf2fe2d:docs/panel-file.md`): right ones, with all that the
page describes.

What the next version of the language changes on purpose is left out unless it is asked for (`Feature`): a panel in which it can't
happen needs no exception afterwards. So every difference that is found without a feature is news.
"""

from random import Random

from .devices import DeviceGenerator
from .panel import Durations, Feature, Panel
from .statecharts import StatechartGenerator


def generate_panel(random: Random, features: frozenset[Feature]) -> Panel:
    panel = Panel(features)
    durations = Durations(random, Feature.TIES in features)
    panel.tree["panel"] = random.choice(["P", "Lamp", "A panel of mine", "Tür", "12", "on", "a.b"])
    if random.random() < 0.2:
        panel.tree["chip"] = random.choice(["auto", "gpiochip0", "pinctrl-bcm2711", "/dev/gpiochip0"])
    DeviceGenerator(panel, durations, random).generate()
    StatechartGenerator(panel, durations, random).generate()
    if random.random() < 0.2:
        # The keys may stand in any order.
        panel.tree = dict(sorted(panel.tree.items(), key=lambda _: random.random()))
    return panel
