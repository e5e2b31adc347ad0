package generate_test

import (
	"context"
	"errors"
	"testing"

	"ballast/program/generate"
)

type answering struct {
	draft *generate.Draft
	err   error
	asked *int
}

func (a answering) Generate(context.Context, generate.Library, generate.Request) (*generate.Draft, error) {
	*a.asked++
	return a.draft, a.err
}

func TestFirstPassesOnWhatIsNotUnderstood(t *testing.T) {
	t.Parallel()
	draft := &generate.Draft{Script: "x", Generator: "second"}
	unknown, later := &generate.NotUnderstood{Words: []generate.Word{{Text: "wobbly"}}}, &generate.NotUnderstood{}
	failure, outage := &generate.Failure{Message: "no"}, errors.New("connection refused")
	for _, c := range []struct {
		name    string
		answers []answering
		draft   *generate.Draft
		err     error
		asked   int
	}{
		{"the first understands", []answering{{draft: draft}, {err: failure}}, draft, nil, 1},
		{"the second understands", []answering{{err: unknown}, {draft: draft}}, draft, nil, 2},
		{"a failure is final", []answering{{err: failure}, {draft: draft}}, nil, failure, 1},
		{"an outage is final", []answering{{err: outage}, {draft: draft}}, nil, outage, 1},
		{"the last one says why", []answering{{err: unknown}, {err: later}}, nil, later, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			generators := make([]generate.Generator, len(c.answers))
			for i, a := range c.answers {
				a.asked = &asked
				generators[i] = a
			}
			got, err := generate.First(generators...).Generate(t.Context(), nil, generate.Request{})
			if got != c.draft || !errors.Is(err, c.err) || asked != c.asked {
				t.Errorf("got %v, %v after %d generators; want %v, %v after %d", got, err, asked, c.draft, c.err, c.asked)
			}
		})
	}
}

func TestFirstOfNoneUnderstandsNothing(t *testing.T) {
	t.Parallel()
	_, err := generate.First().Generate(t.Context(), nil, generate.Request{})
	var unknown *generate.NotUnderstood
	if !errors.As(err, &unknown) {
		t.Errorf("got %v, want a *NotUnderstood", err)
	}
}
