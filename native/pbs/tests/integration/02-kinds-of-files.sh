#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'each kind of file is read right; what is not in blocks is read plainly'

# Reads the file $3 with further arguments: the way must be $1, the reason $2, the bytes pread's.
reads() {
  local way=$1 reason=$2 file=$3 output
  shift 3
  output=$("$PBS_ON_LOOP" read --json --compare "$file" "$@") || fail "$file: $output"
  [[ $(jq -r '.way + " " + .reason' <<<"$output") == "$way $reason" ]] ||
    fail "$file $*: wanted $way $reason: $output"
}

check_files() {
  local at
  cd "$MOUNT"
  head -c 1000000 /dev/urandom >plain
  reads cache none plain
  reads ncq none plain --drop-cache
  reads ncq none plain --drop-cache --offset 12345 --length 54321
  reads ncq none plain --drop-cache --offset 999999 --length 100
  reads cache none plain --drop-cache --offset 1000000 --length 100
  # The last block is longer than the file.
  printf 'short' >tail
  reads ncq none tail --drop-cache
  # Data, a hole, data; and a hole at the end.
  truncate -s 500000 hole
  head -c 100000 /dev/urandom | dd of=hole conv=notrunc status=none
  head -c 5000 /dev/urandom | dd of=hole bs=1 seek=300001 conv=notrunc status=none
  reads ncq none hole --drop-cache
  reads ncq none hole --drop-cache --offset 150000 --length 100
  # Allocated and partly written.
  fallocate -l 500000 unwritten
  head -c 10000 /dev/urandom | dd of=unwritten bs=1000 seek=100 conv=notrunc status=none
  sync unwritten
  reads fallback unwritten unwritten --drop-cache
  # Dirty data, some of it in the cache only, among clean data that is not.
  head -c 400000 /dev/urandom >dirty
  sync dirty
  dd if=dirty of=/dev/null iflag=nocache count=0 status=none
  head -c 8192 /dev/urandom | dd of=dirty bs=4096 seek=10 conv=notrunc status=none
  if knows_dirty_pages; then
    reads fallback dirty dirty
    leaves_dirty_pages ncq "$PBS_ON_LOOP" read
  else
    reads ncq none dirty
  fi
  # Many pieces: written from the end, each in a place of its own.
  for ((at = 60; at >= 0; at--)); do
    head -c 8192 /dev/urandom | dd of=pieces bs=8192 seek=$((2 * at)) conv=notrunc,fsync status=none
  done
  reads ncq none pieces --drop-cache
  # Each piece has a line, which begins with its number.
  [[ $(filefrag -v pieces | grep -cE '^ *[0-9]+:') -gt 32 ]] || fail "few pieces: $(filefrag -v pieces)"
  # Deleted while it is open: the program opens it by the descriptor.
  head -c 200000 /dev/urandom >deleted
  sync deleted
  exec 7<deleted
  rm deleted
  reads ncq none /proc/self/fd/7 --drop-cache
  exec 7<&-
  # A normal read of a drive that is busy with others is sent again as high.
  PBS_TEST_NORMAL_MS=400 reads ncq none plain --drop-cache --level normal --raise-after 20
  says true .raised env PBS_TEST_NORMAL_MS=400 "$PBS_ON_LOOP" read --json --drop-cache \
    --level normal --raise-after 20 plain
  says false .raised "$PBS_ON_LOOP" read --json --drop-cache --level high --raise-after 20 plain
  PBS_TEST_NORMAL_MS=400 reads fallback timeout plain --drop-cache --level normal --raise-after 0 \
    --timeout 20
  cd "$WORK"
}

mount_new ext4
check_files
if command -v mkfs.xfs >/dev/null && grep -qw xfs /proc/filesystems; then
  mount_new xfs
  check_files
fi

# ext4 that gives a file blocks before the data is on them (ext4_mount.h).
make_loop 64M
mkfs.ext4 -q -O '^extent,^64bit,^metadata_csum' "$LOOP"
mount_device "$LOOP"
head -c 65536 /dev/urandom >"$MOUNT/indirect"
reads fallback file "$MOUNT/indirect" --drop-cache
unmount_last
# With smaller blocks, older kernels mount with dioread_lock.
mkfs.ext4 -q -F -b 4096 "$LOOP"
for option in nodelalloc dioread_lock; do
  mount_device "$LOOP" -o "$option"
  head -c 65536 /dev/urandom >"$MOUNT/early"
  reads fallback volume "$MOUNT/early" --drop-cache
  unmount_last
done
# Mounted with other options while the helper runs: it looks again for each read.
mount_device "$LOOP"
head -c 65536 /dev/urandom >"$MOUNT/remounted"
start_helper --allow-uid 0
reads ncq none "$MOUNT/remounted" --drop-cache --access helper --helper "$SOCKET"
mount -o remount,dioread_lock "$MOUNT"
reads fallback volume "$MOUNT/remounted" --drop-cache --access helper --helper "$SOCKET"
stop_helper
unmount_last

# ext4 with data in the inode, and data in the journal.
make_loop 64M
mkfs.ext4 -q -O inline_data -I 256 "$LOOP"
mount_device "$LOOP"
printf 'small' >"$MOUNT/inline"
reads fallback file "$MOUNT/inline" --drop-cache
head -c 50000 /dev/urandom >"$MOUNT/journalled"
chattr +j "$MOUNT/journalled" 2>/dev/null &&
  reads fallback file "$MOUNT/journalled" --drop-cache
mount -o remount,data=journal "$LOOP" "$MOUNT" 2>/dev/null || {
  umount "$MOUNT"
  mount -o data=journal "$LOOP" "$MOUNT"
}
reads fallback volume "$MOUNT/journalled" --drop-cache
unmount_last
# The same by the file system's own default, which the list of mounts does not show.
mkfs.ext4 -q -F "$LOOP"
tune2fs -o journal_data "$LOOP" >/dev/null
mount_device "$LOOP"
head -c 50000 /dev/urandom >"$MOUNT/journalled"
text=$("$PBS_ON_LOOP" read --json --drop-cache "$MOUNT/journalled" | jq -r .text)
[[ $text == *'mounted with data=journal'* ]] || fail "$text"
