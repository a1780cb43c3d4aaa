#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'destroy cleans up after each kind of death, and twice is no error'

"$VHDD" destroy never-there
[[ $("$VHDD" destroy never-there --json | jq -r .result) == 'not there' ]] || fail 'said otherwise'

death_of_daemon() { kill -KILL "$(daemon_of "$1")"; }
death_of_watchdog() { kill -KILL "$(cat "$VHDD_RUN_DIR/$1/watchdog.pid")"; }
death_of_both() { death_of_watchdog "$1" && death_of_daemon "$1"; }
orderly_end() { kill -TERM "$(daemon_of "$1")"; }
aborted() { "$VHDD" abort "$1"; }
loop_detached() { losetup -d "$2"; }
nothing() { :; }

for death in nothing death_of_daemon death_of_watchdog death_of_both orderly_end aborted \
  loop_detached; do
  echo "after: $death"
  device=$(create "$death" --size 256M)
  "$death" "$death" "$device"
  ends "$VHDD" destroy "$death"
  "$VHDD" destroy "$death"
  assert_clean
  [[ ! -e $VHDD_RUN_DIR/$death ]] || fail 'the state is still there'
  assert_removed "$device"
done

echo 'after: mounted, daemon killed, --force'
device=$(create mounted --size 256M)
"$VHDD" load mounted on
mkfs.ext4 -q "$device"
mkdir "$MOUNTS/mounted"
mount "$device" "$MOUNTS/mounted"
death_of_both mounted
ends "$VHDD" destroy --force mounted
assert_clean
assert_removed "$device"

echo 'after: a create that died on its way'
for delay in 0.005 0.01 0.02 0.03 0.04 0.05 0.06 0.08 0.1 0.12 0.14 0.16; do
  "$VHDD" create half --size 256M >/dev/null 2>&1 &
  sleep "$delay"
  kill -KILL $! 2>/dev/null || true
  wait $! 2>/dev/null || true
  loop=$(jq .loop "$VHDD_RUN_DIR/half/state.json" 2>/dev/null || echo none)
  ends "$VHDD" destroy half
  assert_clean
  assert_removed "/dev/loop$loop"
done

echo 'while somebody has the loop device open'
device=$(create open --size 256M)
exec 5<"$device"
refuses "$device is still open somewhere" "$VHDD" destroy --force open
exec 5<&-
ends "$VHDD" destroy open
assert_clean
assert_removed "$device"

if command -v python3 >/dev/null; then
  echo 'after: somebody else took the loop device'
  device=$(create taken --size 256M)
  losetup -d "$device"
  truncate -s 1M "$VHDD_RUN_DIR/file"
  losetup "$device" "$VHDD_RUN_DIR/file"
  "$VHDD" destroy taken
  [[ $(losetup -nO BACK-FILE "$device") == "$VHDD_RUN_DIR/file" ]] || fail 'it was taken away'
  losetup -d "$device"
  python3 -c 'import fcntl, sys; fcntl.ioctl(open("/dev/loop-control"), 0x4C81, int(sys.argv[1]))' \
    "${device#/dev/loop}"
  rm "$VHDD_RUN_DIR/file"
  assert_clean
fi
