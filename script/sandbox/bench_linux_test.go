package sandbox

import (
	"log/slog"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/backtest"
)

// BenchmarkRun measures what a warm run takes: with an executor that does
// nothing, with the engine alone, and the engine in this process to compare.
func BenchmarkRun(b *testing.B) {
	f := panel(b, 10, 5040)
	p := testPool(b, 1)
	for _, source := range []string{"pid", "echo"} {
		b.Run(source, func(b *testing.B) {
			for b.Loop() {
				o, err := p.Run(b.Context(), Job{Source: source, Frame: f})
				if err != nil && source != "pid" {
					b.Fatal(err)
				}
				if o != nil {
					o.Daily.Release()
					o.Ledger.Release()
				}
			}
		})
	}
	q := poolOf(b, Config{Command: []string{"/proc/self/exe", "script"}})
	j := scripted(b, "")
	j.Frame = panel(b, 3, 5040)
	b.Run("script", func(b *testing.B) {
		for b.Loop() {
			o, err := q.Run(b.Context(), j)
			if err != nil {
				b.Fatal(err)
			}
			o.Daily.Release()
			o.Ledger.Release()
		}
	})
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			r, err := backtest.Run(b.Context(), f, monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything)
			if err != nil {
				b.Fatal(err)
			}
			daily, ledger, err := r.Tables(memory.DefaultAllocator)
			if err != nil {
				b.Fatal(err)
			}
			daily.Release()
			ledger.Release()
		}
	})
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		p, err := NewPool(b.Context(), Config{Command: []string{"/proc/self/exe", "sandbox"}, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
