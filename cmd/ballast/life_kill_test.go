package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"ballast/internal/testenv"
)

// TestKilledLives changes models in every way a caller can while service, worker and
// sandboxes are killed at random. Each model has one caller, so it must be where the
// last response put it; without a response, either before or after the request.
// BALLAST_SEED repeats the choices of a run.
func TestKilledLives(t *testing.T) {
	testenv.NotInTest(t)
	if runtime.GOOS != "linux" {
		t.Skip("finds its victims in /proc")
	}
	binary.Path(t)
	k := newKilling(t)
	k.startService(t)
	must(t, "import", "bars", smallMarket(t), "--data-dir", k.data)
	k.key = caller(t, k.data, "").key
	k.startWorker(t)

	lives := make([]*life, 4)
	living, cancel := context.WithTimeout(t.Context(), time.Duration(testenv.Rounds(5, 60))*time.Second)
	defer cancel()
	var callers sync.WaitGroup
	for i := range lives {
		l := &life{k: k, random: rand.New(rand.NewPCG(k.seed, uint64(i+2))), symbol: fmt.Sprintf("LIFE%d", i), place: purged, did: map[string]int{}}
		if i%2 == 1 {
			l.member = fmt.Sprintf("LIFE%d", i-1)
		}
		lives[i] = l
		callers.Go(func() {
			for living.Err() == nil && !t.Failed() {
				l.step(t)
			}
		})
	}
	for living.Err() == nil {
		time.Sleep(time.Duration(200+k.random.IntN(900)) * time.Millisecond)
		k.strike(t)
	}
	callers.Wait()
	t.Logf("killed %v", k.killed)
	for _, l := range lives {
		t.Logf("%s: %v", l.symbol, l.did)
	}
	if t.Failed() {
		return
	}

	k.settle(t)
	for _, l := range lives {
		l.refresh(t)
	}
	sheets := k.settle(t)
	for _, l := range lives {
		l.check(t)
	}
	k.checkResults(t, sheets)
	k.end(t)
	must(t, "doctor", "--data-dir", k.data)
}
