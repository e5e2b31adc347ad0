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
		body["limit"] = a.limit
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

// remoteRows are the rows of a service's answer. They implement query.Rows.
type remoteRows struct {
	*ipc.Reader
	body io.Closer
}

// Batch implements query.Rows.
func (r *remoteRows) Batch() arrow.RecordBatch { return r.RecordBatch() }

// Cut implements query.Rows. The service does not say whether there were more rows.
func (r *remoteRows) Cut() bool { return false }

func (r *remoteRows) close() {
	r.Release()
	_ = r.body.Close() // everything that was wanted has been read
}
