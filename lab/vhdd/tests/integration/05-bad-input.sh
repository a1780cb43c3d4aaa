#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/lib.sh" 'bad input gets an error that names it, and changes nothing'

refuses 'unknown command "mak"' "$VHDD" mak
refuses "NAME is missing" "$VHDD" create
refuses 'bad name "../x"' "$VHDD" create ../x
refuses 'bad name ""' "$VHDD" create ''
refuses 'size_bytes' "$VHDD" create x --size much
refuses 'size_bytes' "$VHDD" create x --size 0
refuses '--preset=floppy: allowed is' "$VHDD" create x --preset floppy
refuses '--read-ahead=-1: allowed is old (128), new (8192)' "$VHDD" create x --read-ahead -1
refuses '--read-ahead=65537' "$VHDD" create x --read-ahead 65537
refuses '--read-ahead=8M' "$VHDD" create x --read-ahead 8M
refuses 'colour' "$VHDD" create x colour=red
refuses 'mode' "$VHDD" create x mode=fast
refuses 'scheduler "fastest"' "$VHDD" create x --size 256M --scheduler fastest
refuses 'must be an absolute path' "$VHDD" create x --size 256M --run-dir here
refuses 'there is no disk "x"' "$VHDD" stats x
refuses 'there is no disk "x"' "$VHDD" set x mode=prio
refuses 'there is no disk "x"' "$VHDD" load x on
refuses 'there is no disk "x"' "$VHDD" abort x
[[ $("$VHDD" list --json) == '[]' ]] || fail 'something was made'
assert_clean

create x --size 256M mode=cdl >/dev/null
refuses 'the disk exists already' "$VHDD" create x --size 256M
refuses 'expected NAME KEY=VALUE' "$VHDD" set x
refuses 'expected key=value' "$VHDD" set x mode
refuses 'colour' "$VHDD" set x mode=prio colour=red
refuses 'cannot change while' "$VHDD" set x mode=prio rpm=5400
refuses 'all other queued commands' "$VHDD" set x cdl1_guideline_policy=abort
refuses 'timed=2: allowed is' "$VHDD" set x timed=2
refuses 'regions=65: allowed is' "$VHDD" set x regions=65
refuses '"maybe": allowed is on or off' "$VHDD" load x maybe
[[ $("$VHDD" stats x --json | jq -r .parameters.mode) == cdl ]] || fail 'half of a set was done'
refuses 'no request was answered' "$VHDD" stats x --gate
# A control client that talks nonsense does not disturb the daemon.
if command -v python3 >/dev/null; then
  python3 - "$VHDD_RUN_DIR/x/control" <<'PY'
import socket, sys
for text in b"nonsense\n", b"[]\n", b"{}\n", b'{"operation":"set","assignments":[1]}\n', b"\0" * 99999:
    client = socket.socket(socket.AF_UNIX)
    client.connect(sys.argv[1])
    try:
        client.sendall(text)
        if len(text) < 9999:
            assert b'"ok":false' in client.recv(9999).replace(b" ", b""), text
    except (BrokenPipeError, ConnectionResetError):
        assert len(text) > 9999, text
PY
fi
"$VHDD" stats x >/dev/null
