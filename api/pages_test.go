package api

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"ballast/docs"
)

var (
	linkPattern   = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchorPattern = regexp.MustCompile(`id="([^"]*)"`)
)

// Every link of every page that is served leads to a page that is there, and to a
// place that is on it.
func TestLinksOfPages(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	pages, places := map[string]string{}, map[string]map[string]bool{}
	read := func(path string) string {
		if _, known := pages[path]; !known {
			a := h.send(t, "GET", path, "", "Authorization: ")
			if a.Code != http.StatusOK {
				a.body = ""
			}
			pages[path] = a.body
		}
		return pages[path]
	}
	paths := []string{"/docs", "/signin"}
	for _, name := range docs.Names() {
		paths = append(paths, "/docs/"+name)
	}
	links := 0
	for _, path := range paths {
		from, err := url.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range linkPattern.FindAllStringSubmatch(read(path), -1) {
			to, err := from.Parse(strings.ReplaceAll(match[1], "&amp;", "&"))
			if err != nil || to.Host != "" {
				if err != nil {
					t.Errorf("%s links to %s: %v", path, match[1], err)
				}
				continue
			}
			links++
			body := read(to.Path)
			if body == "" {
				t.Errorf("%s links to %s, which is not served", path, match[1])
				continue
			}
			if _, known := places[to.Path]; !known {
				places[to.Path] = map[string]bool{"": true}
				for _, id := range anchorPattern.FindAllStringSubmatch(body, -1) {
					places[to.Path][id[1]] = true
				}
			}
			if !places[to.Path][to.Fragment] {
				t.Errorf("%s links to %s, and that page has no such place", path, match[1])
			}
		}
	}
	if links < 200 {
		t.Errorf("%d links were followed", links)
	}
}

func TestPagesNameTheAddressOfTheService(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(c *Config) { c.PublicURL = "" })
	for _, path := range []string{"/docs", "/docs/drafts"} {
		body := h.send(t, "GET", path, "").body
		if !strings.Contains(body, "http://example.com/v1/") || strings.Contains(body, "http://127.0.0.1:8080") {
			t.Errorf("%s does not name the address that it was asked at", path)
		}
	}
	public := newHarness(t, func(c *Config) { c.PublicURL = "https://models.example.org" })
	if body := public.send(t, "GET", "/docs/drafts", "").body; !strings.Contains(body, "https://models.example.org/v1/") {
		t.Error("a page does not name the public URL")
	}
	strange := h.send(t, "GET", "/docs/drafts", "", `Host: x"><script>`)
	if strings.Contains(strange.body, "<script>") {
		t.Error("a host is not escaped")
	}
}

func TestHomeAndSignedIn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	if a := h.send(t, "GET", "/", "", "Authorization: "); a.Code != http.StatusFound || a.Header().Get("Location") != "/docs" {
		t.Errorf("%d to %s", a.Code, a.Header().Get("Location"))
	}
	begun := h.send(t, "POST", "/v1/session", `{"key":"`+aliceKey+`"}`, "Authorization: ")
	cookie := cookieOf(t, begun)
	if a := h.send(t, "GET", "/", "", "Authorization: ", "Cookie: "+cookie); a.Code != http.StatusFound || a.Header().Get("Location") != "/console" {
		t.Errorf("%d to %s", a.Code, a.Header().Get("Location"))
	}
	page := h.send(t, "GET", "/console", "", "Authorization: ", "Cookie: "+cookie).body
	if want := `<a href="/model/` + h.models.sheet.Slug + `"><bdi>Sixty forty</bdi></a>`; !strings.Contains(page, want) {
		t.Errorf("the console lacks %s:\n%s", want, page)
	}
}
