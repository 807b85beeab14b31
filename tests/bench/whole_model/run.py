#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times an exported model against Python eager and torch.compile, side by side, and checks its outputs.

usage: run.py EXAMPLE EXPORT_FOLDER [--rounds 7] [--blocks 5] [--sides eager,exported] > results/whole_model_EXAMPLE.json

Every round starts all sides in fresh processes; blocks of about half a second alternate in random order, on this process' clock. A
round gives one ratio per pair of sides (of the medians of its blocks); the ratio reported is the median over rounds and the interval
is a bootstrap over rounds, since processes and not blocks are independent. Sides named with `default` use the C library's allocator as
it comes; all others keep freed memory in the process. Processes differ by several per cent, so a small gain takes many rounds of few
blocks: name the two sides that matter.
"""
import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(2**31 - 1), "MALLOC_TOP_PAD_": str(256 << 20)}
SIDES = {"eager": ("eager", True), "eager_default": ("eager", False), "compiled": ("compiled", True), "exported": ("exported", True),
         "exported_default": ("exported", False)}
BLOCK_SECONDS = 0.5


class Side:
    def __init__(self, name: str, example: str, folder: str):
        variant, kept = SIDES[name]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("MALLOC_")} | (KEPT if kept else {})
        self.name, self.times, self.calls = name, [], 1
        self.process = subprocess.Popen([sys.executable, "-B", HERE / "side.py", variant, example, folder], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.expect("ready")

    def expect(self, word: str) -> None:
        answer = self.process.stdout.readline().strip()
        if answer != word:
            raise SystemExit(f"the side {self.name} ended (exit code {self.process.wait()})")

    def ask(self, request: str) -> None:
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        self.expect("done")

    def block(self) -> float:
        begin = time.perf_counter()
        self.ask(f"run {self.calls}")
        return (time.perf_counter() - begin) / self.calls

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def outputs(side: Side, folder: str):
    import torch

    path = os.path.join(folder, side.name + ".pt")
    side.ask("outputs " + path)
    return torch.load(path)


def largest_difference(one, other):
    """Largest absolute difference, and what it is relative to the largest value, over floating outputs."""
    worst = (0.0, 0.0)
    for a, b in zip(one, other, strict=True):
        if a.is_floating_point() and a.numel():
            difference = (a.double() - b.double()).abs().max().item()
            worst = max(worst, (difference, difference / max(b.double().abs().max().item(), 1e-300)))
    return {"absolute": worst[0], "relative_to_largest": worst[1]}


def one_round(names, example, folder, blocks, compare):
    sides = [Side(name, example, folder) for name in random.sample(names, len(names))]
    for side in sides:
        side.calls = max(1, round(BLOCK_SECONDS / side.block()))
    for _ in range(blocks):
        for side in random.sample(sides, len(sides)):
            side.times.append(side.block())
    difference = None
    if compare:
        by_name = {side.name: side for side in sides}
        with tempfile.TemporaryDirectory() as scratch:
            difference = largest_difference(outputs(by_name["exported"], scratch), outputs(by_name["eager"], scratch))
    for side in sides:
        side.close()
    return {side.name: {"calls": side.calls, "seconds": side.times} for side in sides}, difference


def ratio_of(rounds, slow, fast):
    ratios = [statistics.median(r[slow]["seconds"]) / statistics.median(r[fast]["seconds"]) for r in rounds]
    resampled = sorted(statistics.median(random.choices(ratios, k=len(ratios))) for _ in range(10000))
    return {"ratio": statistics.median(ratios), "low": resampled[249], "high": resampled[9749], "rounds": ratios}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("example")
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--sides", default=",".join(SIDES), help="names with commas; eager and exported are always timed")
    options = parser.parse_args()
    import torch

    asked = set(options.sides.split(",")) | {"eager", "exported"}
    if unknown := asked - SIDES.keys():
        parser.error(f"no such side: {', '.join(sorted(unknown))}; there are {', '.join(SIDES)}")
    names = [name for name in SIDES if name in asked]
    rounds, difference = [], None
    for index in range(options.rounds):
        samples, found = one_round(names, options.example, options.folder, options.blocks, index == 0)
        rounds.append(samples)
        difference = difference or found
        print(f"round {index + 1} of {options.rounds}: " + ", ".join(f"{n} {statistics.median(samples[n]['seconds']) * 1e3:.2f} ms" for n in names),
              file=sys.stderr, flush=True)
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    pairs = [("eager", "exported"), ("eager", "compiled"), ("compiled", "exported"), ("eager_default", "eager"),
             ("eager_default", "exported_default"), ("eager_default", "exported")]
    command = (f"tests/bench/whole_model/run.py {options.example} EXPORT_FOLDER --rounds {options.rounds} --blocks {options.blocks} "
               f"--sides {','.join(names)}")
    json.dump({"benchmark": "whole_model", "example": options.example, "command": command,
               "environment": {"cpu": cpu, "cores": len(os.sched_getaffinity(0)), "kernel": platform.release(), "python": platform.python_version(),
                               "torch": torch.__version__, "load_before": os.getloadavg()[0]},
               "ratios": {f"{slow}/{fast}": ratio_of(rounds, slow, fast) for slow, fast in pairs if slow in names and fast in names},
               "difference": difference, "samples": rounds}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
