# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants one violation of each rule and expects the check to find it, and honest twins that it must let pass."""
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import figures
import layering
import links
import messages
import paths
import spdx

GPL = "// SPDX-License-Identifier: GPL-3.0-or-later\n"


class Planted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)

    def write(self, path, content):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        return file

    def found(self, check, build=None):
        return [str(finding) for finding in check(self.root, build)]


class Figures(Planted):
    def setUp(self):
        super().setUp()
        sides = {"eager": 0.2, "exported": 0.1}
        samples = [{side: {"calls": 1, "seconds": [value] * 3} for side, value in sides.items()}] * 3
        self.result = {"samples": samples, "ratios": {"eager/exported": {"ratio": 2.0, "low": 1.9, "high": 2.125}}}
        self.write("tests/bench/results/whole_model_llama.json", json.dumps(self.result))
        self.write("README.md", figures.tables.with_table(self.root, f"a\n{figures.tables.BEGIN}\n{figures.tables.END}\nb\n"))

    def test_table_of_the_samples_passes(self):
        self.assertIn("| 200 ms | – | 100 ms | 2.00 × (1.90–2.12) | – | 3 |", (self.root / "README.md").read_text())
        self.assertEqual(self.found(figures.check), [])

    def test_typed_figure(self):
        readme = self.root / "README.md"
        readme.write_text(readme.read_text().replace("2.00 ×", "2.50 ×"))
        self.assertEqual([line.split(":")[:2] for line in self.found(figures.check)], [["README.md", "5"]])

    def test_marks_are_missing(self):
        self.write("README.md", "nothing\n")
        self.assertEqual(len(self.found(figures.check)), 1)

    def test_typed_cell_of_the_matrix(self):
        self.write("tests/bench/results/redteam.json", json.dumps(
            {"columns": {"Poison": []}, "plants": {"zeros": {"all": "smoke: wrong_value", "none": "passes", "Poison": "smoke: not_written"}}}))
        self.write("tests/redteam/planted/table.json", json.dumps(
            {"plants": [{"name": "zeros", "entries": ["C14 a"], "isolates": "Poison"}], "elsewhere": {"C10": "no Python"}}))
        page = figures.matrix.page(self.root / "tests")
        self.assertIn("| zeros | C14 a | smoke: wrong_value | passes | **Poison** |", page)
        self.write("tests/bench/redteam/README.md", page)
        self.assertEqual(self.found(figures.check), [])
        self.write("tests/bench/redteam/README.md", page.replace("smoke: wrong_value", "passes"))
        self.assertEqual([line.split(":")[:2] for line in self.found(figures.check)], [["tests/bench/redteam/README.md", "1"]])


class Spdx(Planted):
    def setUp(self):
        super().setUp()
        shutil.copy(Path(__file__).resolve().parents[2] / "LICENSE", self.root / "LICENSE")

    def test_honest_files_pass(self):
        self.write("engine/base/x.h", GPL)
        self.write("packaging/go.sh", "#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n")
        self.write("resources/kernel/kw/vec.h", "// SPDX-License-Identifier: MIT-0\n")
        self.write("README.md", "No licence line in prose.\n")
        self.assertEqual(self.found(spdx.check), [])

    def test_missing_line(self):
        self.write("engine/base/x.cpp", "int x;\n")
        self.write("tools/run", "#!/bin/sh\n")
        self.assertEqual([line.split(":")[0] for line in self.found(spdx.check)], ["engine/base/x.cpp", "tools/run"])

    def test_line_too_far_down(self):
        self.write("engine/base/x.cpp", "\n\n\n" + GPL)
        self.assertEqual(len(self.found(spdx.check)), 1)

    def test_wrong_licence_for_the_folder(self):
        self.write("resources/kernel/kw/vec.h", GPL)
        self.write("engine/base/x.h", "// SPDX-License-Identifier: MIT-0\n")
        self.assertEqual(len(self.found(spdx.check)), 2)

    def test_licence_without_the_permission(self):
        licence = self.root / "LICENSE"
        licence.write_text(licence.read_text().replace("Additional permission under section 7", ""))
        self.assertEqual(len(self.found(spdx.check)), 1)


class Layering(Planted):
    def one(self, path, line):
        self.write(path, GPL + line + "\n")
        return self.found(layering.check)

    def test_honest_includes_pass(self):
        self.write("engine/base/hash.h", GPL)
        self.write("engine/graph/graph.h", GPL + '#include "base/hash.h"\n#include <vector>\n')
        self.write("engine/problem/problem.h", GPL + '#include "graph/graph.h"\n')
        self.write("engine/record/verdict.h", GPL + '#include "problem/problem.h"\n#include "base/hash.h"\n')
        self.write("engine/worker/run.cpp", GPL + '#include <torch/script.h>\n#include <ATen/core/jit_type.h>\n')
        self.write("engine/history/git.cpp", GPL + "#include <git2.h>\n")
        self.write("widgets/chart/chart.h", GPL + '#include <QWidget>\n#include "record/verdict.h"\n')
        self.write("widgets/review/review.h", GPL + '#include "chart/chart.h"\n')
        self.write("app/window/main.cpp", GPL + '#include <QtWidgets/QApplication>\n#include "chart/chart.h"\n#include "main.moc"\n')
        self.write("tests/unit/base/hash_test.cpp", GPL + '#include "base/hash.h"\n#include <gtest/gtest.h>\n#include <sqlite3.h>\n')
        self.assertEqual(self.found(layering.check), [])

    def test_upwards(self):
        self.write("engine/loop/machine.h", GPL)
        self.assertIn("engine/base may not use engine/loop", self.one("engine/base/x.cpp", '#include "loop/machine.h"')[0])

    def test_reports_file_and_line(self):
        self.write("engine/loop/machine.h", GPL)
        self.assertTrue(self.one("engine/base/x.cpp", '#include <vector>\n#include "loop/machine.h"')[0].startswith("engine/base/x.cpp:3:"))

    def test_sideways(self):
        self.write("engine/journal/store.h", GPL)
        self.assertIn("may not use", self.one("engine/history/x.cpp", '#include "journal/store.h"')[0])

    def test_views_do_not_reach_the_loop(self):
        for layer in ("loop", "llm", "history"):
            self.write(f"engine/{layer}/x.h", GPL)
            self.assertIn(f"may not use engine/{layer}", " ".join(self.one("widgets/chart/x.cpp", f'#include "{layer}/x.h"')))

    def test_the_command_line_does_not_reach_views(self):
        self.write("widgets/chart/x.h", GPL)
        self.assertIn("may not use", self.one("app/cli/x.cpp", '#include "chart/x.h"')[0])

    def test_nobody_uses_the_worker(self):
        self.write("engine/worker/x.h", GPL)
        self.assertIn("may not use", self.one("engine/serve/x.cpp", '#include "worker/x.h"')[0])

    def test_a_way_up(self):
        self.assertIn("..", self.one("engine/base/x.cpp", '#include "../loop/machine.h"')[0])

    def test_a_way_up_in_a_test(self):
        self.assertIn("..", self.one("tests/unit/base/x.cpp", '#include "../../../engine/base/hash.h"')[0])

    def test_a_way_to_a_neighbour_in_the_tests(self):
        self.assertEqual(self.one("tests/unit/base/a/x.cpp", '#include "../b/helper.h"'), [])

    def test_qt_in_the_engine(self):
        for header in ("QString", "QtCore/QString", "QtWidgets/QWidget", "Qsci/qsciscintilla.h"):
            self.assertIn("may not use Qt", self.one("engine/loop/x.cpp", f"#include <{header}>")[0])

    def test_qt_in_the_command_line(self):
        self.assertIn("may not use Qt", self.one("app/cli/x.cpp", "#include <QtCore/QString>")[0])

    def test_third_party_outside_its_layer(self):
        for header in ("torch/script.h", "git2.h", "curl/curl.h", "sqlite3.h", "seccomp.h", "cuda_runtime.h", "CLI/CLI.hpp", "sys/mman.h",
                       "gtest/gtest.h", "openssl/evp.h"):
            found = self.one("engine/loop/x.cpp", f"#include <{header}>")
            self.assertEqual(len(found), 1, header)

    def test_third_party_in_quotes(self):
        self.assertEqual(len(self.one("engine/loop/x.cpp", '#include "git2.h"')), 1)

    def test_json_in_a_header(self):
        self.assertIn(".cpp", self.one("engine/graph/x.h", "#include <nlohmann/json.hpp>")[0])

    def test_json_where_it_belongs(self):
        self.write("engine/base/json_io.h", GPL + "#include <nlohmann/json.hpp>\n")
        self.assertEqual(self.one("engine/graph/x.cpp", '#include "base/json_io.h"\n#include <nlohmann/json.hpp>'), [])

    def test_a_folder_without_a_line(self):
        self.assertIn("no line", self.one("engine/novelty/x.cpp", "")[0])

    def test_a_link_that_the_table_forbids(self):
        self.write("engine/base/CMakeLists.txt", "kw_layer(engine_base USES engine_loop)\n")
        self.assertIn("may not link", self.found(layering.check)[0])

    def test_an_orphan(self):
        build = self.root / "build"
        build.mkdir()
        compiled = self.write("engine/base/in.cpp", GPL)
        orphan = self.write("engine/base/out.cpp", GPL)
        self.write("tests/unit/base/planted/candidate.cpp", "not ours\n")
        (build / "compile_commands.json").write_text(json.dumps([{"directory": str(build), "file": str(compiled), "command": "c++"}]))
        self.assertEqual(self.found(layering.check, build), [f"{orphan.relative_to(self.root)}:1: belongs to no target"])

    def test_sources_of_a_unity_build_are_found(self):
        build = self.root / "build"
        build.mkdir()
        together = build / "unity_0_cxx.cxx"
        first, orphan = self.write("engine/base/x.cpp", GPL), self.write("engine/base/y.cpp", GPL)
        together.write_text(f'/* generated by CMake */\n\n#include "{first}"\n')
        (build / "compile_commands.json").write_text(json.dumps([{"directory": str(build), "file": together.name, "command": "c++"}]))
        self.assertEqual(self.found(layering.check, build), [f"{orphan.relative_to(self.root)}:1: belongs to no target"])

    def test_views_are_not_orphans_when_the_window_is_off(self):
        build = self.root / "build"
        build.mkdir()
        (build / "compile_commands.json").write_text("[]")
        (build / "CMakeCache.txt").write_text("KW_WINDOW:BOOL=OFF\n")
        self.write("widgets/chart/x.cpp", GPL)
        self.assertEqual(self.found(layering.check, build), [])
        (build / "CMakeCache.txt").write_text("KW_WINDOW:BOOL=ON\n")
        self.assertEqual(len(self.found(layering.check, build)), 1)


class Paths(Planted):
    def test_honest_lines_pass(self):
        self.write("a.sh", 'cd "$HOME/work"; ls /usr/bin /tmp; echo /proc/self/root; python3 -m pip install torch\n')
        self.assertEqual(self.found(paths.check), [])

    def test_planted_files_may_name_what_they_attack(self):
        self.write("tests/flow/planted/x.cpp", "/ro" + "ot/x\n")
        self.assertEqual(self.found(paths.check), [])

    def test_places_and_hosts(self):
        for line in ("cd " + "/ro" + "ot/x", "/wo" + "rk/main/x", "/ho" + "me/anna/x", "https://py" + "pi.org/simple", "deb.deb" + "ian.org",
                     "https://download.py" + "torch.org/whl/cpu"):
            self.write("a.txt", line + "\n")
            self.assertEqual(len(self.found(paths.check)), 1, line)


class Messages(Planted):
    GOOD = {"run.done": {"en": "Finished in {seconds:time}.", "tr": "{seconds:time} içinde bitti."}}

    def catalogue(self, entries, code='Message("run.done").with("seconds", 1.0).with("number", 2)', name="run"):
        self.write(f"translations/messages.d/{name}.json", json.dumps(entries))
        self.write("engine/loop/x.cpp", code + "\n")
        return self.found(messages.check)

    def test_honest_catalogue_passes(self):
        plural = {"run.count": {"en": {"one": "{number} run.", "other": "{number} runs."},
                                "tr": {"one": "{number} çalışma.", "other": "{number} çalışma."}, "count": "number"}}
        self.assertEqual(self.catalogue({**self.GOOD, **plural}), [])

    def test_broken_file(self):
        self.write("translations/messages.d/x.json", "{")
        self.assertIn("not a valid catalogue", self.found(messages.check)[0])

    def test_a_key_twice(self):
        self.write("translations/messages.d/x.json", '{"a.b": {"en": "A.", "tr": "A."}, "a.b": {"en": "B.", "tr": "B."}}')
        self.assertIn("stands twice", self.found(messages.check)[0])

    def test_a_key_in_two_files(self):
        self.catalogue(self.GOOD)
        self.assertIn("stands in", self.catalogue(self.GOOD, name="other")[0])

    def bad(self, entry, expected):
        found = self.catalogue({"run.done": entry})
        self.assertTrue(found and expected in found[0], found)

    def test_a_language_is_missing(self):
        self.bad({"en": "Finished."}, "no usable text in tr")

    def test_an_empty_text(self):
        self.bad({"en": "Finished.", "tr": " "}, "no usable text in tr")

    def test_other_arguments(self):
        self.bad({"en": "After {seconds:time}.", "tr": "Sonra {number:time}."}, "other arguments")

    def test_another_format(self):
        self.bad({"en": "After {seconds:time}.", "tr": "{seconds:bytes} sonra."}, "other arguments")

    def test_unknown_format(self):
        self.bad({"en": "{seconds:hours}", "tr": "{seconds:hours}"}, "unknown format")

    def test_a_stray_brace(self):
        self.bad({"en": "{seconds", "tr": "{seconds"}, "stray brace")

    def test_tone(self):
        for words in ("Done!", "Please wait.", "It didn't work.", "It's done."):
            self.bad({"en": words, "tr": "Bitti."}, "tone in en")

    def test_plural_without_count(self):
        forms = {"one": "{seconds} run.", "other": "{seconds} runs."}
        self.bad({"en": forms, "tr": forms}, "count names none")

    def test_a_message_without_an_entry(self):
        for code in ('Message("run.lost")', 'Message{"run.lost"}', 'Message(ok ? "run.done" : "run.lost").with("seconds", 1)',
                     'refuse("run.lost", "seconds")'):
            self.assertTrue(any("emits run.lost" in line for line in self.catalogue(self.GOOD, code)), code)

    def test_file_names_are_no_messages(self):
        self.assertEqual(self.catalogue(self.GOOD, 'open("run.json").with("seconds", 1)'), [])

    def test_an_argument_that_nobody_gives(self):
        self.assertIn("no code ever gives", self.catalogue(self.GOOD, 'Message("run.done").with("other", 1)')[0])

    def test_turkish_without_turkish_letters(self):
        entries = {f"run.{number}": {"en": f"Text {number}.", "tr": f"Calisma {number}."} for number in range(8)}
        self.assertIn("no Turkish letter", self.catalogue(entries, "")[0])


@unittest.skipUnless(shutil.which("cc") and shutil.which("readelf"), "needs a C compiler and readelf")
class Links(Planted):
    def build(self, program, library):
        folder = self.root / "bin"
        folder.mkdir(exist_ok=True)
        (self.root / "f.c").write_text("int f(void) { return 0; }\n")
        (self.root / "m.c").write_text("int f(void); int main(void) { return f(); }\n")
        file = self.root / library
        subprocess.run(["cc", "-shared", "-fPIC", f"-Wl,-soname,{library}", "-o", str(file), str(self.root / "f.c")], check=True)
        subprocess.run(["cc", "-o", str(folder / program), str(self.root / "m.c"), str(file)], check=True)

    def programs(self, **library):
        for program in links.NEVER:
            self.build(program, library.get(program.replace("-", "_"), "libharmless.so.1"))
        return self.found(links.check, self.root)

    def test_honest_programs_pass(self):
        self.assertEqual(self.programs(kernelwright_worker="libtorch_cpu.so", kernelwright="libQt6Widgets.so.6"), [])

    def test_each_forbidden_library(self):
        for program, library in (("kernelwright_worker", "libQt6Core.so.6"), ("kernelwright_runner", "libtorch_cpu.so"),
                                 ("kernelwright_cli", "libQt6Core.so.6"), ("kernelwright_cli", "libc10.so"), ("kernelwright", "libtorch.so")):
            self.assertIn(library, self.programs(**{program: library})[0])

    def test_a_missing_program(self):
        self.assertEqual(len(self.found(links.check, self.root)), len(links.NEVER))


if __name__ == "__main__":
    unittest.main()
