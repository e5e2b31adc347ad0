package simulate

import "testing"

// The numbers are those of NumPy 2: numpy.random.Generator(numpy.random.Philox(key=[seed, path])).random(n).
func TestNumbersAreNumPys(t *testing.T) {
	for key, want := range map[philox][]float64{
		{7, 3}:             {0x1.edb31ec618b30p-2, 0x1.72c1e5d4967f1p-1, 0x1.9bae5c02bbd60p-5, 0x1.43b6c348a9a9ap-2, 0x1.5c8b1237ef569p-1, 0x1.9002d572e3804p-3},
		{1<<63 + 5, 99999}: {0x1.14391c5673154p-2, 0x1.0b20ae36102d1p-1, 0x1.2eba6c7cb913ap-2},
	} {
		s := stream{from: key}
		for i, w := range want {
			if got := s.uniform(i); got != w {
				t.Errorf("number %d of %v is %x, not %x", i, key, got, w)
			}
		}
		if got := s.uniform(1); got != want[1] {
			t.Errorf("back at number 1 of %v: %x, not %x", key, got, want[1])
		}
	}
}
