package program

import (
	"context"

	"ballast/timeseries"
)

// Lag is a member of a live run and the last date of its current bars or result.
type Lag struct {
	Reference
	Kind     MemberKind
	Last     timeseries.Date // NoDate if there are none
	Delisted bool            // no more bars will come
}

// lags reads the last dates that the members of a model's live run have now.
func (s *Models) lags(ctx context.Context, m *Sheet) ([]Lag, error) {
	var assetIDs, modelIDs []string
	for _, member := range m.Live.Members {
		if member.Kind == MemberModel {
			modelIDs = append(modelIDs, member.ID)
		} else {
			assetIDs = append(assetIDs, member.ID)
		}
	}
	_, listed, models, err := lookUp(ctx, s.assets, s.members, m.AccountID, nil, assetIDs, modelIDs)
	if err != nil {
		return nil, err
	}
	lags := make([]Lag, 0, len(m.Live.Members))
	for _, member := range m.Live.Members {
		l := Lag{Reference: Reference{ID: member.ID, Name: member.Name, Symbol: member.Symbol}, Kind: member.Kind, Last: timeseries.NoDate}
		if a := listed[member.ID]; a != nil {
			l.Last, l.Delisted = a.LastPriceDate, a.Delisted
		} else if held := models[member.ID]; held != nil && held.Live != nil {
			l.Last = held.Live.Last
		}
		lags = append(lags, l)
	}
	return lags, nil
}

// Newer reports whether a member has bars, or a member model a result, later than
// what the live run read.
func (m *Sheet) Newer() bool {
	for _, l := range m.Lags {
		if m.Live != nil && l.Last > m.Live.Last {
			return true
		}
	}
	return false
}

// Behind returns the members that have no data for a session, except delisted ones.
func (m *Sheet) Behind(session timeseries.Date) []Lag {
	var behind []Lag
	for _, l := range m.Lags {
		if l.Last < session && !l.Delisted {
			behind = append(behind, l)
		}
	}
	return behind
}
