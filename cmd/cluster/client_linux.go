package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// client calls the interface from the user's machine.
type client struct {
	url, key string
	http     *http.Client
}

// client returns a client of the load balancer with a key.
func (f *fleet) client(key string) *client {
	return &client{url: f.url, key: key, http: &http.Client{Timeout: 100 * time.Second, Transport: &http.Transport{DialContext: f.user.Dial, MaxIdleConnsPerHost: 128}}}
}

// at returns the client of another address.
func (c *client) at(url string) *client { return &client{url, c.key, c.http} }

// account makes an account with a key and returns its client.
func (f *fleet) account(ctx context.Context) (*client, error) {
	f.accounts++
	name := fmt.Sprintf("tenant%d", f.accounts)
	if _, err := f.command(ctx, "account", "create", name, "--plan", "business"); err != nil {
		return nil, err
	}
	key, err := f.command(ctx, "keys", "create", "--account", name)
	if err != nil {
		return nil, err
	}
	return f.client(key), nil
}

// call sends a request and reads the whole response.
func (c *client) call(ctx context.Context, method, path string, body any, headers ...string) (int, []byte, error) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, sent)
	if err != nil {
		return 0, nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return resp.StatusCode, answer, nil
}

// read is call, with the response decoded into out. A status of 400 or more is an error.
func (c *client) read(ctx context.Context, method, path string, body, out any, headers ...string) error {
	status, answer, err := c.call(ctx, method, path, body, headers...)
	if err != nil {
		return err
	}
	if status >= 400 {
		return fmt.Errorf("%s %s: %d: %s", method, path, status, bytes.TrimSpace(answer))
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// model is what the interface says of a model.
type model struct {
	ID     string
	Status string
	AsOf   string          `json:"as_of"`
	Error  json.RawMessage `json:"error"`
}

// heavy is a model that takes a while: risk parity, decided on every session.
func heavy(symbol string) map[string]string {
	return map[string]string{
		"name": "Heavy " + symbol, "symbol": symbol,
		"prompt": "risk parity of SYN-LARGE, SYN-BOND, SYN-GOLD, SYN-LONG, SYN-SMALL and SYN-TECH over 252 days, daily",
	}
}

// light is a model that takes a few milliseconds.
func light(symbol string) map[string]string {
	return map[string]string{"name": "Light " + symbol, "symbol": symbol, "prompt": "60% SYN-LARGE, 40% SYN-BOND, monthly"}
}

// holder is a model that holds another.
func holder(symbol, member string) map[string]string {
	return map[string]string{"name": "Holder " + symbol, "symbol": symbol, "prompt": "60% " + member + ", 40% SYN-BOND, monthly"}
}

// create creates a model and returns its ID, without waiting for it.
func (c *client) create(ctx context.Context, body any, headers ...string) (string, error) {
	var m model
	return m.ID, c.read(ctx, http.MethodPost, "/v1/models", body, &m, headers...)
}

// built waits until a model is active.
func (c *client) built(ctx context.Context, id string, most time.Duration) error {
	return until(ctx, most, "the model "+id+" is built", func() (bool, error) {
		var m model
		if err := c.read(ctx, http.MethodGet, "/v1/models/"+id, nil, &m); err != nil {
			return false, err
		}
		if m.Status == "failed" {
			return false, fmt.Errorf("the build failed: %s", strings.TrimSpace(string(m.Error)))
		}
		return m.Status == "active", nil
	})
}
