package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// client calls the interface over persistent connections, without compression.
type client struct {
	url, key string
	http     *http.Client
}

func newClient(url, key string) *client {
	return &client{url: url, key: key, http: &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: 64, DisableCompression: true,
	}}}
}

// call sends a request, with body as JSON unless it is nil, and reads the whole
// response. A status of 400 or more is an error.
func (c *client) call(ctx context.Context, method, path string, body any) ([]byte, error) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, sent)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 400 {
		return nil, fmt.Errorf("%s %s: %d: %s", method, path, resp.StatusCode, answer)
	}
	return answer, nil
}

// read is call, with the response decoded into out.
func (c *client) read(ctx context.Context, method, path string, body, out any) error {
	answer, err := c.call(ctx, method, path, body)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// pollInterval is the time between two polls of a build.
const pollInterval = time.Millisecond

// build creates a program from a script and waits until it is active. It returns the time
// from the request to the response that says so. Family is models, simulations or
// analyses.
func (c *client) build(ctx context.Context, family, script string) (time.Duration, error) {
	return c.create(ctx, family, map[string]string{"script": script})
}

// create is build with another body than a script.
func (c *client) create(ctx context.Context, family string, body any) (time.Duration, error) {
	var sheet struct {
		ID, Status string
		Error      json.RawMessage
	}
	began := time.Now()
	if err := c.read(ctx, http.MethodPost, "/v1/"+family, body, &sheet); err != nil {
		return 0, err
	}
	for sheet.Status != "active" {
		if sheet.Status == "failed" {
			return 0, fmt.Errorf("build of %s failed: %s", sheet.ID, sheet.Error)
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(pollInterval):
		}
		if err := c.read(ctx, http.MethodGet, "/v1/"+family+"/"+sheet.ID, nil, &sheet); err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

// run runs a program, such as models/BENCH, with inputs and waits for its end.
func (c *client) run(ctx context.Context, program string, inputs map[string]any) error {
	var run struct {
		Status string
		Error  json.RawMessage
	}
	path := "/v1/" + program + "/runs?wait=true"
	if err := c.read(ctx, http.MethodPost, path, map[string]any{"inputs": inputs}, &run); err != nil {
		return err
	}
	if run.Status != "complete" {
		return fmt.Errorf("run of %s is %s: %s", program, run.Status, run.Error)
	}
	return nil
}
