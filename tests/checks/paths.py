# SPDX-License-Identifier: GPL-3.0-or-later
"""No file names a place on somebody's machine or a package host: apt and pip know theirs from their settings."""
import re
import sys

from _tree import Finding, files, is_planted, run, text

# Written so that no line of this file matches itself.
PLACES = re.compile(r"(?<![\w.$}/-])/(?:root|work|Users|home/[a-z][\w-]*|tmp/kw|opt/wheels)/[\w.]")
HOSTS = re.compile(r"\b(?:" + "|".join(name.replace(".", r"\.") for name in (
    "pypi" + ".org", "pythonhosted" + ".org", "pytorch" + ".org/whl", "deb.debian" + ".org", "snapshot.debian" + ".org", "huggingface" + ".co",
    "anaconda" + ".org", "npmjs" + ".org", "nvidia" + ".com/compute", "ngc.nvidia" + ".com")) + r")\b")
WITHOUT = (".png", ".svg", ".ts")


def check(source, build=None):
    for path in files(source):
        if path.endswith(WITHOUT) or is_planted(path):
            continue
        content = text(source, path)
        if content is None:
            continue
        for number, line in enumerate(content.splitlines(), 1):
            for pattern, what in ((PLACES, "a place on one machine"), (HOSTS, "a package host")):
                match = pattern.search(line)
                if match:
                    yield Finding(path, number, f"names {what}: {match.group(0)}")


if __name__ == "__main__":
    sys.exit(run(check, __doc__))
