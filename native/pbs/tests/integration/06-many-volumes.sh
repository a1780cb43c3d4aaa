#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" '16 busy volumes: every read is done by the helper, and idle connections are closed'

VOLUMES=16
# More in all than a helper of 256 connections could serve with one for each.
READERS=24

mounts=()
files=()
for ((i = 0; i < VOLUMES; i++)); do
  make_loop 16M
  mkfs.ext4 -q -b 4096 "$LOOP"
  mount_device "$LOOP"
  head -c 65536 /dev/urandom >"$MOUNT/file"
  sync "$MOUNT/file"
  mounts+=("$MOUNT")
  files+=("$MOUNT/file")
done
# Its disks take so long that all readers are there at the same time.
PBS_TEST_NORMAL_MS=100 start_helper --allow-uid 0 "${mounts[@]:0:VOLUMES-1}"
for mount in "${mounts[@]}"; do
  await_served "$mount"
done
"$MANY_VOLUMES" "$SOCKET" "$READERS" "${files[@]}"
