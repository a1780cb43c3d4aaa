#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'what a duration limit ends fails with ETIME, alone, and is counted'

# Prints the message of one read at real-time priority, which has descriptor 1; nothing if it succeeds.
read_limited() {
  LC_ALL=C ionice -c 1 dd of=/dev/null bs=128k count=1 "$@" 2>&1 | grep error || true
}

# A number of descriptor 1.
counted() {
  "$VHDD" stats limits --json | jq ".duration_limits[] | select(.descriptor == 1) | .$1"
}

expect() {
  [[ $(counted "$1") == "$2" ]] || fail "$1 is $(counted "$1"), not $2"
}

device=$(create limits --size 1G --read-ahead 0 cdl_rt_hint=1)
"$VHDD" load limits on
mkfs.ext4 -q "$device"
mkdir "$MOUNTS/limits"
mount "$device" "$MOUNTS/limits"
file=$MOUNTS/limits/file
head -c 4M /dev/urandom >"$file"
umount "$MOUNTS/limits"
mount "$device" "$MOUNTS/limits"
"$VHDD" load limits off
# Also brings what is needed to find the file's blocks into memory.
dd if="$file" of=/dev/null bs=128k count=1 iflag=direct 2>/dev/null

# No read takes so little time; one without a descriptor does not mind.
"$VHDD" set limits mode=cdl cdl1_active_ns=1us cdl1_active_policy=complete-unavailable
"$VHDD" stats limits --reset >/dev/null
[[ $(read_limited if="$file" skip=8 iflag=direct) == *'Timer expired'* ]] || fail 'direct: no ETIME'
expect commands 1
expect active_exceeded 1
expect unavailable 1
[[ $(read_limited if="$file" skip=16) == *'Input/output error'* ]] || fail 'buffered: no EIO'
dd if="$file" of=/dev/null bs=128k count=1 skip=8 iflag=direct 2>/dev/null
"$VHDD" stats limits | grep -q '^duration limits 1: .* ended without data$' || fail 'not in the text'

# With the other policy the limit is only counted.
"$VHDD" set limits cdl1_active_policy=complete-earliest
"$VHDD" stats limits --reset >/dev/null
[[ -z $(read_limited if="$file" skip=24 iflag=direct) ]] || fail 'ended in spite of its policy'
expect active_exceeded 1
expect unavailable 0
umount "$MOUNTS/limits"

# A limit of the wait ends some of the reads that queue behind others, and none of the others.
"$VHDD" set limits cdl1_active_ns=0 cdl1_guideline_ns=0 cdl1_inactive_ns=10ms \
  cdl1_inactive_policy=complete-unavailable
"$VHDD" stats limits --reset >/dev/null
unlimited_reads() {
  local i
  for ((i = 0; i < 60; i++)); do
    dd if="$device" of=/dev/null bs=128k count=1 skip=$((RANDOM % 8000)) iflag=direct 2>/dev/null
  done
}
jobs=()
for ((i = 0; i < 4; i++)); do
  unlimited_reads &
  jobs+=($!)
done
ended=0
for ((i = 0; i < 60; i++)); do
  case $(read_limited if="$device" skip=$((RANDOM % 8000)) iflag=direct) in
    '') ;;
    *'Timer expired'*) ended=$((ended + 1)) ;;
    *) fail 'another error than ETIME' ;;
  esac
done
for job in "${jobs[@]}"; do
  wait "$job" || fail 'a read without a limit failed'
done
((ended > 0)) || fail 'no limit ended a read'
expect commands 60
expect unavailable "$ended"
expect inactive_exceeded "$ended"
expect met $((60 - ended))
[[ $("$VHDD" stats limits --json | jq .failed) == 0 ]] || fail 'counted as failures'
echo "$ended of 60 reads ended"
