package analysis

import (
	"context"
	"errors"

	"ballast/analyze"
	"ballast/script"
	"ballast/script/sandbox"
)

// Family executes analyses in the sandbox.
var Family = sandbox.Family{Kind: Kind, Execute: Execute}

// Execute runs an analysis. A *script.RunError is an error of the script or of its data.
func Execute(_ context.Context, c sandbox.Call) (*script.Answer, error) {
	first, last := dates(c.Inputs)
	w, err := newWindow(c.Frame, first, last)
	if err != nil {
		return nil, err
	}
	w.swept = c.Swept
	ctx := newContext(c, w)
	v, err := c.Caller.Call(ctx)
	if w.wants != nil {
		return &script.Answer{Wants: w.wants}, nil
	}
	if err != nil {
		return nil, ctx.explained(err)
	}
	if err := ctx.sheet.returned(v); err != nil {
		return nil, err
	}
	answer, err := ctx.sheet.answer(w)
	if err == nil {
		answer.Keep = w.keep
	}
	return answer, err
}

// dataError says that series cannot be analyzed.
func dataError(message string) error {
	return &script.RunError{Type: script.DataError, Message: message}
}

// isAboutData reports whether an error of a function is about the data, not about the
// script.
func isAboutData(err error) bool {
	var data *analyze.DataError
	var run *script.RunError
	return errors.As(err, &data) || errors.As(err, &run) && run.Type == script.DataError
}
