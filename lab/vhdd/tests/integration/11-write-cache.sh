#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'with a write cache writes are answered early, and an fsync waits until they are on the medium'

write_cache_of() {
  cat "/sys/block/$(basename "$1")/queue/write_cache"
}

# Random writes of 4 KiB one after the other, and then one fsync.
write_randomly() {
  local i
  for ((i = 0; i < 200; i++)); do
    dd if=/dev/zero of="$1" bs=4k count=1 seek=$((RANDOM * 7)) oflag=direct conv=notrunc 2>/dev/null
  done
  dd if=/dev/zero of="$1" bs=4k count=1 oflag=direct conv=notrunc,fsync 2>/dev/null
}

refuses 'write_cache_bytes=2GiB: allowed is a size in bytes from 0 to 1GiB' \
  "$VHDD" create cached --size 1G write_cache_bytes=2GiB

device=$(create through --size 1G write_cache_bytes=0)
[[ $(write_cache_of "$device") == 'write through' ]] || fail "$(write_cache_of "$device")"
"$VHDD" stats through --reset >/dev/null
write_randomly "$device"
stats=$("$VHDD" stats through --json)
jq -e '[.classes[] | select(.operation == "write") | .latency_ms.p50][0] > 2' <<<"$stats" >/dev/null ||
  fail "too fast without a cache: $stats"
jq -e '.write_cache | .destages == 0 and .flushes == 0' <<<"$stats" >/dev/null || fail "$stats"
"$VHDD" destroy through

# It is on unless it is said otherwise.
device=$(create cached --size 1G)
[[ $(write_cache_of "$device") == 'write back' ]] || fail "$(write_cache_of "$device")"
refuses 'write_cache_bytes cannot change while the disk is in use' "$VHDD" set cached write_cache_bytes=0
"$VHDD" stats cached --reset >/dev/null
write_randomly "$device"
stats=$("$VHDD" stats cached --json)
jq -e '[.classes[] | select(.operation == "write") | .latency_ms.p50][0] < 2' <<<"$stats" >/dev/null ||
  fail "too slow with a cache: $stats"
jq -e '.write_cache | .flushes > 0 and .dirty_bytes == 0 and .destaged_bytes >= 150 * 4096' <<<"$stats" \
  >/dev/null || fail "the fsync wrote nothing out: $stats"
jq -e '.priorities.missing == 0 and .priorities.wrong == 0' <<<"$stats" >/dev/null || fail "$stats"

# The journal's commits are flushes, and what is written comes back.
mkfs.ext4 -q "$device"
mkdir "$MOUNTS/cached"
mount "$device" "$MOUNTS/cached"
head -c 16M /dev/urandom >"$MOUNTS/cached/file"
sum=$(sha256sum <"$MOUNTS/cached/file")
before=$("$VHDD" stats cached --json | jq .write_cache.flushes)
sync "$MOUNTS/cached/file"
(($("$VHDD" stats cached --json | jq .write_cache.flushes) > before)) || fail 'a sync without a flush'
umount "$MOUNTS/cached"
mount "$device" "$MOUNTS/cached"
[[ $(sha256sum <"$MOUNTS/cached/file") == "$sum" ]] || fail 'other data came back'
"$VHDD" stats cached
"$VHDD" destroy --force cached
assert_clean
