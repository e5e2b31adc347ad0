package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"ballast/internal/testenv"
	"ballast/query/engine/child"
	"ballast/script/sandbox"
)

var update = flag.Bool("update", false, "rewrite the golden files of the scripts")

// sharedService is the one server that all scripts share, each with its own account.
type sharedService struct {
	binary   string
	data     string
	url      string
	process  *exec.Cmd
	log      *os.File
	paths    map[string]any // of the OpenAPI document
	schemas  map[string]any // likewise
	mu       sync.Mutex     // of the compiler: scripts run side by side
	document *jsonschema.Compiler
}

var binary testenv.Binary

// The test binary is the child of its own sandbox and of its own SQL.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "query-engine" {
		os.Exit(child.Main(os.Args[2]))
	}
	if len(os.Args) == 5 && os.Args[1] == "figure-filler" {
		os.Exit(fillSlowly(os.Args[2], os.Args[3], os.Args[4]))
	}
	if len(os.Args) > 1 && os.Args[1] == "sandbox" {
		os.Exit(sandbox.Main(counting))
	}
	code := m.Run()
	binary.Remove()
	os.Exit(code)
}

func TestScripts(t *testing.T) {
	s := start(t)
	s.examples(t)
	s.run(t, "testdata", nil)
}

// Scripts that change what the catalog says of the market have a service of their own,
// because the others compare with what it says.
func TestScriptsThatChangeTheCatalog(t *testing.T) {
	start(t).run(t, "testdata/catalog_changes", nil)
}

// run runs the scripts of a folder, with commands of their own.
func (s *sharedService) run(t *testing.T, dir string, own map[string]func(*testscript.TestScript, bool, []string)) {
	t.Helper()
	commands := map[string]func(*testscript.TestScript, bool, []string){
		"account": cmdAccount, "call": cmdCall, "settle": cmdSettle, "save": cmdSave, "legacy": cmdLegacy, "want": cmdWant, "near": cmdNear, "lacks": cmdLacks, "strange": cmdStrange, "pairs": cmdPairs,
	}
	maps.Copy(commands, own)
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(s.binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
			e.Setenv("DATA", s.data)
			e.Setenv("URL", s.url)
			e.Values[stateKey{}] = &state{sharedService: s, names: map[string]string{}}
			return nil
		},
		Cmds: commands,
	})
}

// start serves a folder of its own with the scripts' market.
func start(t *testing.T, flags ...string) *sharedService {
	t.Helper()
	dir, err := os.MkdirTemp("", "ballast-e2e-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // the database's user must reach its folder
		t.Fatal(err)
	}
	s := &sharedService{binary: binary.Path(t), data: filepath.Join(dir, "data")}
	if s.log, err = os.Create(filepath.Join(dir, "service.log")); err != nil {
		t.Fatal(err)
	}
	binary.Served(t, s.data)
	s.serve(t, flags...)
	bars := filepath.Join(dir, "market.csv")
	if err := writeMarket(bars); err != nil {
		t.Fatal(err)
	}
	if out, err := s.ballast(t.Context(), "import", "bars", bars); err != nil {
		t.Fatalf("import: %v\n%s", err, out)
	}
	s.readDocument(t)
	return s
}

// serve starts the process and waits for its ready line.
func (s *sharedService) serve(t *testing.T, flags ...string) {
	t.Helper()
	s.process = exec.Command(s.binary, append([]string{"serve", "--data-dir", s.data, "--listen", "127.0.0.1:0", //nolint:noctx // stopped below, by a signal
		"--metering", "on", "--run-deadline", "30s", "--run-memory-mib", "256", "--log-format", "json"}, flags...)...)
	s.process.Stderr = s.log
	stdout, err := s.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop(t) })
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		t.Fatalf("the service did not start: %v\n%s", err, s.logs())
	}
	var ready struct{ URL string }
	if err := json.Unmarshal(line, &ready); err != nil || ready.URL == "" {
		t.Fatalf("the ready line is %q: %v", line, err)
	}
	s.url = ready.URL
}

func (s *sharedService) stop(t *testing.T) {
	_ = s.process.Process.Signal(syscall.SIGTERM)
	ended := make(chan error, 1)
	go func() { ended <- s.process.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the service ended with %v", err)
		}
	case <-time.After(40 * time.Second):
		t.Error("the service did not stop")
		_ = s.process.Process.Kill()
	}
	if t.Failed() {
		t.Logf("log of the service:\n%s", s.logs())
	}
}

// logs is the end of the service's log.
func (s *sharedService) logs() string {
	text, err := os.ReadFile(s.log.Name())
	if err != nil {
		return err.Error()
	}
	const end = 4_000
	return string(text[max(0, len(text)-end):])
}

// ballast runs a command on the service's data folder and returns its standard output.
func (s *sharedService) ballast(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, s.binary, append(args, "--data-dir", s.data)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}

// readDocument prepares the service's own OpenAPI document as a set of schemas.
func (s *sharedService) readDocument(t *testing.T) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/v1/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	testenv.CloseSchemas(document)
	s.paths = document.(map[string]any)["paths"].(map[string]any)
	s.schemas = document.(map[string]any)["components"].(map[string]any)["schemas"].(map[string]any)
	s.document = jsonschema.NewCompiler()
	s.document.DefaultDraft(jsonschema.Draft2020)
	s.document.AssertFormat()
	if err := s.document.AddResource(documentURL, document); err != nil {
		t.Fatal(err)
	}
}

// schema compiles the schema at a place of the document.
func (s *sharedService) schema(place ...string) (*jsonschema.Schema, error) {
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	for i, part := range place {
		place[i] = escape.Replace(part)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.document.Compile(documentURL + "#/" + strings.Join(place, "/"))
}
