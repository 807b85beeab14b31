# SPDX-License-Identifier: GPL-3.0-or-later
"""What the built programs are linked with: the headless ones without Qt, the person's without LibTorch and CUDA."""
import re
import subprocess
import sys

from _tree import Finding, cache_value, is_on, run

NEVER = {  # program: libraries that it must not need
    "kernelwright-worker": r"libQt6|libqscintilla|libgit2|libcurl|libcuda|libtorch_cuda",
    "kernelwright-runner": r"libQt6|libqscintilla|libgit2|libcurl|libsqlite|libtorch|libc10|libcuda",
    "kernelwright-cli": r"libQt6|libqscintilla|libtorch|libc10|libcuda|libnv",
    "kernelwright": r"libtorch|libc10|libcuda|libnv",
}
NEEDED = re.compile(r"\(NEEDED\).*\[(.+)\]")


def needed(program):
    output = subprocess.run(["readelf", "-dW", str(program)], check=True, capture_output=True, text=True).stdout
    return NEEDED.findall(output)


def check(source, build):
    for name, pattern in NEVER.items():
        program = build / "bin" / name
        if name == "kernelwright" and not is_on(cache_value(build, "KW_WINDOW", "ON")):
            continue
        if not program.is_file():
            yield Finding(f"bin/{name}", 1, "is not built")
            continue
        for library in needed(program):
            if re.match(pattern, library):
                yield Finding(f"bin/{name}", 1, f"is linked with {library}")


if __name__ == "__main__":
    sys.exit(run(check, __doc__))
