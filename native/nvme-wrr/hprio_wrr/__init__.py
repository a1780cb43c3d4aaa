# SPDX-License-Identifier: Apache-2.0
"""Makes the source of the module nvme with weighted round robin from the distribution's own."""


class Refused(Exception):
    """No module is made; the message says why, and what to do."""
