package grammar

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"ballast/internal/testenv"
)

// fragments are short texts that cost much when they are repeated, unless reading is
// linear.
var fragments = []string{
	"1.5.", "1.5 ", ".5", "1/", "60/", "60-", "60/40 ", "1:", "1-1 ", "1, ", "1 and ", "1, 3 and ", "1 month ", "one ", "twenty-", "hundred ", "½ ", "60 ", "99999999999",
	"\"", "\"a\" ", "'", "“", "(\"", ",", "%", "60%", "60% ", "(", ")", "()", "((a", "-", "- ", "- 1. ", "$", "$A", "$A.", ".", ". ", "\n", "[<", "<", ">", "#", "'s ",
	"and ", "if ", "or ", "of the ", "over the ", "over ", "is ", "in ", "the ", "a ", "with ", "with a ", "hold ", "max ", "each ", "equal ", "equal weight ", "equal weight the ", "short ", "short a the ", "rest ", "its ", "it ",
	"A", "A ", "A-", "A.", "A&", "1A", "a1", "a-", "Xyz ", "Xyz-", "xyzzy", "xyzzy ", "rebalanse ", "SPY ", "SPY, ", "SPY SPY ", "/SPY", "SPY:", "SPY (", "(SPY", "SPY 60 ", "60% SPY, ", "AAPL 1 ", "BRK-B", "BRK-B ",
	"S&P 500 ", "Vanguard Total ", "Regional momentum ", "model_0190d5e47c1a7b3e8f00000000000001", "model_", "2010-01-31 ", "January ", "in January, ",
	"top 3 of ", "momentum ", "momentum over the last 12 months ", "1, 3 and 6 month ", "when above its 200 day ", "when it is above ", "if SPY is above ", "if SPY ", "otherwise ", "otherwise BIL ", "25% each ", "each of SPY, ",
	"rebalance ", "5% band ", "no more than ", "on SPY ", "2x leverage on SPY ", "the price of ", "130/30 ", "130/30 SPY/EFA ", "SPY equally ", "my ", "AAPL, MSFT, ", "rest in SPY ", "called A ", "every ", "SPY when above its 50 day average ",
}

// processorTime is what this process has used, so that other load on the machine does
// not count.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// costOf reads a description and returns what it took. Steps and bytes are the same
// every time; the processor time is the smaller of two tries.
func costOf(t *testing.T, library *shelf, prompt string) (steps, bytes int, took time.Duration) {
	t.Helper()
	for range 2 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := processorTime(t)
		tokens := tokenize(prompt)
		m, err := lookUp(t.Context(), library, english(), prompt, tokens)
		if err != nil {
			t.Fatal(err)
		}
		p := newParser(english(), prompt, tokens, m)
		if err := p.parse(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.plan()
		if d := processorTime(t) - start; took == 0 || d < took {
			took = d
		}
		runtime.ReadMemStats(&after)
		steps, bytes = p.work, int(after.TotalAlloc-before.TotalAlloc)
	}
	return steps, bytes, took
}

// TestWorkGrowsWithLength checks that eight times the text takes about eight times
// the steps, the memory and the time, whatever is repeated.
func TestWorkGrowsWithLength(t *testing.T) { // not parallel: it counts what is allocated
	library := newShelf()
	for _, fragment := range fragments {
		repeats := min(mostTokens/max(1, len(tokenize(strings.Repeat(fragment, 64)))/64), LongestPrompt/len([]rune(fragment))) / 8
		for repeats > 1 && len(tokenize(strings.Repeat(fragment, 8*repeats))) > mostTokens {
			repeats = repeats * 7 / 8
		}
		if !testenv.Soak() { // make soak takes the longest prompts that are read
			repeats = max(1, repeats/4)
		}
		short, long := strings.Repeat(fragment, repeats), strings.Repeat(fragment, 8*repeats)
		steps1, bytes1, time1 := costOf(t, library, short)
		steps8, bytes8, time8 := costOf(t, library, long)
		t.Logf("%-26q %5d to %5d bytes: %8d steps, %6d kB, %8v; times %.1f, %.1f, %.1f", fragment, len(short), len(long),
			steps8, bytes8>>10, time8, float64(steps8)/float64(steps1), float64(bytes8)/float64(bytes1), float64(time8)/float64(time1))
		const fixed = 1 << 20 // bytes and steps that any description takes
		if steps8 > 12*steps1+10_000 {
			t.Errorf("%q: %d steps for %d repeats, %d for %d", fragment, steps1, repeats, steps8, 8*repeats)
		}
		if bytes8 > 12*bytes1+fixed || bytes8 > 8<<10*len(long)+fixed {
			t.Errorf("%q: %d bytes of memory for %d of text, %d for %d", fragment, bytes1, len(short), bytes8, len(long))
		}
		if time8 > 40*time1+200*time.Millisecond {
			t.Errorf("%q: %v for %d repeats, %v for %d", fragment, time1, repeats, time8, 8*repeats)
		}
		if most := workPerToken * len(tokenize(long)) / 4; steps8 > most {
			t.Errorf("%q: %d steps are near the bound of %d", fragment, steps8, 4*most)
		}
	}
}

// FuzzWork checks that whatever is repeated, and whatever comes before and after it,
// takes steps and memory in proportion to its length.
func FuzzWork(f *testing.F) {
	for _, fragment := range fragments {
		f.Add("", fragment, "")
		f.Add("hold SPY ", fragment, " otherwise BIL")
	}
	library := newShelf()
	f.Fuzz(func(t *testing.T, before, repeated, after string) {
		if len(before)+len(after) > 400 || repeated == "" || len(repeated) > 40 {
			t.Skip()
		}
		cost := func(n int) (steps, bytes int) {
			prompt := before + strings.Repeat(repeated, n) + after
			if len(tokenize(prompt)) > mostTokens || len([]rune(prompt)) > LongestPrompt {
				t.Skip()
			}
			steps, bytes, _ = costOf(t, library, prompt)
			return steps, bytes
		}
		steps1, bytes1 := cost(25)
		steps8, bytes8 := cost(200)
		if steps8 > 16*steps1+100_000 || bytes8 > 16*bytes1+2<<20 {
			t.Errorf("%q + n·%q + %q: %d to %d steps, %d to %d bytes", before, repeated, after, steps1, steps8, bytes1, bytes8)
		}
	})
}

// TestReadingStopsWithItsCaller checks that nothing is read for a caller who has
// left.
func TestReadingStopsWithItsCaller(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	plan, err := Understand(ctx, newShelf(), strings.Repeat("60% SPY and 40% AGG ", 90))
	if plan != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", plan, err)
	}
}
