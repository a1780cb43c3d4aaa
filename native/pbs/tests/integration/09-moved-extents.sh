#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'a file whose extents were exchanged is not read from blocks that its data is not in yet'

command -v python3 >/dev/null || unavailable 'the program: python3'

# The whole file system holds what another file has left, so that any block that is given out holds it.
make_loop 64M
mkfs.ext4 -q -E nodiscard "$LOOP"
mount_device "$LOOP" -o nodiscard
yes 'left by a deleted file' | dd of="$MOUNT/deleted" bs=1M iflag=fullblock status=none 2>/dev/null || true
sync "$MOUNT/deleted"
rm "$MOUNT/deleted"
sync -f "$MOUNT"
start_helper --allow-uid 0
python3 "$(dirname "$0")/moved_extents.py" "$SOCKET" "$MOUNT" 'left by a deleted file'
