package execution

import (
	"context"

	"ballast/program"
	"ballast/script"
)

// identity says what a build makes of its model when it is served: of the
// script's constants those that the build has changed, so that a name which the
// owner gave the model stays. Words say nothing of names, so that what is written
// for them yields to those that the owner has given.
func (e *Executor) identity(ctx context.Context, build *program.Build, model *program.Model, now *script.Script) (*program.Identity, error) {
	if build.ID == model.BuildID { // nothing was served before it
		i := &program.Identity{Description: now.Description, Prompt: build.Prompt, Yields: true}
		if build.Kind != "create" { // the model is named after a script that failed
			i.Name, i.Symbol, i.StartRule = now.Name, now.Symbol, string(now.Start)
		}
		return i, nil
	}
	before, err := e.programs.Build(ctx, model.BuildID)
	if err != nil {
		return nil, err
	}
	return program.IdentityAfter(e.kinds, before, build, now)
}
