#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'the watchdog aborts a daemon that hangs'

device=$(create hung --size 256M)
"$VHDD" load hung on
mkfs.ext4 -q "$device"
mkdir "$MOUNTS/hung"
mount "$device" "$MOUNTS/hung"
kill -STOP "$(daemon_of hung)"
[[ $("$VHDD" list --json | jq -r '.[0].state') == hung ]] || fail "$("$VHDD" list)"
refuses 'does not answer' "$VHDD" stats hung
ends umount "$MOUNTS/hung"
grep 'watchdog: the daemon hangs' "$VHDD_RUN_DIR/hung/log" || fail 'the watchdog says nothing'
ends "$VHDD" destroy hung
assert_clean

echo 'by hand, without the watchdog'
device=$(create hung --size 256M)
kill -KILL "$(cat "$VHDD_RUN_DIR/hung/watchdog.pid")"
kill -STOP "$(daemon_of hung)"
dd if="$device" of=/dev/null bs=64k count=1 iflag=direct 2>/dev/null &
reader=$!
sleep 0.5
kill -0 "$reader" || fail 'the reader does not wait'
"$VHDD" abort hung
ends tail --pid="$reader" -f /dev/null
ends "$VHDD" destroy hung
assert_clean
