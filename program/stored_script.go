package program

import (
	"encoding/json"
	"fmt"

	"ballast/script"
)

// CheckedScript returns the script of a build. It passed its checks when the build
// was accepted.
func CheckedScript(kinds script.Kinds, b *Build) (*script.Script, error) {
	p, err := scriptOf(kinds, b.Script)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", b.ID, err)
	}
	return p, nil
}

// scriptOf checks a stored script again.
func scriptOf(kinds script.Kinds, source string) (*script.Script, error) {
	p, problems := kinds.Check(source, nil)
	if len(problems) > 0 {
		return nil, fmt.Errorf("the stored script no longer passes its checks: %v", problems[0])
	}
	return p, nil
}

// BoundInputs returns a run's inputs with their values.
func BoundInputs(p *script.Script, run *Run) (script.Inputs, error) {
	values := map[string]any{}
	if err := json.Unmarshal(run.Inputs, &values); err != nil {
		return script.Inputs{}, fmt.Errorf("decode inputs of run %s: %w", run.ID, err)
	}
	inputs, details := p.Bind(values)
	if len(details) > 0 {
		return script.Inputs{}, fmt.Errorf("stored inputs of run %s no longer fit: %s: %s", run.ID, details[0].Field, details[0].Message)
	}
	return inputs, nil
}
