package service

import (
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"
)

// NewLogger creates the service's logger: text for people, JSON for machines.
func NewLogger(c LogConfig, w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		return nil, invalid("log level %q: accepted are debug, info, warn and error", c.Level)
	}
	options := &slog.HandlerOptions{Level: level}
	switch c.Format {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	case "auto":
		if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
			return slog.New(slog.NewTextHandler(w, options)), nil
		}
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, invalid("log format %q: accepted are auto, text and json", c.Format)
}
