"""Random numbers by counter: Philox 4x64-10 (Salmon, Moraes, Dror and Shaw 2011).

The numbers of a path are those of numpy.random.Philox(key=[seed, path]). All blocks
of a path are computed together: they are the lanes of long integers, 128 bits each,
so that the product of a word of 64 bits stays within its lane.
"""
import struct

LANE = 128
WORD = 2**64 - 1
MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
STEPS = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
ROUNDS = 10


class Philox:
    """The numbers of all paths of a seed: count numbers in [0, 1) for each."""

    def __init__(self, seed, count):
        self.count = count
        self.blocks = -(-count // 4)
        self.ones = sum(1 << LANE * i for i in range(self.blocks))
        self.low = WORD * self.ones  # the lower word of each lane
        self.counters = sum((i + 1) << LANE * i for i in range(self.blocks))
        self.seeds = [((seed + r * STEPS[0]) & WORD) * self.ones for r in range(ROUNDS)]

    def uniforms(self, path):
        """Return the numbers of a path."""
        low, ones = self.low, self.ones
        m0, m1 = MULTIPLIERS
        key = path
        x0, x1, x2, x3 = self.counters, 0, 0, 0
        for seed in self.seeds:
            p0, p1 = m0 * x0, m1 * x2
            x0, x1, x2, x3 = (p1 >> 64) & low ^ x1 ^ seed, p1 & low, (p0 >> 64) & low ^ x3 ^ key * ones, p0 & low
            key = (key + STEPS[1]) & WORD
        words = [0] * (4 * self.blocks)
        layout = "<%dQ" % (2 * self.blocks)
        size = self.blocks * LANE // 8
        for at, pair in ((0, x0 | x1 << 64), (2, x2 | x3 << 64)):
            both = struct.unpack(layout, pair.to_bytes(size, "little"))
            words[at::4], words[at + 1::4] = both[::2], both[1::2]
        return [(w >> 11) * 2.0**-53 for w in words[:self.count]]
