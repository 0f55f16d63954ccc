"""What docs/python.md shows happens. SPDX-License-Identifier: MIT"""
import unittest

import page


class Page(unittest.TestCase):
    maxDiff = None

    def test_its_program_prints_what_is_shown(self):
        printed, shown = page.follow("python.md")
        self.assertEqual(printed, shown)

    def test_files_of_parquet_are_read_and_written(self):
        printed, shown = page.follow("python.md", "parquet.py", "parquet.out")
        self.assertEqual(printed, shown)
