# What the integration tests share: source it with the title as the argument. A test gets from its
# caller the programs PBS (as shipped) and, where a loop device stands for a SATA disk, PBS_ON_LOOP,
# PBSD_ON_LOOP and CONCURRENT_READS. When it ends, however it ends, nothing is left mounted or running.
. "$(dirname "$0")/../../../common/testing.sh" "$1"

require fallocate

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

# Makes a loop device of $1 (a size) and sets LOOP to it.
make_loop() {
  local image
  image=$(mktemp "$WORK/image.XXXXXX")
  truncate -s "$1" "$image"
  LOOP=$(losetup --find --show "$image")
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

# Starts the helper for MOUNT with further arguments and waits until it serves at SOCKET.
start_helper() {
  local i
  SOCKET=$WORK/pbsd.sock
  "$PBSD_ON_LOOP" --socket "$SOCKET" "$@" "$MOUNT" &
  HELPER=$!
  for ((i = 0; i < 100; i++)); do
    if [[ $("$PBS_ON_LOOP" probe --access helper --helper "$SOCKET" --json "$MOUNT" |
      jq -r .access) == helper ]]; then
      return
    fi
    sleep 0.1
  done
  fail 'the helper does not listen'
}

stop_helper() {
  kill "$HELPER"
  wait "$HELPER" || fail 'its exit status'
  HELPER=
}

# The member $2 of the JSON that the other arguments print must be $1.
says() {
  local wanted=$1 member=$2 output
  shift 2
  output=$("$@") || true
  [[ $(jq -r "$member" <<<"$output") == "$wanted" ]] ||
    fail "\"$*\": $member is not $wanted: $output"
}
