package api

import (
	"context"
	"net/http"
	"time"

	"ballast/internal/fault"
	"ballast/program"
)

// deletedBody confirms a deletion.
type deletedBody struct {
	ID      string     `json:"id"`
	Deleted bool       `json:"deleted" enum:"true"`
	PurgeAt *time.Time `json:"purge_at" doc:"Until when the Trash keeps it, null where it is gone for good"`
}

type deletedOutput struct{ Body deletedBody }

// trashedBody is a model in the Trash.
type trashedBody struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Symbol    string    `json:"symbol"`
	DeletedAt time.Time `json:"deleted_at"`
	PurgeAt   time.Time `json:"purge_at" doc:"From when on it is gone for good"`
}

type trashOutput struct{ Body pageBody[trashedBody] }

// TrashedParameter names a model in the Trash.
type TrashedParameter struct {
	Model string `path:"model" minLength:"1" doc:"Exact id, from the list of the Trash"`
}

func (s *Server) registerTrash() {
	register(s, route{
		method: http.MethodGet, path: "/v1/models/trash", id: "list-trash", tag: tagModels, status: http.StatusOK,
		summary: "List the Trash", description: "The caller's deleted models, the latest deletion first, for 30 days. Neither code nor results are shown.",
	}, s.listTrash)
	register(s, route{
		method: http.MethodPost, path: "/v1/models/trash/{model}/restore", id: "restore-model", tag: tagModels, status: http.StatusOK,
		summary:     "Restore a model",
		description: "Takes a model out of the Trash with its code and history. It is active where it has a result, else failed; sharing and recurring work stay off, and nothing is run. Its symbol may have been taken meanwhile.",
		faults:      []fault.Type{fault.NotFound, fault.TrashDependencies, fault.SymbolTaken},
	}, s.restoreModel)
	register(s, route{
		method: http.MethodDelete, path: "/v1/models/trash/{model}", id: "purge-model", tag: tagModels, status: http.StatusOK,
		summary: "Purge a model", description: "Removes a model from the Trash for good, with its code, builds and runs.",
		faults: []fault.Type{fault.NotFound},
	}, s.purgeModel)
	register(s, route{
		method: http.MethodDelete, path: "/v1/models/{model}", id: "delete-model", tag: tagModels, status: http.StatusOK,
		summary:     "Delete a model",
		description: "Moves the model to the Trash, from where it is purged after 30 days. Sharing and recurring work stop at once; snapshots that have not begun fail. Its symbol is free for other models.",
		faults:      []fault.Type{fault.NotFound, fault.ModelBusy, fault.ModelHeld, fault.ModelBackfills},
	}, s.deleteModel)
}

func (s *Server) deleteModel(ctx context.Context, in *ModelParameter) (*deletedOutput, error) {
	t, err := s.Trash.Delete(ctx, accountOf(ctx), in.Model)
	if err != nil {
		return nil, err
	}
	until := t.PurgeAt.UTC()
	return &deletedOutput{deletedBody{ID: t.ID, Deleted: true, PurgeAt: &until}}, nil
}

func (s *Server) listTrash(ctx context.Context, in *PageParameters) (*trashOutput, error) {
	trashed, total, err := s.Trash.Trash(ctx, accountOf(ctx), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &trashOutput{pageOf(trashed, total, func(t *program.Trashed) trashedBody {
		return trashedBody{ID: t.ID, Name: t.Name, Symbol: t.Symbol, DeletedAt: t.DeletedAt.UTC(), PurgeAt: t.PurgeAt.UTC()}
	})}, nil
}

func (s *Server) restoreModel(ctx context.Context, in *TrashedParameter) (*modelOutput, error) {
	m, err := s.Trash.Restore(ctx, accountOf(ctx), in.Model)
	if err != nil {
		return nil, err
	}
	return &modelOutput{s.modelBody(ctx, m)}, nil
}

func (s *Server) purgeModel(ctx context.Context, in *TrashedParameter) (*deletedOutput, error) {
	modelID, err := s.Trash.Purge(ctx, accountOf(ctx), in.Model)
	if err != nil {
		return nil, err
	}
	return &deletedOutput{deletedBody{ID: modelID, Deleted: true}}, nil
}
