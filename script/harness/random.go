package harness

import "go.starlark.net/starlark"

const maxRandom = 100_000

// random(seed, n=1) is a vector of n pseudorandom numbers in [0, 1). The same seed,
// an integer or a string, gives the same numbers on every machine and in every
// run. The generator is SplitMix64 (Steele, Lea, Flood 2014), seeded with the
// FNV-1a hash (Fowler, Noll, Vo) of the seed's text; each number is the upper 53
// bits of an output, divided by 2⁵³. n is from 0 to 100,000.
func random(c call) (starlark.Value, error) {
	var seed starlark.Value
	var n int
	if err := c.unpack(&seed, &n); err != nil {
		return nil, err
	}
	if n < 0 || n > maxRandom {
		return nil, c.errorf("n is %d; it must be from 0 to %d", n, maxRandom)
	}
	var text string
	switch s := seed.(type) {
	case starlark.Int:
		text = s.String()
	case starlark.String:
		text = string(s)
	default:
		return nil, c.errorf("seed is a %s; it must be an integer or a string, such as ctx.date", seed.Type())
	}
	state := hash(text)
	out := make([]float64, n)
	for i := range out {
		state += 0x9E3779B97F4A7C15
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		z ^= z >> 31
		out[i] = float64(z>>11) / (1 << 53)
	}
	return NewVector(out), nil
}

// hash is FNV-1a with 64 bits.
func hash(text string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	return h
}
