package web

import "testing"

func TestUnwrapped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "",
		"One line.":                              "One line.",
		"Two lines\nof one sentence.":            "Two lines of one sentence.",
		"A paragraph\nof two.\n\nAnother one.\n": "A paragraph of two.\n\nAnother one.\n",
		"A list:\n- one\n- two\n  more":          "A list:\n- one\n- two\n  more",
		"Ends with \nspace":                      "Ends with space",
		"Shares of\n60 %":                        "Shares of 60 %",
	} {
		if got := unwrapped(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
