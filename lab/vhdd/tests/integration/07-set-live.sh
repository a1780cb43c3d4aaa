#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'a disk in use takes new settings; delays go off and on under load'

device=$(create live --size 1G)
dd if="$device" of=/dev/null bs=64k iflag=direct 2>/dev/null &
reader=$!
for mode in prio cdl ncq; do
  "$VHDD" set live "mode=$mode" age_weight=0.01
  [[ $("$VHDD" stats live --json | jq -r .parameters.mode) == "$mode" ]] || fail "not $mode"
done
[[ $("$VHDD" list --json | jq -r '.[0].mode') == ncq ]] || fail 'list says otherwise'

# Each switch with requests in the drive: none may be lost, or the reader waits for ever.
random_reads() {
  local i
  for ((i = 0; i < 300; i++)); do
    dd if="$device" of=/dev/null bs=128k count=1 skip=$((RANDOM % 8000)) iflag=direct 2>/dev/null
  done
}
random_reads &
random_reads &
for ((i = 0; i < 20; i++)); do
  "$VHDD" load live on
  sleep 0.02
  "$VHDD" load live off
  sleep 0.1
done
"$VHDD" load live on
ends tail --pid="$reader" -f /dev/null
for job in $(jobs -rp); do
  ends tail --pid="$job" -f /dev/null
done

# Delays are there again when they are on, and the counts say which it was.
"$VHDD" load live off
"$VHDD" stats live --reset >/dev/null
dd if="$device" of=/dev/null bs=128k count=1 skip=4000 iflag=direct 2>/dev/null
stats=$("$VHDD" stats live --reset --json)
jq -e '.timed and .not_timed == 0 and .priorities.missing == 0 and .queue_max == 1' <<<"$stats" \
  >/dev/null || fail "$stats"
jq -e '[.classes[] | select(.count > 0) | .service_ms] | min > 0.1' <<<"$stats" >/dev/null ||
  fail "too fast: $stats"
"$VHDD" load live on
dd if="$device" of=/dev/null bs=128k count=1 skip=1000 iflag=direct 2>/dev/null
stats=$("$VHDD" stats live --json)
jq -e '(.timed | not) and .not_timed > 0 and (.valid | not)' <<<"$stats" >/dev/null || fail "$stats"
