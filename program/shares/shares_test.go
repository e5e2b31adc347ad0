package shares

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ballast/internal/fault"
	"ballast/script/harness"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		token := newToken()
		hash, ok := Hash(token)
		if !ok || len(hash) != 32 || seen[token] {
			t.Fatalf("token %q: hash %x, %v", token, hash, ok)
		}
		seen[token] = true
	}
}

// FuzzHash holds that no two texts have the hash of one token.
func FuzzHash(f *testing.F) {
	for _, text := range []string{"", "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA\n", "AAAAAAAAAAAAAAAAAAAA/+", strings.Repeat("A", 1<<16)} {
		f.Add(text)
	}
	token := newToken()
	want, _ := Hash(token)
	f.Fuzz(func(t *testing.T, text string) {
		if hash, ok := Hash(text); ok != (hash != nil) || text != token && bytes.Equal(hash, want) {
			t.Errorf("%q: %x, %v", text, hash, ok)
		}
	})
}

func TestWhatIsShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		share Share
		shown map[string]bool
	}{
		"all":                {Share{}, map[string]bool{"growth": true, "run": true, "inputs": false, "studies": false, "timing": false}},
		"all and the script": {Share{ShowScript: true}, map[string]bool{"growth": true, "inputs": true, "timing": false}},
		"chosen":             {Share{Panels: []string{"growth", "inputs", "timing"}}, map[string]bool{"growth": true, "run": false, "inputs": false, "timing": false}},
	} {
		for panel, want := range c.shown {
			if got := c.share.Shows(panel); got != want {
				t.Errorf("%s: %s is shown: %v", name, panel, got)
			}
		}
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	later := now.Add(time.Second)
	for _, c := range []struct {
		share Share
		want  State
	}{{Share{}, Open}, {Share{ExpiresAt: &later}, Open}, {Share{ExpiresAt: &now}, Expired}, {Share{Paused: true, ExpiresAt: &now}, Paused}} {
		if got := c.share.State(now); got != c.want {
			t.Errorf("%+v: %s, want %s", c.share, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := New(Config{Now: func() time.Time { return now }, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	for field, share := range map[string]Share{
		"name":         {Name: strings.Repeat("é", LongestName+1)},
		"panels":       {Panels: []string{"growth", "studies"}},
		"expires_at":   {ExpiresAt: &now},
		"show_amounts": {Kind: harness.Simulation},
	} {
		err := s.check(&share)
		var refused *fault.Error
		if !errors.As(err, &refused) || refused.Type != fault.InvalidBody {
			t.Fatalf("%s: %v", field, err)
		}
		if len(refused.Details) != 1 || refused.Details[0].Field != field {
			t.Errorf("%s: %+v", field, refused.Details)
		}
	}
	good := Share{Name: " Carol ", Panels: []string{"run", "growth", "run"}}
	if err := s.check(&good); err != nil || good.Name != "Carol" || strings.Join(good.Panels, " ") != "growth run" {
		t.Errorf("%v: %+v", err, good)
	}
}

// counter adds up what is stored.
type counter struct {
	Viewing
	views  map[string]int64
	stored int
}

func (c *counter) CountViews(_ context.Context, views map[string]int64, _ time.Time) error {
	c.stored++
	for id, n := range views {
		c.views[id] += n
	}
	return nil
}

func TestViewsAreStoredTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &counter{views: map[string]int64{}}
		v := newViews(c, slog.New(slog.NewTextHandler(io.Discard, nil)), time.Now)
		for range 2 {
			for range 50 {
				v.add("a")
			}
			v.add("b")
			time.Sleep(2 * countingPause)
			synctest.Wait()
		}
		if c.views["a"] != 100 || c.views["b"] != 2 || c.stored != 2 {
			t.Errorf("%v in %d statements", c.views, c.stored)
		}
	})
}
