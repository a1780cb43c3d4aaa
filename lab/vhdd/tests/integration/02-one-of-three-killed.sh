#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'kill -9 of one of three daemons: the others go on, nothing is stuck'

no_jobs() {
  [[ -z $(jobs -rp) ]]
}

readonly MIB=342 # 1 GiB on three disks
declare -A device sum

for name in a b c; do
  device[$name]=$(create "$name" --size 2G)
  "$VHDD" load "$name" on
  mkfs.ext4 -q "${device[$name]}"
  mkdir "$MOUNTS/$name"
  mount "${device[$name]}" "$MOUNTS/$name"
done
for name in a b c; do
  head -c "${MIB}M" /dev/urandom >"$MOUNTS/$name/file"
  sync -f "$MOUNTS/$name/file"
  sum[$name]=$(sha256sum <"$MOUNTS/$name/file")
done

# With a reader and a writer that wait for the disk at that moment.
"$VHDD" load b off
dd if="${device[b]}" of=/dev/null bs=64k iflag=direct 2>/dev/null &
dd if=/dev/zero of="$MOUNTS/b/more" bs=1M count=64 oflag=direct 2>/dev/null &
sleep 0.5
kill -KILL "$(daemon_of b)"
eventually no_jobs

[[ $("$VHDD" list --json | jq -r '.[] | select(.name == "b").state') == dead ]] ||
  fail "$("$VHDD" list)"
refuses 'daemon does not run' "$VHDD" stats b
eventually grep -q 'watchdog: the daemon has ended' "$VHDD_RUN_DIR/b/log"
ends ls "$MOUNTS/b"
ends umount "$MOUNTS/b"
ends "$VHDD" destroy b

for name in a c; do
  umount "$MOUNTS/$name"
  mount "${device[$name]}" "$MOUNTS/$name"
  [[ $(sha256sum <"$MOUNTS/$name/file") == "${sum[$name]}" ]] || fail "$name lost data"
  "$VHDD" destroy --force "$name"
done
[[ $("$VHDD" list --json) == '[]' ]] || fail "$("$VHDD" list)"
assert_clean
