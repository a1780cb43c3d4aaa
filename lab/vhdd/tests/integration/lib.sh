# SPDX-License-Identifier: Apache-2.0
# What the integration tests share: source it with the title as the argument. A test gets
# VHDD (the program) from its caller, and a run directory of its own; when it ends, however it ends,
# its disks are destroyed.
. "$(dirname "$0")/../../../../native/common/testing.sh" "$1"

# Long enough for the watchdog, which aborts after 10 s, and to tell "slow" from "stuck".
readonly STUCK_S=20

require
[[ -c /dev/fuse ]] || unavailable 'the file: /dev/fuse'
[[ -r /sys/kernel/btf/vmlinux ]] || unavailable 'the file: /sys/kernel/btf/vmlinux (a kernel with BTF)'

VHDD_RUN_DIR=$(mktemp -d)
export VHDD_RUN_DIR
MOUNTS=$(mktemp -d)

clean_up() {
  local status=$? name
  for name in $("$VHDD" list --json | jq -r '.[].name'); do
    if [[ $status -ne 0 ]]; then
      echo "--- log of $name"
      cat "$VHDD_RUN_DIR/$name/log" || true
    fi
    "$VHDD" destroy --force "$name" || status=1
  done
  rmdir "$MOUNTS"/* "$MOUNTS" "$VHDD_RUN_DIR" 2>/dev/null || true
  exit "$status"
}
trap clean_up EXIT

# Makes a disk and prints its device.
create() {
  "$VHDD" create "$@" --json | jq -er .device
}

# Runs a command that may fail but must end soon.
ends() {
  local status=0
  timeout --signal=KILL "$STUCK_S" "$@" || status=$?
  [[ $status -ne 137 ]] || fail "still runs after $STUCK_S s: $*"
}

daemon_of() {
  cat "$VHDD_RUN_DIR/$1/daemon.pid"
}

# Waits until a command succeeds.
eventually() {
  local i
  for ((i = 0; i < STUCK_S * 10; i++)); do
    if "$@"; then
      return
    fi
    sleep 0.1
  done
  fail "not within $STUCK_S s: $*"
}

# A block device's settings.
settings_of() {
  local file
  for file in scheduler nr_requests rotational write_cache max_sectors_kb read_ahead_kb \
    add_random wbt_lat_usec; do
    echo "$file: $(cat "/sys/block/$(basename "$1")/queue/$file" 2>/dev/null || true)"
  done
}

# The loop device is the disk's own and goes with it.
assert_removed() {
  [[ ! -e $1 && ! -e /sys/block/$(basename "$1") ]] || fail "$1 is still there"
}

# What is attached or mounted by this test; a loop device of a filesystem that is gone says "/disk".
leftovers() {
  losetup -a | grep -F -e "$VHDD_RUN_DIR" -e '(/disk)' || true
  grep -F -e "$VHDD_RUN_DIR" -e "$MOUNTS" /proc/self/mountinfo || true
}

assert_clean() {
  local left
  left=$(leftovers)
  [[ -z $left ]] || fail "left behind: $left"
}
