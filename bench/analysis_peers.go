package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"ballast/analyze"
)

// agreed is the difference from a peer that counts as agreement.
const agreed = 1e-9

// besidePeer returns the figures of a row with a peer's time and its largest difference.
// A larger one than agreed is an error.
func besidePeer(ctx context.Context, e *Env, name, what string, took samples, columns []analyze.Column, own []float64, repetitions int) (Result, error) {
	r := Result{
		Figures: []Figure{milliseconds("p50", took.median()), milliseconds("fastest", took.percentile(0))},
		Note:    "in this process with both cores",
	}
	peer, err := scriptAnswer(ctx, e, "analyses", what, columns, repetitions)
	if err != nil || peer == nil {
		return r, err
	}
	difference, err := largestDifference(own, peer.Values)
	if err != nil {
		return r, err
	}
	if difference > agreed {
		return r, fmt.Errorf("%s differs by %.3g", name, difference)
	}
	r.Figures = append(r.Figures, milliseconds(name, seconds(peer.Seconds)))
	r.Note += fmt.Sprintf("; the largest difference of %d figures from %s's is %.2g", len(own), name, difference)
	return r, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// analysisAnswer is what the scripts of bench/peers print.
type analysisAnswer struct {
	Seconds float64
	Values  []float64
}

// scriptAnswer hands columns to the peers of a script of bench/peers. It returns nil where
// they cannot be had.
func scriptAnswer(ctx context.Context, e *Env, script, what string, columns []analyze.Column, repetitions int) (*analysisAnswer, error) {
	if e.Smoke {
		return nil, nil //nolint:nilnil // installs no packages
	}
	python, err := PreparePython(ctx, "bench/peers/"+script+".txt", io.Discard)
	if err != nil {
		return nil, nil //nolint:nilnil,nilerr // the figure is left out
	}
	dir, err := os.MkdirTemp("", "ballast-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // only a temporary file
	var raw bytes.Buffer
	row := make([]float64, len(columns))
	for t := range columns[0].Values {
		for i, c := range columns {
			row[i] = c.Values[t]
		}
		if err := binary.Write(&raw, binary.NativeEndian, row); err != nil {
			return nil, err
		}
	}
	file := filepath.Join(dir, "returns.f64")
	if err := os.WriteFile(file, raw.Bytes(), 0o600); err != nil {
		return nil, err
	}
	out, err := output(exec.CommandContext(ctx, python, "bench/peers/"+script+".py", what, file, strconv.Itoa(len(columns)), strconv.Itoa(max(1, repetitions))))
	if err != nil {
		return nil, err
	}
	var answer analysisAnswer
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, err
	}
	return &answer, nil
}
