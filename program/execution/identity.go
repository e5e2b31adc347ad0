package execution

import (
	"context"

	"ballast/program"
	"ballast/script"
)

// identity returns what a build changes about its model when it is served: only the
// constants that differ from those of the served script, so that a name that the
// owner chose stays. Prompts do not set names, so the names in a generated script
// give way to those that the owner chose.
func (e *Executor) identity(ctx context.Context, build *program.Build, model *program.Model, now *script.Script) (*program.Identity, error) {
	if build.ID == model.BuildID { // the model has served nothing yet
		i := &program.Identity{Description: now.Description, Prompt: build.Prompt, Yields: true}
		if build.Kind != "create" { // the model still has the name of a script that failed
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
