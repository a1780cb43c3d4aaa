#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# In a mount namespace of its own, where another file takes the place of /proc/meminfo.
if [[ $EUID -eq 0 && -z ${VHDD_UNSHARED:-} ]]; then
  VHDD_UNSHARED=1 exec unshare --mount --propagation private "$0" "$@"
fi
. "$(dirname "$0")/lib.sh" 'a disk that memory cannot hold is refused, and writes fail when memory is short'

readonly MIB=1048576
MEMINFO=$(mktemp)

# Says that so many of 1024 MiB are available; 64 of these are kept.
available() {
  printf 'MemTotal: %d kB\nMemAvailable: %d kB\n' $((1024 * 1024)) $(($1 * 1024)) >"$MEMINFO"
}

write() {
  dd if=/dev/urandom of="$device" bs=1M oflag=direct conv=notrunc status=none "$@"
}

available 512
mount --bind "$MEMINFO" /proc/meminfo
refuses "size_bytes=$((449 * MIB)) (449.0 MiB): the data of a disk is kept in memory, of which 512.0 MiB is available; allowed is up to 448.0 MiB" \
  "$VHDD" create x --size 449M
device=$(create x --size 448M)
"$VHDD" destroy x
device=$(create x --size 1G --sparse)
"$VHDD" load x on
write count=32
sum=$(dd if="$device" bs=1M count=32 iflag=direct status=none | sha256sum)

available 70
refuses 'No space left on device' write seek=32 count=32
grep -q 'memory is short' "$VHDD_RUN_DIR/x/log" || fail 'the log does not say why'
# What has its memory can be read and written.
[[ $(dd if="$device" bs=1M count=32 iflag=direct status=none | sha256sum) == "$sum" ]] || fail 'other data'
write count=8
available 512
write seek=32 count=32
"$VHDD" destroy --force x
umount /proc/meminfo
rm "$MEMINFO"
