#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'a helper without descriptors refuses clients, and waits without using a processor'
require python3

FEW=64
CLIENTS=40
# So many that it has fewer than it reckons with, as when the system has none.
INHERITED=45

mount_new ext4
head -c 100000 /dev/urandom >"$MOUNT/file"
sync "$MOUNT/file"
through_helper() {
  "$PBS_ON_LOOP" read --access helper --helper "$SOCKET" --json --compare --drop-cache "$MOUNT/file"
}
cat >"$WORK/with-few" <<END
#!/usr/bin/env bash
ulimit -n $FEW
for ((i = 0; i < \${INHERITED:-0}; i++)); do
  exec {descriptor}</dev/null
done
exec "$PBSD_ON_LOOP" "\$@"
END
chmod 755 "$WORK/with-few"
PBSD_ON_LOOP=$WORK/with-few

# Each of many clients is served or gets the reason.
start_helper --allow-uid 0
python3 "$(dirname "$0")/many_clients.py" "$SOCKET" "$MOUNT/file" "$CLIENTS"
says ncq .way through_helper
stop_helper

INHERITED=$INHERITED start_helper --allow-uid 0
exec {clients}< <(exec python3 "$(dirname "$0")/many_clients.py" --hold "$SOCKET" "$CLIENTS")
CLIENT=$!
read -r -u "$clients"
ticks() {
  awk '{ print $14 + $15 }' "/proc/$HELPER/stat"
}
before=$(ticks)
sleep 2
used=$(($(ticks) - before))
echo "ticks of a processor in 2 s: $used"
((used < $(getconf CLK_TCK) / 4)) || fail "$used ticks"
kill "$CLIENT"
await_served "$MOUNT"
says ncq .way through_helper
