package postgres

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"ballast/timeseries"
)

// toDate converts a date to a column's value; NoDate becomes null.
func toDate(d timeseries.Date) pgtype.Date {
	if d == timeseries.NoDate {
		return pgtype.Date{}
	}
	return pgtype.Date{Time: d.Time(), Valid: true}
}

func fromDate(d pgtype.Date) timeseries.Date {
	if !d.Valid {
		return timeseries.NoDate
	}
	return timeseries.FromTime(d.Time)
}

// stamp returns a time as a column stores it: UTC, to the microsecond.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}

// encode marshals a document; a nil pointer becomes null. jsonb cannot hold NUL, which
// a script may well put into its own error message.
func encode[T any](v *T) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return withoutNul(b), nil
}

// withoutNul replaces the escape of NUL in a JSON text.
func withoutNul(b []byte) []byte {
	if !bytes.Contains(b, []byte(`\u0000`)) {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		case bytes.HasPrefix(b[i:], []byte(`\u0000`)):
			out = append(out, `\ufffd`...)
			i += len(`\u0000`) - 1
		case b[i] == '\\' && i+1 < len(b): // an escape has at least two bytes, so \\u0000 is not a NUL
			out = append(out, b[i], b[i+1])
			i++
		default:
			out = append(out, b[i])
		}
	}
	return out
}

// storable removes what a text column cannot hold.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
}

// decode unmarshals a document; null becomes a nil pointer.
func decode[T any](b json.RawMessage) (*T, error) {
	if b == nil {
		return nil, nil
	}
	v := new(T)
	if err := json.Unmarshal(b, v); err != nil {
		return nil, fmt.Errorf("decode %T: %w", v, err)
	}
	return v, nil
}

// orNil returns nil for the empty string.
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
