# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may include whom. A folder may include what its line names and whatever that may include in turn."""
import json
import posixpath
import re
import sys
from functools import cache
from pathlib import Path

from _tree import Finding, cache_value, files, is_on, is_planted, run, text

MAY_USE = {
    "engine/base": (),
    "engine/graph": ("engine/base",),
    "engine/problem": ("engine/base", "engine/graph"),
    "engine/candidate": ("engine/base", "engine/problem"),
    "engine/codegen": ("engine/candidate",),
    "engine/record": ("engine/base", "engine/problem", "engine/candidate"),
    "engine/measure": ("engine/base", "engine/record"),
    "engine/build": ("engine/candidate", "engine/record"),
    "engine/judge": ("engine/record", "engine/build"),
    "engine/history": ("engine/record",),
    "engine/journal": ("engine/record",),
    "engine/llm": ("engine/base",),
    "engine/agent": ("engine/codegen", "engine/measure", "engine/judge", "engine/history", "engine/journal", "engine/llm"),
    "engine/loop": ("engine/agent",),
    "engine/present": ("engine/base", "engine/record", "engine/measure"),
    "engine/session": ("engine/loop", "engine/present"),
    "engine/serve": ("engine/session",),
    "engine/worker": ("engine/judge", "engine/measure"),
    "engine/runner": ("engine/base",),
    "engine/train": ("engine/agent",),
    "widgets/*": ("engine/present", "engine/record", "engine/measure", "widgets/*"),
    "app/cli": ("engine/serve",),
    "app/window": ("engine/serve", "widgets/*"),
    "app/*": ("engine/serve", "widgets/*"),
}

QT = ("widgets/*", "app/window")
TORCH = ("engine/worker", "engine/train")
POSIX = ("engine/base", "engine/runner", "engine/worker", "engine/judge", "app/*")  # the judge: the transports to its worker
THIRD_PARTY = (  # (header, layers that may include it, what it is)
    (r"Q[A-Z]\w*|Qt[A-Z]\w*/.*|Qsci/.*|q[a-z]+\.h", QT, "Qt"),
    (r"(torch|ATen|c10|caffe2)/.*", TORCH, "LibTorch"),
    (r"(cuda|nvrtc|cupti|nvml|cublas|cudnn)\w*\.h|cuda/.*", (*TORCH, "engine/runner"), "CUDA"),
    (r"git2(/.*|\.h)", ("engine/history",), "libgit2"),
    (r"sqlite3\w*\.h", ("engine/journal",), "SQLite"),
    (r"curl/.*", ("engine/llm",), "libcurl"),
    (r"seccomp\.h", ("engine/base", "engine/runner"), "libseccomp"),
    (r"openssl/.*", ("engine/base",), "OpenSSL"),
    (r"CLI/.*", ("app/cli",), "CLI11"),
    (r"(gtest|gmock)/.*", (), "GoogleTest"),
    (r"(sys|linux|arpa|netinet|net)/.*|(unistd|fcntl|poll|pthread|sched|spawn|dlfcn|termios|syscall|link|elf)\.h", POSIX, "POSIX"),
)
# Slow to compile: only headers that are named json_*.h, for sources that read and write JSON, carry it on.
IN_SOURCES_ONLY = "nlohmann/json.hpp"
JSON_HEADER = re.compile(r"(.*/)?json_\w+\.h")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LAYER_CALL = re.compile(r"kw_layer\(\s*(\w+)([^)]*)\)")
GENERATED = re.compile(r"(ui_|moc_|qrc_).*|.*\.moc")


def layer_of(path: str):
    """engine/base, widgets/chart, app/cli, or None."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 and parts[0] in {"engine", "widgets", "app"} else None


def row(layer: str):
    if layer in MAY_USE:
        return layer
    star = layer.split("/")[0] + "/*"
    return star if star in MAY_USE else None


@cache
def reach(name: str) -> frozenset:
    found = {name}
    for used in MAY_USE[name]:
        found |= reach(used) if used != name else {used}
    return frozenset(found)


def allowed(layer: str, used: str) -> bool:
    return layer == used or (row(layer) is not None and row(used) in reach(row(layer)) and (row(layer) != row(used) or row(used) in MAY_USE[row(layer)]))


def permits(layers, layer: str) -> bool:
    return layer in layers or (layer not in MAY_USE and layer.split("/")[0] + "/*" in layers) or (layer.split("/")[0] + "/*" in layers)


def includes(content: str):
    for number, line in enumerate(content.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def stays_in_tests(path, header):
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), header)).startswith("tests/")


def check_include(path, number, quoted, header, layer, roots):
    in_tests = path.startswith("tests/")
    if ".." in header.split("/") and not (in_tests and stays_in_tests(path, header)):
        return Finding(path, number, f"\"{header}\": no way up by \"..\"; include LAYER/file.h")
    if path.endswith(".h") and not in_tests and header == IN_SOURCES_ONLY and not JSON_HEADER.fullmatch(path):
        return Finding(path, number, f"<{header}> belongs into .cpp files; headers use base/json.h")
    first = header.split("/")[0]
    if quoted and "/" in header and first in roots:
        used = roots[first]
        if not in_tests and not allowed(layer, used):
            return Finding(path, number, f"{layer} may not use {used} (\"{header}\")")
        return None
    if quoted and not in_tests and not GENERATED.fullmatch(header):
        return Finding(path, number, f"\"{header}\": a quoted include starts with its layer's name; third-party headers stand in <>")
    if in_tests:
        return None
    for pattern, layers, what in THIRD_PARTY:
        if re.fullmatch(pattern, header) and not permits(layers, layer):
            return Finding(path, number, f"{layer} may not use {what} (<{header}>)")
    return None


def check_includes(source):
    tree = [path for path in files(source) if path.endswith((".h", ".cpp")) and not is_planted(path)]
    roots = {layer.split("/")[1]: layer for layer in (*MAY_USE, *map(layer_of, tree)) if layer and not layer.endswith("*")}
    for path in tree:
        layer = layer_of(path)
        if layer is None and not path.startswith("tests/"):
            if path.startswith(("engine/", "app/", "widgets/")):
                yield Finding(path, 1, "a source stands in a layer's folder")
            continue
        if layer and row(layer) is None:
            yield Finding(path, 1, f"{layer} has no line in the table of tests/checks/layering.py")
            continue
        for number, quoted, header in includes(text(source, path) or ""):
            finding = check_include(path, number, quoted, header, layer, roots)
            if finding:
                yield finding


def check_links(source):
    """What a layer's target links is what the layer may include."""
    for path in files(source):
        if not path.endswith("/CMakeLists.txt") or not path.startswith(("engine/", "app/", "widgets/")):
            continue
        content = text(source, path) or ""
        for match in LAYER_CALL.finditer(content):
            layer = match.group(1).replace("_", "/", 1)
            number = content[: match.start()].count("\n") + 1
            if row(layer) is None:
                yield Finding(path, number, f"{layer} has no line in the table of tests/checks/layering.py")
                continue
            for target in re.findall(r"\b(engine|widgets|app)_(\w+)", match.group(2)):
                used = "/".join(target)
                if row(used) is not None and not allowed(layer, used):
                    yield Finding(path, number, f"{layer} may not link {used}")


def sources_of(file: Path):
    """What a line of compile_commands.json compiles: a file, or those that CMake has put together in one for a unity build."""
    if not re.fullmatch(r"unity_\d+_cxx\.cxx", file.name) or not file.is_file():
        return [file]
    return [Path(header).resolve() for _, quoted, header in includes(file.read_text()) if quoted]


def check_targets(source, build):
    """Every source belongs to a target of the configuration that is checked."""
    commands = build / "compile_commands.json"
    if not commands.is_file():
        yield Finding("compile_commands.json", 1, f"not in {build}")
        return
    root = source.resolve()
    compiled = set()
    for entry in json.loads(commands.read_text()):
        for file in sources_of((Path(entry["directory"]) / entry["file"]).resolve()):
            if file.is_relative_to(root):
                compiled.add(file.relative_to(root).as_posix())
    window = is_on(cache_value(build, "KW_WINDOW", "ON"))
    tests = is_on(cache_value(build, "KW_TESTS", "ON"))
    views = {path.split("/")[1] for path in files(source) if path.startswith("widgets/") and path.count("/") > 1} | {"window", "widgets"}
    for path in files(source):
        parts = path.split("/")
        if not path.endswith(".cpp") or parts[0] not in {"engine", "app", "widgets", "tests"} or is_planted(path):
            continue
        if not tests and parts[0] == "tests":
            continue
        windowed = parts[0] == "widgets" or parts[:2] == ["app", "window"] or parts[:2] == ["tests", "gui"] or (
            parts[:2] == ["tests", "unit"] and parts[2] in views)
        if windowed and not window:
            continue
        if path == "tests/support/fuzz_replay.cpp" or path in compiled:
            continue
        yield Finding(path, 1, "belongs to no target")


def check(source, build=None):
    yield from check_includes(source)
    yield from check_links(source)
    if build:
        yield from check_targets(source, build)


if __name__ == "__main__":
    sys.exit(run(check, __doc__))
