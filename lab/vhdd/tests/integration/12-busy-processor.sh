#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'processors that are too busy to bring requests to the drive make the counts not valid'

readonly READ_S=4

# Keeps a processor for the first 50 ms of each fifth of a second, at the same time as the other hogs.
hog() {
  local now
  while :; do
    now=$((10#${EPOCHREALTIME#*.} % 200000))
    ((now < 50000)) || sleep "0.$(printf '%06d' $((200000 - now)))"
  done
}
export -f hog

# Real-time, as the drive is: only what brings requests from one to the other has to wait for the hogs.
measure() {
  "$VHDD" stats busy --reset >/dev/null
  chrt --fifo 2 "$VHDD" reads "$device" --depth 16 --ramp 0 --seconds "$READ_S" >/dev/null
  "$VHDD" stats busy --json
}

device=$(create busy --size 1G --scheduler none)
chrt --all-tasks --fifo --pid 2 "$(daemon_of busy)"
free=$(measure)

hogs=()
for ((i = 0; i < $(nproc); i++)); do
  timeout "$((READ_S + 1))" chrt --fifo 1 bash -c hog &
  hogs+=($!)
done
beside=$(measure)
kill "${hogs[@]}" 2>/dev/null || true
wait

for figures in "$free" "$beside"; do
  jq -c '{way_ms, late_arrival_ms, lateness_ms, reasons}' <<<"$figures"
done
jq -e 'any(.reasons[]; startswith("requests arrived late: p99 is"))' <<<"$beside" >/dev/null ||
  fail 'that requests arrived late is no reason'
"$VHDD" destroy busy
