# SPDX-License-Identifier: GPL-3.0-or-later
"""Every source says its licence in its first lines, and it is the one that LICENSE gives its folder."""
import re
import sys

from _tree import Finding, files, is_planted, run, text

DEFAULT = "GPL-3.0-or-later"
# The longest matching prefix decides.
LICENCES = {
    "resources/kernel/": "MIT-0",    # included by emitted kernels
    "resources/examples/": "MIT-0",
    "resources/export/": "MIT-0",    # loaders and operator libraries of an export
}
SOURCES = (".cpp", ".h", ".hpp", ".c", ".cu", ".cuh", ".py", ".sh", ".cmake", ".in")
NAMES = {"CMakeLists.txt", ".ci/run"}
IDENTIFIER = re.compile(r"SPDX-License-Identifier:\s*(\S+)")


def expected(path: str) -> str:
    best = max((prefix for prefix in LICENCES if path.startswith(prefix)), key=len, default=None)
    return LICENCES[best] if best else DEFAULT


def check(source, build=None):
    for path in files(source):
        if is_planted(path):
            continue
        content = text(source, path)
        if content is None:
            continue
        named = path.endswith(SOURCES) or path in NAMES or path.rsplit("/", 1)[-1] in NAMES
        if not named and not content.startswith("#!"):
            continue
        found = next((match for match in map(IDENTIFIER.search, content.splitlines()[:3]) if match), None)
        if found is None:
            yield Finding(path, 1, f"no SPDX-License-Identifier in the first three lines; {expected(path)} is right here")
        elif found.group(1) != expected(path):
            yield Finding(path, 1, f"licence {found.group(1)}, but files here are {expected(path)}")
    licence = source / "LICENSE"
    if not licence.is_file():
        yield Finding("LICENSE", 1, "missing")
        return
    content = licence.read_text()
    for needed in ("GNU GENERAL PUBLIC LICENSE", "Version 3, 29 June 2007", "Additional permission under section 7", "MIT No Attribution",
                   "How to Apply These Terms to Your New Programs"):
        if needed not in content:
            yield Finding("LICENSE", 1, f"lacks \"{needed}\"")


if __name__ == "__main__":
    sys.exit(run(check, __doc__))
