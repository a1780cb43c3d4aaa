#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bin/hprio answers "vhdd --help" and "vhdd COMMAND --help" before anything is built, from the texts in bin/lib/help.
# They must be the program's own:
#   help.sh VHDD           compares them
#   help.sh VHDD --write   writes them
set -euo pipefail

vhdd=$1
texts=$(cd "$(dirname "$0")/../../../bin/lib/help/hprio" && pwd)
if [[ ${2:-} == --write ]]; then
  rm -rf "$texts/vhdd"
  mkdir "$texts/vhdd"
fi

# One text: its place below hprio, and the program's arguments.
check() {
  local text=$texts/$1.txt
  shift
  if [[ ${write:-} ]]; then
    "$vhdd" "$@" --help >"$text"
  elif ! diff -u "$text" <("$vhdd" "$@" --help); then
    echo "FAILED: $text is not what \"vhdd $* --help\" prints; write it with help.sh VHDD --write"
    exit 1
  fi
}

write=${2:-}
check vhdd
commands=$("$vhdd" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p')
[[ $commands ]]
for command in $commands; do
  check "vhdd/$command" "$command"
done
[[ $(cd "$texts/vhdd" && printf '%s\n' * | sort) == "$(printf '%s.txt\n' $commands | sort)" ]] || {
  echo "FAILED: $texts/vhdd has texts of other commands"
  exit 1
}
