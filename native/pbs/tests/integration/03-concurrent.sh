#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" '10 000 random reads beside append, truncate and delete: every byte is right'

systems=(ext4)
if command -v mkfs.xfs >/dev/null && grep -qw xfs /proc/filesystems; then
  systems+=(xfs)
fi
for system in "${systems[@]}"; do
  mount_new "$system"
  for engine in direct ncq; do
    echo "$system, $engine:"
    "$CONCURRENT_READS" "$MOUNT" 10000 "$engine"
  done
done
start_helper --allow-uid 0
echo "${systems[-1]}, ncq through the helper:"
"$CONCURRENT_READS" "$MOUNT" 10000 ncq "$SOCKET"
