package execution

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/zeebo/xxh3"

	"ballast/backtest"
	"ballast/metrics"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
)

// saveEvery is how much work of a sweep a crash may lose. Sweeps that end sooner store
// nothing.
const saveEvery = time.Second

// part is what a sweep stores about some of its points.
type part struct {
	Points []savedPoint  `cbor:"points"`
	CPU    time.Duration `cbor:"cpu"`
}

type savedPoint struct {
	Point   int              `cbor:"point"`
	Failure *script.RunError `cbor:"failure"`
	First   int              `cbor:"first"`
	Figures metrics.Core     `cbor:"figures"`
	Returns []byte           `cbor:"returns"` // little-endian
}

// saving stores the points of a sweep as they are computed.
type saving struct {
	parts *result.Parts // nil stores nothing
	work  string        // identifies everything that the points depend on
	due   []int         // points that are computed and not stored
	spent time.Duration
	last  time.Time
}

// workOf identifies a sweep by everything that its points depend on.
func workOf(job *sandbox.Job, wanted *script.Sweep) (string, error) {
	inputs, err := json.Marshal(job.Inputs)
	if err != nil {
		return "", fmt.Errorf("encode the inputs of a sweep: %w", err)
	}
	rules, err := json.Marshal(job.Optimizers)
	if err != nil {
		return "", fmt.Errorf("encode the optimizers of a sweep: %w", err)
	}
	h := xxh3.New()
	for _, text := range []string{script.HarnessVersion, job.Source, string(inputs), string(rules), backtest.Fingerprint(job.Frame, len(job.Frame.Axis)-1), wanted.Key()} {
		_, _ = fmt.Fprintf(h, "%d %s\n", len(text), text) // writing to a hash never fails
	}
	sum := h.Sum128()
	return fmt.Sprintf("%016x%016x", sum.Hi, sum.Lo), nil
}

// restore takes over the points that an earlier try of the run has stored. Parts of
// other work, or damaged ones, are computed again.
func (s *sweeping) restore(ctx context.Context) error {
	s.pending = []span{{0, len(s.results)}}
	if s.saving.parts == nil {
		return nil
	}
	found, err := s.saving.parts.Find(ctx, s.saving.work)
	if err != nil {
		return err
	}
	done := make([]bool, len(s.results))
	axis := s.job.Frame.Axis
	for _, bytes := range found {
		var p part
		if err := cbor.Unmarshal(bytes, &p); err != nil {
			s.executor.log.WarnContext(ctx, "a stored part of a sweep is damaged; its points are computed again", "error", err)
			continue
		}
		s.spent += p.CPU
		for _, x := range p.Points {
			if x.Point < 0 || x.Point >= len(done) || x.Failure == nil && (x.First < 0 || len(x.Returns) != 8*(len(axis)-1-x.First)) {
				continue
			}
			point := sandbox.Point{Failure: x.Failure, First: x.First, Figures: x.Figures}
			for b := x.Returns; len(b) > 0; b = b[8:] {
				point.Returns = append(point.Returns, math.Float64frombits(binary.LittleEndian.Uint64(b)))
			}
			s.results[x.Point], done[x.Point] = point, true
		}
	}
	s.pending = s.pending[:0]
	for i := range done {
		switch n := len(s.pending); {
		case done[i]:
			s.done++
		case n > 0 && s.pending[n-1].to == i:
			s.pending[n-1].to++
		default:
			s.pending = append(s.pending, span{i, i + 1})
		}
	}
	if s.done > 0 {
		s.executor.log.InfoContext(ctx, "sweep continues", "model", s.wanted.Model, "points", len(done), "done", s.done)
	}
	return nil
}

// save stores the points that are due, if enough time has passed. The caller holds s.mu.
func (s *sweeping) save(ctx context.Context) error {
	v := &s.saving
	if v.parts == nil || time.Since(v.last) < saveEvery || len(v.due) == 0 || s.done == len(s.results) {
		return nil
	}
	p := part{CPU: v.spent}
	for _, i := range v.due {
		x := &s.results[i]
		returns := make([]byte, 0, 8*len(x.Returns))
		for _, r := range x.Returns {
			returns = binary.LittleEndian.AppendUint64(returns, math.Float64bits(r))
		}
		p.Points = append(p.Points, savedPoint{Point: i, Failure: x.Failure, First: x.First, Figures: x.Figures, Returns: returns})
	}
	bytes, err := cbor.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode points of a sweep: %w", err)
	}
	if err := v.parts.Add(ctx, v.work, bytes); err != nil {
		return err
	}
	v.due, v.spent, v.last = v.due[:0], 0, time.Now()
	return nil
}
