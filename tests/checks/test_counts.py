# SPDX-License-Identifier: GPL-3.0-or-later
"""What packaging/count_tests.py says of a run of ctest."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "packaging" / "count_tests.py"


class Counts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        (self.root / "cases").mkdir()

    def count(self, entries, cases=()):
        (self.root / "tests.xml").write_text("<testsuite>" + "".join(entries) + "</testsuite>")
        for name, text in cases:
            (self.root / "cases" / f"{name}.xml").write_text(f"<testsuites><testsuite>{text}</testsuite></testsuites>")
        return subprocess.run([sys.executable, "-B", SCRIPT, self.root / "tests.xml"], capture_output=True, text=True, check=False)

    def test_cases_of_an_entry_are_counted_in_its_place(self):
        ended = self.count(['<testcase name="unit_a.X" status="run"/>', '<testcase name="unit_b.half0" status="run"/>'],
                           [("unit_b.half0", '<testcase name="P" classname="C" status="run"/>'
                             '<testcase name="Q" classname="C" status="run"><skipped/></testcase>')])
        self.assertEqual(ended.returncode, 0)
        self.assertIn("all            2 passed     0 failed     1 skipped", ended.stdout)

    def test_a_failed_case_is_named(self):
        ended = self.count(['<testcase name="unit_b.half0" status="fail"><failure/></testcase>'],
                           [("unit_b.half0", '<testcase name="P" classname="C" status="run"><failure/></testcase>'
                             '<testcase name="Q" classname="C" status="run"/>')])
        self.assertEqual(ended.returncode, 1)
        self.assertIn("failed: unit_b.half0.C.P", ended.stdout)
        self.assertIn("all            1 passed     1 failed", ended.stdout)

    def test_an_entry_that_died_is_failed_whatever_its_cases_say(self):
        for cases in ((), [("unit_b.half0", '<testcase name="P" classname="C" status="run"/>')]):
            ended = self.count(['<testcase name="unit_b.half0" status="fail"><failure/></testcase>'], cases)
            self.assertEqual(ended.returncode, 1)
            self.assertIn("failed: unit_b.half0\n", ended.stdout)

    def test_nothing_run_is_a_failure(self):
        self.assertEqual(self.count([]).returncode, 1)


if __name__ == "__main__":
    unittest.main()
