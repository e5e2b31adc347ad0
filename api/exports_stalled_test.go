package api

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"ballast/export"
)

// Callers who ask for tables and do not read them take every slot there is. An
// account that asks then has its table nevertheless. On a busy machine it takes a
// while until the buffers between server and caller are full, so the account may
// have to ask again.
func TestCallersWhoDoNotReadKeepNobodyFromExports(t *testing.T) {
	t.Parallel()
	exports := export.NewService(export.Config{Store: &fakeTables{pages: 100_000}, AtOnce: 1})
	h := newHarness(t, func(c *Config) { c.Exports = exports })
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	open := func(key string) *bufio.Reader {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		fmt.Fprintf(conn, "GET /v1/exports/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", key)
		return bufio.NewReaderSize(conn, 16)
	}
	status := func(key string) int {
		answer, err := http.ReadResponse(open(key), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		return answer.StatusCode
	}
	if got := status(aliceKey); got != http.StatusOK {
		t.Fatalf("the first export: %d", got)
	}
	for deadline := time.Now().Add(2 * time.Minute); ; {
		got := status(bobKey)
		if got == http.StatusOK {
			return
		}
		if got != http.StatusTooManyRequests || time.Now().After(deadline) {
			t.Fatalf("the other account's export: %d", got)
		}
	}
}
