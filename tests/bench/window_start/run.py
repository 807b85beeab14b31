#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times how long the window takes from the start of its process to its first painted frame.

usage: run.py PROGRAM [--runs 15] > results/window_start.json

PROGRAM is the built `kernelwright`. Each run is a fresh process with empty settings; the end is the line "visible" that the program
writes to its error stream when the category kernelwright.start is asked for, read on this process' clock. With DISPLAY set the window
opens there, else on Qt's offscreen platform. The first run also reads the program and its libraries from wherever they are.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GOAL_SECONDS = 0.5
PATIENCE_SECONDS = 30


def start(program: Path) -> float:
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"QT_LOGGING_RULES": "kernelwright.start.debug=true", "QT_MESSAGE_PATTERN": "%{category}: %{message}"}
        environment |= {f"XDG_{name}_HOME": f"{home}/{name.lower()}" for name in ("CONFIG", "STATE", "DATA")}
        if "DISPLAY" not in os.environ:
            environment["QT_QPA_PLATFORM"] = "offscreen"
        begin = time.perf_counter()
        process = subprocess.Popen([program], env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        try:
            for line in process.stderr:
                took = time.perf_counter() - begin
                if line.strip() == "kernelwright.start: visible":
                    return took
                if took > PATIENCE_SECONDS:
                    break
            raise SystemExit(f"{program} was never visible")
        finally:
            process.terminate()
            process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    samples = [start(options.program.resolve()) for _ in range(options.runs)]
    later = samples[1:] or samples
    json.dump({"platform": "display" if "DISPLAY" in os.environ else "offscreen", "machine": platform.machine(), "processors": os.cpu_count(),
               "goal_seconds": GOAL_SECONDS, "first_seconds": round(samples[0], 4), "median_seconds": round(statistics.median(later), 4),
               "slowest_seconds": round(max(later), 4), "samples_seconds": [round(sample, 4) for sample in samples]}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
