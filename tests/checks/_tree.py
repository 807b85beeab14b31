# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks share: the files of the tree, findings, the command line."""
import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path

NOT_OURS = {".git", ".whl", ".cache", "__pycache__"}
PLANTED = {"data", "planted"}  # folders of tests that hold input for tests, not sources of ours
SKIPPED = 77


@dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    rule: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}"


def files(root: Path):
    """Every file below root that belongs to the tree, as a relative path with forward slashes, sorted."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_OURS and Path(folder, name) != Path(root, "build")]
        found.extend(Path(folder, name).relative_to(root).as_posix() for name in names)
    return sorted(found)


def text(root: Path, path: str):
    """The file's text, or None when it is not text."""
    content = (root / path).read_bytes()
    if b"\0" in content[:4096]:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def is_planted(path: str) -> bool:
    parts = path.split("/")
    return parts[0] == "tests" and any(part in PLANTED or part.endswith(".corpus") for part in parts[1:-1])


def cache_value(build: Path, name: str, otherwise: str) -> str:
    """A variable of the build's CMakeCache.txt."""
    try:
        for line in (build / "CMakeCache.txt").read_text().splitlines():
            if line.startswith(name + ":"):
                return line.split("=", 1)[1]
    except OSError:
        pass
    return otherwise


def is_on(value: str) -> bool:
    return value.upper() in {"ON", "1", "YES", "TRUE"}


def run(check, description: str) -> int:
    """Runs check(source, build), which yields findings, and prints them; the exit status is 1 when there are any."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--source", type=Path, default=Path(__file__).resolve().parents[2], help="the checkout")
    parser.add_argument("--build", type=Path, help="its build folder")
    arguments = parser.parse_args()
    findings = sorted(set(check(arguments.source, arguments.build)))
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings" if findings else "nothing found")
    sys.stdout.flush()
    return 1 if findings else 0
