# SPDX-License-Identifier: GPL-3.0-or-later
"""One side of a comparison in its own process: loads one variant of a model, then answers requests on stdin.

usage: side.py VARIANT EXAMPLE EXPORT_FOLDER
VARIANT: eager (the example's own module), compiled (torch.compile of it), exported (the export folder's load())

"run N" runs N calls and answers "done"; "outputs FILE" saves one call's outputs; end of input ends the process.
"""
import importlib
import os
import sys
from pathlib import Path

import torch

variant, example, folder = sys.argv[1:4]
examples = Path(__file__).resolve().parents[3] / "resources" / "examples"
sys.path.insert(0, str(examples))
torch.set_num_threads(len(os.sched_getaffinity(0)))
source = importlib.import_module(example)
inputs = source.inputs()
if variant == "exported":
    sys.path.insert(0, folder)
    import load
    model = load.load(keep_memory=bool(os.environ.get("MALLOC_TRIM_THRESHOLD_")))
    if model.reason:
        sys.exit("the original model would run: " + model.reason)
elif variant == "compiled":
    model = torch.compile(source.model())
else:
    model = source.model()

with torch.no_grad():
    for _ in range(4):
        outputs = model(*inputs)
    print("ready", flush=True)
    for line in sys.stdin:
        word, argument = line.split()
        if word == "run":
            for _ in range(int(argument)):
                model(*inputs)
        else:
            leaves = [leaf for leaf in torch.utils._pytree.tree_leaves(model(*inputs)) if isinstance(leaf, torch.Tensor)]
            torch.save(leaves, argument)
        print("done", flush=True)
