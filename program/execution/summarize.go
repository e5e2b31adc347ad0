package execution

import (
	"strings"

	"ballast/backtest"
	"ballast/program"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// truncation returns nil if the log is complete.
func truncation(l backtest.Log) *program.Truncation {
	if l.Kept == l.Total {
		return nil
	}
	return &program.Truncation{Kept: l.Kept, Total: l.Total}
}

// summarize builds a run's summary.
func summarize(p *script.Script, inputs script.Inputs, m *members, frame *timeseries.Frame, outcome *sandbox.Outcome, model *program.Model) *program.Summary {
	told := outcome.Summary
	s := &program.Summary{
		Universe:          inputs.Universe(),
		MemberSources:     sourcesOf(m),
		EndDate:           told.EndDate.String(),
		InitialCash:       told.InitialCash,
		FinalValue:        told.FinalValue,
		TradesTotal:       told.TradesTotal,
		RebalanceDates:    told.RebalanceDates,
		RebalancesPerYear: told.RebalancesPerYear,
		AnnualTurnover:    told.AnnualTurnover,
		MaxGrossExposure:  told.MaxGrossExposure,
		HarnessVersion:    script.HarnessVersion,
		Inputs:            inputs.JSON(),
		Window:            program.SummaryWindow{StartRule: string(p.Start)},
		Alignment: program.Alignment{
			AsOf: frame.Axis[len(frame.Axis)-1].String(), BarsPerYear: frame.BarsPerYear, SessionCalendar: frame.Calendar,
		},
		Execution: program.Execution{
			Fill: string(told.Fill), Path: "drift", Decisions: told.Decisions,
			Dividends: "reinvested on their ex-date", PriceBasis: "total_return", DividendsCredited: 0,
			Steps: outcome.Steps,
		},
		ModelName:   model.Name,
		ModelSymbol: model.Symbol,
		Warnings:    told.Warnings,

		TradeLogTruncated: truncation(told.TradeLog), TargetHistoryTruncated: truncation(told.TargetHistory),
		CustomKeys: customKeys(outcome),
	}
	if first := told.StartDate.String(); first != "" {
		s.StartDate = &first
	}
	s.Backfills = program.BackfillsRead(m.pinned)
	return s
}

// sourcesOf returns where the returns of members were read from, by key.
func sourcesOf(m *members) map[string]program.MemberSource {
	sources := make(map[string]program.MemberSource, len(m.pinned))
	for _, member := range m.pinned {
		source := program.MemberSource{Kind: member.Kind, ID: member.ID, RunID: member.RunID, First: member.First.String(), Last: member.Last.String()}
		if member.Kind == program.MemberAsset {
			source.DataVersion = program.DataVersion(member.BarsVersion)
		}
		sources[member.Key] = source
	}
	return sources
}

// customKeys returns the names of the model's own diagnostics.
func customKeys(outcome *sandbox.Outcome) []string {
	keys := []string{}
	for _, f := range outcome.Daily().Schema().Fields() {
		if name, ok := strings.CutPrefix(f.Name, backtest.CustomPrefix); ok {
			keys = append(keys, name)
		}
	}
	return keys
}

// warningOf returns what is wrong with the allocation at the end of a result: nothing is
// left, or CASH stands for a member that cannot be held. What happened before the
// last decision is only in the summary's warnings.
func warningOf(s *backtest.Summary) string {
	var messages []string
	for _, w := range s.Warnings {
		current := w.Last >= s.LastDecision.Date
		switch w.Kind {
		case backtest.WarnRuin:
			messages = append(messages, w.Message)
		case backtest.WarnSuspended, backtest.WarnDelisted, backtest.WarnUntradable:
			if current {
				messages = append(messages, w.Message)
			}
		}
	}
	return strings.Join(messages, "; ")
}
