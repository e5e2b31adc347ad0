package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/internal/fault"
	"ballast/optimize/optimizer"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/program/optimizers"
)

const optimizerIndex = "optimizers_name_unique"

// Optimizers lists an account's optimizers by name.
func (db *DB) Optimizers(ctx context.Context, accountID string, limit, offset int) ([]*optimizers.Optimizer, int, error) {
	var out []*optimizers.Optimizer
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		if total, err = q.CountOptimizers(ctx, accountID); err != nil {
			return err
		}
		rows, err := q.Optimizers(ctx, dbsqlc.OptimizersParams{AccountID: accountID, Most: skip(limit), Skip: skip(offset)})
		if err != nil {
			return err
		}
		out = make([]*optimizers.Optimizer, len(rows))
		for i, r := range rows {
			if out[i], err = optimizerOf(optimizerRow(r)); err != nil {
				return err
			}
		}
		return nil
	})
	return out, int(total), wrap(err, "list optimizers of %s", accountID)
}

// OptimizersByName returns an account's optimizers by upper-case name.
func (db *DB) OptimizersByName(ctx context.Context, accountID string, names []string) (map[string]*optimizers.Optimizer, error) {
	rows, err := db.queries.OptimizersByName(ctx, dbsqlc.OptimizersByNameParams{AccountID: accountID, Names: names})
	if err != nil {
		return nil, wrap(err, "read optimizers of %s", accountID)
	}
	found := make(map[string]*optimizers.Optimizer, len(rows))
	for _, r := range rows {
		o, err := optimizerOf(optimizerRow(r))
		if err != nil {
			return nil, err
		}
		found[strings.ToUpper(o.Name)] = o
	}
	return found, nil
}

// OptimizerByID reads an optimizer of an account.
func (db *DB) OptimizerByID(ctx context.Context, accountID, optimizerID string) (*optimizers.Optimizer, error) {
	row, err := db.queries.OptimizerByID(ctx, dbsqlc.OptimizerByIDParams{AccountID: accountID, ID: optimizerID})
	if absent(err) {
		return nil, fault.Missing("optimizer", optimizerID)
	}
	if err != nil {
		return nil, wrap(err, "read optimizer %s", optimizerID)
	}
	return optimizerOf(optimizerRow(row))
}

// OptimizerVersion reads one version of an optimizer, which may be deleted.
func (db *DB) OptimizerVersion(ctx context.Context, optimizerID string, version int) (*optimizers.Optimizer, error) {
	row, err := db.queries.OptimizerVersion(ctx, dbsqlc.OptimizerVersionParams{ID: optimizerID, Version: skip(version)})
	if absent(err) {
		return nil, fault.Missing("optimizer", fmt.Sprintf("%s, version %d", optimizerID, version))
	}
	if err != nil {
		return nil, wrap(err, "read optimizer %s", optimizerID)
	}
	return optimizerOf(optimizerRow(row))
}

// OptimizerDefinition reads the definition of one version of an optimizer, which may be
// deleted.
func (db *DB) OptimizerDefinition(ctx context.Context, optimizerID string, version int) (*optimizer.Definition, error) {
	o, err := db.OptimizerVersion(ctx, optimizerID, version)
	if err != nil {
		return nil, err
	}
	return &o.Definition, nil
}

// OptimizerNames returns the names of an account's optimizers.
func (db *DB) OptimizerNames(ctx context.Context, accountID string) ([]string, error) {
	names, err := db.queries.OptimizerNames(ctx, accountID)
	return names, wrap(err, "read optimizers of %s", accountID)
}

// otherRules reports whether an optimizer that a run has used has another version by now.
// The run's program must be locked.
func otherRules(ctx context.Context, q *dbsqlc.Queries, s *program.Summary) (bool, error) {
	if s == nil || s.Optimizers == nil {
		return false, nil
	}
	ids := make([]string, len(*s.Optimizers))
	versions := make(map[string]int32, len(ids))
	for i, u := range *s.Optimizers {
		ids[i], versions[u.ID] = u.ID, skip(u.Version)
	}
	rows, err := q.OptimizersInForce(ctx, ids)
	if err != nil {
		return false, err
	}
	for _, r := range rows {
		if versions[r.ID] != r.Version {
			return true, nil
		}
	}
	return false, nil
}

// OptimizerVersions lists the versions of an optimizer, newest first.
func (db *DB) OptimizerVersions(ctx context.Context, optimizerID string, limit, offset int) ([]*optimizers.Optimizer, error) {
	rows, err := db.queries.OptimizerVersions(ctx, dbsqlc.OptimizerVersionsParams{ID: optimizerID, Most: skip(limit), Skip: skip(offset)})
	if err != nil {
		return nil, wrap(err, "read versions of optimizer %s", optimizerID)
	}
	out := make([]*optimizers.Optimizer, len(rows))
	for i, r := range rows {
		if out[i], err = optimizerOf(optimizerRow(r)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// optimizerRow is the row type that all queries of versions share.
type optimizerRow dbsqlc.OptimizersRow

func optimizerOf(r optimizerRow) (*optimizers.Optimizer, error) {
	var d optimizer.Definition
	if err := json.Unmarshal(r.Definition, &d); err != nil {
		return nil, fmt.Errorf("read optimizer %s: %w", r.ID, err)
	}
	return &optimizers.Optimizer{
		ID: r.ID, AccountID: r.AccountID, Name: r.Name, Version: int(r.Version), Definition: d,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

// CreateOptimizer adds an optimizer.
func (db *DB) CreateOptimizer(ctx context.Context, o *optimizers.Optimizer) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		if err := q.LockOptimizersOf(ctx, o.AccountID); err != nil {
			return err
		}
		n, err := q.CountOptimizers(ctx, o.AccountID)
		if err != nil {
			return err
		}
		if n >= optimizers.MostOptimizers {
			return fault.New(fault.PlanRequired, "The account has %d optimizers, which is the most. Delete one that no model uses.", n).
				With(fault.Detail{Of: "account", Field: "optimizers", Message: fmt.Sprintf("%d of %d are used", n, optimizers.MostOptimizers)})
		}
		audit.Concern(ctx, o.AccountID, o.ID)
		if err := q.InsertOptimizer(ctx, dbsqlc.InsertOptimizerParams{ID: o.ID, AccountID: o.AccountID, Name: o.Name, Now: stamp(o.CreatedAt)}); err != nil {
			return err
		}
		return db.storeOptimizer(ctx, q, o)
	})
	return wrap(takenOptimizer(err, o.Name), "add optimizer %s", o.ID)
}

func takenOptimizer(err error, name string) error {
	if !violates(err, optimizerIndex) {
		return err
	}
	return fault.New(fault.SymbolTaken, "You already have an optimizer named %s. Change it with PATCH, or choose another name.", name).
		With(fault.Detail{Field: "name", Message: "is the name of another optimizer"}).Wrap(err)
}

// storeOptimizer writes a version, and makes it the current one.
func (db *DB) storeOptimizer(ctx context.Context, q *dbsqlc.Queries, o *optimizers.Optimizer) error {
	definition, err := encode(&o.Definition)
	if err != nil {
		return err
	}
	if err := db.checkQuotas(ctx, q, o.AccountID, rowBytes+len(definition)); err != nil {
		return err
	}
	if err := q.InsertOptimizerVersion(ctx, dbsqlc.InsertOptimizerVersionParams{OptimizerID: o.ID, Version: skip(o.Version), Definition: definition, CreatedAt: stamp(o.UpdatedAt)}); err != nil {
		return err
	}
	return q.ReviseOptimizer(ctx, dbsqlc.ReviseOptimizerParams{ID: o.ID, Name: o.Name, Version: skip(o.Version), Now: stamp(o.UpdatedAt)})
}

// ReviseOptimizer makes the next version of an optimizer, and queues the models whose live
// runs have used it. As with backfills, the account's models are locked: a run that is
// published before finds itself queued again, and one that is published after is
// superseded.
func (db *DB) ReviseOptimizer(ctx context.Context, o *optimizers.Optimizer) error {
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		before, err := lockOptimizer(ctx, q, o.AccountID, o.ID)
		if err != nil {
			return err
		}
		if !strings.EqualFold(before.Name, o.Name) {
			if err := unusedOptimizer(ctx, q, before, "cannot be renamed"); err != nil {
				return err
			}
		}
		audit.Concern(ctx, o.AccountID, o.ID)
		o.Version = before.Version + 1
		if err := db.storeOptimizer(ctx, q, o); err != nil {
			return err
		}
		due, err := q.OptimizerHolders(ctx, dbsqlc.OptimizerHoldersParams{AccountID: o.AccountID, OptimizerID: o.ID})
		if err != nil || len(due) == 0 {
			return err
		}
		_, err = db.awaken(ctx, tx, q, due)
		return err
	})
	return wrap(takenOptimizer(err, o.Name), "revise optimizer %s", o.ID)
}

// lockOptimizer serializes the changes of an account's optimizers and locks its models,
// and reads one optimizer.
func lockOptimizer(ctx context.Context, q *dbsqlc.Queries, accountID, optimizerID string) (*optimizers.Optimizer, error) {
	if err := q.LockOptimizersOf(ctx, accountID); err != nil {
		return nil, err
	}
	if _, err := q.LockAccountModels(ctx, accountID); err != nil {
		return nil, err
	}
	row, err := q.OptimizerByID(ctx, dbsqlc.OptimizerByIDParams{AccountID: accountID, ID: optimizerID})
	if absent(err) {
		return nil, fault.Missing("optimizer", optimizerID)
	}
	if err != nil {
		return nil, err
	}
	return optimizerOf(optimizerRow(row))
}

// unusedOptimizer refuses an optimizer that scripts name.
func unusedOptimizer(ctx context.Context, q *dbsqlc.Queries, o *optimizers.Optimizer, what string) error {
	const shown = 20
	users, err := q.OptimizerUsers(ctx, dbsqlc.OptimizerUsersParams{AccountID: o.AccountID, Name: o.Name, Most: shown})
	if err != nil || len(users) == 0 {
		return err
	}
	f := fault.New(fault.OptimizerInUse, "The optimizer %s %s: scripts name it. Change or delete the models that details name first.", o.Name, what)
	for _, u := range users {
		f.Details = append(f.Details, fault.Detail{Field: "optimizer", Message: fmt.Sprintf("the script of %s (%s) names it", u.Name, u.ID)})
	}
	return f
}

// DeleteOptimizer ends an optimizer. Its versions stay for the runs that have used them.
func (db *DB) DeleteOptimizer(ctx context.Context, accountID, optimizerID string) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		o, err := lockOptimizer(ctx, q, accountID, optimizerID)
		if err != nil {
			return err
		}
		if err := unusedOptimizer(ctx, q, o, "cannot be deleted"); err != nil {
			return err
		}
		audit.Concern(ctx, accountID, optimizerID)
		return q.DeleteOptimizer(ctx, dbsqlc.DeleteOptimizerParams{ID: optimizerID, Now: stamp(db.now())})
	})
	return wrap(err, "delete optimizer %s", optimizerID)
}
