# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix of plants and defences as a page: python3 table.py >README.md"""
import json
from pathlib import Path

HEAD = """# Plants and defences

Which defence stops which plant, each alone with all others off. Made by `redteam_matrix tests/bench/results/redteam.json` and
`table.py` from the plants in [tests/redteam/planted](../../redteam/planted/table.json). A defence of the kind "look at this case
too" (shapes, stability, acceptance, timed calls, watchdog) stands together with the comparison that it needs, which its column
names in the JSON. **Bold**: the plant that the suite uses to isolate the defence. "Process" means that guard pages, the sandbox'
system-call filter or the judge's protocol stop the plant even with every defence of this list off.
"""


def page(tests: Path) -> str:
    result = json.loads((tests / "bench/results/redteam.json").read_text("utf-8"))
    table = json.loads((tests / "redteam/planted/table.json").read_text("utf-8"))
    isolates = {plant["name"]: plant.get("isolates") for plant in table["plants"]}
    entries = {plant["name"]: ", ".join(plant["entries"]) for plant in table["plants"]}
    lines = [HEAD, "| plant | cheats | all stand | none stands | stopped alone by |", "|---|---|---|---|---|"]
    for name, row in result["plants"].items():
        stopping = [column for column in result["columns"] if row.get(column, "passes") != "passes"]
        alone = ", ".join(f"**{column}**" if isolates[name] == column else column for column in stopping)
        if row.get("none", "passes") != "passes":
            alone = "process"
        lines.append(f"| {name} | {entries[name]} | {row['all']} | {row.get('none', 'hangs')} | {alone} |")
    lines += ["\nElsewhere:\n", *(f"- {entry}: {why}" for entry, why in table["elsewhere"].items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(Path(__file__).resolve().parents[2]), end="")
