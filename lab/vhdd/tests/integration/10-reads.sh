#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'vhdd reads: each share of the reads enters the drive with its own hint'

device=$(create reads --size 1G --scheduler none)
"$VHDD" set reads mode=cdl cdl1_guideline_ns=30ms cdl2_guideline_ns=100ms
"$VHDD" stats reads --reset >/dev/null
reads=$("$VHDD" reads "$device" --depth 16 --share 0.2,be:4+1 --share 0.4,be:4+2 --ramp 0 \
  --seconds 5 --json)
stats=$("$VHDD" stats reads --json)
echo "$reads"
echo "$stats"

# What was still outstanding at the end is not among the reads; the drive has counted it.
expect() {
  jq -en --argjson reads "$reads" --argjson stats "$stats" "$1" >/dev/null || fail "not so: $1"
}
readonly DRIVE='[$stats.duration_limits[] | {(.descriptor | tostring): .commands}] | add'
expect '$reads.n > 300 and $stats.queue_max == 16'
expect '[$reads.classes[].n] | add == $reads.n'
expect '([$stats.classes[].count] | add) - $reads.n | . >= 0 and . <= 16'
for hint in 1 2; do
  expect "($DRIVE)[\"$hint\"] - \$reads.classes[\"be:4+$hint\"].n | . >= 0 and . <= 16"
done
# Five standard deviations of a share of 300 reads are 0.14.
expect '$reads.classes["be:4+1"].n / $reads.n | . > 0.06 and . < 0.34'
expect '$reads.classes["be:4+2"].n / $reads.n | . > 0.26 and . < 0.54'
# The shorter limit is the shorter wait.
expect '$reads.classes["be:4+1"].mean_ms < $reads.classes["be:4+2"].mean_ms'

refuse() {
  local status=0
  "$VHDD" reads "$@" || status=$?
  [[ $status -ne 0 ]] || fail "accepted: $*"
}
refuse
refuse "$device" --depth 0
refuse "$device" --share 0.6,be:4+1 --share 0.6,be:4+2
refuse "$device" --share 0.1,be:4+1 --share 0.1,be:4+1
refuse "$device" --share 0.1
refuse "$device" --share=-0.1,be:4+1
refuse "$device" --share nan,be:4+1
refuse "$device" --request-size 5000
refuse /dev/null
# A read that fails is a failure of the program.
"$VHDD" set reads cdl1_active_ns=1us cdl1_active_policy=complete-unavailable
refuse "$device" --share 1,be:4+1 --seconds 1
