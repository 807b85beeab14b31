# SPDX-License-Identifier: GPL-3.0-or-later
"""Times an exported model as a person runs it: Python eager under no_grad, with the file's own example inputs.

usage: time_eager.py MODEL THREADS BLOCKS BLOCK_SECONDS
Prints one line of JSON: {"seconds": [per run, one number per block], "threads": n, "torch": version}, or {"absent": why}.
Warm-up, length and number of blocks are those of the worker, so that both sides are timed alike.
"""
import json
import sys
import time

import torch

WARM_UPS = 3
MOST_RUNS = 1000


def timed(run, count):
    start = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - start) / count


def main(path, threads, blocks, block_seconds):
    torch.set_num_threads(threads)
    program = torch.export.load(path)
    if program.example_inputs is None:
        return {"absent": "inputs"}
    arguments, keywords = program.example_inputs
    module = program.module()

    def run():
        module(*arguments, **keywords)

    with torch.no_grad():
        for _ in range(WARM_UPS):
            run()
        count = min(max(round(block_seconds / max(timed(run, 1), 1e-6)), 1), MOST_RUNS)
        seconds = [timed(run, count) for _ in range(blocks)]
    return {"seconds": seconds, "threads": torch.get_num_threads(), "torch": torch.__version__}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))))
