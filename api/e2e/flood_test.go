package e2e

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ballast/internal/testenv"
)

// TestFloods sends what nobody should, and wants the service to go on as if
// nothing had been sent.
func TestFloods(t *testing.T) {
	testenv.NotInTest(t)
	s := start(t, "--rate-limit", "20", "--rate-burst", "100", "--address-rate-limit", "0", "--refused-limit", "1000000")
	key := s.newKey(t, "flood")
	other := s.newKey(t, "calm")

	t.Run("10,000 requests of one key at once", func(t *testing.T) {
		began := time.Now()
		codes := s.flood(t, 10_000, key)
		allowed := 100 + 20*time.Since(began).Seconds() + 1
		if codes[200]+codes[429] != 10_000 || codes[200] < 100 || float64(codes[200]) > allowed {
			t.Errorf("answers %v, at most %.0f of them allowed", codes, allowed)
		}
		t.Logf("%v in %v", codes, time.Since(began))
		s.serves(t, other)
	})
	t.Run("a body of 100 MB that says so", func(t *testing.T) {
		sent, status, err := s.post(t, other, "Content-Length: 104857600", func(w io.Writer) error {
			return write(w, 100<<20, nil)
		})
		if status != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d, %v", status, err)
		}
		t.Logf("%d bytes went out", sent)
		s.serves(t, other)
	})
	t.Run("a body of 100 MB in chunks", func(t *testing.T) {
		sent, status, err := s.post(t, other, "Transfer-Encoding: chunked", func(w io.Writer) error {
			return write(w, 100<<20, []byte("10000\r\n"))
		})
		if status != http.StatusRequestEntityTooLarge || sent > 50<<20 {
			t.Errorf("status %d after %d bytes, %v", status, sent, err)
		}
		t.Logf("%d bytes went out", sent)
		s.serves(t, other)
	})
	t.Run("a body without a key", func(t *testing.T) {
		_, status, err := s.post(t, "bk_nothing", "Content-Length: 104857600", func(w io.Writer) error { return write(w, 100<<20, nil) })
		if status != http.StatusUnauthorized {
			t.Errorf("status %d, %v", status, err)
		}
	})
	t.Run("heads without end", func(t *testing.T) {
		for name, head := range map[string]string{
			"one long header":  "X-Long: " + strings.Repeat("x", 1<<20) + "\r\n",
			"many headers":     strings.Repeat("X-Many: x\r\n", 100_000),
			"a long key":       "Authorization: Bearer bk_" + strings.Repeat("A", 1<<20) + "\r\n",
			"a key over lines": "Authorization: Bearer " + other[:20] + "\r\n " + other[20:] + "\r\n",
			"two keys":         "Authorization: Bearer " + other + "\r\nAuthorization: Bearer " + other + "\r\n",
		} {
			status, err := s.raw(t, "GET /v1/account/profile HTTP/1.1\r\nHost: x\r\n"+head+"\r\n")
			if status != http.StatusRequestHeaderFieldsTooLarge && status != http.StatusUnauthorized && status != http.StatusBadRequest {
				t.Errorf("%s: status %d, %v", name, status, err)
			}
		}
		s.serves(t, other)
	})
	t.Run("a thousand half requests", func(t *testing.T) {
		for range 1000 {
			c := s.dial(t)
			fmt.Fprintf(c, "GET /v1/account/profile HTTP/1.1\r\nHost: x\r\n")
			t.Cleanup(func() { c.Close() })
		}
		s.serves(t, other)
	})
}

// newKey makes an account with a key.
func (s *sharedService) newKey(t *testing.T, name string) string {
	t.Helper()
	if _, err := s.ballast(t.Context(), "account", "create", name); err != nil {
		t.Fatal(err)
	}
	key, err := s.ballast(t.Context(), "keys", "create", "--account", name)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// serves wants an ordinary request to be answered.
func (s *sharedService) serves(t *testing.T, key string) {
	t.Helper()
	code, err := s.get(t.Context(), http.DefaultClient, key)
	if err != nil || code != http.StatusOK {
		t.Errorf("afterwards: %d, %v", code, err)
	}
}

func (s *sharedService) get(ctx context.Context, client *http.Client, key string) (int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/v1/account/profile", nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	response, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// flood sends requests as fast as 50 connections take them, and counts answers.
func (s *sharedService) flood(t *testing.T, requests int, key string) map[int]int {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50}}
	defer client.CloseIdleConnections()
	var left atomic.Int64
	left.Store(int64(requests))
	var mu sync.Mutex
	codes := map[int]int{}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				code, err := s.get(t.Context(), client, key)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				codes[code]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return codes
}

func (s *sharedService) dial(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	return c
}

// raw sends bytes as they are and reads the answer's status.
func (s *sharedService) raw(t *testing.T, request string) (int, error) {
	t.Helper()
	c := s.dial(t)
	defer c.Close()
	go func() { _, _ = io.WriteString(c, request) }()
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return response.StatusCode, nil
}

// post sends a head, then a body as long as the connection takes it. It returns
// how much went out and the answer's status.
func (s *sharedService) post(t *testing.T, key, header string, body func(io.Writer) error) (sent int64, status int, err error) {
	t.Helper()
	c := s.dial(t)
	defer c.Close()
	out := &counter{w: c}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = fmt.Fprintf(out, "POST /v1/models HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%s\r\n\r\n", key, header)
		_ = body(out)
	}()
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err == nil {
		status = response.StatusCode
		response.Body.Close()
	}
	c.Close()
	<-done
	return out.n.Load(), status, err
}

// write writes a number of bytes, in pieces that each begin with a line.
func write(w io.Writer, total int, line []byte) error {
	block := bytes.Repeat([]byte("x"), 1<<16)
	if line != nil {
		block = append(append([]byte{}, line...), append(block, "\r\n"...)...)
	}
	for n := 0; n < total; n += 1 << 16 {
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	return nil
}

// counter counts what a connection has taken.
type counter struct {
	w io.Writer
	n atomic.Int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n.Add(int64(n))
	return n, err
}
