package execution

import (
	"ballast/program"
	"ballast/program/result"
	"ballast/script"
)

// modelPublication adds what only a model's run publishes. model already has the name
// that the run's build gives it.
func modelPublication(p *program.Publication, checked *script.Script, inputs script.Inputs, c *computation, build *program.Build, model *program.Model) error {
	outcome := c.outcome
	p.Base, p.First, p.Last = outcome.Summary.Base, outcome.Summary.StartDate, outcome.Summary.EndDate
	p.Causality, p.Warning, p.Strategy = outcome.Causality, warningOf(&outcome.Summary), checked.Strategy()
	daily, err := result.DailyOf(outcome.Daily())
	if err != nil {
		return err
	}
	p.Figures = daily.Figures(c.frame.BarsPerYear)
	p.Summary = summarize(checked, inputs, c.members, c.frame, outcome, model)
	p.Summary.SeriesSources = program.SeriesSources(c.series)
	p.Summary.Optimizers = used(c, outcome)
	if c.continuedFrom != "" {
		p.Summary.ContinuedFrom = &c.continuedFrom
	}
	if p.Summary.Causality = outcome.Causality; outcome.Causality == nil {
		p.Summary.Causality = build.Causality
	}
	return nil
}

// answerPublication adds what a run of another kind publishes.
func answerPublication(p *program.Publication, inputs script.Inputs, c *computation) {
	var drawn *program.Drawn
	if d := c.outcome.Drawn; d != nil {
		drawn = &program.Drawn{Seed: d.Seed, Method: d.Method, First: d.First.String(), Last: d.Last.String()}
	}
	p.Answer = &program.Answer{
		Drawn: drawn, Kept: c.kept,

		Universe: inputs.Universe(), MemberSources: sourcesOf(c.members), SeriesSources: program.SeriesSources(c.series), Inputs: inputs.JSON(), HarnessVersion: script.HarnessVersion,
		Steps: c.outcome.Steps, Scalars: c.outcome.Scalars, Figures: c.outcome.Figures, Log: c.outcome.Log,
	}
}
