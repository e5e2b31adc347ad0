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

// StateKey is the key of the state in the schema metadata of the daily table.
const StateKey = "state"

// stateSumKey is the key of the state's checksum, which detects damaged numbers.
const stateSumKey = "state_sum"

// stateVersion changes whenever the meaning of a state changes.
const stateVersion = 1

// State is a run at its last stop (a decision, a fill or a forced sale) before the
// final session. If bars are only appended, Resume continues the run from there.
// Sessions are axis positions; members are positions in the universe.
type State struct {
	Version int             `json:"version"`
	Session int             `json:"session"` // axis position of the stop
	Date    timeseries.Date `json:"date"`
	Past    string          `json:"past"` // Fingerprint of the frame up to the stop; "" until it is computed
	Base    int             `json:"base"` // axis position

	Hold    []float64 `json:"hold"` // one per member, in currency
	Longs   []int     `json:"longs"`
	Shorts  []int     `json:"shorts"`
	Cash    float64   `json:"cash"`
	Equity  float64   `json:"equity"`
	Gross   float64   `json:"gross"`
	Target  []float64 `json:"target"`  // of the latest decision, one per member
	Pending bool      `json:"pending"` // the latest decision is not filled yet
	Decided []byte    `json:"decided"` // bitmap over the axis: sessions with a decision

	Trades     int       `json:"trades"` // like Summary.TradesTotal
	Fills      int       `json:"fills"`
	MaxGross   float64   `json:"max_gross"`
	Turnover   float64   `json:"turnover"`    // notional traded after the base
	LedgerRows int       `json:"ledger_rows"` // including dropped ones
	TargetRows int       `json:"target_rows"`
	Warnings   []Warning `json:"warnings"` // except those about stale sessions, and without messages

	Weights       []int    `json:"weights"`       // members with a column
	Contributions []int    `json:"contributions"` // members with a column
	Custom        []string `json:"custom"`        // names of series, in ascending order

	Steps uint64 `json:"steps"` // the decider's step count, or 0 if it does not count steps
}

// EncodeState encodes s as JSON without rounding. The same state gives the same bytes.
func EncodeState(s *State) ([]byte, error) { return json.Marshal(s) }

// DecodeState decodes what EncodeState wrote. It does not check the state; see Check.
func DecodeState(b []byte) (*State, error) {
	var s State
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, fmt.Errorf("state of a run: %w", err)
	}
	return &s, nil
}

// StateOf decodes the state in the schema of a daily table. It returns nil if there is
// none.
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

// sumOf returns a checksum, which protects only against accidental damage.
func sumOf(b []byte) string { return strconv.FormatUint(xxh3.Hash(b), 16) }

// Check returns an error if s cannot be a state of a run over f. It does not compare
// the state with the bars; Fingerprint does.
func (s *State) Check(f *timeseries.Frame) error {
	n := len(f.Members)
	switch {
	case s.Version != stateVersion:
		return fmt.Errorf("version %d is not %d", s.Version, stateVersion)
	case s.Session < 0 || s.Session >= len(f.Axis)-1 || f.Axis[s.Session] != s.Date:
		return fmt.Errorf("session %d, %s, is not before the end of the axis", s.Session, s.Date)
	case s.Base < 0 || s.Base > s.Session:
		return fmt.Errorf("base %d is after session %d", s.Base, s.Session)
	case len(s.Hold) != n || len(s.Target) != n:
		return fmt.Errorf("%d holdings and %d targets for %d members", len(s.Hold), len(s.Target), n)
	case !drift.Finite(s.Hold) || !drift.Finite(s.Target) || !drift.Finite([]float64{s.Cash, s.Equity, s.Gross, s.MaxGross, s.Turnover}):
		return fmt.Errorf("a number is not finite")
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

// checkHoldings checks that each holding is on one side and that all add up to equity.
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
		return fmt.Errorf("equity is %v but the holdings add up to %v", s.Equity, value)
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

// Fingerprint returns a hash of the frame up to axis position t, as it was known at
// that close: the members' keys, bars and returns. Frames with the same fingerprint
// give the same decisions up to t.
func Fingerprint(f *timeseries.Frame, t int) string {
	past := f.Cut(f.Axis[t])
	h := xxh3.New()
	text := func(s string) {
		_, _ = fmt.Fprintf(h, "%d %s\n", len(s), s) // writing to a hash never fails
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
	for i := range past.Outside {
		o := &past.Outside[i]
		text(o.Key)
		_, _ = h.Write(arrow.Int32Traits.CastToBytes(o.Ends))
		for _, d := range o.Dates {
			_, _ = h.Write(binary.LittleEndian.AppendUint32(nil, uint32(d)))
		}
		_, _ = h.Write(arrow.Float64Traits.CastToBytes(o.Values))
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}
