package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// client calls the REST interface of a service as any other caller would.
type client struct {
	url  string
	key  string
	http http.Client
}

// problem is an error response of the service.
type problem struct {
	Status int
	Body   struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
			Details []struct {
				Location string `json:"location"`
				Message  string `json:"message"`
				Line     int    `json:"line"`
			} `json:"details"`
		} `json:"error"`
	}
}

func (p *problem) Error() string {
	text := fmt.Sprintf("%d %s: %s", p.Status, p.Body.Error.Type, p.Body.Error.Message)
	for _, d := range p.Body.Error.Details {
		text += "\n  " + d.Location
		if d.Line > 0 {
			text += fmt.Sprintf(" line %d", d.Line)
		}
		text += ": " + d.Message
	}
	return text
}

// do sends a request, with a JSON body unless body is nil, and decodes the response
// into out. A status of 400 or more returns a *problem.
func (c *client) do(ctx context.Context, method, path string, body, out any) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, sent)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		p := &problem{Status: resp.StatusCode}
		if err := json.NewDecoder(resp.Body).Decode(&p.Body); err != nil {
			return fmt.Errorf("%s %s: status %d", method, path, resp.StatusCode)
		}
		return p
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(out)
}
