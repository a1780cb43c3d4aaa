#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'a volume that cannot be opened, or hangs, keeps the helper from no other one'

# What a process waits for that opens this volume, until somebody writes to it.
HANGING=$WORK/hanging
mkfifo "$HANGING"
mount_new ext4
head -c 100000 /dev/urandom >"$MOUNT/file"
sync "$MOUNT/file"
# It comes later.
make_loop 64M
mkfs.ext4 -q -b 4096 "$LOOP"
LATE=$WORK/late/dfs

start_helper --allow-uid 0 "$HANGING" "$LATE"
through_helper() {
  "$PBS_ON_LOOP" read --access helper --helper "$SOCKET" --json --compare --drop-cache "$@"
}
says ncq .way through_helper "$MOUNT/file"

mkdir "$WORK/late"
mount "$LOOP" "$WORK/late"
MOUNTED=("$WORK/late" "${MOUNTED[@]}")
mkdir "$LATE"
head -c 100000 /dev/urandom >"$LATE/file"
sync "$LATE/file"
await_served "$LATE"
says ncq .way through_helper "$LATE/file"
says ncq .way through_helper "$MOUNT/file"

# The processes that still try end with it, also when it is killed.
openers=$(pgrep -P "$HELPER") || fail 'nobody tries'
kill -KILL "$HELPER"
wait "$HELPER" || true
HELPER=
: >"$HANGING"
for ((i = 0; i < 600; i++)); do
  # shellcheck disable=SC2086
  ps -p ${openers//$'\n'/,} >/dev/null || break
  sleep 0.1
done
((i < 600)) || fail "still there: $openers"
