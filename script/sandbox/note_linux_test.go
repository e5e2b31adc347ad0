package sandbox

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"
)

// A slow run reports its progress while it computes and while it is checked, and the
// progress never decreases.
func TestProgressOfScripts(t *testing.T) {
	p := poolOf(t, Config{
		Command: []string{"/proc/self/exe", "script"}, Size: 1,
		Defaults: Limits{Deadline: time.Minute, Memory: 256 << 20, Steps: 1 << 60},
	})
	j := scripted(t, "for i in range(1000000):\n        pass")
	j.Causality = true
	told := map[Stage][]int{}
	totals := map[Stage]int{Running: len(j.Frame.Axis), Checking: CausalityTotal}
	j.Progress = func(stage Stage, done, total int) {
		if total != totals[stage] || done < 0 || done > total {
			t.Errorf("%s: %d of %d", stage, done, total)
		}
		if last := told[stage]; len(last) > 0 && done < last[len(last)-1] {
			t.Errorf("%s: %d after %v", stage, done, last)
		}
		told[stage] = append(told[stage], done)
	}
	noted, err := p.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range []Stage{Running, Checking} {
		if !slices.ContainsFunc(told[stage], func(done int) bool { return done < totals[stage] }) {
			t.Errorf("%s: nothing was told before the end: %v of %d", stage, told[stage], totals[stage])
		}
	}
	j.Progress = nil
	silent, err := p.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if silent.Steps != noted.Steps || silent.Summary.FinalValue != noted.Summary.FinalValue {
		t.Errorf("a run that tells its progress takes %d steps and ends at %v, another %d and %v",
			noted.Steps, noted.Summary.FinalValue, silent.Steps, silent.Summary.FinalValue)
	}
}

// A sound child never sends unsolicited notes or notes about another request.
func TestNotesAreHeldToTheRequest(t *testing.T) {
	t.Parallel()
	note := header{id: 1, body: 7}.bytes()
	answer := header{id: 1, control: 3}.bytes()
	for _, c := range []struct {
		name  string
		sent  [][]byte
		told  bool
		sound bool
	}{
		{"none", [][]byte{answer}, true, true},
		{"some", [][]byte{note, note, answer}, true, true},
		{"not asked for", [][]byte{note, answer}, false, false},
		{"of another request", [][]byte{header{id: 2, body: 7}.bytes(), answer}, true, false},
		{"without an end", [][]byte{bytes.Repeat(note, mostNotes)}, true, false},
	} {
		var told func(int)
		if c.told {
			told = func(at int) {
				if at != 7 {
					t.Errorf("%s: told %d", c.name, at)
				}
			}
		}
		h, err := readAnswer(bytes.NewReader(bytes.Join(c.sent, nil)), 1, told)
		var bad *damagedError
		if c.sound != (err == nil) || err != nil && !errors.As(err, &bad) || c.sound && h.control != 3 {
			t.Errorf("%s: %+v, %v", c.name, h, err)
		}
	}
}
