package columnar_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// serverVariable names the program of an S3 server, versitygw.
const serverVariable = "BALLAST_S3_SERVER"

// Against a server of another maker, requests are signed, and bodies carry checksums or
// not, as stores differ in whether they know them.
func TestBucketOnAnS3Server(t *testing.T) {
	program := os.Getenv(serverVariable)
	if program == "" {
		t.Skipf("%s is not set; make object-storage runs this test", serverVariable)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "tester")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret-of-a-test")
	for _, mode := range []string{"when_supported", "when_required"} {
		t.Run(mode, func(t *testing.T) {
			place := startServer(t, program) + "&request_checksum_calculation=" + mode + "&response_checksum_validation=" + mode
			keepsGuarantees(t, place)
			b := openS3(t, place)
			want := bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16) // several parts
			if err := b.Put(t.Context(), "runs/large", func(w io.Writer) error { _, err := w.Write(want); return err }); err != nil {
				t.Fatal(err)
			}
			if got := content(t, b, "runs/large"); got != string(want) {
				t.Errorf("%d bytes came back, not %d", len(got), len(want))
			}
		})
	}
}

// startServer starts the server on a free port with an empty bucket, and returns the
// place of it.
func startServer(t *testing.T, program string) string {
	t.Helper()
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, "models"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 5 { // another process may take the port first
		free, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
		if err != nil {
			t.Fatal(err)
		}
		address := free.Addr().String()
		if err := free.Close(); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		cmd := exec.CommandContext(t.Context(), program, "--access", "tester", "--secret", "secret-of-a-test", "--port", address, "posix", data) //nolint:gosec // the tester's own program
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }() // how it ended is in what it said
		t.Cleanup(func() {
			_ = cmd.Process.Kill() // it may have ended
			<-ended
		})
		for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			conn, err := net.Dial("tcp", address) //nolint:noctx // on this machine
			if err == nil {
				_ = conn.Close() // nothing was sent
				return fmt.Sprintf("s3://models?endpoint=http://%s&region=us-east-1&use_path_style=true", address)
			}
			select {
			case <-ended:
				t.Logf("the server ended: %s", said.String())
				deadline = time.Time{}
			default:
			}
		}
	}
	t.Fatal("the S3 server does not answer")
	return ""
}
