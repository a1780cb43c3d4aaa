#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'a partition that a helper serves stays where it is, and may grow'
require addpart delpart resizepart resize2fs

SECTORS_PER_MIB=2048

make_loop 128M --partscan
addpart "$LOOP" 1 "$SECTORS_PER_MIB" $((16 * SECTORS_PER_MIB))
mkfs.ext4 -q -b 4096 "${LOOP}p1"
mount_device "${LOOP}p1"
head -c 1000000 /dev/urandom >"$MOUNT/file"
start_helper --allow-uid 0
through_helper() {
  "$PBS_ON_LOOP" read --access helper --helper "$SOCKET" --json --compare --drop-cache "$@"
}
says ncq .way through_helper "$MOUNT/file"

# It grows, and has blocks where there were none. (Not while it is mounted: that takes CAP_SYS_RESOURCE.)
unmount_last
resizepart "$LOOP" 1 $((64 * SECTORS_PER_MIB))
resize2fs -f "${LOOP}p1" 2>/dev/null >"$WORK/resize2fs"
mount_device "${LOOP}p1"
head -c 30000000 /dev/urandom >"$MOUNT/large"
says ncq .way through_helper "$MOUNT/large"

# With another partition in its place, the helper would read that one's blocks from where the first one was.
unmount_last
refuses 'busy' delpart "$LOOP" 1
stop_helper
delpart "$LOOP" 1
