package execution

import (
	"context"
	"errors"
	"fmt"

	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/script"
	"ballast/timeseries"
)

// SeriesReads reads what runs have read of series from outside.
type SeriesReads interface {
	// SeriesReads returns what a run has read.
	SeriesReads(ctx context.Context, runID string) ([]series.Read, error)
	// SeriesOfBuild returns the names of the series that the runs of a build have
	// read, in upper case, and whether each is the operator's.
	SeriesOfBuild(ctx context.Context, buildID string) (map[string]bool, error)
}

// Limits on what one run reads of series.
const (
	mostColumns = 64
	mostValues  = 2_000_000
)

// outside pins the columns of series that a run reads and puts their values on the
// frame.
func (e *Executor) outside(ctx context.Context, build *program.Build, accountID string, kind *script.Kind, references []string, frame *timeseries.Frame) ([]series.Pin, error) {
	if len(references) == 0 {
		return nil, nil
	}
	if len(references) > mostColumns {
		return nil, program.DataError("The script reads %d columns of series; at most %d are accepted.", len(references), mostColumns)
	}
	pins, err := e.series.Pins(ctx, accountID, references)
	var unknown *fault.Error
	if errors.As(err, &unknown) && unknown.Type == fault.UnknownMember {
		return nil, program.DataError("%s", unknown.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("find series: %w", err)
	}
	if err := e.sameSeries(ctx, build, pins); err != nil {
		return nil, err
	}
	total := 0
	for _, p := range pins {
		total += p.Column().Values
	}
	if total > mostValues {
		return nil, program.DataError("The script reads %d values of series; at most %d are accepted. Read fewer columns, or shorter series.", total, mostValues)
	}
	return pins, e.place(ctx, pins, kind, frame)
}

// place loads the values of pinned columns and puts them on a frame.
func (e *Executor) place(ctx context.Context, pins []series.Pin, kind *script.Kind, frame *timeseries.Frame) error {
	columns, err := e.series.Load(ctx, pins)
	if err != nil {
		return fmt.Errorf("read series: %w", err)
	}
	for _, v := range columns {
		placed, err := kind.Outside(v, frame.Axis)
		if err != nil {
			return program.DataError("%v.", err)
		}
		frame.Outside = append(frame.Outside, placed)
	}
	return nil
}

// sameSeries fails if a name that meant the account's own series when the build first
// ran means the operator's now, or the other way round.
func (e *Executor) sameSeries(ctx context.Context, build *program.Build, pins []series.Pin) error {
	before, err := e.seriesReads.SeriesOfBuild(ctx, build.ID)
	if err != nil {
		return err
	}
	for _, p := range pins {
		if public, ok := before[series.Fold(p.Of.Name)]; ok && public != p.Of.Public() {
			return program.DataError("The series %s that the script was built with was deleted, and the name means another series now. Build the program again to read that one.", p.Of.Name)
		}
	}
	return nil
}

// repin puts what a run has read of series on a frame.
func (e *Executor) repin(ctx context.Context, run *program.Run, kind *script.Kind, frame *timeseries.Frame) error {
	reads, err := e.seriesReads.SeriesReads(ctx, run.ID)
	if err != nil || len(reads) == 0 {
		return err
	}
	pins, err := e.series.Repin(ctx, reads)
	if err != nil {
		return fmt.Errorf("read the series of run %s: %w", run.ID, err)
	}
	return e.place(ctx, pins, kind, frame)
}
