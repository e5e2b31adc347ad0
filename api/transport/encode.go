package transport

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// appender is a body that writes its own JSON. Bodies with large vectors do so
// because encoding/json scans the output of each MarshalJSON again to compact it, and
// pages of assets do so because encoding/json takes three times as long.
type appender interface {
	AppendJSON(b []byte) ([]byte, error)
}

// jsonFormat reads and writes JSON bodies.
var jsonFormat = huma.Format{Marshal: WriteJSON, Unmarshal: json.Unmarshal}

// WriteJSON writes a body, with its own AppendJSON if it has one.
func WriteJSON(w io.Writer, v any) error {
	a, ok := v.(appender)
	if !ok {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(v)
	}
	if h, ok := w.(*Held); ok { // straight into the response
		body, err := a.AppendJSON(h.body)
		if err != nil {
			return err
		}
		body = append(body, '\n')
		h.body = body
		return nil
	}
	body, err := a.AppendJSON(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(append(body, '\n'))
	return err
}

// AppendValue appends the JSON of a small value.
func AppendValue(b []byte, v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte{'\n'})...), nil
}

// AppendText appends s as a JSON string.
func AppendText(b []byte, s string) []byte {
	ascii := true
	for i := range len(s) {
		c := s[i]
		if c < 0x20 || c == '"' || c == '\\' || c == 0x7f {
			return appendEscaped(b, s)
		}
		ascii = ascii && c < 0x80
	}
	// encoding/json escapes line and paragraph separators; match it.
	if !ascii && (!utf8.ValidString(s) || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029")) {
		return appendEscaped(b, s)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func appendEscaped(b []byte, s string) []byte {
	b, _ = AppendValue(b, s) // a string always encodes
	return b
}
