# SPDX-License-Identifier: GPL-3.0-or-later
"""The message catalogue: every message that the code can emit has a sentence in every language, with the same arguments."""
import json
import re
import sys

from _tree import Finding, files, run, text

LANGUAGES = ("en", "tr")
FORMATS = {None, "time", "bytes", "percent", "ratio", "count"}
FORMS = {"one", "other"}
FOLDER = "translations/messages.d/"
PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")
LITERAL = re.compile(r'\bMessage\s*[({]\s*"([^"]+)"')
CHOICE = re.compile(r'\bMessage\s*[({][^;"]*\?\s*"([^"]+)"\s*:\s*"([^"]+)"')
DOTTED = re.compile(r'"([a-z]\w*(?:\.[a-z0-9_]+)+)"')
FILE_ENDINGS = ("sh", "py", "pt2", "so", "o", "json", "jsonl", "cpp", "h", "md", "html", "svg", "db", "sqlite", "bin", "txt", "log", "sock", "toml")
WORD = re.compile(r'"(\w+)"')
TONE = {"en": re.compile(r"(?<!//)!(?!=)|\bplease\b|n't\b|\b(?:it|that|there)'s\b", re.I), "tr": re.compile(r"(?<!//)!(?!=)|\blütfen\b", re.I)}
TURKISH = re.compile("[çğıöşüÇĞİÖŞÜ]")


def sentences(value):
    """The texts of one language: one, or one for each plural form; None when it is neither."""
    if isinstance(value, str):
        return [value] if value.strip() else None
    if isinstance(value, dict) and set(value) == FORMS and all(isinstance(form, str) and form.strip() for form in value.values()):
        return list(value.values())
    return None


def placeholders(texts):
    return {match.groups() for sentence in texts for match in PLACEHOLDER.finditer(sentence)}


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise ValueError(f"{sorted(twice)[0]} stands twice")
    return dict(pairs)


def line_of(content, identifier):
    at = content.find(f'"{identifier}"')
    return content[:at].count("\n") + 1 if at >= 0 else 1


def check_entry(path, line, identifier, entry):
    def found(rule):
        return Finding(path, line, f"{identifier}: {rule}")

    if not isinstance(entry, dict):
        yield found("is not an object")
        return
    unknown = set(entry) - {*LANGUAGES, "count"}
    if unknown:
        yield found(f"has the unknown key {sorted(unknown)[0]}")
    texts = {language: sentences(entry.get(language)) for language in LANGUAGES}
    for language, value in texts.items():
        if value is None:
            yield found(f"has no usable text in {language}")
        else:
            for sentence in value:
                if TONE[language].search(sentence):
                    yield found(f"tone in {language}: {TONE[language].search(sentence).group(0)}")
                if re.search(r"[{}]", PLACEHOLDER.sub("", sentence)):
                    yield found(f"has a stray brace in {language}")
    if None in texts.values():
        return
    plural = any(isinstance(entry[language], dict) for language in LANGUAGES)
    if plural and entry.get("count") not in {name for name, _ in placeholders(texts["en"])}:
        yield found("has plural forms, but count names none of its arguments")
    if "count" in entry and not plural:
        yield found("has a count, but no plural forms")
    first = placeholders(texts[LANGUAGES[0]])
    for language in LANGUAGES[1:]:
        if placeholders(texts[language]) != first:
            yield found(f"has other arguments in {language} than in {LANGUAGES[0]}")
    for _, form in first:
        if form not in FORMATS:
            yield found(f"uses the unknown format {form}")


def check(source, build=None):
    known = {}
    for path in files(source):
        if not path.startswith(FOLDER) or not path.endswith(".json"):
            continue
        content = text(source, path) or ""
        try:
            entries = json.loads(content, object_pairs_hook=no_duplicates)
            if not isinstance(entries, dict):
                raise ValueError("is not an object")
        except ValueError as problem:
            yield Finding(path, 1, f"not a valid catalogue: {problem}")
            continue
        for identifier, entry in entries.items():
            line = line_of(content, identifier)
            if identifier in known:
                yield Finding(path, line, f"{identifier}: stands in {known[identifier][0]} too")
            known[identifier] = (path, line, entry)
            yield from check_entry(path, line, identifier, entry)
        turkish = json.dumps([entry.get("tr") for entry in entries.values() if isinstance(entry, dict)], ensure_ascii=False)
        if len(entries) >= 8 and not TURKISH.search(turkish):
            yield Finding(path, 1, "the Turkish texts hold no Turkish letter")

    areas = {identifier.split(".")[0] for identifier in known}
    given = set()
    for path in files(source):
        if not path.startswith(("engine/", "app/", "widgets/")) or not path.endswith((".cpp", ".h")):
            continue
        content = text(source, path) or ""
        given.update(WORD.findall(content))
        code = re.sub(r"//[^\n]*", lambda match: " " * len(match.group(0)), content)
        emitted = [(match.start(), match.group(1)) for match in LITERAL.finditer(code)]
        emitted += [(match.start(), name) for match in CHOICE.finditer(code) for name in match.groups()]
        # Helpers that make messages take the identifier as a plain string: whatever looks like one of a known area is one.
        emitted += [(match.start(), match.group(1)) for match in DOTTED.finditer(code)
                    if match.group(1).split(".")[0] in areas and match.group(1).rsplit(".", 1)[1] not in FILE_ENDINGS]
        for at, identifier in emitted:
            if not identifier.endswith(".") and identifier not in known:
                yield Finding(path, content[:at].count("\n") + 1, f"emits {identifier}, which has no entry in {FOLDER}")
    for identifier, (path, line, entry) in known.items():
        value = sentences(entry.get("en")) if isinstance(entry, dict) else None
        for name, _ in sorted(placeholders(value or [])):
            if given and name not in given:
                yield Finding(path, line, f"{identifier}: no code ever gives the argument {name}")


if __name__ == "__main__":
    sys.exit(run(check, __doc__))
