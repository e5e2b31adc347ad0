// Package id makes and parses the service's identifiers. An identifier is a prefix that
// names the kind, then a UUIDv7 as 32 lower-case hexadecimal digits, so identifiers of a
// kind sort by the time at which they were made.
package id

import (
	"encoding/hex"
	"strings"

	"github.com/google/uuid"
)

// Kind is the prefix of an identifier, with its underscore.
type Kind string

// The kinds of the interface.
const (
	Account    Kind = "account_"
	Analysis   Kind = "analysis_"
	Asset      Kind = "asset_"
	Audit      Kind = "audit_"
	Backfill   Kind = "backfill_"
	Build      Kind = "build_"
	Charge     Kind = "charge_"
	Delivery   Kind = "delivery_"
	Event      Kind = "event_"
	Key        Kind = "key_"
	Model      Kind = "model_"
	Optimizer  Kind = "optimizer_"
	Report     Kind = "report_"
	Revision   Kind = "revision_"
	Run        Kind = "run_"
	Series     Kind = "series_"
	Session    Kind = "session_"
	Share      Kind = "share_"
	Simulation Kind = "simulation_"
	Webhook    Kind = "webhook_"
)

// legacy lists older prefixes, which still name the same things.
var legacy = []struct {
	prefix string
	kind   Kind
}{
	{"mb-", Build}, {"sb-", Build}, {"ab-", Build}, {"mr-", Run},
	{"m-", Model}, {"r-", Run}, {"a-", Asset}, {"b-", Build},
}

// New makes an identifier of the kind.
func New(k Kind) string {
	u := uuid.Must(uuid.NewV7())
	return string(k) + hex.EncodeToString(u[:])
}

// Parse parses an identifier of the kind, in its current or a legacy form, and returns
// the current form. It returns false for anything else.
func Parse(k Kind, s string) (string, bool) {
	if rest, ok := strings.CutPrefix(s, string(k)); ok {
		return s, digits(rest)
	}
	for _, l := range legacy {
		rest, ok := strings.CutPrefix(s, l.prefix)
		if !ok || l.kind != k {
			continue
		}
		if l.prefix == "b-" {
			if u, err := uuid.Parse(rest); err == nil && len(rest) == 36 {
				rest = hex.EncodeToString(u[:])
			}
		}
		return string(k) + rest, digits(rest)
	}
	return "", false
}

func digits(s string) bool {
	if len(s) != 32 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
