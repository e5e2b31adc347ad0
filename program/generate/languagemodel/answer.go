package languagemodel

import (
	"regexp"
	"strings"
	"unicode"
)

// answer is the parsed content of a reply.
type answer struct {
	script   string   // "" if there is none
	said     string   // the description in the words of the grammar; "" if there is none
	cannot   string   // the reason that it gives for writing none
	notMeant []string // names that it says are not members
}

var (
	entryPoint = regexp.MustCompile(`(?m)^def\s+decide\b`)
	saidLine   = regexp.MustCompile(`(?m)^\W*SAID AS:[ \t]*(.*)$`)
	cannotLine = regexp.MustCompile(`(?m)^\W*CANNOT:[ \t]*(.*)$`)
	notMeant   = regexp.MustCompile(`(?m)^\W*NOT MEANT:[ \t]*(.*)$`)
)

// longestSaid limits a description in the words of the grammar, in characters.
const longestSaid = 2000

// withoutThoughts removes the thinking that some local models write first.
func withoutThoughts(text string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "<think>")
	if !ok {
		return text
	}
	if _, said, ok := strings.Cut(rest, "</think>"); ok {
		return said
	}
	return ""
}

// read finds in a reply the script, or what is given instead of one. The script is the last fenced block with an entry point, or
// else the only block, or else the reply itself if it is a script.
func read(text string) answer {
	blocks, around := fenced(text)
	a := answer{script: pick(blocks)}
	if a.script == "" && len(blocks) == 0 && entryPoint.MatchString(text) {
		a.script, around = notMeant.ReplaceAllString(text, ""), text
	}
	for _, m := range notMeant.FindAllStringSubmatch(around, -1) {
		for name := range strings.SplitSeq(m[1], ",") {
			if name = strings.Trim(name, " \t\r`\"'*."); name != "" {
				a.notMeant = append(a.notMeant, name)
			}
		}
	}
	if a.script != "" {
		a.script = strings.Trim(a.script, "\r\n") + "\n"
		return a
	}
	if m := saidLine.FindStringSubmatch(text); m != nil {
		a.said = shorten(strings.TrimSpace(strings.Map(printable, m[1])), longestSaid)
	}
	if m := cannotLine.FindStringSubmatch(text); m != nil && a.said == "" {
		a.cannot = shorten(strings.TrimSpace(strings.Map(printable, m[1])), 500)
		if a.cannot == "" {
			a.cannot = "it gives no reason."
		}
	}
	return a
}

func pick(blocks []string) string {
	for i := len(blocks) - 1; i >= 0; i-- {
		if entryPoint.MatchString(blocks[i]) {
			return blocks[i]
		}
	}
	if len(blocks) == 1 && strings.TrimSpace(blocks[0]) != "" && !cannotLine.MatchString(blocks[0]) {
		return blocks[0]
	}
	return ""
}

// fenced splits a text into its fenced blocks and the text around them. An unclosed
// block extends to the end.
func fenced(text string) (blocks []string, around string) {
	var block, rest strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case fence == "" && strings.HasPrefix(bare, "```"):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
			block.Reset()
		case fence == "":
			rest.WriteString(line)
		case bare == fence:
			blocks, fence = append(blocks, block.String()), ""
		default:
			block.WriteString(line)
		}
	}
	if fence != "" {
		blocks = append(blocks, block.String())
	}
	return blocks, rest.String()
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return -1
}
