//go:build !linux

package confine

import (
	"errors"
	"os"
)

// ErrNotLinux is why a guard is missing on other systems.
var ErrNotLinux = errors.New("this system has none; Linux has")

// Harden does what can be done without the kernel's help.
func Harden(Plan) Report {
	var r Report
	os.Clearenv()
	r.Note("empty_environment", "", nil)
	for _, name := range []string{"closed_descriptors", "resource_limits", "unprivileged_user", "no_dump", "parent_death", "no_new_privileges", "landlock", "seccomp"} {
		r.Note(name, "", ErrNotLinux)
	}
	return r
}
