#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz target and runs it: fuzz.sh CLANG PROGRAM SECONDS ARGUMENTS-OF-CLANG...
set -euo pipefail

clang=$1 program=$2 seconds=$3
shift 3
echo 'fuzz: whatever FIEMAP, sense data, logs and mode pages say, nothing is read out of bounds'

if [[ $clang == *-NOTFOUND ]] || ! "$clang" -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null <<'C'; then
int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size) { return data[0] && size; }
C
  echo 'needs libFuzzer: clang with it (libclang-rt-dev)'
  [[ ${CI:-} != true ]] || exit 1
  exit 77
fi
"$clang" -std=gnu11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined \
  -fno-sanitize-recover=all -o "$program" "$@"
artifacts=$(mktemp -d)
trap 'rm -rf "$artifacts"' EXIT
if ! "$program" -max_total_time="$seconds" -max_len=4096 -print_final_stats=1 \
  -artifact_prefix="$artifacts/" 2>"$artifacts/log"; then
  cat "$artifacts/log"
  exit 1
fi
grep -E '^stat::(number_of_executed_units|peak_rss_mb)|^Done' "$artifacts/log"
