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
// account that asks then has its table within seconds.
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
	stalled, err := http.ReadResponse(open(aliceKey), nil)
	if err != nil || stalled.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", stalled, err)
	}
	began := time.Now()
	answer, err := http.ReadResponse(open(bobKey), nil)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", answer, err)
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("the other account's table began after %v", took)
	}
}
