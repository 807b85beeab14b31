# SPDX-License-Identifier: MIT-0
"""Loads the optimised model of this folder.

    import load
    model = load.load()          # a callable with the exported model's signature
    outputs = model(*inputs)

Where the kernels were not verified (another processor, an older torch, other shapes, gradients), the original model
runs instead and a warning says why. `load(keep_memory=True)` also tells the C library to keep freed memory in the
process, which saves page faults at every call.
"""
import ctypes
import json
import pathlib
import platform
import warnings

import torch

_folder = pathlib.Path(__file__).resolve().parent
# Shared by every exported model of this process: an operator can be registered only once.
_loaded = torch.__dict__.setdefault("_kernelwright_loaded", set())
_manifest = json.loads((_folder / "manifest.json").read_text())


def _cpu_flags():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("flags"):
                return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


def why_not():
    """Why the kernels cannot run here; an empty text when they can."""
    if platform.machine() != _manifest["machine"]:
        return f"the kernels were built for {_manifest['machine']}, this is {platform.machine()}"
    missing = set(_manifest["cpu_flags"]) - _cpu_flags()
    if missing:
        return "this processor lacks " + ", ".join(sorted(missing))
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    if version < tuple(_manifest["torch_minimum"]):
        return f"torch {torch.__version__} is older than {'.'.join(map(str, _manifest['torch_minimum']))}"
    return ""


def _register_fakes():
    for operator in _manifest["operators"]:
        name = f"{_manifest['namespace']}::{operator['name']}"

        def fake(*inputs, _outputs=operator["outputs"]):
            made = tuple(
                torch.empty_strided(o["shape"], o["strides"], dtype=getattr(torch, o["dtype"]), device=inputs[0].device)
                for o in _outputs)
            return made if len(made) > 1 else made[0]

        torch.library.register_fake(name, fake)


def _keep_memory():
    M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD = -1, -2, -3
    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(M_MMAP_THRESHOLD, 1 << 30)
        libc.mallopt(M_TRIM_THRESHOLD, 2**31 - 1)
        libc.mallopt(M_TOP_PAD, 256 << 20)
    except OSError:
        warnings.warn("kernelwright: this C library has no mallopt; memory is not kept")


class OptimizedModel:
    """The optimised model; falls back to the original outside of what was verified."""

    def __init__(self, keep_memory=False):
        if keep_memory:
            _keep_memory()
        self.reason = why_not()
        self._original = None
        self._module = None
        if self.reason:
            warnings.warn(f"kernelwright: the original model runs, because {self.reason}")
            return
        if _manifest["library_hash"] not in _loaded:
            torch.ops.load_library(str(_folder / _manifest["library"]))
            _register_fakes()
            _loaded.add(_manifest["library_hash"])
        self.exported_program = torch.export.load(str(_folder / _manifest["model"]))
        self._module = self.exported_program.module()

    @property
    def original(self):
        if self._original is None:
            self._original = torch.export.load(str(_folder / _manifest["original"])).module()
        return self._original

    def _outside(self, tensors):
        if torch.is_grad_enabled() and any(t.requires_grad for t in tensors):
            return "the kernels have no gradients"
        if len(tensors) == len(_manifest["inputs"]):
            for tensor, expected in zip(tensors, _manifest["inputs"]):
                if list(tensor.shape) != expected["shape"]:
                    return f"an input has shape {list(tensor.shape)}, verified was {expected['shape']}"
                if str(tensor.dtype) != "torch." + expected["dtype"]:
                    return f"an input has dtype {tensor.dtype}, verified was {expected['dtype']}"
                if tensor.device.type != "cpu":
                    return f"an input is on {tensor.device}"
        return ""

    def __call__(self, *args, **kwargs):
        if self._module is not None:
            leaves, _ = torch.utils._pytree.tree_flatten((args, kwargs))
            reason = self._outside([leaf for leaf in leaves if isinstance(leaf, torch.Tensor)])
            if not reason:
                with torch.no_grad():
                    return self._module(*args, **kwargs)
            if reason != self.reason:
                self.reason = reason
                warnings.warn(f"kernelwright: the original model runs, because {reason}")
        return self.original(*args, **kwargs)


def load(keep_memory=False):
    return OptimizedModel(keep_memory)
