#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how many tests of each kind a ctest run has passed, failed and skipped.

usage: count_tests.py RESULTS.xml      beside it cases/NAME.xml: the cases of the ctest entry NAME, when it holds many
"""
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

KINDS = (("unit_", "unit"), ("flow_", "flow"), ("redteam_", "red team"), ("gui_", "window"), ("fuzz_", "fuzz"), ("python_", "python"),
         ("check", "checks"))


def kind_of(name: str) -> str:
    return next((kind for prefix, kind in KINDS if name.startswith(prefix)), "other")


def outcome(case) -> str:
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        return "failed"
    return "passed" if case.get("status") == "run" and case.find("skipped") is None else "skipped"


def cases_of(path):
    return list(ElementTree.parse(path).getroot().iter("testcase"))


def results(entry, folder):
    """(name, outcome) of every case of a ctest entry; of the entry itself when its cases are not known or do not explain how it ended."""
    name, whole = entry.get("name"), outcome(entry)
    try:
        inner = [(f"{name}.{case.get('classname')}.{case.get('name')}", outcome(case)) for case in cases_of(folder / f"{name}.xml")]
    except (OSError, ElementTree.ParseError):
        return [(name, whole)]
    explained = whole != "failed" or any(result == "failed" for _, result in inner)
    return inner if explained else [*inner, (name, whole)]


def main() -> int:
    try:
        entries = cases_of(sys.argv[1])
    except (OSError, IndexError, ElementTree.ParseError) as problem:
        print(f"no test results: {problem}", file=sys.stderr)
        return 1
    folder = Path(sys.argv[1]).parent / "cases"
    found = [result for entry in entries for result in results(entry, folder)]
    counts = Counter((kind_of(name), result) for name, result in found)
    for kind in dict.fromkeys([kind for _, kind in KINDS] + ["other"]):
        row = [counts[kind, result] for result in ("passed", "failed", "skipped")]
        if any(row):
            print(f"{kind:10} {row[0]:5} passed {row[1]:5} failed {row[2]:5} skipped")
    total = Counter(result for _, result in found)
    print(f"{'all':10} {total['passed']:5} passed {total['failed']:5} failed {total['skipped']:5} skipped")
    for name, result in found:
        if result == "failed":
            print(f"failed: {name}")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
