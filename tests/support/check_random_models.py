#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs exported random models on fresh inputs and compares every output with the module they were made from.

usage: check_random_models.py EXPORT...      each a folder named random_NUMBER

The arbiter is the module in float64. How far fp32 may be away from it is found by Monte Carlo arithmetic (Parker 1997): the
float64 run is repeated with every result moved by a random rounding of fp32, sums of n terms by sqrt(n) of them (the
probabilistic bound of Higham and Mary 2019). An output may be off by a few of those deviations, or four times as far as
eager is; the few ulps beside it are the product's own stated floor.
"""
import importlib.util
import sys
from pathlib import Path

import torch
from torch.utils._python_dispatch import TorchDispatchMode

sys.path.insert(0, str(Path(__file__).resolve().parent))
import random_models  # noqa: E402

ROUNDOFF = 2.0 ** -24
SAMPLES, DEVIATIONS = 8, 6.0
FACTOR, FLOOR_ULPS = 4.0, 16.0  # as every problem states them
SUMS = ("aten.sum.", "aten.mean.", "aten.var.", "aten.linalg_vector_norm.", "aten._softmax.", "aten._log_softmax.", "aten.logsumexp.",
        "aten.native_layer_norm.")


class Rounding(TorchDispatchMode):
    """Moves what every operator computes, as if it were rounded to fp32."""

    def __init__(self, seed: int):
        super().__init__()
        self.draw = torch.Generator().manual_seed(seed)

    def noise(self, like, scale=1.0):
        return (torch.rand(like.shape, generator=self.draw, dtype=torch.float64) * 2 - 1) * (scale * ROUNDOFF)

    def moved(self, value):
        """A number of the module's text: fp32 has another one."""
        if not isinstance(value, float):
            return value
        return value + (torch.tensor(value, dtype=torch.float32).item() - value) * torch.rand((), generator=self.draw).item()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*(self.moved(value) for value in args), **{name: self.moved(value) for name, value in (kwargs or {}).items()})
        fresh = [returned.alias_info is None or returned.alias_info.is_write for returned in function._schema.returns]
        for tensor, own in zip(result if isinstance(result, (tuple, list)) else (result,), fresh):
            if not own or not isinstance(tensor, torch.Tensor) or tensor.dtype != torch.float64:
                continue
            terms = 1
            if str(function).startswith(SUMS):
                terms = max(1, args[0].numel() // max(1, min(tensor.numel(), args[0].numel())))
                if str(function).startswith(("aten._", "aten.native")):
                    terms = max(args[0].shape) if args[0].dim() else 1
            tensor.add_(tensor * self.noise(tensor, terms ** 0.5))
            if str(function).startswith(SUMS[:3]) and tensor.numel():
                # What is summed may cancel: the rounding is that of the terms.
                tensor.add_(self.noise(tensor, terms ** 0.5) * args[0].abs().mean() * (terms if "sum" in str(function) else 1.0))
        return result


def loaded(folder: Path):
    """The folder's own load.py, as its user imports it."""
    spec = importlib.util.spec_from_file_location(f"load_{folder.name}", folder / "load.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load()


def compare(name: str, actual, eager, exact, rounded) -> list:
    """What is wrong with one output, and how much of its budget was used."""
    if actual.dtype != eager.dtype or actual.shape != eager.shape:
        return [f"{name} is {actual.dtype} {tuple(actual.shape)}, not {eager.dtype} {tuple(eager.shape)}"], 0.0
    if not torch.is_floating_point(eager):
        return [] if torch.equal(actual, eager) else [f"{name} differs"], 0.0
    deviation = (torch.stack(rounded) - exact).square().mean(0).sqrt()
    allowed = torch.maximum(DEVIATIONS * deviation, FACTOR * (eager.double() - exact).abs()) + FLOOR_ULPS * 2 * ROUNDOFF * exact.abs() + 1e-30
    used = (actual.double() - exact).abs() / allowed
    if not torch.isfinite(exact).all() or not torch.isfinite(eager).all():
        return [f"{name}: the module itself is not finite"], 0.0
    worst = used.flatten().argmax() if used.numel() else None
    if worst is None or used.flatten()[worst] <= 1:  # a NaN is not
        return [], 0.0 if worst is None else used.flatten()[worst].item()
    at = [tensor.flatten()[worst].item() for tensor in (actual, eager, exact, allowed)]
    return [f"{name}: {at[0]!r} where eager has {at[1]!r} and float64 {at[2]!r}; allowed is {at[3]!r}"], used.flatten()[worst].item()


def check(folder: Path) -> tuple:
    number = int(folder.name.rpartition("_")[2])
    module, _ = random_models.model(number)
    inputs = module.make_inputs(1000 + number)
    optimised = loaded(folder)
    actual = optimised(*inputs)
    wrong = [f"the original runs: {optimised.reason}"] if optimised.reason else []
    with torch.no_grad():
        eager = module(*inputs)
        double, wide = module.double(), [tensor.double() for tensor in inputs]
        exact = double(*wide)
        rounded = []
        for sample in range(SAMPLES):
            with Rounding(sample):
                rounded.append(double(*wide))
    if len(actual) != len(eager):
        wrong.append(f"{len(actual)} outputs, not {len(eager)}")
    most = 0.0
    names = [f"graph {number * random_models.PIECES + at} output {which}"
             for at, piece in enumerate(module.pieces) for which in range(len(piece.outputs))]
    for at, name in enumerate(names):
        found, used = compare(name, actual[at], eager[at], exact[at], [sample[at] for sample in rounded])
        wrong += found
        most = max(most, used)
    return wrong, len(names), most


def main() -> int:
    failed, outputs, most = 0, 0, 0.0
    for argument in sys.argv[1:]:
        wrong, compared, used = check(Path(argument))
        outputs += compared
        most = max(most, used)
        failed += len(wrong)
        for text in wrong:
            print(f"{Path(argument).name}: {text}", flush=True)
    print(f"{len(sys.argv) - 1} exports, {outputs} outputs, {failed} wrong, at most {most:.0%} of the budget used")
    return 1 if failed or outputs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
