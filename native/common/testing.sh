# SPDX-License-Identifier: Apache-2.0
# What the integration tests of pbs and vhdd share; each one's lib.sh sources it with the title.
set -euo pipefail

readonly SKIPPED=77

echo "$(basename "$0" .sh): $1"

# Something that the test needs is missing: skips the test, or fails it where CI=true. "bin/hprio verify" looks for what
# this says, by the words of bin/lib/needs.py.
unavailable() {
  echo "needs $1"
  if [[ ${CI:-} == true ]]; then
    exit 1
  fi
  exit "$SKIPPED"
}

# Checks for what every test needs, and for the programs $@.
require() {
  local program
  [[ $EUID -eq 0 ]] || unavailable 'root'
  [[ -c /dev/loop-control ]] || unavailable 'the file: /dev/loop-control (modprobe loop)'
  for program in mkfs.ext4 losetup jq "$@"; do
    command -v "$program" >/dev/null || unavailable "the program: $program"
  done
}

fail() {
  echo "FAILED: $*"
  exit 1
}

# Runs a command that must fail and whose messages must contain the first argument.
refuses() {
  local wanted=$1 output
  shift
  if output=$("$@" 2>&1); then
    fail "accepted: $*"
  fi
  [[ $output == *"$wanted"* ]] || fail "\"$*\" said \"$output\" and not \"$wanted\""
  echo "refused: $output"
}
