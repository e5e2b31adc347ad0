package sandbox

import (
	"bytes"
	"sync"
)

// lastWords keeps the start of a child's standard error. Go's runtime names the
// cause of a crash first.
type lastWords struct {
	mu   sync.Mutex
	said []byte
}

const maxLastWords = 8 << 10

// Write implements io.Writer. It drops what exceeds maxLastWords.
func (w *lastWords) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, b[:min(len(b), maxLastWords-len(w.said))]...)
	return len(b), nil
}

// note returns the text as the end of an error message.
func (w *lastWords) note() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.said) == 0 {
		return ""
	}
	return ": " + clip(string(w.said), maxLastWords)
}

// outOfMemory reports whether the process ended because it ran out of memory or
// stack.
func (w *lastWords) outOfMemory() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, words := range []string{"out of memory", "cannot allocate memory", "failed to allocate", "too many address space collisions", "pthread_create failed", "stack overflow", "stack exceeds"} {
		if bytes.Contains(w.said, []byte(words)) {
			return true
		}
	}
	return false
}
