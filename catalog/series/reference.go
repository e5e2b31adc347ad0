package series

import (
	"regexp"
	"strings"
)

// A name has no dot, so that the first dot of NAME.KEY divides the two.
var (
	nameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)
	keyForm  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)
)

// What names and keys are, for error messages.
const (
	nameRule = "a letter, then up to 39 letters, digits, _ and -"
	keyRule  = "a letter or digit, then up to 63 letters, digits, _, . and -"
)

// reserved are keys that mean something else.
var reserved = map[string]bool{"DATE": true}

// ValidKey reports whether s can be the key of a column.
func ValidKey(s string) bool { return keyForm.MatchString(s) && !reserved[strings.ToUpper(s)] }

// Reference divides NAME.KEY. It reports false if s does not have that form.
func Reference(s string) (name, key string, ok bool) {
	name, key, ok = strings.Cut(s, ".")
	return name, key, ok && nameForm.MatchString(name) && ValidKey(key)
}

// KeyOf turns the heading of a file's column into a key. Characters that keys cannot
// contain become underscores. It returns "" if nothing is left.
func KeyOf(heading string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(heading) {
		switch {
		case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-' && b.Len() > 0, r == '.' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	key := strings.TrimRight(b.String(), "_.-")
	if !ValidKey(key) {
		return ""
	}
	return key
}

// Fold returns a name as it is compared: upper and lower case do not matter.
func Fold(name string) string { return strings.ToUpper(name) }
