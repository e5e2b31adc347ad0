package simulation

import (
	"testing"

	"ballast/internal/testenv"
)

// BenchmarkRule is 10,000 paths of 360 months with a rule of the harness, all tables.
func BenchmarkRule(b *testing.B) {
	benchmark(b, "    return withdraw_fixed(ctx, rate=0.04)\n")
}

// BenchmarkScripted is the same with a rule in the script, called 300,000 times.
func BenchmarkScripted(b *testing.B) {
	benchmark(b, "    if ctx.value > 2 * ctx.start_value:\n        return 0.05 * ctx.value\n    return withdraw_fixed(ctx, rate=0.04)\n")
}

func benchmark(b *testing.B, body string) {
	f := frameOf(b, testenv.Random(b, 6, 6), 30, "AAA", "BBB")
	source := head + "\n\ndef simulate(ctx):\n" + body
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Execute(b.Context(), callOf(b, f, source, nil)); err != nil {
			b.Fatal(err)
		}
	}
}
