# SPDX-License-Identifier: GPL-3.0-or-later
"""README's table of figures is what the committed samples give."""
import sys
from pathlib import Path

from _tree import Finding, run

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
import tables


def check(source, build=None):
    path = source / "README.md"
    readme = path.read_text()
    try:
        wanted = tables.with_table(source, readme)
    except ValueError:
        yield Finding("README.md", 1, "the marks around the table of figures are missing")
        return
    for number, (line, right) in enumerate(zip(readme.splitlines(), wanted.splitlines(), strict=False), 1):
        if line != right:
            yield Finding("README.md", number, "not what the samples give; run tests/bench/tables.py --write")
            return
    if readme != wanted:
        yield Finding("README.md", len(readme.splitlines()), "not what the samples give; run tests/bench/tables.py --write")


if __name__ == "__main__":
    raise SystemExit(run(check, __doc__))
