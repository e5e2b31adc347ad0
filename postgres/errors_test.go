package postgres

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"ballast/internal/fault"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want fault.Type
	}{
		{"a fault passes", fault.New(fault.NotFound, "none"), fault.NotFound},
		{"shutting down", &pgconn.PgError{Code: "57P01"}, fault.Unavailable},
		{"starting up", &pgconn.PgError{Code: "57P03"}, fault.Unavailable},
		{"connection lost", &pgconn.PgError{Code: "08006"}, fault.Unavailable},
		{"too many connections", &pgconn.PgError{Code: "53300"}, fault.Unavailable},
		{"cannot connect", &pgconn.ConnectError{}, fault.Unavailable},
		{"NUL in text", &pgconn.PgError{Code: "22021"}, fault.InvalidBody},
		{"NUL in a document", &pgconn.PgError{Code: "22P05"}, fault.InvalidBody},
		{"anything else", &pgconn.PgError{Code: "42P01"}, fault.Internal},
		{"canceled", context.Canceled, fault.Internal},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := wrap(test.err, "read %s", "it")
			if got := fault.TypeOf(err); got != test.want || !errors.Is(err, test.err) {
				t.Errorf("%v is %s, want %s", err, got, test.want)
			}
		})
	}
	if err := wrap(nil, "nothing"); err != nil {
		t.Errorf("no error became %v", err)
	}
}

func TestWithoutNul(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"none", `{"a":"b"}`, `{"a":"b"}`},
		{"NUL", `{"a":"b\u0000c\u0000"}`, `{"a":"b\ufffdc\ufffd"}`},
		{"written out", `{"a":"\\u0000"}`, `{"a":"\\u0000"}`},
		{"after a backslash", `{"a":"\\\u0000"}`, `{"a":"\\\ufffd"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(withoutNul([]byte(test.in))); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}
