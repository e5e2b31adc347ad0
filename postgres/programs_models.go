package postgres

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// CreateModel adds a model with its first build and run and queues the run.
func (db *DB) CreateModel(ctx context.Context, m *program.Model, b *program.Build, r *program.Run) (*program.Sheet, error) {
	row, err := programRow(m)
	if err != nil {
		return nil, err
	}
	build, err := buildRow(b)
	if err != nil {
		return nil, err
	}
	var created *program.Sheet
	err = db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, m.AccountID, m.ID, r.ID)
		w := work{accountID: r.AccountID, runID: r.ID, source: r.Source}
		if err := db.admitBuild(ctx, q, w, b, len(m.Description), billing.Models); err != nil {
			return err
		}
		if err := q.InsertProgram(ctx, row); err != nil {
			return err
		}
		if m.Kind == program.KindModel {
			if err := q.InsertModel(ctx, dbsqlc.InsertModelParams{
				ID: m.ID, NotifyEmail: m.NotifyEmail, StartDate: toDate(m.StartDate), StartRule: m.StartRule,
			}); err != nil {
				return err
			}
		}
		if err := q.InsertBuild(ctx, build); err != nil {
			return err
		}
		if err := insertRun(ctx, q, r); err != nil {
			return err
		}
		if created, err = sheetOf(ctx, q, m.ID); err != nil {
			return err
		}
		if err := db.hold(ctx, q, w); err != nil {
			return err
		}
		return db.enqueueBuild(ctx, tx, b, r.ID)
	})
	switch {
	case violates(err, symbolIndex):
		return nil, symbolTaken(m.Symbol, err)
	case err != nil:
		return nil, wrap(err, "create model %s", m.ID)
	}
	return created, nil
}

func programRow(m *program.Model) (dbsqlc.InsertProgramParams, error) {
	failure, err := encode(m.Failure)
	labels, lower := labelColumns(m.Labels)
	return dbsqlc.InsertProgramParams{
		ID: m.ID, Kind: m.Kind, AccountID: m.AccountID, Name: m.Name, Symbol: m.Symbol, Slug: m.Slug, Status: string(m.Status),
		Warning: m.Warning, Depth: int32(m.Depth), AutoUpdate: m.AutoUpdate,
		IsPublic: m.IsPublic, IsFavorite: m.IsFavorite, Labels: labels, LabelsLower: lower, Description: m.Description,
		Prompt: m.Prompt, Failure: failure, BuildID: m.BuildID, LiveRunID: orNil(m.LiveRunID),
		CreatedAt: stamp(m.CreatedAt), UpdatedAt: stamp(m.UpdatedAt),
		OwnName: m.OwnName, OwnSymbol: m.OwnSymbol,
	}, err
}

// ProgramID resolves a reference to a program of a kind.
func (db *DB) ProgramID(ctx context.Context, kind, accountID, ref string) (string, error) {
	name := ref
	if current, ok := id.Parse(id.Kind(kind+"_"), ref); ok {
		name = current
	}
	found, err := db.queries.ProgramIDs(ctx, dbsqlc.ProgramIDsParams{AccountID: accountID, Kind: kind, Ref: name, Most: mostNamesakes})
	switch {
	case err != nil:
		return "", wrap(err, "find %s %q", kind, ref)
	case len(found) == 0:
		return "", fault.Missing(kind, ref)
	case len(found) > 1 && found[0].Rank == rankName && found[1].Rank == rankName:
		return "", ambiguous(ref, found)
	}
	return found[0].ID, nil
}

const (
	rankName      = 4  // rank of a match by name
	mostNamesakes = 21 // models of one name that a query returns
)

// ambiguous returns the error for a name that several models have.
func ambiguous(name string, found []dbsqlc.ProgramIDsRow) error {
	detail := fault.Detail{Field: "model", Message: "names more than one model; their ids are accepted"}
	for _, f := range found {
		if f.Rank == rankName {
			detail.Accepted = append(detail.Accepted, f.ID)
		}
	}
	return fault.New(fault.InvalidParameter, "Several of your models have the name %q. Use an id, a slug or a symbol.", name).With(detail)
}

// Sheet reads a model by id.
func (db *DB) Sheet(ctx context.Context, modelID string) (*program.Sheet, error) {
	var sheet *program.Sheet
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		sheet, err = sheetOf(ctx, q, modelID)
		return err
	})
	return sheet, wrap(err, "read model %s", modelID)
}

// sheetOf reads a model. In a transaction it sees what the transaction has written.
func sheetOf(ctx context.Context, q *dbsqlc.Queries, modelID string) (*program.Sheet, error) {
	row, err := q.Program(ctx, modelID)
	if absent(err) {
		return nil, fault.Missing("model", modelID)
	}
	if err != nil {
		return nil, err
	}
	found, err := sheets(ctx, q, []dbsqlc.WholeProgram{row})
	if err != nil {
		return nil, err
	}
	if found[0].Blocked, err = blocked(ctx, q, row); err != nil {
		return nil, err
	}
	if row.Status == string(program.StatusPaused) || row.Failures > 0 {
		found[0].Lost, err = lost(ctx, q, row.ID)
	}
	return found[0], err
}

// PublicModels reports which models are shared by slug.
func (db *DB) PublicModels(ctx context.Context, ids []string) (map[string]bool, error) {
	found, err := db.queries.PublicModels(ctx, ids)
	if err != nil {
		return nil, wrap(err, "find which models are public")
	}
	public := make(map[string]bool, len(found))
	for _, modelID := range found {
		public[modelID] = true
	}
	return public, nil
}

// Served reads a model and the run that it serves.
func (db *DB) Served(ctx context.Context, modelID string) (*program.Sheet, error) {
	row, err := db.queries.Program(ctx, modelID)
	if absent(err) {
		return nil, fault.Missing("model", modelID)
	}
	var found []*program.Sheet
	if err == nil {
		found, err = db.served(ctx, []dbsqlc.WholeProgram{row})
	}
	if err != nil {
		return nil, wrap(err, "read model %s", modelID)
	}
	return found[0], nil
}

// blocked reads the members of a model whose refreshes fail.
func blocked(ctx context.Context, q *dbsqlc.Queries, m dbsqlc.WholeProgram) ([]program.Blocker, error) {
	if m.Depth == 0 {
		return nil, nil
	}
	rows, err := q.BlockedBelow(ctx, m.ID)
	if err != nil {
		return nil, err
	}
	out := make([]program.Blocker, len(rows))
	for i, r := range rows {
		out[i] = program.Blocker{Reference: program.Reference{ID: r.ID, Name: r.Name, Symbol: r.Symbol}, Message: r.LastError}
	}
	return out, nil
}

// ModelsByKey returns the account's models by id, symbol or exact name, with nothing
// but their live runs. If several models have a name, it returns the oldest, with the
// others as its namesakes.
func (db *DB) ModelsByKey(ctx context.Context, accountID string, keys []string) (map[string]*program.Sheet, error) {
	found, err := db.byKey(ctx, accountID, keys)
	if err != nil {
		return nil, wrap(err, "read models of %s", accountID)
	}
	wanted := setOf(keys)
	out := map[string]*program.Sheet{}
	for _, key := range []func(*program.Sheet) string{
		func(m *program.Sheet) string { return m.ID },
		func(m *program.Sheet) string { return m.Symbol },
	} {
		for _, m := range found {
			if k := key(m); wanted[k] && out[k] == nil {
				out[k] = m
			}
		}
	}
	named := map[string]*program.Sheet{}
	for _, m := range found {
		if !wanted[m.Name] || out[m.Name] != nil {
			continue
		}
		first := named[m.Name]
		if first == nil {
			again := *m // a model found by its symbol is not ambiguous
			named[m.Name] = &again
			continue
		}
		if first.Namesakes == nil {
			first.Namesakes = []string{first.ID}
		}
		first.Namesakes = append(first.Namesakes, m.ID)
	}
	maps.Copy(out, named)
	return out, nil
}

// byKey reads models and then their live runs, without a snapshot, which is cheaper.
// If a live run was replaced and deleted in between, it reads both again.
func (db *DB) byKey(ctx context.Context, accountID string, keys []string) ([]*program.Sheet, error) {
	for {
		rows, err := db.queries.ModelsByKey(ctx, dbsqlc.ModelsByKeyParams{AccountID: accountID, Keys: keys})
		if err != nil {
			return nil, err
		}
		found, err := db.served(ctx, rows)
		gone := func(m *program.Sheet) bool { return m.LiveRunID != "" && m.Live == nil }
		if err != nil || !slices.ContainsFunc(found, gone) {
			return found, err
		}
	}
}

// SymbolsInUse returns the ids of the account's models that use the given symbols, by
// symbol.
func (db *DB) SymbolsInUse(ctx context.Context, accountID string, symbols []string) (map[string]string, error) {
	rows, err := db.queries.SymbolsInUse(ctx, dbsqlc.SymbolsInUseParams{AccountID: accountID, Symbols: symbols})
	if err != nil {
		return nil, wrap(err, "find the symbols of %s", accountID)
	}
	used := make(map[string]string, len(rows))
	for _, r := range rows {
		used[r.Symbol] = r.ID
	}
	return used, nil
}

// Below reads the graph of members below the given models.
func (db *DB) Below(ctx context.Context, modelIDs []string) ([]program.Membership, error) {
	edges, err := below(ctx, db.queries, modelIDs)
	return edges, wrap(err, "read the members of models")
}

func below(ctx context.Context, q *dbsqlc.Queries, modelIDs []string) ([]program.Membership, error) {
	rows, err := q.MembershipsBelow(ctx, modelIDs)
	if err != nil {
		return nil, err
	}
	edges := make([]program.Membership, len(rows))
	for i, r := range rows {
		edges[i] = program.Membership{HolderID: r.HolderID, MemberID: r.MemberID, MemberName: r.Name}
	}
	return edges, nil
}

// served reads the models' live runs and nothing else that belongs to them. Runs that
// were read before come from memory: the refreshes of all holders of a model ask for its
// run, and the fields that they read never change in a live run.
func (db *DB) served(ctx context.Context, rows []dbsqlc.WholeProgram) ([]*program.Sheet, error) {
	live := map[string]*program.Run{}
	var missing []string
	for _, r := range rows {
		runID := orEmpty(r.LiveRunID)
		if run, ok := db.live.Get(runID); ok {
			live[runID] = run
		} else if runID != "" {
			missing = append(missing, runID)
		}
	}
	if len(missing) > 0 {
		found, err := runsByID(ctx, db.queries, missing)
		if err != nil {
			return nil, err
		}
		for runID, run := range found {
			db.live.Add(runID, run)
			live[runID] = run
		}
	}
	out := make([]*program.Sheet, len(rows))
	for i, r := range rows {
		m, err := modelOf(r)
		if err != nil {
			return nil, err
		}
		out[i] = &program.Sheet{Model: *m}
		if run := live[m.LiveRunID]; run != nil {
			own := *run
			own.ProgramName, own.Live = m.Name, true
			out[i].Live = &own
		}
	}
	return out, nil
}

// sheets reads what belongs to the models, with one query per table.
func sheets(ctx context.Context, q *dbsqlc.Queries, rows []dbsqlc.WholeProgram) ([]*program.Sheet, error) {
	if len(rows) == 0 {
		return []*program.Sheet{}, nil
	}
	var ids, buildIDs, liveIDs []string
	for _, r := range rows {
		ids = append(ids, r.ID)
		buildIDs = append(buildIDs, r.BuildID)
		if r.LiveRunID != nil {
			liveIDs = append(liveIDs, *r.LiveRunID)
		}
	}
	builds, err := buildsByID(ctx, q, buildIDs)
	if err != nil {
		return nil, err
	}
	live, err := runsByID(ctx, q, liveIDs)
	if err != nil {
		return nil, err
	}
	inFlight, err := runsInFlight(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	holders, err := q.Holders(ctx, ids)
	if err != nil {
		return nil, err
	}
	heldBy := map[string][]program.Reference{}
	for _, h := range holders {
		heldBy[h.MemberID] = append(heldBy[h.MemberID], program.Reference{ID: h.ID, Name: h.Name, Symbol: h.Symbol})
	}
	out := make([]*program.Sheet, len(rows))
	for i, r := range rows {
		m, err := modelOf(r)
		if err != nil {
			return nil, err
		}
		out[i] = &program.Sheet{Model: *m, Build: builds[m.BuildID], Live: live[m.LiveRunID], InFlight: inFlight[m.ID], HeldBy: heldBy[m.ID]}
	}
	return out, nil
}

func buildsByID(ctx context.Context, q *dbsqlc.Queries, ids []string) (map[string]*program.Build, error) {
	rows, err := q.BuildsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*program.Build, len(rows))
	for _, r := range rows {
		if found[r.ID], err = buildOf(r); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// runsInFlight returns the publishing runs that have not ended, by model.
func runsInFlight(ctx context.Context, q *dbsqlc.Queries, modelIDs []string) (map[string]*program.Run, error) {
	rows, err := q.RunsInFlight(ctx, modelIDs)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*program.Run, len(rows))
	for _, r := range rows {
		if found[r.Run.ProgramID], err = joinedRunOf(dbsqlc.RunsByIDRow(r)); err != nil {
			return nil, err
		}
	}
	return found, nil
}
