package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/internal/fault"
	"ballast/timeseries/bars"
)

// assetPage is how many assets are looked up in the manifest at a time.
const assetPage = 512

// bars opens the bars of the store's latest version, ordered by symbol and date.
func (s *Service) bars(ctx context.Context, q Query) (*Rows, error) {
	symbols, err := s.known(ctx, q.Symbols)
	if err != nil {
		return nil, err
	}
	total, err := s.c.Bars.BarRows(ctx, symbols)
	if err != nil {
		return nil, err
	}
	latest, err := s.c.Bars.ByID(ctx, nil, bars.Latest)
	if err != nil {
		return nil, err
	}
	if latest.Version == bars.Latest { // nothing was ever imported
		return newRows(ctx, Bars, ended, nil)
	}
	w := &barWalk{
		store: s.c.Bars, symbols: symbols, version: latest.Version,
		reader: newSegmentReader(s.c.Bucket, q.Start, q.End),
	}
	next, release := ahead(ctx, w.batch, w.reader.close)
	rows, err := newRows(ctx, Bars, next, release)
	if err != nil {
		return nil, err
	}
	if q.Start == noDate && q.End == noDate {
		rows.Total = total
	}
	return rows, nil
}

// known returns the symbols in upper case. It refuses symbols that the catalog lacks.
func (s *Service) known(ctx context.Context, symbols []string) ([]string, error) {
	if len(symbols) == 0 {
		return nil, nil
	}
	upper := make([]string, len(symbols))
	for i, symbol := range symbols {
		upper[i] = strings.ToUpper(strings.TrimSpace(symbol))
	}
	found, err := s.c.Symbols.AssetsBySymbol(ctx, upper)
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, symbol := range upper {
		if found[symbol] == nil {
			missing = append(missing, symbol)
		}
	}
	if len(missing) == 0 {
		return upper, nil
	}
	nearest, err := s.c.Symbols.NearestSymbols(ctx, missing)
	if err != nil {
		return nil, err
	}
	f := fault.New(fault.InvalidParameter, "The catalog does not have all of these symbols: %s.", strings.Join(missing, ", "))
	for _, symbol := range missing {
		f = f.With(fault.Detail{
			Field: "symbols", Message: fmt.Sprintf("%q is not in the catalog", symbol), Suggestion: nearest[symbol],
		})
	}
	return nil, f
}

// barWalk reads the assets' segments at one version of the store. It goes through the
// assets by symbol, a page at a time.
type barWalk struct {
	store   BarPages
	symbols []string
	version bars.Version
	reader  *segmentReader

	after  string // the last symbol of the page
	ended  bool
	assets []BarAsset                // assets of the page that are still to be read
	placed map[string][]bars.Segment // by asset id
}

// batch reads whole segments until they fill a batch.
func (w *barWalk) batch(ctx context.Context) (arrow.RecordBatch, error) {
	b := newBarBatch()
	for b.rows < batchRows {
		if len(w.assets) == 0 {
			if w.ended {
				break
			}
			if err := w.turn(ctx); err != nil {
				return nil, err
			}
			continue
		}
		a := w.assets[0]
		w.assets = w.assets[1:]
		for _, g := range w.placed[a.ID] {
			if err := w.reader.read(ctx, b, a, g); err != nil {
				return nil, fmt.Errorf("read the bars of %s: %w", a.Symbol, err)
			}
		}
	}
	if b.rows == 0 {
		return nil, io.EOF
	}
	return b.record()
}

// turn reads the next page of assets, and where their bars are stored.
func (w *barWalk) turn(ctx context.Context) error {
	page, err := w.store.BarAssetsAfter(ctx, w.symbols, w.after, assetPage)
	if err != nil {
		return err
	}
	if len(page) == 0 {
		w.ended = true
		return nil
	}
	ids := make([]string, len(page))
	for i, a := range page {
		ids[i] = a.ID
	}
	snapshot, err := w.store.ByID(ctx, ids, w.version)
	if err != nil {
		return err
	}
	w.assets, w.after, w.placed = page, page[len(page)-1].Symbol, make(map[string][]bars.Segment, len(page))
	for _, g := range snapshot.Segments {
		w.placed[g.AssetID] = append(w.placed[g.AssetID], g)
	}
	return nil
}

// ahead calls read on its own goroutine, one batch ahead of the caller of next, so that
// reading and writing overlap. release ends the goroutine and then calls closing.
func ahead(ctx context.Context, read batches, closing func() error) (next batches, release func()) {
	type answer struct {
		record arrow.RecordBatch
		err    error
	}
	ctx, cancel := context.WithCancel(ctx)
	answers, done := make(chan answer), make(chan struct{})
	go func() {
		defer close(done)
		for {
			record, err := read(ctx)
			select {
			case answers <- answer{record, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	next = func(asked context.Context) (arrow.RecordBatch, error) {
		select {
		case a := <-answers:
			return a.record, a.err
		case <-done:
			return nil, errors.Join(ctx.Err(), io.ErrUnexpectedEOF)
		case <-asked.Done():
			return nil, asked.Err()
		}
	}
	return next, func() {
		cancel()
		<-done
		_ = closing() // the files were only read, so nothing can be lost
	}
}
