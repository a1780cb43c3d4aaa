#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'probe tells why a volume is refused; reads there are right all the same'

# The reason must contain $1, and a read by either engine must give the bytes of pread.
probe_and_read() {
  local wanted=$1 file=$2/file engine refused
  head -c 300001 /dev/urandom >"$file"
  refused=$("$PBS" probe "$file" --json | jq -r .ncq.refused)
  [[ $refused == *"$wanted"* ]] || fail "refused with \"$refused\" and not \"$wanted\""
  echo "refused: $refused"
  for engine in ncq direct; do
    "$PBS" read --engine "$engine" --drop-cache --compare --offset 999 --length 123456 "$file"
  done
  says volume .reason "$PBS" read --json --drop-cache "$file"
}

mount_new ext4
probe_and_read 'is a loop device' "$MOUNT"

MOUNT=$(mktemp -d "$WORK/mount.XXXXXX")
mount -t tmpfs none "$MOUNT"
MOUNTED=("$MOUNT" "${MOUNTED[@]}")
head -c 5000 /dev/urandom >"$MOUNT/file"
says 'the file system is tmpfs; ncq reads ext4 and xfs' .ncq.refused "$PBS" probe --json "$MOUNT"
says 'tmpfs is in memory, there is no disk' .direct.refused "$PBS" probe --json "$MOUNT"
"$PBS" read --compare "$MOUNT/file"

if command -v dmsetup >/dev/null && [[ -e /dev/mapper/control ]]; then
  make_loop 64M
  name=pbs-test-$$
  if dmsetup create "$name" --table "0 131072 linear $LOOP 0"; then
    mkfs.ext4 -q "/dev/mapper/$name"
    mount_device "/dev/mapper/$name"
    probe_and_read 'made by the device mapper' "$MOUNT"
    unmount_last
    dmsetup remove "$name"
  fi
fi

refuses 'No such file' "$PBS" probe "$WORK/none"
refuses 'FILE is missing' "$PBS" read
refuses 'unknown command "mop"' "$PBS" mop
refuses '--level=urgent: allowed is normal, high' "$PBS" read --level urgent x
refuses '--ioprio=rt:8' "$PBS" read --ioprio rt:8 x
refuses '--in-flight=33' "$PBS" read --in-flight 33 x
refuses '--access=helper needs --helper' "$PBS" read --access helper x
