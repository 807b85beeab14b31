#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets a session search by itself for a given time and watches what its processes take and how steady the machine is.

usage: run.py CLI MODEL SESSION --time 2h > results/unattended.json

CLI is the built `kernelwright-cli`, SESSION a new folder. Every --every seconds each process of the session is asked for its resident
memory, open files and threads (from /proc, no tool of ours). Afterwards the journal is read: every time that the library's own operators
took, in the order in which they were measured, so that a drift of the machine shows as a drift of the baseline. Growth is the median
slope of all pairs of samples (Theil and Sen) after the first quarter, of processes that lived at least half of the time.
"""
import argparse
import json
import os
import platform
import re
import sqlite3
import statistics
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path

PATIENCE_SECONDS = 600
MOST_POINTS = 400


def seconds_of(text: str) -> float:
    parts = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text)
    if not text or not parts:
        raise argparse.ArgumentTypeError("say 2h, 5m or 90s")
    return sum(float(part or 0) * unit for part, unit in zip(parts.groups(), (3600, 60, 1)))


def stat_of(pid: int) -> tuple[str, int, int] | None:
    """Name, parent and start time in ticks."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
    return name, int(rest[1]), int(rest[19])


def family_of(root: int) -> dict[int, tuple[str, int]]:
    """Every process at or below root: pid -> name, start time."""
    known = {int(entry.name): stat for entry in Path("/proc").iterdir() if entry.name.isdigit() and (stat := stat_of(int(entry.name)))}
    family, grown = {root}, True
    while grown:
        more = {pid for pid, (_, parent, _) in known.items() if parent in family} - family
        family |= more
        grown = bool(more)
    return {pid: (known[pid][0], known[pid][2]) for pid in family if pid in known}


def usage_of(pid: int) -> dict | None:
    try:
        status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines() if ":" in line)
        return {"rss_kib": int(status.get("VmRSS", "0 kB").split()[0]), "threads": int(status["Threads"]), "files": len(os.listdir(f"/proc/{pid}/fd"))}
    except (OSError, KeyError):
        return None


def slope(points: list[tuple[float, float]]) -> float:
    step = max(1, len(points) // MOST_POINTS)
    slopes = [(later - earlier) / (after - before) for (before, earlier), (after, later) in combinations(points[::step], 2) if after > before]
    return statistics.median(slopes) if slopes else 0.0


def watch(process: subprocess.Popen, every: float, limit: float) -> dict:
    lives, began = {}, time.monotonic()
    while process.poll() is None:
        now = time.monotonic() - began
        if now > limit:
            process.terminate()
            raise SystemExit("the session did not end by itself")
        for pid, (name, start) in family_of(process.pid).items():
            if usage := usage_of(pid):
                lives.setdefault((pid, start, name), []).append({"t": round(now, 1)} | usage)
        try:
            process.wait(every)
        except subprocess.TimeoutExpired:
            continue
    return lives


def growth_of(samples: list[dict]) -> dict:
    later = samples[len(samples) // 4:]
    return {f"{key}_per_hour": round(3600 * slope([(sample["t"], sample[key]) for sample in later]), 3) for key in ("rss_kib", "files", "threads")}


def summary_of(lives: dict, duration: float) -> list[dict]:
    longest = [(key, samples) for key, samples in lives.items() if len(samples) > 3 and samples[-1]["t"] - samples[0]["t"] >= duration / 2]
    return [{"name": name, "samples": samples, "growth": growth_of(samples)} for (_, _, name), samples in longest]


def journal_of(session: Path) -> dict:
    database = sqlite3.connect(f"file:{session / 'journal.sqlite'}?mode=ro", uri=True)
    times, decisions = {}, {}
    for (body,) in database.execute("SELECT body FROM experiments ORDER BY number"):
        experiment = json.loads(body)
        decisions[experiment["decision"]] = decisions.get(experiment["decision"], 0) + 1
        for kind in ("screening", "measurement", "confirmation", "total"):
            measured = experiment.get(kind)
            if measured and measured["a"]["kind"] == "library" and measured["seconds_a"] > 0:
                times.setdefault(experiment["problem"], []).append(
                    {"t": experiment["start_time"], "kind": kind, "library_seconds": measured["seconds_a"], "ratio": measured["ratio"]})
    drift = {problem: round(list_[-1]["library_seconds"] / list_[0]["library_seconds"], 4) for problem, list_ in times.items() if len(list_) > 1}
    events = [json.loads(text) for (text,) in database.execute("SELECT body FROM events WHERE kind='error'")]
    return {"decisions": decisions, "baselines": times, "last_to_first_baseline": drift, "errors": events}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("session", type=Path)
    parser.add_argument("--time", type=seconds_of, default=seconds_of("2h"))
    parser.add_argument("--every", type=float, default=10)
    options = parser.parse_args()
    command = [str(options.cli.resolve()), "optimize", str(options.model.resolve()), "--session", str(options.session.resolve()), "--budget",
               f"{int(options.time)}s", "--supervise", "none"]
    began = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lives = watch(process, options.every, options.time + PATIENCE_SECONDS)
    duration = time.monotonic() - began
    names = sorted({name for _, _, name in lives})
    most = max((sum(sample["t"] == t for samples in lives.values() for sample in samples) for t in
                {sample["t"] for samples in lives.values() for sample in samples}), default=0)
    left = [name for pid, start, name in lives if (stat := stat_of(pid)) and stat[2] == start]
    json.dump({"command": f"run.py kernelwright-cli {options.model.name} SESSION --time {int(options.time)}s", "kernel": platform.release(),
               "machine": platform.machine(), "processors": os.cpu_count(), "seconds": round(duration, 1), "exit_code": process.returncode,
               "processes_seen": len(lives), "most_at_once": most, "names": names, "sleep_inhibited": any("inhibit" in name for name in names),
               "left_behind": left, "long_lived": summary_of(lives, duration), "journal": journal_of(options.session)}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
