package api

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"ballast/program"
	"ballast/timeseries"
)

// ModelSummaryBody is a model in a list, and the first part of its fact sheet.
type ModelSummaryBody struct {
	ID          string           `json:"id" example:"model_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"`
	Name        string           `json:"name"`
	Symbol      string           `json:"symbol" doc:"May be used to refer to the model"`
	Slug        string           `json:"slug" doc:"Public reference, unique in the service"`
	Status      string           `json:"status" enum:"building,active,updating,paused,failed"`
	Run         *inFlightBody    `json:"run" doc:"The work in progress; null if there is none"`
	Warning     *string          `json:"warning"`
	Depth       int              `json:"depth" doc:"Nesting depth of member models; 0 if all members are assets"`
	Structure   structureBody    `json:"structure"`
	AsOf        *timeseries.Date `json:"as_of" doc:"Date of the latest data used"`
	AutoUpdate  bool             `json:"auto_update" doc:"Nightly refresh enabled"`
	IsPublic    bool             `json:"is_public" doc:"Shared by slug"`
	IsFavorite  *bool            `json:"is_favorite"`
	Labels      []string         `json:"labels" nullable:"true" doc:"Private labels"`
	URL         string           `json:"url" doc:"Public page address"`
	CreatedAt   time.Time        `json:"created_at"`
	UpdatedAt   time.Time        `json:"updated_at"`
	Description *string          `json:"description"`
	LiveRunID   *string          `json:"live_run_id" doc:"The run that the model serves"`
	IsOwner     bool             `json:"is_owner"`
	Figures     *figuresBody     `json:"figures,omitempty" doc:"With include=figures of a list: the plain numbers of the live run's metrics over its whole history; left out before the first result"`
}

// modelBody is the fact sheet.
type modelBody struct {
	ModelSummaryBody
	Refresh            refreshBody         `json:"refresh"`
	ApprovedRevisionID *string             `json:"approved_revision_id" doc:"The revision that the model serves; null before the first result"`
	EditingAvailable   bool                `json:"editing_available" doc:"Whether the caller may edit the strategy as a draft"`
	Prompt             string              `json:"prompt" doc:"The stored description; may be empty"`
	Universe           []string            `json:"universe"`
	Components         []componentBody     `json:"components" doc:"Members as the live run resolved them"`
	HeldBy             []program.Reference `json:"held_by" doc:"Models that hold this one"`
	Error              *program.Failure    `json:"error" doc:"Why the build failed"`
	ScriptURL          string              `json:"script_url"`
	Window             *viewBody           `json:"window" doc:"The default view; null before the first result"`
	StartDate          *timeseries.Date    `json:"start_date" doc:"Default view start"`
	StartRule          string              `json:"start_rule" enum:"all_members,two_members,first_member,date"`
	Availability       *availabilityBody   `json:"availability" doc:"Which dates the members have; null before the first result"`
	Schedule           scheduleBody        `json:"schedule"`
	Usage              *program.Usage      `json:"usage"`
	Metadata           *program.Summary    `json:"metadata" doc:"Summary of the live run"`
	CustomKeys         customKeysBody      `json:"custom_keys"`
	InputsSchema       json.RawMessage     `json:"inputs_schema" doc:"JSON Schema of the inputs, each with its default and display hints"`
	EstimateCents      *int64              `json:"estimate_cents" doc:"What the model's next run would hold, in cents; null before the first result"`
	BuildID            string              `json:"build_id" doc:"The build of the script that is served"`
}

type inFlightBody struct {
	ID       string           `json:"id"`
	Kind     string           `json:"kind" enum:"create,rebuild,manual,refresh,cascade,promote,draft_test,apply"`
	Status   string           `json:"status" enum:"queued,running,complete,failed"`
	Progress program.Progress `json:"progress"`
}

type structureBody struct {
	Models int `json:"models" doc:"Member models"`
	Assets int `json:"assets" doc:"Member assets"`
}

type refreshBody struct {
	State            string           `json:"state" enum:"current,stale,refreshing,blocked,off" doc:"stale if a member has newer bars or if the last finished session is later than as_of; blockers then names the members whose data ends before that session"`
	RequestedSession *timeseries.Date `json:"requested_session"`
	NextRetry        *time.Time       `json:"next_retry"`
	Blockers         []blockerBody    `json:"blockers"`
}

type blockerBody struct {
	Kind    string `json:"kind" enum:"build,run,member,series"`
	ID      string `json:"id"`
	Message string `json:"message"`
}

type componentBody struct {
	Key    string  `json:"key" doc:"The name that the script uses"`
	Kind   string  `json:"kind" enum:"asset,model"`
	ID     *string `json:"id" doc:"null for a member model that its owner does not share; its symbol and name are then its key"`
	Symbol string  `json:"symbol"`
	Name   string  `json:"name"`
}

type viewBody struct {
	Base          *timeseries.Date `json:"base" doc:"The session before start; the first return is measured from its close"`
	Start         timeseries.Date  `json:"start" doc:"First date with a return"`
	End           timeseries.Date  `json:"end"`
	Rule          string           `json:"rule" enum:"all_members,two_members,first_member,date"`
	StartDate     *timeseries.Date `json:"start_date"`
	FullStart     timeseries.Date  `json:"full_start" doc:"First date with a return in the whole history"`
	ConstrainedBy []string         `json:"constrained_by" doc:"Members whose first dates set the start"`
	BackfillGain  *gainBody        `json:"backfill_gain" doc:"What backfills of those members could add; null if nothing"`
}

type gainBody struct {
	First    timeseries.Date `json:"first" doc:"First date of the member that would limit the history next"`
	Sessions int             `json:"sessions" doc:"Sessions of the exchange between that date and the present first date"`
}

type availabilityBody struct {
	Partial     *timeseries.Date           `json:"partial" doc:"Earliest first date of a member"`
	Complete    *timeseries.Date           `json:"complete" doc:"First date on which all members have data"`
	Members     map[string]timeseries.Date `json:"members" doc:"First date by member"`
	MembersLast map[string]timeseries.Date `json:"members_last" doc:"Last date by member"`
	Backfills   *program.BackfillUses      `json:"backfills" doc:"By member, what a backfill put before its own bars; null if there is none"`
}

type scheduleBody struct {
	Enabled        bool       `json:"enabled"`
	NotifyEmail    bool       `json:"notify_email"`
	NextRunAt      *time.Time `json:"next_run_at"`
	LastRunAt      *time.Time `json:"last_run_at"`
	LastOutcome    *string    `json:"last_outcome"`
	LastError      *string    `json:"last_error"`
	LastNotifiedAt *time.Time `json:"last_notified_at"`
}

type customKeysBody struct {
	Series []string `json:"series"`
	Values []string `json:"values"`
}

func (s *Server) modelSummaryBody(ctx context.Context, m *program.Sheet) ModelSummaryBody {
	b := ModelSummaryBody{
		ID: m.ID, Name: m.Name, Symbol: m.Symbol, Slug: m.Slug, Status: string(m.Status),
		Depth: m.Depth, AutoUpdate: m.AutoUpdate, IsPublic: m.IsPublic,
		URL: s.address(ctx, "model", m.Slug), CreatedAt: m.CreatedAt.UTC(), UpdatedAt: m.UpdatedAt.UTC(),
		Description: textOrNull(m.Description), LiveRunID: textOrNull(m.LiveRunID), IsOwner: m.AccountID == accountOf(ctx),
	}
	if b.IsOwner { // favourites and labels are private, and a warning may tell of private builds
		b.IsFavorite, b.Labels, b.Warning = m.IsFavorite, m.Labels, textOrNull(m.Warning)
	}
	if r := m.InFlight; r != nil {
		b.Run = &inFlightBody{ID: r.ID, Kind: string(r.Source), Status: string(r.Status), Progress: r.Progress}
	}
	if m.Live != nil {
		b.AsOf = dateOrNull(m.Live.Last)
		if b.AsOf == nil {
			b.AsOf = dateOrNull(m.Live.Base)
		}
	}
	b.Structure.Models, b.Structure.Assets = m.Structure()
	return b
}

func (s *Server) modelBody(ctx context.Context, m *program.Sheet) *modelBody {
	b := &modelBody{
		ModelSummaryBody: s.modelSummaryBody(ctx, m),
		Refresh:          refreshOf(m, program.Nightly{}.Session(s.now())),
		Universe:         universeOf(m),
		Components:       []componentBody{},
		HeldBy:           []program.Reference{},
		Error:            m.Failure,
		ScriptURL:        s.address(ctx, "v1", "models", m.Slug, "script"),
		StartDate:        dateOrNull(m.StartDate),
		StartRule:        m.StartRule,
		Schedule: scheduleBody{
			Enabled: m.AutoUpdate, NotifyEmail: m.NotifyEmail,
			LastRunAt: utc(m.LastRunAt), LastOutcome: textOrNull(m.LastOutcome), LastError: textOrNull(m.LastError),
			LastNotifiedAt: utc(m.LastNotifiedAt),
		},
		CustomKeys:   customKeysBody{Series: []string{}, Values: []string{}},
		InputsSchema: json.RawMessage("null"),
		BuildID:      m.BuildID,
	}
	if s.NextRefresh != nil && m.AutoUpdate && m.Live != nil {
		next := s.NextRefresh(s.now()).UTC()
		b.Schedule.NextRunAt = &next
	}
	if m.Build != nil {
		if len(m.Build.InputsSchema) > 0 {
			b.InputsSchema = m.Build.InputsSchema
		}
		b.Usage = m.Build.Usage
	}
	if b.IsOwner { // others may read the strategy, but not the owner's prompt and other models
		b.Prompt, b.HeldBy = m.Prompt, listed(m.HeldBy)
		b.ApprovedRevisionID, b.EditingAvailable = textOrNull(m.RevisionID), m.Live != nil
		if b.Usage == nil && m.Live != nil {
			b.Usage = m.Live.Usage
		}
		b.EstimateCents = s.estimate(m)
	} else {
		b.Usage, b.Error = nil, withoutTraceback(b.Error)
		b.Schedule.NotifyEmail, b.Schedule.LastError = false, nil
		b.Refresh.Blockers = []blockerBody{}
	}
	if m.Live == nil {
		return b
	}
	if b.Metadata = summaryOf(m.Live.Summary); b.Metadata != nil {
		b.CustomKeys.Series, b.CustomKeys.Values = b.Metadata.CustomKeys, b.Metadata.CustomKeys
	}
	for _, member := range m.Live.Members {
		b.Components = append(b.Components, componentBody{
			Key: member.Key, Kind: string(member.Kind), ID: textOrNull(member.ID), Symbol: member.Symbol, Name: member.Name,
		})
	}
	b.Window = viewOf(m)
	b.Availability = availabilityOf(m.Live.Members)
	return b
}

// estimate returns what the next run of a model would hold, in cents.
func (s *Server) estimate(m *program.Sheet) *int64 {
	if !s.Policy.Metered || m.Live == nil || m.Live.Usage == nil {
		return nil
	}
	cents := s.Policy.Prices.RunHold(m.Live.Usage.Seconds)
	return &cents
}

// refreshOf describes whether the model serves the latest data, and if not, why. session
// is the last finished session.
func refreshOf(m *program.Sheet, session timeseries.Date) refreshBody {
	state := m.RefreshState(session)
	r := refreshBody{
		State: state.State, NextRetry: utc(m.NextRetry), Blockers: make([]blockerBody, len(state.Blockers)),
		RequestedSession: dateOrNull(m.RequestedSession),
	}
	for i, b := range state.Blockers {
		r.Blockers[i] = blockerBody(b)
	}
	if m.Live != nil && m.RequestedSession < m.Live.Last {
		r.RequestedSession = dateOrNull(m.Live.Last)
	}
	return r
}

// universeOf returns the universe of the live run or, before the first result, the
// default universe of the script.
func universeOf(m *program.Sheet) []string {
	if m.Live != nil && m.Live.Summary != nil {
		return listed(m.Live.Summary.Universe)
	}
	if m.Live != nil && m.Live.Answer != nil {
		return listed(m.Live.Answer.Universe)
	}
	if m.Build == nil {
		return []string{}
	}
	var schema struct {
		Properties struct {
			Universe struct {
				Default []string `json:"default"`
			} `json:"universe"`
		} `json:"properties"`
	}
	if json.Unmarshal(m.Build.InputsSchema, &schema) != nil {
		return []string{} // a script may declare a universe of another form
	}
	return listed(schema.Properties.Universe.Default)
}

// viewOf returns the default view: the whole history, or the part from the model's
// start date on.
func viewOf(m *program.Sheet) *viewBody {
	live := m.Live
	if live.First == timeseries.NoDate {
		return nil
	}
	v := &viewBody{
		Base: dateOrNull(live.Base), Start: live.First, End: live.Last, Rule: m.StartRule,
		StartDate: dateOrNull(m.StartDate), FullStart: live.First, ConstrainedBy: program.ConstrainedBy(m.StartRule, live.Members),
		BackfillGain: gainOf(m.StartRule, live.Members),
	}
	if m.View != nil {
		v.Base, v.Start = dateOrNull(m.View.Base), m.View.Start
	}
	if m.StartDate > live.First {
		v.Rule, v.ConstrainedBy, v.BackfillGain = "date", []string{}, nil
	}
	return v
}

// gainOf returns how much earlier a history could start.
func gainOf(rule string, members []program.Member) *gainBody {
	first, sessions := program.BackfillGain(rule, members)
	if sessions == 0 {
		return nil
	}
	return &gainBody{First: first, Sessions: sessions}
}

func availabilityOf(members []program.Member) *availabilityBody {
	a := &availabilityBody{Members: map[string]timeseries.Date{}, MembersLast: map[string]timeseries.Date{}}
	partial, complete := timeseries.NoDate, timeseries.NoDate
	for _, m := range members {
		a.Members[m.Key], a.MembersLast[m.Key] = m.First, m.Last
		if partial == timeseries.NoDate || m.First < partial {
			partial = m.First
		}
		complete = max(complete, m.First)
	}
	a.Backfills = program.BackfillsRead(members)
	a.Partial, a.Complete = dateOrNull(partial), dateOrNull(complete)
	return a
}

// summaryOf returns a copy with empty lists in place of nil ones.
func summaryOf(s *program.Summary) *program.Summary {
	if s == nil {
		return nil
	}
	b := *s
	b.Universe, b.Warnings, b.CustomKeys = listed(s.Universe), listed(s.Warnings), listed(s.CustomKeys)
	b.MemberSources = mapped(s.MemberSources)
	b.Execution.Decisions.Weekday = mapped(s.Execution.Decisions.Weekday)
	b.Execution.Decisions.PeriodPosition = mapped(s.Execution.Decisions.PeriodPosition)
	if len(strings.TrimSpace(string(b.Inputs))) == 0 {
		b.Inputs = json.RawMessage("{}")
	}
	return &b
}
