package bench

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// modelPage measures what a reader waits for on the page of a model, and how much the page
// and its scripts weigh as they are sent.
func modelPage(e *Env) Row {
	return Row{
		Name: "page of a model, 20 years", Key: "ModelPage",
		Bar:    "first byte p50 ≤ 15 ms, ≤ 120 kB compressed",
		Limits: []Limit{{Figure: "p50", Most: 15}, {Figure: "compressed", Most: 120}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			var sheet struct{ Slug string }
			if err := s.client.read(ctx, http.MethodGet, "/v1/models/BENCH", nil, &sheet); err != nil {
				return Result{}, err
			}
			return measurePage(ctx, e, s, "/model/"+sheet.Slug)
		},
	}
}

// editorPage is modelPage for the editor of a model's script.
func editorPage(e *Env) Row {
	return Row{
		Name: "page of the editor", Key: "EditorPage",
		Bar:    "first byte p50 ≤ 15 ms, ≤ 250 kB compressed",
		Limits: []Limit{{Figure: "p50", Most: 15}, {Figure: "compressed", Most: 250}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			return measurePage(ctx, e, s, "/console/models/BENCH/edit")
		},
	}
}

// partOfPage is the address of a script or style sheet that a page loads.
var partOfPage = regexp.MustCompile(`<(?:script|link)[^>]*(?:src|href)="(/[^"]+\.(?:js|css))"`)

func measurePage(ctx context.Context, e *Env, s *service, path string) (Result, error) {
	page, err := s.client.page(ctx, path)
	if err != nil {
		return Result{}, err
	}
	sent := page.sent
	parts := partOfPage.FindAllStringSubmatch(page.text, -1)
	for _, part := range parts {
		p, err := s.client.page(ctx, part[1])
		if err != nil {
			return Result{}, err
		}
		sent += p.sent
	}
	var first samples
	for range e.count(200, 10) {
		p, err := s.client.page(ctx, path)
		if err != nil {
			return Result{}, err
		}
		first = append(first, p.first)
	}
	return Result{
		Figures: []Figure{
			milliseconds("p50", first.median()), milliseconds("p99", first.percentile(0.99)),
			{Name: "compressed", Value: float64(sent) / 1000, Unit: "kB"},
		},
		Note: fmt.Sprintf("the page and %d files of scripts and styles, as they are sent with gzip; %d kB of HTML", len(parts), len(page.text)/1000),
	}, nil
}

// sentPage is a page as it was sent.
type sentPage struct {
	first time.Duration // until its headers had come
	sent  int           // bytes of the compressed body
	text  string
}

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

func (c *client) page(ctx context.Context, path string) (*sentPage, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Accept-Encoding", "gzip")
	began := time.Now()
	response, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	p := &sentPage{first: time.Since(began)}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s: %s", path, response.Status)
	}
	body := &counted{Reader: response.Body}
	plain := io.Reader(body)
	if response.Header.Get("Content-Encoding") == "gzip" {
		if plain, err = gzip.NewReader(body); err != nil {
			return nil, fmt.Errorf("GET %s: %w", path, err)
		}
	}
	var text strings.Builder
	if _, err := io.Copy(&text, plain); err != nil { //nolint:gosec // our own service
		return nil, fmt.Errorf("GET %s: %w", path, err)
	}
	p.sent, p.text = body.n, text.String()
	return p, nil
}
