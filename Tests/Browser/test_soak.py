"""A small size of what `make soak` does."""

import unittest

from soak import Soak


class SoakTests(unittest.TestCase):
    def test_nobody_misses_an_event_of_a_busy_panel_that_is_killed_and_started_again(self):
        outcome = Soak(8_000, tell=lambda text: None).run()
        self.assertEqual(outcome["faults"], [])
        self.assertGreaterEqual(outcome["events"], 8_000)
