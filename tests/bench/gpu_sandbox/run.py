#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Learns which sandbox layers the GPU driver tolerates, which system calls and files a runner of GPU candidates needs, and
how fast the device is usable again after a candidate was killed. Prints one JSON document.

usage: run.py FOLDER-WITH-probe-layers-tracer-fill.cubin"""
import json
import os
import signal
import subprocess
import sys
import time

folder = os.path.abspath(sys.argv[1])
os.chdir(folder)
LAYERS = ["none", "user", "pid", "pid,freshproc", "user,pid,freshproc", "net", "ipc", "uts", "user,net,ipc,uts", "mount", "user,mount", "user,noshm",
          "user,mountnosys", "user,mountnoproc", "user,pid,net,ipc,uts,mount,freshproc", "pid,net,ipc,uts,mount,freshproc", "landlock", "lockshm", "caps", "nodump",
          "seccomp", "nosocket", "nofile=32", "nofile=64", "fsize=0", "nproc=64", "as=64", "as=256",
          "user,pid,net,ipc,uts,mount,freshproc,lockshm,caps,nosocket,nofile=128,fsize=1048576",
          "pid,net,ipc,uts,mount,freshproc,caps,nosocket,nofile=128,fsize=1048576"]
TRACED = ["pid,freshproc", "user,mount", "mount", "user,pid,net,ipc,uts,mount,freshproc", "lockshm", "landlock"]


def probe(layers, function="fill", timeout=30):
    started = time.monotonic()
    try:
        run = subprocess.run([f"{folder}/layers", layers, f"{folder}/probe", f"{folder}/fill.cubin", function], capture_output=True, text=True,
                             timeout=timeout)
    except subprocess.TimeoutExpired:
        return {"layers": layers, "works": False, "error": "no answer"}
    result = {"layers": layers, "works": run.returncode == 0, "exit": run.returncode, "seconds": time.monotonic() - started}
    try:
        result["steps"] = json.loads(run.stdout)
    except ValueError:
        result["output"] = run.stdout[-300:]
    if run.stderr:
        result["errors"] = run.stderr[-300:]
    return result


def after(function):
    """Seconds from killing (or the death of) a process until a fresh one has a context and a right result."""
    process = subprocess.Popen([f"{folder}/probe", f"{folder}/fill.cubin", function], stdout=subprocess.DEVNULL)
    time.sleep(1.5)
    killed = time.monotonic()
    process.send_signal(signal.SIGKILL)
    process.wait()
    gone = time.monotonic()
    next_one = probe("none")
    return {"function": function, "reaped": gone - killed, "right_again": time.monotonic() - killed, "next": next_one["works"]}


document = {"driver": subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True).stdout.strip(),
            "kernel": os.uname().release, "uid": os.getuid()}
probe("none")
document["layers"] = [probe(layers) for layers in LAYERS]
document["repeats"] = [probe("none")["seconds"] for _ in range(5)]
document["after"] = [after("spin"), after("wild"), after("fill"), after("spin")]
document["late"] = [probe(layers, "late") for layers in ("none", "user", "user,net,ipc,uts,caps", "user,net,ipc,uts,mount,caps,nofile=64,fsize=1048576")]


def trace(layers):
    try:
        run = subprocess.run([f"{folder}/layers", layers, f"{folder}/tracer", f"{folder}/probe", f"{folder}/fill.cubin"], capture_output=True,
                             text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return "no answer"
    try:
        return json.loads(run.stderr[run.stderr.index('{"exit"'):])
    except ValueError:
        return run.stderr[-2000:]


document["trace"] = trace("none")
document["failing"] = {}
for layers in TRACED:
    traced = trace(layers)
    document["failing"][layers] = traced if isinstance(traced, str) else [
        path for phase in traced["phases"] for path in phase["paths"] if path.startswith("failed")][-30:]
print(json.dumps(document, indent=1))
