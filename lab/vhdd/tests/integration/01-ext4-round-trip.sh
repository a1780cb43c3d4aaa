#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'data written through ext4 is read back; destroy removes the loop device'

device=$(create data --size 1G)
[[ $(blockdev --getsize64 "$device") -eq $((1 << 30)) ]] || fail 'wrong size'
for setting in 'scheduler: none [mq-deadline]' 'nr_requests: 64' 'max_sectors_kb: 1024' \
  'rotational: 1' 'write_cache: write back' 'wbt_lat_usec: 75000'; do
  [[ $(settings_of "$device") == *"$setting"* ]] || fail "not \"$setting\": $(settings_of "$device")"
done
jq -e '.queue | .write_cache == "write back" and .wbt_lat_usec == "75000"' \
  <<<"$("$VHDD" stats data --json)" >/dev/null || fail 'no queue in stats'

"$VHDD" load data on
mkfs.ext4 -q "$device"
mkdir "$MOUNTS/data"
mount "$device" "$MOUNTS/data"
head -c 64M /dev/urandom >"$MOUNTS/data/file"
sum=$(sha256sum <"$MOUNTS/data/file")
sync -f "$MOUNTS/data/file"
"$VHDD" load data off
# Otherwise what is read back would come from the page cache.
umount "$MOUNTS/data"
mount "$device" "$MOUNTS/data"
"$VHDD" stats data --reset >/dev/null
[[ $(sha256sum <"$MOUNTS/data/file") == "$sum" ]] || fail 'other data came back'
bytes=$("$VHDD" stats data --json | jq '[.classes[].bytes] | add')
((bytes >= 64 << 20)) || fail "only $bytes bytes were read from the disk"

# What is deleted and trimmed is given back to the system.
used=$("$VHDD" stats data --json | jq .memory_bytes)
rm "$MOUNTS/data/file"
sync -f "$MOUNTS/data"
fstrim "$MOUNTS/data"
left=$("$VHDD" stats data --json | jq .memory_bytes)
((left <= used - (60 << 20))) || fail "$used bytes were used, and $left after the trim"

refuses "mounted on $MOUNTS/data" "$VHDD" destroy data
umount "$MOUNTS/data"
"$VHDD" destroy data

# BFQ is left without the kernel's throttling.
if grep -qw bfq /sys/block/*/queue/scheduler; then
  device=$(create data --size 1G --scheduler bfq)
  [[ $(settings_of "$device") == *'wbt_lat_usec: 0'* ]] || fail "$(settings_of "$device")"
  "$VHDD" destroy data
fi
assert_clean
assert_removed "$device"
