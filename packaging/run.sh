#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: packaging/run.sh [OPTION...] [MODEL...]
#
# Sets Kernelwright up on Debian 12, builds it and does its main job: it profiles each MODEL (a .pt2 file), finds the places where time
# can be won, and lets the built-in agent write, verify and time faster kernels for them. With a display the window opens; without one
# the job runs here and prints its report. Without MODEL it takes three examples: photo tone mapping, a small Llama, all-MiniLM-L6-v2.
#
#   --minimal        only LibTorch (about 1.3 GB instead of 5); MODEL must be given
#   --headless       do not open the window, even with a display
#   --budget TIME    time to search for each model in a headless run, for example 90s, 3m, 1h (default 3m)
#   --sessions DIR   where headless sessions are kept (default: kernelwright/sessions in the user's data folder)
#   --setup-only     set up and build, then stop
#   --help           this text
#
# System packages need root or sudo. Everything else goes to build/ here and to kernelwright/ in the user's cache folder; the system's
# Python is not touched. Finished steps are kept, so an interrupted run goes on where it stopped.
set -euo pipefail
# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

usage() { sed -n '3,/^set -e/p' "${BASH_SOURCE[0]}" | sed '/^set -e/d; s/^# \{0,1\}//'; }

headless=false setup_only=false budget=3m models=()
sessions=${XDG_DATA_HOME:-$HOME/.local/share}/kernelwright/sessions
while [ $# -gt 0 ]; do
  case $1 in
    --minimal) kw_minimal=true ;;
    --headless) headless=true ;;
    --setup-only) setup_only=true ;;
    --budget) budget=${2:?--budget needs a time}; shift ;;
    --sessions) sessions=${2:?--sessions needs a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; fail "there is no option $1" ;;
    *)
      [ -e "$1" ] || fail "there is no file $1"
      models+=("$(realpath "$1")")
      ;;
  esac
  shift
done
if $kw_minimal && [ ${#models[@]} -eq 0 ] && ! $setup_only; then
  fail "the examples need the full set-up: give a MODEL with --minimal, or leave --minimal out"
fi
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || headless=true

set_up
configure release
exporting=
examples=$kw_cache/examples
if [ ${#models[@]} -eq 0 ] && ! $kw_minimal; then
  # Runs beside the build, which it hardly slows down.
  "$kw_venv/bin/python" -B "$kw_source/resources/examples/export_examples.py" "$examples" >"$kw_cache/logs/examples.log" 2>&1 &
  exporting=$!
fi
build release kernelwright kernelwright-cli kernelwright-worker kernelwright-runner
if [ -n "$exporting" ]; then
  if ! wait "$exporting"; then
    tail -n 15 "$kw_cache/logs/examples.log" >&2
    fail "the examples could not be exported; the full output is in $kw_cache/logs/examples.log"
  fi
  mapfile -t models < <(grep '\.pt2$' "$kw_cache/logs/examples.log")
fi
if $setup_only; then
  say "ready: $kw_source/build/release/bin"
  exit 0
fi

bin=$kw_source/build/release/bin
if ! $headless; then exec "$bin/kernelwright" "${models[@]}"; fi

started=$(date +%Y%m%d-%H%M%S) failed=()
mkdir -p "$sessions"
for model in "${models[@]}"; do
  name=$(basename "${model%.*}")
  session=$sessions/$name-$started
  say "optimising $name for $budget; session: $session"
  if "$bin/kernelwright-cli" optimize "$model" --session "$session" --budget "$budget" --supervise none; then
    "$bin/kernelwright-cli" report --session "$session" || failed+=("$name")
  else
    failed+=("$name")
  fi
done
if [ ${#failed[@]} -gt 0 ]; then fail "did not finish: ${failed[*]}"; fi
