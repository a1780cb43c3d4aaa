# SPDX-License-Identifier: Apache-2.0
# What the integration tests share: source it with the title as the argument. A test gets from its
# caller the programs PBS (as shipped) and, where a loop device stands for a SATA disk, PBS_ON_LOOP,
# PBSD_ON_LOOP, CONCURRENT_READS and MANY_VOLUMES. When it ends, however it ends, nothing is left mounted or running.
. "$(dirname "$0")/../../../common/testing.sh" "$1"

require fallocate filefrag

WORK=$(mktemp -d)
MOUNTED=()
LOOPS=()
HELPER=

clean_up() {
  local status=$? item
  cd /
  if [[ -n $HELPER ]]; then
    kill "$HELPER" 2>/dev/null || true
    wait "$HELPER" 2>/dev/null || true
  fi
  for item in "${MOUNTED[@]}"; do
    umount "$item" || status=1
  done
  for item in "${LOOPS[@]}"; do
    losetup -d "$item" || status=1
  done
  rm -rf "$WORK"
  exit "$status"
}
trap clean_up EXIT

# Makes a loop device of $1 (a size), with further arguments of losetup, and sets LOOP to it.
make_loop() {
  local image
  image=$(mktemp "$WORK/image.XXXXXX")
  truncate -s "$1" "$image"
  LOOP=$(losetup --find --show "${@:2}" "$image")
  LOOPS+=("$LOOP")
}

# Mounts the device $1, with further arguments of mount, and sets MOUNT to where.
mount_device() {
  MOUNT=$(mktemp -d "$WORK/mount.XXXXXX")
  mount "${@:2}" "$1" "$MOUNT"
  MOUNTED=("$MOUNT" "${MOUNTED[@]}")
}

# Unmounts what was mounted last.
unmount_last() {
  umount "${MOUNTED[0]}"
  MOUNTED=("${MOUNTED[@]:1}")
}

# Makes the file system $1 on a loop device and mounts it.
mount_new() {
  make_loop 512M
  case $1 in
    ext4) mkfs.ext4 -q "$LOOP" ;;
    xfs) mkfs.xfs -q "$LOOP" ;;
  esac
  mount_device "$LOOP"
}

# Starts the helper for MOUNT with further arguments and waits until it serves MOUNT at SOCKET.
start_helper() {
  SOCKET=$WORK/pbsd.sock
  "$PBSD_ON_LOOP" --socket "$SOCKET" --user 65534:65534 "$@" "$MOUNT" &
  HELPER=$!
  await_served "$MOUNT"
}

# Waits until the helper serves the volume $1.
await_served() {
  local i
  for ((i = 0; i < 600; i++)); do
    if [[ $("$PBS_ON_LOOP" probe --access helper --helper "$SOCKET" --json "$1" |
      jq -r .access) == helper ]]; then
      return
    fi
    sleep 0.1
  done
  fail "the helper does not serve $1"
}

stop_helper() {
  kill "$HELPER"
  wait "$HELPER" || fail 'its exit status'
  HELPER=
}

# Whether the kernel tells which pages are dirty: Linux 6.5 has cachestat(2).
knows_dirty_pages() {
  [[ $(printf '%s\n' 6.5 "$(uname -r)" | sort -V | head -n 1) == 6.5 ]]
}

# The command $@ FILE, which reads a clean part of a file, in the way $1, must not write what is dirty elsewhere in it.
leaves_dirty_pages() {
  local file=$MOUNT/elsewhere way=$1 try
  shift
  head -c 400000 /dev/urandom >"$file"
  # The kernel writes them by itself after 30 s, so one try is not enough on a machine that stalls.
  for ((try = 1; try <= 5; try++)); do
    sync "$file"
    dd if="$file" of=/dev/null iflag=nocache count=0 status=none
    head -c 8192 /dev/urandom | dd of="$file" bs=4096 seek=$((200 * try)) conv=notrunc status=none
    # Without the page of the file's former end, whose rest ext4 fills with zeros when the file grows.
    says "$way" .way "$@" --json --length 300000 "$file"
    if filefrag -v "$file" | grep -q delalloc; then
      return
    fi
  done
  fail "a read wrote pages that it did not read: $(filefrag -v "$file")"
}

# The member $2 of the JSON that the other arguments print must be $1.
says() {
  local wanted=$1 member=$2 output
  shift 2
  output=$("$@") || true
  [[ $(jq -r "$member" <<<"$output") == "$wanted" ]] ||
    fail "\"$*\": $member is not $wanted: $output"
}
