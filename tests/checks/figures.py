# SPDX-License-Identifier: GPL-3.0-or-later
"""README's table of figures and the matrix of plants and defences are what the committed results give."""
import sys
from pathlib import Path

from _tree import Finding, run

BENCH = Path(__file__).resolve().parents[1] / "bench"
sys.path[:0] = [str(BENCH), str(BENCH / "redteam")]
import table as matrix
import tables


def check(source, build=None):
    yield from check_matrix(source)
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


def check_matrix(source):
    page = source / "tests/bench/redteam/README.md"
    if page.exists() and page.read_text("utf-8") != matrix.page(source / "tests"):
        yield Finding("tests/bench/redteam/README.md", 1, "not what the results give; run tests/bench/redteam/table.py >README.md there")


if __name__ == "__main__":
    raise SystemExit(run(check, __doc__))
