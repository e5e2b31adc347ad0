package segments

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPlanKeepsEveryRunOnce publishes, replaces and purges models at random, and carries
// out the whole plan after each change.
func TestPlanKeepsEveryRunOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		models := map[string]Run{} // the live run of each model
		var current []Segment
		runs, segments, written, published := 0, 0, 0, 0
		publish := func(model string) {
			runs++
			published++
			models[model] = Run{ID: fmt.Sprint("run", runs), ModelID: model}
		}
		for range rapid.IntRange(1, 12).Draw(t, "rounds") {
			damaged := map[string]bool{}
			switch rapid.SampledFrom([]string{"many", "few", "refresh", "purge", "damage"}).Draw(t, "what") {
			case "many":
				for range rapid.IntRange(1, 3000).Draw(t, "models") {
					publish(fmt.Sprint("model", runs))
				}
			case "few":
				for range rapid.IntRange(1, 20).Draw(t, "models") {
					publish(fmt.Sprint("model", runs))
				}
			case "refresh":
				part := rapid.IntRange(1, 4).Draw(t, "part")
				for model := range models {
					if len(model)%part == 0 {
						publish(model)
					}
				}
			case "purge":
				for model := range models {
					delete(models, model)
					for i := range current {
						current[i].Purged = true
					}
					break
				}
			case "damage":
				if len(current) > 0 {
					damaged[current[0].ID] = true
				}
			}
			wanted := []Run{}
			for _, r := range models {
				wanted = append(wanted, r)
			}
			for step := 0; ; step++ {
				c, more := plan(wanted, current, damaged)
				if !more {
					break
				}
				if step > len(wanted)+len(current)+1 {
					t.Fatalf("no end: %d runs wanted, %d segments, next step writes %d and drops %v", len(wanted), len(current), len(c.runs), c.drop)
				}
				if len(c.runs) > mostRuns {
					t.Fatalf("a segment of %d runs", len(c.runs))
				}
				written += len(c.runs)
				var kept []Segment
				dropped := map[string]bool{}
				for _, id := range c.drop {
					dropped[id] = true
				}
				for _, s := range current {
					if !dropped[s.ID] {
						kept = append(kept, s)
					}
				}
				current = kept
				if len(c.runs) > 0 {
					segments++
					s := Segment{ID: fmt.Sprint("segment", segments)}
					for _, r := range c.runs {
						s.RunIDs = append(s.RunIDs, r.ID)
					}
					current = append(current, s)
				}
			}
			found := map[string]bool{}
			for _, s := range current {
				if s.Purged || damaged[s.ID] {
					t.Fatal("a segment stays that must be written again")
				}
				for _, id := range s.RunIDs {
					if found[id] {
						t.Fatalf("run %s is in two segments", id)
					}
					found[id] = true
				}
			}
			loose := 0
			for _, r := range wanted {
				if !found[r.ID] {
					loose++
				}
			}
			if loose >= leastLoose {
				t.Fatalf("%d runs are in no segment", loose)
			}
			if most := 2*len(wanted)/mostRuns*2 + 2*int(math.Log2(mostRuns)) + 2; len(current) > most {
				t.Fatalf("%d segments of %d runs", len(current), len(wanted))
			}
		}
	})
}

// TestOneRunAtATimeIsCheap publishes ten thousand models in small portions: a run is
// rewritten only a few times, however many the account has.
func TestOneRunAtATimeIsCheap(t *testing.T) {
	t.Parallel()
	var wanted []Run
	var current []Segment
	written := 0
	for len(wanted) < 10_000 {
		for range leastLoose {
			n := len(wanted)
			wanted = append(wanted, Run{ID: fmt.Sprint("run", n), ModelID: fmt.Sprint("model", n)})
		}
		for {
			c, more := plan(wanted, current, nil)
			if !more {
				break
			}
			written += len(c.runs)
			dropped := map[string]bool{}
			for _, id := range c.drop {
				dropped[id] = true
			}
			current = slices.DeleteFunc(current, func(s Segment) bool { return dropped[s.ID] })
			s := Segment{ID: fmt.Sprint("segment", written)}
			for _, r := range c.runs {
				s.RunIDs = append(s.RunIDs, r.ID)
			}
			current = append(current, s)
		}
	}
	if each := float64(written) / float64(len(wanted)); each > 8 {
		t.Errorf("each run was written %.1f times", each)
	}
	if len(current) > 24 {
		t.Errorf("%d segments", len(current))
	}
	t.Logf("%d segments, each run written %.1f times", len(current), float64(written)/float64(len(wanted)))
}
