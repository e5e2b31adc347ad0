package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/spf13/cobra"

	"ballast/query"
)

// ofService answers statements by a running service.
func (a *asking) ofService(cmd *cobra.Command, args []string) error {
	if a.account != "" {
		return usage("--account names an account of the data folder; a running service (--url, BALLAST_URL) answers for the account of the key")
	}
	origin, key, err := a.service.resolve()
	if err != nil {
		return err
	}
	parameters, err := a.values()
	if err != nil {
		return err
	}
	body := map[string]any{}
	if len(parameters) > 0 {
		values := map[string]any{}
		for _, p := range parameters {
			values[p.Name] = p.Value
		}
		body["parameters"] = values
	}
	if a.limit > 0 {
		body["limit"] = a.limit + 1 // one more says that there were more
	}
	if len(a.runs) > 0 {
		body["run_ids"] = a.runs
	}
	ask := func(ctx context.Context, statement string, out io.Writer) error {
		body["sql"] = statement
		rows, err := openQuery(ctx, origin, key, body)
		if err != nil {
			return err
		}
		defer rows.close()
		rows.most = a.limit
		return a.write(rows, out)
	}
	if len(args) == 1 {
		return ask(cmd.Context(), args[0], cmd.OutOrStdout())
	}
	return converse(cmd.Context(), cmd, ask)
}

// openQuery sends a statement and returns its rows as they arrive.
func openQuery(ctx context.Context, origin, key string, body map[string]any) (*remoteRows, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, origin+"/v1/query", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	r.Header = http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}, "Accept": {"application/vnd.apache.arrow.stream"}}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusBadRequest {
		defer response.Body.Close()
		p := &problem{Status: response.StatusCode}
		if err := json.NewDecoder(response.Body).Decode(&p.Body); err != nil {
			return nil, fmt.Errorf("POST /v1/query: status %d", response.StatusCode)
		}
		return nil, p
	}
	reader, err := ipc.NewReader(response.Body)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the answer: %w", err), response.Body.Close())
	}
	return &remoteRows{Reader: reader, body: response.Body}, nil
}

var _ query.Rows = (*remoteRows)(nil)

// remoteRows are the rows of a service's answer, at most as many as were asked for. They
// implement query.Rows.
type remoteRows struct {
	*ipc.Reader
	body  io.Closer
	most  int64 // 0: all
	read  int64
	batch arrow.RecordBatch
	cut   bool
}

// Next implements query.Rows.
func (r *remoteRows) Next() bool {
	if r.cut || !r.Reader.Next() {
		return false
	}
	r.batch = r.RecordBatch()
	if left := r.most - r.read; r.most > 0 && r.batch.NumRows() > left {
		r.cut = true
		r.batch = r.batch.NewSlice(0, left)
	}
	r.read += r.batch.NumRows()
	return r.batch.NumRows() > 0 || !r.cut
}

// Batch implements query.Rows.
func (r *remoteRows) Batch() arrow.RecordBatch { return r.batch }

// Cut implements query.Rows.
func (r *remoteRows) Cut() bool { return r.cut }

func (r *remoteRows) close() {
	r.Release()
	if r.cut {
		r.batch.Release()
	}
	_ = r.body.Close() // everything that was wanted has been read
}
