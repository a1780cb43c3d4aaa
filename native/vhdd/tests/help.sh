#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bin/hprio answers "vhdd --help" before anything is built, from a text that must be the program's own.
set -euo pipefail
diff -u "$(dirname "$0")/../../../bin/lib/help/hprio/vhdd.txt" <("$1" --help)
