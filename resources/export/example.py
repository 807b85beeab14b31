# SPDX-License-Identifier: MIT-0
"""Runs the optimised model on the sample inputs that came with the original one and compares the two."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import load
import torch

model = load.load(keep_memory=True)
args, kwargs = torch.export.load(str(load._folder / load._manifest["original"])).example_inputs
with torch.no_grad():
    ours, theirs = model(*args, **kwargs), model.original(*args, **kwargs)
for mine, reference in zip(torch.utils._pytree.tree_leaves(ours), torch.utils._pytree.tree_leaves(theirs)):
    if isinstance(mine, torch.Tensor) and mine.is_floating_point():
        print(f"shape {list(mine.shape)}, largest difference {(mine - reference).abs().max().item():.3g}")
