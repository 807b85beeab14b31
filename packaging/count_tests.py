#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how many tests of each kind a ctest run has passed, failed and skipped. usage: count_tests.py RESULTS.xml"""
import sys
from collections import Counter
from xml.etree import ElementTree

KINDS = (("unit_", "unit"), ("flow_", "flow"), ("redteam_", "red team"), ("gui_", "window"), ("fuzz_", "fuzz"), ("python_", "python"),
         ("check", "checks"))


def kind_of(name: str) -> str:
    return next((kind for prefix, kind in KINDS if name.startswith(prefix)), "other")


def outcome(case) -> str:
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        return "failed"
    return "passed" if case.get("status") == "run" and case.find("skipped") is None else "skipped"


def main() -> int:
    try:
        cases = list(ElementTree.parse(sys.argv[1]).getroot().iter("testcase"))
    except (OSError, IndexError, ElementTree.ParseError) as problem:
        print(f"no test results: {problem}", file=sys.stderr)
        return 1
    counts = Counter((kind_of(case.get("name")), outcome(case)) for case in cases)
    for kind in dict.fromkeys([kind for _, kind in KINDS] + ["other"]):
        row = [counts[kind, result] for result in ("passed", "failed", "skipped")]
        if any(row):
            print(f"{kind:10} {row[0]:5} passed {row[1]:5} failed {row[2]:5} skipped")
    total = Counter(outcome(case) for case in cases)
    print(f"{'all':10} {total['passed']:5} passed {total['failed']:5} failed {total['skipped']:5} skipped")
    for case in cases:
        if outcome(case) == "failed":
            print(f"failed: {case.get('name')}")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
