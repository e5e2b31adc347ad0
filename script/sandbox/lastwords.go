package sandbox

import (
	"bytes"
	"sync"
)

// lastWords keeps the beginning of what a dying child says: the runtime names
// the cause first.
type lastWords struct {
	mu   sync.Mutex
	said []byte
}

const maxLastWords = 8 << 10

// Write implements io.Writer; what is too much is dropped.
func (w *lastWords) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, b[:min(len(b), maxLastWords-len(w.said))]...)
	return len(b), nil
}

// note returns what was said, as the end of a sentence.
func (w *lastWords) note() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.said) == 0 {
		return ""
	}
	return ": " + clip(string(w.said), maxLastWords)
}

// outOfMemory reports whether the runtime ended the process for want of memory
// or stack.
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
