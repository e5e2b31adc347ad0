package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

// downloaded runs the downloaded script of the model BENCH under CPython, beside the
// service's own run.
func downloaded(e *Env) Row {
	return Row{
		Name: "the downloaded script under CPython, beside POST runs", Key: "Download",
		Measure: func(ctx context.Context) (Result, error) {
			python, err := exec.LookPath("python3")
			if err != nil {
				return Result{Skipped: ErrNoPython.Error()}, nil //nolint:nilerr // a machine without Python is no failure
			}
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			text, err := s.client.call(ctx, http.MethodGet, "/v1/models/BENCH/script", nil)
			if err != nil {
				return Result{}, err
			}
			file, bars := filepath.Join(s.dir, "model.py"), filepath.Join(s.dir, "market.csv")
			if err := os.WriteFile(file, text, 0o600); err != nil {
				return Result{}, err
			}
			var answer []byte
			there, err := repeat(ctx, e.count(5, 1), func() (err error) {
				answer, err = output(exec.CommandContext(ctx, python, file, "--bars", bars, "--json"))
				return err
			})
			if err != nil {
				return Result{}, err
			}
			here, err := repeat(ctx, e.count(30, 3), func() error {
				s.runs++
				return s.client.run(ctx, "models/BENCH", map[string]any{"floor": float64(s.runs) / 1e9})
			})
			if err != nil {
				return Result{}, err
			}
			apart, err := s.apart(ctx, answer)
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{
					milliseconds("CPython", there.median()), milliseconds("service", here.median()),
					{Name: "ratio", Value: float64(there.median()) / float64(here.median()), Unit: "×"},
				},
				Note: fmt.Sprintf("10 assets, 20 years, monthly, bars read from CSV there and from the store here; daily returns at most %.1e apart", apart),
			}, nil
		},
	}
}

// apart returns the largest difference between the daily returns of the download and
// those that the model serves.
func (s *service) apart(ctx context.Context, answer []byte) (float64, error) {
	var there, here struct{ Returns []float64 }
	if err := json.Unmarshal(answer, &there); err != nil {
		return 0, fmt.Errorf("read the download's answer: %w", err)
	}
	if err := s.client.read(ctx, http.MethodGet, "/v1/models/BENCH/history?include=returns&full_history=true", nil, &here); err != nil {
		return 0, err
	}
	if len(there.Returns) != len(here.Returns) {
		return 0, fmt.Errorf("the download has %d returns and the service %d", len(there.Returns), len(here.Returns))
	}
	var most float64
	for i, r := range there.Returns {
		most = max(most, math.Abs(r-here.Returns[i]))
	}
	return most, nil
}
