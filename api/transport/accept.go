package transport

import (
	"strconv"
	"strings"
)

// accepted is one entry of an Accept or Accept-Encoding header.
type accepted struct {
	name   string  // in lower case
	weight float64 // from 0, which refuses, to 1
}

// acceptedOf parses the lines of such a header (RFC 9110 section 12.4.2). A weight
// that is not a number from 0 to 1 counts as 1.
func acceptedOf(lines []string) []accepted {
	var list []accepted
	for _, line := range lines {
		for entry := range strings.SplitSeq(line, ",") {
			name, parameters, _ := strings.Cut(entry, ";")
			if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
				list = append(list, accepted{name, weightOf(parameters)})
			}
		}
	}
	return list
}

func weightOf(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		key, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(key), "q") {
			continue
		}
		if q, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && q >= 0 && q <= 1 {
			return q
		}
	}
	return 1
}

// bestMedia returns the offered media type with the highest weight, the first one if
// several have it. It returns "" if the header refuses or does not mention any of
// them.
func bestMedia(list []accepted, offered []string) string {
	best, highest := "", 0.0
	for _, media := range offered {
		if q := mediaWeight(list, media); q > highest {
			best, highest = media, q
		}
	}
	return best
}

// mediaWeight returns the weight of a media type, from the most specific entry that
// matches it (RFC 9110 section 12.5.1). It is 1 if the header is empty.
func mediaWeight(list []accepted, media string) float64 {
	if len(list) == 0 {
		return 1
	}
	family, _, _ := strings.Cut(media, "/")
	specific, weight := 0, 0.0
	for _, a := range list {
		matches := 0
		switch a.name {
		case media:
			matches = 3
		case family + "/*":
			matches = 2
		case "*/*":
			matches = 1
		}
		if matches > specific {
			specific, weight = matches, a.weight
		}
	}
	return weight
}

// codingWeight returns the weight of a content coding, or otherwise if the header
// names neither it nor "*" (RFC 9110 section 12.5.3).
func codingWeight(list []accepted, coding string, otherwise float64) float64 {
	for _, a := range list {
		switch a.name {
		case coding, "x-" + coding:
			return a.weight
		case "*":
			otherwise = a.weight
		}
	}
	return otherwise
}
