package console

import (
	"context"
	"crypto/rand"
	"regexp"
)

// keyPattern matches the keys that forms are given.
var keyPattern = regexp.MustCompile(`^[A-Z2-7]{16,40}$`)

// formKey returns the key of a posted form or, for a form that has none yet, a new one. A
// form that is sent twice, with a double press or by reloading, carries the same key.
func (r *request) formKey() string {
	if key := r.PostForm.Get("key"); keyPattern.MatchString(key) {
		return key
	}
	return rand.Text()
}

// once makes a change unless the same form has made it before, and returns where the
// browser goes on. A form that has been edited since is another form.
func (c *Console) once(r *request, operation string, change func(ctx context.Context) (next string, err error)) (string, error) {
	return c.Changer.Once(r.Request, operation, r.formKey(), change)
}
