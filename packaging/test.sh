#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: packaging/test.sh [--preset NAME]
#
# Sets up as packaging/run.sh does, builds everything with warnings as errors, runs every test and prints the counts.
#
#   --preset NAME    a preset of CMakePresets.json other than release: debug, asan, tsan, fuzz
#   --help           this text
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

preset=release
while [ $# -gt 0 ]; do
  case $1 in
    --preset) preset=${2:?--preset needs a name}; shift ;;
    -h | --help) sed -n '3,/^set -e/p' "${BASH_SOURCE[0]}" | sed '/^set -e/d; s/^# \{0,1\}//'; exit 0 ;;
    *) fail "there is no option $1; see --help" ;;
  esac
  shift
done
case $preset in
  release | debug | asan | tsan) ;;
  fuzz) kw_packages+=(clang) ;;
  *) fail "there is no preset $preset with tests; see --help" ;;
esac

set_up
configure "$preset" KW_WERROR=ON KW_TESTS=ON
build "$preset" all

cd "$kw_source"
results=$kw_source/build/$preset/tests.xml
rm -rf "$results" "build/$preset/cases"
status=0
ctest --preset "$preset" --parallel "$(nproc)" --output-junit "$results" || status=$?
/usr/bin/python3 -B packaging/count_tests.py "$results" || status=$?
exit "$status"
