#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'the helper reads files for whom it may, and nothing else'

mount_new ext4
chmod 755 "$WORK" "$MOUNT"
head -c 3000000 /dev/urandom >"$MOUNT/file"
chmod 644 "$MOUNT/file"
sync "$MOUNT/file"
start_helper --allow-uid 0

through_helper() {
  "$PBS_ON_LOOP" read --access helper --helper "$SOCKET" --json --compare --drop-cache "$@"
}

says ncq .way through_helper "$MOUNT/file"
says true .equal through_helper "$MOUNT/file" --offset 100001 --length 2000003
says helper .access "$PBS_ON_LOOP" probe --access helper --helper "$SOCKET" --json "$MOUNT"

# The helper may not ask which pages are dirty, and has all of a file's written; its client asks for it.
if knows_dirty_pages; then
  leaves_dirty_pages fallback "$PBS_ON_LOOP" read --access helper --helper "$SOCKET"
fi

# Nothing is left of its rights.
status=$(cat "/proc/$HELPER/status")
[[ $(awk '$1 == "Uid:" { print $2, $3, $4 }' <<<"$status") == '65534 65534 65534' ]] || fail "$status"
for set in CapPrm CapEff CapInh CapAmb; do
  [[ $(awk -v "set=$set:" '$1 == set { print $2 }' <<<"$status") =~ ^0+$ ]] || fail "$set: $status"
done
[[ $(awk '$1 == "NoNewPrivs:" { print $2 }' <<<"$status") == 1 ]] || fail "$status"

# A file of another file system has other blocks.
head -c 10000 /dev/urandom >"$WORK/elsewhere"
says volume .reason through_helper "$WORK/elsewhere"

# Clients that lie: the helper closes or refuses, and lives on.
if command -v python3 >/dev/null; then
  python3 "$(dirname "$0")/bad_clients.py" "$SOCKET" "$MOUNT/file" "$WORK/elsewhere"
fi
says ncq .way through_helper "$MOUNT/file"

# Another user may not connect, nor is it served where it can. The kernel tells only a file's owner
# what of it is in the page cache.
chmod 666 "$SOCKET"
chown 1234 "$MOUNT/file"
if command -v setpriv >/dev/null; then
  as_other=(setpriv --reuid 1234 --regid 1234 --clear-groups "$PBS_ON_LOOP")
  for ((i = 0; i < 20; i++)); do
    refused=$("${as_other[@]}" probe --access helper --helper "$SOCKET" --json "$MOUNT" | jq -r .ncq.refused)
    [[ $refused == *'does not serve uid 1234'* ]] || fail "$refused"
  done
  "${as_other[@]}" read --access helper --helper "$SOCKET" --compare --drop-cache "$MOUNT/file"
fi

# The helper ends: reads are right all the same; and it may come back.
stop_helper
refused=$("$PBS_ON_LOOP" probe --access helper --helper "$SOCKET" --json "$MOUNT" | jq -r .ncq.refused)
[[ $refused == *'Connection refused'* ]] || fail "$refused"
says true .equal through_helper "$MOUNT/file"
# One volume that it cannot serve keeps it from none of the others.
start_helper --allow-uid 0 /dev/shm
says ncq .way through_helper "$MOUNT/file"

refuses '--socket is missing' "$PBSD_ON_LOOP" --allow-uid 0 "$MOUNT"
refuses '--allow-uid or --allow-gid is missing' "$PBSD_ON_LOOP" --socket x "$MOUNT"
refuses '--allow-uid=root' "$PBSD_ON_LOOP" --socket x --allow-uid root "$MOUNT"
refuses '--user=x' "$PBSD_ON_LOOP" --socket x --allow-uid 0 --user 12:x "$MOUNT"
refuses '--user=nobody-knows: no such user in /etc/passwd' \
  "$PBSD_ON_LOOP" --socket x --allow-uid 0 --user nobody-knows "$MOUNT"
# Nobody else's processes run as its user: without a user of its own it does not start.
if ! grep -q '^hprio-pbsd:' /etc/passwd; then
  refuses '--user=hprio-pbsd: no such user' "$PBSD_ON_LOOP" --socket "$WORK/x" --allow-uid 0 "$MOUNT"
fi
