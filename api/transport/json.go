package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ballast/internal/fault"
)

// Limits of a JSON body, whatever its operation. Without them a body within its size
// limit can take fifty times as much memory when it is decoded.
const (
	maxJSONDepth  = 32     // nesting of objects and lists
	maxJSONValues = 50_000 // names and values
	maxJSONNumber = 100    // characters of a number
)

// boundedJSON refuses a body that exceeds the limits, or that has a name twice in one
// object, because two readers may then read different values. It reads the body once
// and keeps only names. Malformed JSON is left to decode, whose error says where it
// is.
func boundedJSON(body []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var open []map[string]bool // names so far; nil for a list
	name := false              // the next string is a name
	for values := 1; ; values++ {
		token, err := decoder.Token()
		if err != nil {
			return nil //nolint:nilerr // end of the body, or malformed JSON, which decode reports
		}
		if values > maxJSONValues {
			return tooMuchJSON(body, decoder, fmt.Sprintf("has more than %d names and values", maxJSONValues))
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{', '[':
				if len(open) == maxJSONDepth {
					return tooMuchJSON(body, decoder, fmt.Sprintf("has objects or lists more than %d deep", maxJSONDepth))
				}
				var names map[string]bool
				if token == '{' {
					names = make(map[string]bool)
				}
				open = append(open, names)
			default:
				open = open[:len(open)-1]
			}
		case string:
			if name {
				names := open[len(open)-1]
				if names[token] {
					return tooMuchJSON(body, decoder, fmt.Sprintf("has the name %q twice in one object", Cut(token)))
				}
				names[token] = true
				name = false
				continue
			}
		case json.Number:
			if len(token) > maxJSONNumber {
				return tooMuchJSON(body, decoder, fmt.Sprintf("has a number of more than %d characters", maxJSONNumber))
			}
		}
		name = len(open) > 0 && open[len(open)-1] != nil
	}
}

func tooMuchJSON(body []byte, decoder *json.Decoder, what string) error {
	detail := fault.Detail{Location: "body", Message: what}
	detail.Line, detail.Column = position(body, decoder.InputOffset())
	return fault.New(fault.InvalidBody, "The body %s.", what).With(detail)
}

// How much of a refused request its response repeats.
const (
	maxDetails = 100
	maxRepeat  = 1000 // bytes of one text
)

// BoundedDetails limits the number and the length of details: a hostile request can
// have a problem in every byte, and its response would be many times as long.
func BoundedDetails(details []fault.Detail) []fault.Detail {
	details = slices.Clone(details[:min(len(details), maxDetails)])
	for i, d := range details {
		d.Location, d.Message, d.Suggestion = Cut(d.Location), Cut(d.Message), Cut(d.Suggestion)
		details[i] = d
	}
	return details
}

// Cut shortens a text that a response repeats.
func Cut(text string) string {
	if len(text) <= maxRepeat {
		return text
	}
	return strings.ToValidUTF8(text[:maxRepeat], "") + "…"
}
