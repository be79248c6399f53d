"""The parts of `tools/compare-panels`, which compares two builds of `panel` on random files."""
