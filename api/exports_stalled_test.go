package api

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"ballast/export"
)

// pipes is a listener whose connections hold nothing between their ends: a caller
// who does not read stops the server's first write.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, open := <-p; open {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error { close(p); return nil }

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// Callers who ask for tables and do not read them take every slot there is. An
// account that asks then has its table nevertheless.
func TestStalledReadersDoNotBlockExports(t *testing.T) {
	t.Parallel()
	exports := export.NewService(export.Config{Assets: &fakeTables{pages: 100_000}, AtOnce: 1})
	h := newHarness(t, func(c *Config) { c.Exports = exports })
	listener := make(pipes)
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Close()
		<-served
	})
	open := func(key string) *bufio.Reader {
		conn, far := net.Pipe()
		t.Cleanup(func() { conn.Close() })
		listener <- far
		fmt.Fprintf(conn, "GET /v1/exports/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", key)
		return bufio.NewReaderSize(conn, 16)
	}
	status := func(key string) int {
		answer, err := http.ReadResponse(open(key), nil) //nolint:bodyclose // closing reads to the end of the table; the connection ends
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode
	}
	if got := status(aliceKey); got != http.StatusOK {
		t.Fatalf("the first export: %d", got)
	}
	if got := status(bobKey); got != http.StatusOK {
		t.Fatalf("the other account's export: %d", got)
	}
}
