package optimizers

import (
	"context"
	"log/slog"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"time"

	"ballast/internal/fair"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/optimize/optimizer"
	"ballast/program"
	"ballast/program/backfills"
	"ballast/script"
)

// MostOptimizers is how many optimizers an account may have.
const MostOptimizers = 500

// Optimizer is one version of an optimizer.
type Optimizer struct {
	ID         string // optimizer_…
	AccountID  string
	Name       string
	Version    int // from 1
	Definition optimizer.Definition
	CreatedAt  time.Time
	UpdatedAt  time.Time // when the version was made
}

// Store is everything that a Service needs.
type Store interface {
	Reader
	Changes
}

// Reader reads optimizers.
type Reader interface {
	// Optimizers lists an account's optimizers by name, with the total before paging.
	Optimizers(ctx context.Context, accountID string, limit, offset int) ([]*Optimizer, int, error)
	// OptimizersByName returns those that exist, by upper-case name.
	OptimizersByName(ctx context.Context, accountID string, names []string) (map[string]*Optimizer, error)
	// OptimizerByID reads one; fault.NotFound.
	OptimizerByID(ctx context.Context, accountID, optimizerID string) (*Optimizer, error)
	// OptimizerVersions lists the versions of one, newest first.
	OptimizerVersions(ctx context.Context, optimizerID string, limit, offset int) ([]*Optimizer, error)
}

// Changes changes optimizers. Every method is one transaction that also queues refreshes
// of the models that use the optimizer.
type Changes interface {
	// CreateOptimizer adds one; fault.SymbolTaken if the account has one of that name.
	CreateOptimizer(ctx context.Context, o *Optimizer) error
	// ReviseOptimizer makes o the next version and sets its number; fault.NotFound, and
	// fault.OptimizerInUse for a new name while a script names the old one.
	ReviseOptimizer(ctx context.Context, o *Optimizer) error
	// DeleteOptimizer ends one; fault.NotFound, fault.OptimizerInUse.
	DeleteOptimizer(ctx context.Context, accountID, optimizerID string) error
}

// Service carries out what callers may do with optimizers.
type Service struct {
	store   Store
	members program.ModelFinder
	assets  program.Assets
	bars    backfills.Bars
	splicer *backfills.Splicer
	results backfills.Returns
	scripts Scripts
	turns   *fair.Shares
	log     *slog.Logger
	now     func() time.Time
}

// Config holds what New needs.
type Config struct {
	Store   Store
	Members program.ModelFinder
	Assets  program.Assets
	Bars    backfills.Bars
	Splicer *backfills.Splicer
	Results backfills.Returns
	Scripts Scripts // nil: optimizers that are scripts are not solved
	Logger  *slog.Logger
	Now     func() time.Time // nil: time.Now
}

// New creates a Service.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	places := runtime.GOMAXPROCS(0)
	return &Service{
		store: c.Store, members: c.Members, assets: c.Assets, bars: c.Bars, splicer: c.Splicer, results: c.Results, scripts: c.Scripts,
		turns: fair.New(fair.Size{Places: places, Most: places + 1}), log: c.Logger, now: c.Now,
	}
}

var namePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_ -]{0,39}$`)

// Create stores a new optimizer. Without a name it has that of its script.
// fault.InvalidBody, fault.InvalidScript, fault.SymbolTaken.
func (s *Service) Create(ctx context.Context, accountID, name string, d optimizer.Definition) (*Optimizer, error) {
	name, err := checked(ctx, accountID, name, &d)
	if err != nil {
		return nil, err
	}
	now := s.now().UTC()
	o := &Optimizer{ID: id.New(id.Optimizer), AccountID: accountID, Name: name, Version: 1, Definition: d, CreatedAt: now, UpdatedAt: now}
	if err := s.store.CreateOptimizer(ctx, o); err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "optimizer created", "optimizer_id", o.ID, "account_id", accountID)
	return o, nil
}

// checked fills in defaults, and refuses what is wrong with an optimizer.
func checked(ctx context.Context, accountID, name string, d *optimizer.Definition) (string, error) {
	details := append(d.Check(), checkTags(d)...)
	if d.Script != "" && d.Objective == optimizer.Scripted {
		p, err := program.CheckScript(ctx, accountID, script.Optimizer, d.Script)
		if err != nil {
			return "", err
		}
		_, wrong := p.Bind(d.Inputs)
		details = append(details, wrong...)
		if name == "" {
			name = p.Name
		}
	}
	if !namePattern.MatchString(name) {
		details = append(details, fault.Detail{Field: "name", Message: "must be a letter and up to 39 letters, digits, spaces, _ and -"})
	}
	if len(details) == 0 {
		return name, nil
	}
	return "", fault.New(fault.InvalidBody, "This is not a usable optimizer; details name each problem. Nothing was stored.").With(details...)
}

// Revise makes the next version of an optimizer. change gets the current one. A change
// that says nothing new makes no version.
func (s *Service) Revise(ctx context.Context, accountID, ref string, change func(o *Optimizer)) (*Optimizer, error) {
	before, err := s.Find(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	o := *before
	change(&o)
	if _, err := checked(ctx, accountID, o.Name, &o.Definition); err != nil {
		return nil, err
	}
	if o.Name == before.Name && reflect.DeepEqual(o.Definition, before.Definition) {
		return before, nil
	}
	o.UpdatedAt = s.now().UTC()
	if err := s.store.ReviseOptimizer(ctx, &o); err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "optimizer revised", "optimizer_id", o.ID, "account_id", accountID, "version", o.Version)
	return &o, nil
}

// Delete ends an optimizer and returns its id. fault.NotFound, fault.OptimizerInUse.
func (s *Service) Delete(ctx context.Context, accountID, ref string) (string, error) {
	o, err := s.Find(ctx, accountID, ref)
	if err != nil {
		return "", err
	}
	return o.ID, s.store.DeleteOptimizer(ctx, accountID, o.ID)
}

// Optimizers lists the account's optimizers by name, with the total before paging.
func (s *Service) Optimizers(ctx context.Context, accountID string, limit, offset int) ([]*Optimizer, int, error) {
	return s.store.Optimizers(ctx, accountID, limit, offset)
}

// Versions lists the versions of an optimizer, newest first, with their number.
func (s *Service) Versions(ctx context.Context, accountID, ref string, limit, offset int) ([]*Optimizer, int, error) {
	o, err := s.Find(ctx, accountID, ref)
	if err != nil {
		return nil, 0, err
	}
	list, err := s.store.OptimizerVersions(ctx, o.ID, limit, offset)
	return list, o.Version, err
}

// Find reads one of the account's optimizers by id, or by name in any case;
// fault.NotFound.
func (s *Service) Find(ctx context.Context, accountID, ref string) (*Optimizer, error) {
	if _, ok := id.Parse(id.Optimizer, ref); ok {
		return s.store.OptimizerByID(ctx, accountID, ref)
	}
	found, err := s.store.OptimizersByName(ctx, accountID, []string{strings.ToUpper(ref)})
	if err != nil {
		return nil, err
	}
	if o := found[strings.ToUpper(ref)]; o != nil {
		return o, nil
	}
	return nil, fault.Missing("optimizer", ref)
}
