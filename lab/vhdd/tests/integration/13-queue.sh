#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'the queue is that of a SATA disk: requests, depth of writes, read-ahead'

# What the kernel gives a SATA disk that rotates, by its version.
default=128
if printf '6.17\n%s\n' "$(uname -r)" | sort --check=silent --version-sort; then
  default=8192
fi

# NAME, read-ahead that it must have, arguments of create.
expect_read_ahead() {
  local name=$1 wanted=$2 json device
  shift 2
  json=$("$VHDD" create "$name" --size 256M --json "$@")
  device=$(jq -er .device <<<"$json")
  [[ $(jq .read_ahead_kb <<<"$json") == "$wanted" ]] || fail "create says $json, not $wanted"
  [[ $(settings_of "$device") == *"read_ahead_kb: $wanted"$'\n'* ]] || fail "not $wanted: $(settings_of "$device")"
  [[ $("$VHDD" stats "$name" --json | jq -r .queue.read_ahead_kb) == "$wanted" ]] || fail "not $wanted in stats"
  "$VHDD" destroy "$name"
}

expect_read_ahead usual "$default"
expect_read_ahead old 128 --read-ahead old
expect_read_ahead new 8192 --read-ahead=new
expect_read_ahead given 0 --read-ahead 0
expect_read_ahead large 65536 --read-ahead 65536

# Twice the tags, and all or three quarters of them for writes that nobody waits for: so libata's disks have it.
device=$(create deadline --size 256M --scheduler mq-deadline)
queue=/sys/block/$(basename "$device")/queue
[[ $("$VHDD" stats deadline --json | jq -r .queue.nr_requests) == 64 ]] || fail "nr_requests: $(cat "$queue/nr_requests")"
depth=$(cat "$queue/async_depth" 2>/dev/null || cat "$queue/iosched/async_depth")
[[ $depth == 48 || $depth == 64 ]] || fail "async_depth is $depth"
"$VHDD" destroy deadline

# Without a scheduler a disk has its tags alone.
device=$(create none --size 256M --scheduler none)
[[ $(settings_of "$device") == *'nr_requests: 32'$'\n'* ]] || fail "$(settings_of "$device")"
"$VHDD" destroy none

if grep -qw bfq /sys/block/*/queue/scheduler; then
  device=$(create bfq --size 256M --scheduler bfq)
  [[ $(settings_of "$device") == *'nr_requests: 64'$'\n'* ]] || fail "$(settings_of "$device")"
  "$VHDD" destroy bfq
fi
assert_clean
