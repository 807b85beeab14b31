#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports the tests' models and computes what they must give, in Python, independently of the product.

usage: make_models.py FOLDER [NAME...]

    FOLDER/NAME.pt2                 the models of models.py and random_models.py and the examples of resources/examples
    FOLDER/NAME.expected/index.json {"inputs": [VALUE...], "outputs": {"1": [VALUE...], "2": [VALUE...]}}
                                    outputs by number of threads, flattened as torch.utils._pytree does;
                                    VALUE is {"dtype": "float32", "shape": [2, 3], "file": "input0.bin"} (contiguous, little-endian)
                                    or {"value": 3} for a number, a boolean, a string or null
                                    not of random models: check_random_models.py has other inputs
    FOLDER/bad/*                    files that an import must refuse

A model that is there and was made from the same source is kept.
"""
import hashlib
import importlib
import json
import os
import shutil
import sys
import zipfile
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "resources" / "examples"
sys.path[:0] = [str(HERE), str(EXAMPLES)]
MODEL_NAMES = ("pointwise", "mlp", "layer_norm", "rms_norm", "softmax", "gelu_chain", "resnet18", "dynamic", "state", "tied", "branches",
               "lstm", "products")  # those of models.py, without importing torch for it
EXAMPLE_NAMES = ("tone_mapping", "llama", "minilm")
RANDOM_NAMES = tuple(f"random_{number}" for number in range(5))  # those of random_models.py


def stamp_of(name: str) -> str:
    digest = hashlib.sha256(metadata.version("torch").encode())
    own = EXAMPLES / f"{name}.py" if name in EXAMPLE_NAMES else HERE / ("random_models.py" if name in RANDOM_NAMES else "models.py")
    for source in (own, HERE / "make_models.py"):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def is_current(stamp: Path, name: str) -> bool:
    return stamp.is_file() and stamp.read_text() == stamp_of(name)


def dump(value, folder: Path, stem: str) -> dict:
    import torch

    if not isinstance(value, torch.Tensor):
        return {"value": value}
    tensor = value.detach().contiguous()
    (folder / f"{stem}.bin").write_bytes(tensor.view(-1).view(torch.uint8).numpy().tobytes())
    return {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape), "file": f"{stem}.bin"}


def load(name: str):
    if name in EXAMPLE_NAMES:
        example = importlib.import_module(name)
        return example.model(), example.inputs(), {}
    if name in RANDOM_NAMES:
        import random_models

        return *random_models.model(RANDOM_NAMES.index(name)), {}
    import models

    return models.ALL[name]()


def make(folder: Path, name: str) -> None:
    import torch
    from torch.utils._pytree import tree_leaves, tree_map

    module, inputs, options = load(name)
    keywords = options.pop("kwargs", {})
    with torch.no_grad():
        program = torch.export.export(module, inputs, keywords, **options)
    torch.export.save(program, folder / f"{name}.pt2")

    expected = folder / f"{name}.expected"
    shutil.rmtree(expected, ignore_errors=True)
    expected.mkdir()
    if name in RANDOM_NAMES:
        return
    index = {"inputs": [dump(leaf, expected, f"input{at}") for at, leaf in enumerate(tree_leaves((inputs, keywords)))], "outputs": {}}
    for threads in (1, 2):
        torch.set_num_threads(threads)
        copies = tree_map(lambda leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else leaf, (inputs, keywords))
        # Loaded anew for each count: a model may change its own buffers.
        runnable = torch.export.load(folder / f"{name}.pt2").module()
        with torch.no_grad():
            outputs = tree_leaves(runnable(*copies[0], **copies[1]))
        index["outputs"][str(threads)] = [dump(leaf, expected, f"output{at}.threads{threads}") for at, leaf in enumerate(outputs)]
    (expected / "index.json").write_text(json.dumps(index, indent=1) + "\n")


def rewrite(source: Path, target: Path, change) -> None:
    """Copies an archive record by record; change(name, bytes) gives the new bytes."""
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target, "w") as after:
        for entry in before.infolist():
            after.writestr(entry.filename, change(entry.filename, before.read(entry)))


def make_bad(folder: Path) -> None:
    import torch

    shutil.rmtree(folder / "bad", ignore_errors=True)
    bad = folder / "bad"
    (bad / "directory.pt2").mkdir(parents=True)
    good = folder / "mlp.pt2"
    content = good.read_bytes()
    (bad / "empty.pt2").touch()
    (bad / "text.pt2").write_text("This is a text file.\n" * 20)
    (bad / "truncated.pt2").write_bytes(content[: len(content) // 2])
    torch.save({"layer.weight": torch.zeros(3, 3)}, bad / "state_dict.pt2")
    torch.save(torch.nn.Linear(2, 2), bad / "pickled_module.pt2")

    def in_model(edit):
        def change(name, record):
            if not (name.split("/", 1)[-1].startswith("models/") and name.endswith(".json")):
                return record
            program = json.loads(record)
            edit(program)
            return json.dumps(program).encode()
        return change

    def unknown_operator(program):
        program["graph_module"]["graph"]["nodes"][0]["target"] = "torch.ops.nowhere.missing.default"

    def newer_schema(program):
        program["schema_version"]["major"] += 1

    def dangling_value(program):
        node = program["graph_module"]["graph"]["nodes"][-1]
        node["inputs"][0]["arg"] = {"as_tensor": {"name": "not_there"}}

    def reads_a_file(program):
        node = program["graph_module"]["graph"]["nodes"][0]
        node["target"] = "torch.ops.aten.from_file.default"
        node["inputs"] = [{"name": "filename", "arg": {"as_string": "secret"}, "kind": 1}]

    for edit in (unknown_operator, newer_schema, dangling_value, reads_a_file):
        rewrite(good, bad / f"{edit.__name__}.pt2", in_model(edit))

    def without_json(name, record):
        return b"{" if name.endswith("models/model.json") else record

    def short(name, record):
        return record[: len(record) // 2] if "/data/weights/" in name and not name.endswith(".json") else record

    rewrite(good, bad / "broken_json.pt2", without_json)
    rewrite(good, bad / "short_weights.pt2", short)


def main() -> int:
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    names = arguments[1:] or [*MODEL_NAMES, *EXAMPLE_NAMES, *RANDOM_NAMES]
    made = False
    for name in names:
        stamp = folder / f"{name}.expected" / "stamp"
        if not is_current(stamp, name):
            print(f"exporting {name}", flush=True)
            make(folder, name)
            stamp.write_text(stamp_of(name))
            made = True
    if "mlp" in names and (made or not (folder / "bad").is_dir()):
        make_bad(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
