#!/usr/bin/env bash
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
  assert_restored "$device"
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
assert_restored "$device"

echo 'after: a create that died on its way'
for delay in 0.005 0.01 0.02 0.03 0.04 0.05 0.06 0.08 0.1 0.12 0.14 0.16; do
  "$VHDD" create half --size 256M >/dev/null 2>&1 &
  sleep "$delay"
  kill -KILL $! 2>/dev/null || true
  wait $! 2>/dev/null || true
  ends "$VHDD" destroy half
  assert_clean
  assert_restored "$device"
done
