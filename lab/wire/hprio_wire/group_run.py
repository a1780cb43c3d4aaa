# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of a group, and starts its guest again where that was lost."""

import dataclasses
import os
import subprocess

from . import Broken, GuestLost, Unavailable
from .cases import FAIL, SKIPPED, Failed, Result, run_case


def run_group(run, group, cases):
    """
    The results as they come. What the group lacks skips its cases; what breaks its preparation fails the rest.

    A guest that dies is started again and the case repeated, once: an emulated processor may fail, and then nothing is
    known of the case. A wrong result is never repeated.
    """
    left = list(cases)
    lost = None
    while left:
        prepared = False
        try:
            with group.prepare(run) as subject:
                prepared = True
                while left:
                    result = run_case(left[0], subject)
                    left.pop(0)
                    yield dataclasses.replace(result, lost=lost)
                    lost = None
        except GuestLost as loss:
            if loss.died and not lost:
                lost = loss
                continue
            reason = f"the guest was lost twice; now: {loss}" if lost else str(loss)
            failed = left[:1] if prepared else left
            left = left[len(failed) :]
            for case in failed:
                yield Result(case, FAIL, reason, 0.0, lost or loss)
            lost = None
        except Unavailable as reason:
            outcome = FAIL if os.environ.get("CI") == "true" else SKIPPED
            # bin/lib/needs.py knows these words.
            note = f"needs an emulated machine: {str(reason).removeprefix('needs ')}"
            yield from (Result(case, outcome, note, 0.0, lost) for case in left)
            return
        except (Failed, Broken, OSError, subprocess.CalledProcessError) as reason:
            yield from (Result(case, FAIL, f"no guest: {reason}", 0.0, lost) for case in left)
            return
