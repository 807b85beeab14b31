#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes README's table of figures from the committed samples, so that no figure there is typed by hand.

usage: tables.py [--write]      prints the table, or puts it between the two marks in README.md
"""
import json
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- figures: tests/bench/tables.py --write -->", "<!-- end of figures -->"
EXAMPLES = {"tone_mapping": "Photo tone mapping, 1080 × 1920", "llama": "Small Llama, 1 × 256", "minilm": "all-MiniLM-L6-v2"}


def seconds(value: float) -> str:
    digits = 0 if value >= 0.1 else 1 if value >= 0.01 else 2
    return f"{value * 1e3:.{digits}f} ms"


def ratio(entry) -> str:
    if entry is None:
        return "–"
    digits = 1 if entry["ratio"] >= 10 else 2 if entry["ratio"] >= 2 else 3
    return f"{entry['ratio']:.{digits}f} × ({entry['low']:.{digits}f}–{entry['high']:.{digits}f})"


def median_of(result, side: str) -> str:
    """Median over rounds of each round's median, as the ratios are."""
    times = [statistics.median(sample[side]["seconds"]) for sample in result["samples"] if side in sample]
    return seconds(statistics.median(times)) if times else "–"


def row(root: Path, example: str) -> str | None:
    path = root / "tests/bench/results" / f"whole_model_{example}.json"
    if not path.exists():
        return None
    result = json.loads(path.read_text())
    ratios = result["ratios"]
    cells = [f"[{EXAMPLES[example]}](tests/bench/results/{path.name})"]
    cells += [median_of(result, side) for side in ("eager", "compiled", "exported")]
    cells += [ratio(ratios.get("eager/exported")), ratio(ratios.get("compiled/exported")), str(len(result["samples"]))]
    return "| " + " | ".join(cells) + " |"


def table(root: Path) -> str:
    rows = [line for line in (row(root, example) for example in EXAMPLES) if line]
    return "\n".join(["| Model | Python eager | `torch.compile` | Exported | Against eager | Against compile | Rounds |",
                      "|---|---|---|---|---|---|---|", *rows])


def with_table(root: Path, readme: str) -> str:
    """The text of README with the table in its place. Raises ValueError when a mark is missing."""
    before, rest = readme.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table(root)}\n{END}{after}"


if __name__ == "__main__":
    if "--write" in sys.argv:
        path = ROOT / "README.md"
        path.write_text(with_table(ROOT, path.read_text()))
    else:
        print(table(ROOT))
