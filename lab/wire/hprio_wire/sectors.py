# SPDX-License-Identifier: Apache-2.0
"""What a request reads, in units of 512 bytes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sectors:
    lba: int
    sectors: int

    @property
    def end(self):
        """The first sector after it."""
        return self.lba + self.sectors

    def overlaps(self, lba, end):
        return self.lba < end and lba < self.end
