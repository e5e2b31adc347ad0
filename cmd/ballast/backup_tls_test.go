package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ballast/postgres/postgrestest"
)

// A server with a wrong certificate gets nothing from any command, and one with the
// right certificate works, for both forms of a connection string.
func TestCommandsVerifyTheServer(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-of-the-database"
	authority, file := newAuthority(t)
	rogue, _ := newAuthority(t)
	dsn := postgrestest.New(t)
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(u.Query().Get("host"), ".s.PGSQL."+u.Query().Get("port"))
	good, _ := front(t, authority.certificate(t, "localhost"), socket)
	bad, heard := front(t, rogue.certificate(t, "localhost"), "")
	address := func(port int) string {
		return fmt.Sprintf("postgres://%s:%s@localhost:%d%s?sslmode=verify-full&sslrootcert=%s&application_name=mine", u.User.Username(), secret, port, u.Path, url.QueryEscape(file))
	}
	keywords := func(port int) string {
		return fmt.Sprintf("host=localhost port=%d user=%s password=%s dbname=%s sslmode=verify-full sslrootcert='%s' connect_timeout=5", port, u.User.Username(), secret, strings.TrimPrefix(u.Path, "/"), file)
	}

	data, out := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	must(t, "account", "create", "kept", "--data-dir", data, "--database-url", address(good))
	must(t, "backup", "--data-dir", data, "--database-url", keywords(good), "--out", out)
	must(t, "doctor", "--data-dir", data, "--database-url", keywords(good))
	again, err := url.Parse(postgrestest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	*u = *again
	must(t, "restore", "--from", out, "--data-dir", filepath.Join(t.TempDir(), "restored"), "--database-url", address(good))
	if list := must(t, "account", "list", "--data-dir", data, "--database-url", address(good)); !strings.Contains(list, "kept") {
		t.Errorf("restored accounts: %s", list)
	}

	for _, database := range []string{address(bad), keywords(bad)} {
		for _, args := range [][]string{
			{"backup", "--out", filepath.Join(t.TempDir(), "never")},
			{"restore", "--from", out},
			{"doctor"},
		} {
			folder := filepath.Join(t.TempDir(), "data")
			said, errs, code := command(t, append(args, "--data-dir", folder, "--database-url", database)...)
			if code == 0 || !strings.Contains(errs, "certificate signed by unknown authority") {
				t.Errorf("%s: code %d, %s", args[0], code, errs)
			}
			if strings.Contains(said+errs, secret) {
				t.Errorf("%s tells the password: %s%s", args[0], said, errs)
			}
		}
	}
	if n := heard.Load(); n > 0 {
		t.Errorf("the rogue server was told %d bytes", n)
	}
}

// front is a server that speaks TLS to callers and PostgreSQL to the socket. Without
// a socket it only listens, and counts the bytes that it receives.
func front(t *testing.T, certificate tls.Certificate, socket string) (port int, heard *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	heard = &atomic.Int64{}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serveTLS(conn, certificate, socket, heard)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port, heard
}

func serveTLS(conn net.Conn, certificate tls.Certificate, socket string, heard *atomic.Int64) {
	defer conn.Close()
	var request [8]byte // PostgreSQL's SSLRequest message
	if _, err := io.ReadFull(conn, request[:]); err != nil {
		return
	}
	if _, err := conn.Write([]byte("S")); err != nil {
		return
	}
	secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12})
	if socket == "" {
		n, _ := io.Copy(io.Discard, secure)
		heard.Add(n)
		return
	}
	server, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, secure)
		_ = server.Close()
	}()
	_, _ = io.Copy(secure, server)
}

// authority is a certificate authority for the test.
type authority struct {
	certificateOf *x509.Certificate
	key           *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) (a *authority, file string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	a = &authority{key: key}
	if a.certificateOf, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a, file
}

func (a *authority) certificate(t *testing.T, host string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{host}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificateOf, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
