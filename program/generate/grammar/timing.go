package grammar

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// timing sets when decisions are taken.
func (p *parser) timing(plan *Plan) {
	d := &p.draft
	if d.band.there {
		b := d.band.value
		plan.Band = &b
		if b.Key != "" && !slices.ContainsFunc(plan.Pool, func(h Holding) bool { return h.Key == b.Key }) {
			p.refuse(d.band.from, d.band.to, "", b.Key+" is no member of what is held")
		}
		for _, h := range plan.Pool {
			w := h.Weight
			if plan.Weighting == Equal && plan.Select == nil {
				w = 1 / float64(len(plan.Pool))
			}
			if off := math.Abs(w-d.around) > 1e-9; d.around > 0 && off && (b.Key == "" || b.Key == h.Key) {
				p.refuse(d.band.from, d.band.to, "", fmt.Sprintf("a band is as wide on both sides of a target: %s has %s, which is not in the middle. Say when it drifts by more than some points", h.Key, percent(w)))
				break
			}
		}
	}
	switch {
	case plan.Hold:
		for _, other := range []struct {
			there    bool
			from, to int
		}{
			{d.schedule.there, d.schedule.from, d.schedule.to}, {d.band.there, d.band.from, d.band.to}, {d.target.there, d.target.from, d.target.to},
			{plan.Select != nil && d.momentum.there, d.momentum.from, d.momentum.to}, {d.weighting.there, d.weighting.from, d.weighting.to},
		} {
			if other.there {
				p.refuse(other.from, other.to, "", "what is bought and held is never traded again, so it has no schedule")
			}
		}
		if plan.Gate != nil || plan.Each != nil || plan.Select != nil {
			p.refuse(d.hold.from, d.hold.to, "", "a condition must be checked again: say how often, such as monthly")
		}
		plan.Schedule = Schedule{Every: "yearly", Session: -1}
	case d.schedule.there:
		if plan.Schedule.Every == "" || plan.Schedule.Every == "daily" && plan.Schedule.Session != -1 {
			p.refuse(d.schedule.from, d.schedule.to, "", "this is not a schedule: say the first session of the month")
		}
		if plan.Schedule.Weekday != "" && len(plan.Pool) == 1 && plan.Weighting == Equal && plan.Gate == nil && plan.Each == nil && plan.Select == nil && plan.Target == 0 {
			p.refuse(d.schedule.from, d.schedule.to, "", "is "+plan.Pool[0].Key+" held only on these days, or always? A member cannot be held only on certain days of the week; if it is always held, leave the day out")
		}
		limit := map[string]int{"weekly": 5, "monthly": 19, "quarterly": 60, "yearly": 250}[plan.Schedule.Every]
		if plan.Schedule.Session > limit && limit > 0 || plan.Schedule.Session == 0 {
			p.refuse(d.schedule.from, d.schedule.to, "", fmt.Sprintf("some of these periods have fewer sessions: at most %d", limit))
		}
	case d.usual.there:
		plan.Schedule = Schedule{Every: "monthly", Session: -1}
		plan.Notes = append(plan.Notes, "No schedule was given, so decisions are monthly, as they are in "+d.usual.value+".")
	case plan.Select != nil && plan.Select.Count < len(plan.Pool) && slices.Max(plan.Select.Lookbacks) >= 21:
		plan.Schedule = Schedule{Every: "monthly", Session: -1}
		plan.Notes = append(plan.Notes, "No schedule was given, so members are chosen monthly.")
	case plan.Select != nil && plan.Select.Count < len(plan.Pool):
		plan.Schedule = Schedule{Every: "daily", Session: -1}
		plan.Notes = append(plan.Notes, "No schedule was given, so members are chosen daily, since their scores look at less than a month.")
	case plan.Gate != nil || plan.Each != nil || plan.Select != nil:
		plan.Schedule = Schedule{Every: "daily", Session: -1}
		plan.Notes = append(plan.Notes, "No schedule was given, so the condition is checked daily.")
	case plan.Band != nil:
		plan.Schedule = Schedule{Every: "daily", Session: -1}
		plan.Notes = append(plan.Notes, "No schedule was given, so the band is checked daily.")
	default:
		plan.Schedule = Schedule{Every: "monthly", Session: -1}
		plan.Notes = append(plan.Notes, monthlyByDefault)
	}
}

// everyday describes which symbols everyday words were resolved to, and which models ids
// belong to.
func (p *parser) everyday(s *structure) (notes []string) {
	seen := map[string]bool{}
	add := func(r reading) {
		if m := r.member; m.Model && r.key == m.ID && !seen[r.key] {
			seen[r.key] = true
			notes = append(notes, fmt.Sprintf("%s is the model %q.", r.key, m.Name))
		}
		if r.said != "" && !r.unknown && !seen[r.said+r.key] {
			seen[r.said+r.key] = true
			notes = append(notes, fmt.Sprintf("%q means %s.", strings.TrimSpace(r.said), r.key))
		}
	}
	for _, b := range []*block{s.then, s.otherwise} {
		if b == nil {
			continue
		}
		for _, e := range b.entries {
			add(e.reading)
		}
		for _, r := range b.rest {
			add(r)
		}
	}
	for _, t := range p.tests() {
		add(t.subject)
	}
	add(p.draft.hurdle.value)
	return notes
}
