package sandbox

import (
	"fmt"
	"time"
)

// headroom is address space beyond a script's data: thread stacks, the C
// library, the garbage collector, and the steps in which the heap grows.
const headroom = 512 << 20

// stage is what a child is doing with a script: running it, or repeating it for
// the causality check.
type stage int

const (
	stageRun stage = iota
	stageCausality
)

// during returns the end of the message about a limit.
func (s stage) during() string {
	if s == stageCausality {
		return ", while it was repeated to check its causality"
	}
	return ""
}

func (s stage) deadlineMessage(d time.Duration) string {
	return fmt.Sprintf("the run took longer than %s%s: decide less often, look back less far or hold fewer members", d, s.during())
}

func (s stage) memoryMessage(n int64) string {
	return fmt.Sprintf("the run took more memory than %d MiB%s", n>>20, s.during())
}
