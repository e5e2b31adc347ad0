package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// AnswerBytes is the most bytes of an answer, unless the caller asks for more.
const AnswerBytes = 8000

// largestAnswer is the most that a caller may ask for.
const largestAnswer = 200_000

// Size is the parameter of tools whose answers may be long.
type Size struct {
	MaxBytes int `json:"max_bytes,omitempty" jsonschema:"longest answer in bytes; default 8000, at most 200000"`
}

func (s Size) bytes() int {
	if s.MaxBytes <= 0 {
		return AnswerBytes
	}
	return min(s.MaxBytes, largestAnswer)
}

// fit encodes an answer in at most most bytes. It halves the largest list or text again
// and again, and says in shortened which ones.
func fit(value map[string]any, most int) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil || len(text) <= most {
		return text, err
	}
	var plain map[string]any // only maps, slices and scalars
	if err := json.Unmarshal(text, &plain); err != nil {
		return nil, err
	}
	lengths := map[string]string{}
	for range 400 {
		at := largest(plain, "", most/8)
		if at.halve == nil {
			break
		}
		kept, of := at.halve()
		if _, known := lengths[at.path]; !known {
			lengths[at.path] = fmt.Sprint(of)
		}
		_, full, _ := cut(lengths[at.path])
		lengths[at.path] = fmt.Sprintf("%d of %s", kept, full)
		plain["shortened"] = lengths
		if text, err = json.Marshal(plain); err != nil || len(text) <= most {
			return text, err
		}
	}
	return json.Marshal(map[string]any{
		"error": fmt.Sprintf("The answer has more than %d bytes and cannot be shortened. Ask for a shorter window or fewer parts, or send max_bytes.", most),
		"more":  plain["more"],
	})
}

// cut splits "10 of 20"; of a plain number, both are that.
func cut(text string) (kept, of string, both bool) {
	if n, err := fmt.Sscanf(text, "%s of %s", &kept, &of); err == nil && n == 2 {
		return kept, of, true
	}
	return text, text, false
}

// place is a list or text that can be halved.
type place struct {
	path  string
	bytes int
	halve func() (kept, of int)
}

// largest finds the innermost list or text that takes the most bytes. A container whose
// parts are each small counts as a whole.
func largest(value map[string]any, path string, small int) place {
	var best place
	for _, name := range slices.Sorted(maps.Keys(value)) {
		if name == "shortened" {
			continue
		}
		if p := largestOf(value[name], path+name, func(v any) { value[name] = v }, small); p.bytes > best.bytes {
			best = p
		}
	}
	return best
}

func largestOf(value any, path string, set func(any), small int) place {
	switch v := value.(type) {
	case map[string]any:
		inner := largest(v, path+".", small)
		if inner.bytes > small || len(v) < 8 {
			return inner
		}
		return place{path, sizeOf(v), func() (int, int) {
			names := slices.Sorted(maps.Keys(v))
			kept := map[string]any{}
			for _, name := range names[:len(names)/2] {
				kept[name] = v[name]
			}
			set(kept)
			return len(kept), len(names)
		}}
	case []any:
		best := place{}
		for i, e := range v {
			if p := largestOf(e, fmt.Sprintf("%s[%d]", path, i), func(x any) { v[i] = x }, small); p.bytes > best.bytes {
				best = p
			}
		}
		if best.bytes > small || len(v) < 2 {
			return best
		}
		return place{path, sizeOf(v), func() (int, int) {
			kept := v[:len(v)/2]
			set(kept)
			return len(kept), len(v)
		}}
	case string:
		if len(v) < 200 {
			return place{}
		}
		return place{path, len(v), func() (int, int) {
			end := len(v) / 2
			for end > 0 && !utf8.RuneStart(v[end]) {
				end--
			}
			set(v[:end])
			return end, len(v)
		}}
	}
	return place{}
}

func sizeOf(value any) int {
	text, err := json.Marshal(value)
	if err != nil {
		return 0
	}
	return len(text)
}
