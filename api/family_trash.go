package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/fault"
	"ballast/program"
)

// deletedBody confirms a deletion.
type deletedBody struct {
	ID      string     `json:"id"`
	Deleted bool       `json:"deleted" enum:"true"`
	PurgeAt *time.Time `json:"purge_at" doc:"When the Trash deletes it for good; null if it is already deleted for good"`
}

type deletedOutput struct{ Body deletedBody }

// trashedBody is a program in the Trash.
type trashedBody struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Symbol    string    `json:"symbol"`
	DeletedAt time.Time `json:"deleted_at"`
	PurgeAt   time.Time `json:"purge_at" doc:"When it is deleted for good"`
}

type trashOutput struct{ Body pageBody[trashedBody] }

// registerTrash registers the operations that delete programs and restore them.
func (f *family[C, P, S, R]) registerTrash(s *Server) {
	register(s, route{
		method: http.MethodGet, path: "/v1/" + f.path + "/trash", id: f.id("list", "trash"), tag: f.tag, status: http.StatusOK,
		summary: "List the Trash", description: f.say("Lists the {many} that the caller deleted in the last 30 days, latest deletion first. Neither code nor results are shown."),
	}, f.listTrash)

	restore := f.inTrash(http.MethodPost, "/restore")
	restore.id, restore.summary = "restore-"+f.words.one, f.say("Restore {a}")
	restore.description = f.say("Takes {a} out of the Trash with its code and history. It becomes active if it has a result, otherwise failed. Sharing and recurring work stay off, and nothing is run. Fails if another {one} has taken its symbol in the meantime.")
	restore.faults = append(restore.faults, fault.TrashDependencies, fault.SymbolTaken)
	register(s, restore, func(ctx context.Context, _ *struct{}) (*sheetOutput[S], error) {
		return f.shown(ctx)(f.trash.Restore(ctx, accountOf(ctx), f.ref(ctx)))
	})

	purge := f.inTrash(http.MethodDelete, "")
	purge.id, purge.summary = "purge-"+f.words.one, f.say("Purge {a}")
	purge.description = f.say("Deletes {a} in the Trash for good, with its code, builds and runs.")
	register(s, purge, f.purge)

	remove := f.one(http.MethodDelete, "")
	remove.id, remove.summary = "delete-"+f.words.one, f.say("Delete {a}")
	remove.description = f.say("Moves the {one} to the Trash, which deletes it for good after 30 days. Sharing and recurring work stop at once; snapshots that have not started fail. Other {many} may take its symbol.")
	remove.faults = f.among(append(remove.faults, fault.ModelBusy), fault.ModelHeld, fault.ModelBackfills)
	register(s, remove, f.remove)
}

// inTrash returns a route that names a program in the Trash, where only ids are
// accepted.
func (f *family[C, P, S, R]) inTrash(method, below string) route {
	r := f.one(method, below)
	r.path = "/v1/" + f.path + "/trash/{" + f.words.one + "}" + below
	r.parameters = []*huma.Param{f.parameter("Exact id, from the list of the Trash", "")}
	return r
}

func (f *family[C, P, S, R]) remove(ctx context.Context, _ *struct{}) (*deletedOutput, error) {
	t, err := f.trash.Delete(ctx, accountOf(ctx), f.ref(ctx))
	if err != nil {
		return nil, err
	}
	until := t.PurgeAt.UTC()
	return &deletedOutput{deletedBody{ID: t.ID, Deleted: true, PurgeAt: &until}}, nil
}

func (f *family[C, P, S, R]) listTrash(ctx context.Context, in *PageParameters) (*trashOutput, error) {
	trashed, total, err := f.trash.Trash(ctx, accountOf(ctx), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &trashOutput{pageOf(trashed, total, func(t *program.Trashed) trashedBody {
		return trashedBody{ID: t.ID, Name: t.Name, Symbol: t.Symbol, DeletedAt: t.DeletedAt.UTC(), PurgeAt: t.PurgeAt.UTC()}
	})}, nil
}

func (f *family[C, P, S, R]) purge(ctx context.Context, _ *struct{}) (*deletedOutput, error) {
	id, err := f.trash.Purge(ctx, accountOf(ctx), f.ref(ctx))
	if err != nil {
		return nil, err
	}
	return &deletedOutput{deletedBody{ID: id, Deleted: true}}, nil
}
