package sandbox

import (
	"fmt"
	"time"
)

// headroom is for what takes addresses beside a script's data: the stacks of
// threads, the C library, the collector, and the steps in which the heap grows.
const headroom = 512 << 20

// stage is what a child does with a script: run it, then repeat it on the past.
type stage int

const (
	stageRun stage = iota
	stageCausality
)

// during ends the sentence about a limit.
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
