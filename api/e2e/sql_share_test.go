package e2e

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"ballast/billing"
	"ballast/internal/testenv"
)

// endless is a statement that computes until somebody ends it.
const endless = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 7"

// ask runs a statement until ctx is done, and returns the status, 0 if it was left.
func (g *guest) ask(ctx context.Context, statement string) int {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url+"/v1/query", strings.NewReader(`{"sql": "`+statement+`"}`))
	check(g.t, err)
	r.Header.Set("Authorization", "Bearer "+g.key)
	r.Header.Set("Content-Type", "application/json")
	response, err := g.http.Do(r)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}

// charges are the account's charges for statements, newest first.
func (g *guest) charges() []gjson.Result {
	g.t.Helper()
	return gjson.Get(g.want(http.MethodGet, "/v1/account/billing/charges", nil).body, `data.#(kind=="query")#`).Array()
}

func (g *guest) remaining() int64 {
	g.t.Helper()
	return gjson.Get(g.want(http.MethodGet, "/v1/account/billing", nil).body, "remaining_cents").Int()
}

// TestStatementsAreCharged checks that a statement costs the processor seconds that it
// took, however it ended, that a mistake costs nothing, and that an account without
// credit is refused.
func TestStatementsAreCharged(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	g := d.guest(t, "payer")
	start := g.remaining()
	if s := g.ask(t.Context(), "SELECT 1"); s != http.StatusOK {
		t.Fatalf("a statement answers %d", s)
	}
	paid := g.charges()
	if len(paid) != 1 || paid[0].Get("seconds").Int() < 1 || paid[0].Get("units").Int() != paid[0].Get("seconds").Int() ||
		paid[0].Get("amount_cents").Int() != start-g.remaining() || paid[0].Get("activity").String() != "SQL statement" || paid[0].Get("base").Int() != 0 {
		t.Errorf("after one statement %d of %d cents remain, and the charges are %v", g.remaining(), start, paid)
	}
	for _, wrong := range []string{"SELEC 1", "SELECT * FROM nowhere", "SELECT error('x')"} {
		if s := g.ask(t.Context(), wrong); s != http.StatusUnprocessableEntity {
			t.Errorf("%s answers %d", wrong, s)
		}
	}
	if n := len(g.charges()); n != 1 {
		t.Errorf("mistakes were charged: %d charges", n)
	}

	// One that its caller leaves costs what it took until then.
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if s := g.ask(ctx, endless); s != 0 {
		t.Errorf("an endless statement answers %d", s)
	}
	for end := time.Now().Add(2 * time.Minute); len(g.charges()) < 2 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	paid = g.charges()
	if len(paid) != 2 || paid[0].Get("seconds").Int() < 1 || paid[0].Get("amount_cents").Int() != paid[0].Get("seconds").Int() {
		t.Errorf("after a statement whose caller has left the charges are %v", paid)
	}

	// The last cent pays for one more statement, and not for a second.
	_, err := d.db.Credit(t.Context(), g.accountID, billing.Credit{Cents: 1 - g.remaining()})
	check(t, err)
	a := g.call(http.MethodPost, "/v1/query", map[string]string{"sql": "SELECT count(*) FROM range(400000000) WHERE hash(range) % 7 = 1"})
	if a.status != http.StatusOK || g.remaining() != 0 {
		t.Errorf("with one cent a statement answers %d: %s; %d cents remain", a.status, a.body, g.remaining())
	}
	if last := g.charges()[0]; last.Get("amount_cents").Int() != 1 || last.Get("seconds").Int() < 2 || last.Get("cap.rule").String() != "remaining" || last.Get("cap.cents").Int() != 1 {
		t.Errorf("the statement that took more than remained was charged %v", last)
	}
	a = g.call(http.MethodPost, "/v1/query", map[string]string{"sql": "SELECT 1"})
	if a.status != http.StatusPaymentRequired || a.fault() != "insufficient_funds" || !d.documented(http.MethodPost, "/v1/query", a) {
		t.Errorf("without credit a statement answers %d: %s", a.status, a.body)
	}
	findings, err := d.db.CheckLedger(t.Context())
	check(t, err)
	if len(findings) > 0 {
		t.Errorf("the ledger: %v", findings)
	}
}

// TestStatementsShareTheMachine checks that ten heavy statements of one account are
// worked on a few at a time, and do not delay a small one of another account.
func TestStatementsShareTheMachine(t *testing.T) {
	t.Parallel()
	testenv.NotInTest(t)
	d := openDesk(t)
	crowd, other := d.guest(t, "crowd"), d.guest(t, "other")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var heavy sync.WaitGroup
	ended := make(chan int, 10)
	for range cap(ended) {
		heavy.Go(func() { ended <- crowd.ask(ctx, endless) })
	}
	processes := func() int {
		folders, err := filepath.Glob(filepath.Join(d.temporary, "query-[0-9]*"))
		check(t, err)
		return len(folders)
	}
	for end := time.Now().Add(2 * time.Minute); processes() < 2 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	began := time.Now()
	if s := other.ask(t.Context(), "SELECT 42"); s != http.StatusOK {
		t.Errorf("the small statement answers %d", s)
	}
	took := time.Since(began)
	if n := processes(); n < 2 || n > 5 {
		t.Errorf("beside ten statements of one account there are %d processes: two of its own, one of the small statement, and up to two that are kept ready", n)
	}
	select {
	case s := <-ended:
		t.Errorf("a heavy statement ended with %d before the small one was answered, after %s", s, took)
	default:
	}
	if took > 10*time.Second { // a third of the time limit of the statement before it
		t.Errorf("the small statement took %s", took)
	}
	t.Logf("beside ten heavy statements a small one took %s", took)
	cancel()
	heavy.Wait()
	for end := time.Now().Add(2 * time.Minute); processes() > 2 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if n := processes(); n > 2 {
		t.Errorf("%d processes are left", n)
	}
}
