package backtest

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/zeebo/xxh3"

	"ballast/backtest/internal/drift"
	"ballast/timeseries"
)

// StateKey names the state in the schema metadata of the daily table.
const StateKey = "state"

// stateSumKey names the sum of its bytes, which is how damage to the numbers in
// it is noticed.
const stateSumKey = "state_sum"

// stateVersion changes with what a state means.
const stateVersion = 1

// State is a run at its last stop before the final session: a decision, a fill
// or a forced sale. Where bars only follow, a run is taken up there with Resume.
// Positions are of the axis and of the universe.
type State struct {
	Version int             `json:"version"`
	Session int             `json:"session"` // axis position of the stop
	Date    timeseries.Date `json:"date"`
	Past    string          `json:"past"` // Fingerprint of what the run had read by then; "" until it is known
	Base    int             `json:"base"` // axis position

	Hold    []float64 `json:"hold"` // one a member, currency
	Longs   []int     `json:"longs"`
	Shorts  []int     `json:"shorts"`
	Cash    float64   `json:"cash"`
	Equity  float64   `json:"equity"`
	Gross   float64   `json:"gross"`
	Target  []float64 `json:"target"`  // of the latest decision, one a member
	Pending bool      `json:"pending"` // that decision waits for its fill
	Decided []byte    `json:"decided"` // bitmap over the axis: sessions with a decision

	Trades     int       `json:"trades"` // as TradesTotal
	Fills      int       `json:"fills"`
	MaxGross   float64   `json:"max_gross"`
	Turnover   float64   `json:"turnover"`    // notional traded after the base
	LedgerRows int       `json:"ledger_rows"` // kept or not
	TargetRows int       `json:"target_rows"`
	Warnings   []Warning `json:"warnings"` // but those of stale sessions, without messages

	Weights       []int    `json:"weights"`       // members with a column
	Contributions []int    `json:"contributions"` // likewise
	Custom        []string `json:"custom"`        // names of series, ascending

	Steps uint64 `json:"steps"` // what the decider has counted, 0 where it counts nothing
}

// EncodeState writes s as JSON, with every number as it is; the same state gives
// the same bytes.
func EncodeState(s *State) ([]byte, error) { return json.Marshal(s) }

// DecodeState reads what EncodeState wrote. What it says is not checked.
func DecodeState(b []byte) (*State, error) {
	var s State
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, fmt.Errorf("state of a run: %w", err)
	}
	return &s, nil
}

// StateOf reads the state from the schema of a daily table, nil where it has none.
func StateOf(schema *arrow.Schema) (*State, error) {
	metadata := schema.Metadata()
	text, ok := metadata.GetValue(StateKey)
	if !ok {
		return nil, nil
	}
	if sum, _ := metadata.GetValue(stateSumKey); sum != sumOf([]byte(text)) {
		return nil, errors.New("the state of the run is damaged")
	}
	return DecodeState([]byte(text))
}

// sumOf is a checksum, against accidents alone.
func sumOf(b []byte) string { return strconv.FormatUint(xxh3.Hash(b), 16) }

// Check reports the first thing in which s is no state of a run over f, bars
// after it disregarded. It does not hold it to the bars: Fingerprint does.
func (s *State) Check(f *timeseries.Frame) error {
	n := len(f.Members)
	switch {
	case s.Version != stateVersion:
		return fmt.Errorf("version %d is not %d", s.Version, stateVersion)
	case s.Session < 0 || s.Session >= len(f.Axis)-1 || f.Axis[s.Session] != s.Date:
		return fmt.Errorf("session %d, %s, is not before the end of the axis", s.Session, s.Date)
	case s.Base < 0 || s.Base > s.Session:
		return fmt.Errorf("base %d is not up to session %d", s.Base, s.Session)
	case len(s.Hold) != n || len(s.Target) != n:
		return fmt.Errorf("%d holdings and %d targets of %d members", len(s.Hold), len(s.Target), n)
	case !drift.Finite(s.Hold) || !drift.Finite(s.Target) || !drift.Finite([]float64{s.Cash, s.Equity, s.Gross, s.MaxGross, s.Turnover}):
		return fmt.Errorf("holds what is not a number")
	case !(s.Equity > 0 && s.Gross >= 0 && s.MaxGross >= 0 && s.Turnover >= 0):
		return fmt.Errorf("equity %v with exposure %v", s.Equity, s.Gross)
	case s.Trades < 0 || s.Fills < 1 || s.LedgerRows < 0 || s.TargetRows < 0 || s.TargetRows > s.LedgerRows:
		return fmt.Errorf("%d trades in %d fills, %d rows", s.Trades, s.Fills, s.LedgerRows)
	case !slices.IsSorted(s.Custom):
		return fmt.Errorf("names of series are out of order")
	}
	for _, list := range [][]int{s.Longs, s.Shorts, s.Weights, s.Contributions} {
		for k, i := range list {
			if i < 0 || i >= n || k > 0 && i <= list[k-1] {
				return fmt.Errorf("member %d of %d", i, n)
			}
		}
	}
	if err := s.checkHoldings(); err != nil {
		return err
	}
	return s.checkDecided()
}

// checkHoldings looks that each holding is of one side, and that all add up.
func (s *State) checkHoldings() error {
	side := make([]float64, len(s.Hold))
	for _, i := range s.Longs {
		side[i]++
	}
	for _, i := range s.Shorts {
		if side[i]--; side[i] == 0 {
			return fmt.Errorf("member %d is long and short", i)
		}
	}
	value, gross := s.Cash, math.Abs(s.Cash)
	for i, h := range s.Hold {
		if h != 0 && !(h*side[i] > 0) {
			return fmt.Errorf("member %d holds %v on side %v", i, h, side[i])
		}
		value += h
		gross += math.Abs(h)
	}
	if !(math.Abs(value-s.Equity) <= 1e-9*gross) {
		return fmt.Errorf("equity %v where holdings add up to %v", s.Equity, value)
	}
	return nil
}

func (s *State) checkDecided() error {
	if len(s.Decided) != s.Session/8+1 || s.Decided[s.Session/8]>>(s.Session%8)>>1 != 0 {
		return fmt.Errorf("decisions after session %d", s.Session)
	}
	count := 0
	for _, b := range s.Decided {
		count += bits.OnesCount8(b)
	}
	if filled := count - pendingOf(s.Pending); filled != s.Fills {
		return fmt.Errorf("%d decisions with %d fills", count, s.Fills)
	}
	return nil
}

func pendingOf(pending bool) int {
	if pending {
		return 1
	}
	return 0
}

// Fingerprint is what stands for the frame up to axis position t, as it was
// known at that close: members by key, bars and returns. Frames with the same
// one give the same decisions up to t.
func Fingerprint(f *timeseries.Frame, t int) string {
	past := f.Cut(f.Axis[t])
	h := xxh3.New()
	text := func(s string) {
		_, _ = fmt.Fprintf(h, "%d %s\n", len(s), s) // a hash takes anything
	}
	numbers := make([]byte, 0, 4*len(past.Axis))
	for _, d := range past.Axis {
		numbers = binary.LittleEndian.AppendUint32(numbers, uint32(d))
	}
	text(past.Calendar)
	_, _ = fmt.Fprintf(h, "%d %d %d\n", past.BarsPerYear, len(past.Axis), len(past.Members))
	_, _ = h.Write(numbers)
	for i := range past.Members {
		m := &past.Members[i]
		text(m.Key)
		_, _ = fmt.Fprintf(h, "%d %d %t %t\n", m.First, m.Last, m.Delisted, m.SevenDay)
		_, _ = h.Write(arrow.Float64Traits.CastToBytes(m.Returns))
		_, _ = h.Write(m.Bars)
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}
