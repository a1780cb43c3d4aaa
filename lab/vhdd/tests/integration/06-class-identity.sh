#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'each request enters the drive in the class of the thread that issued it'

for scheduler in mq-deadline none bfq; do
  grep -qw "$scheduler" /sys/block/*/queue/scheduler || continue
  echo "scheduler $scheduler"
  device=$(create identity --size 1G --scheduler "$scheduler")
  "$VHDD" load identity on
  "$CLASS_IDENTITY" "$device" "$VHDD_RUN_DIR/identity/control"
  "$VHDD" destroy identity
done
