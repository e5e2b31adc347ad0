package mail

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	smtpmock "github.com/mocktools/go-smtp-mock/v2"
)

var (
	noon    = time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	example = &Notice{
		RunID: "run_2", FormerRunID: "run_1", To: "ann@example.com", ModelName: "Größer\r\nBcc: x@example.com <b>", ModelSymbol: "RMOM",
		Slug: "rmom-1", Wanted: true, CreatedAt: noon,
	}
	exampleChange = &Change{AsOf: "2024-03-01", Decided: "2024-02-29", Rows: []Row{
		{Key: "SPY", Name: "SPDR S&P 500", Before: 0.5, After: 0},
		{Key: "AGG", Name: "iShares <Core>", Before: 0, After: 0.49996},
		{Key: "CASH", Name: "Cash", Before: 0.5, After: 0.50004},
	}}
)

func TestCompose(t *testing.T) {
	t.Parallel()
	m, err := Compose(example, exampleChange, "https://ballast.example")
	if err != nil {
		t.Fatal(err)
	}
	if m.Subject != "Größer Bcc: x@example.com <b>: new allocation, decided 2024-02-29" {
		t.Errorf("subject %q", m.Subject)
	}
	for _, want := range []string{
		"SPY              50.0 %      0.0 %    -50.0 %  SPDR S&P 500", "AGG               0.0 %     50.0 %    +50.0 %  iShares <Core>",
		"CASH             50.0 %     50.0 %      0.0 %", "https://ballast.example/model/rmom-1", "notify_email",
	} {
		if !strings.Contains(m.Text, want) {
			t.Errorf("the text has no %q:\n%s", want, m.Text)
		}
	}
	for _, want := range []string{"SPDR S&amp;P 500", "iShares &lt;Core&gt;", "&lt;b&gt;", `href="https://ballast.example/model/rmom-1"`, "50.0 %"} {
		if !strings.Contains(m.HTML, want) {
			t.Errorf("the page has no %q:\n%s", want, m.HTML)
		}
	}
	if m, err = Compose(example, exampleChange, ""); err != nil || strings.Contains(m.Text+m.HTML, "/model/") {
		t.Errorf("without an address there is a link: %v\n%s", err, m.Text)
	}
}

// desk is a store with one notice, and also the mailer.
type desk struct {
	notice  *Notice
	change  *Change
	broken  error
	sent    []*Message
	ended   Ending
	retried int
}

func (d *desk) Notice(context.Context, string) (*Notice, error) { return d.notice, nil }
func (d *desk) EndNotice(_ context.Context, _ string, how Ending, _ string, _ time.Time) error {
	d.ended = how
	return nil
}
func (d *desk) RetryNotice(_ context.Context, _ string, why string) error {
	if strings.Contains(why, "ann@") {
		return errors.New("the reason names the owner")
	}
	d.retried++
	return nil
}
func (d *desk) Send(_ context.Context, m *Message) error {
	if d.broken == nil {
		d.sent = append(d.sent, m)
	}
	return d.broken
}

func TestWrite(t *testing.T) {
	t.Parallel()
	unwanted := *example
	unwanted.Wanted = false
	busy := errors.New("451 ann@example.com: try later")
	tests := []struct {
		name    string
		desk    desk
		after   time.Duration
		ended   Ending
		sent    int
		retried int
		wait    time.Duration
	}{
		{name: "sent", desk: desk{notice: example, change: exampleChange}, ended: Sent, sent: 1},
		{name: "ended before", desk: desk{change: exampleChange}},
		{name: "nothing has changed", desk: desk{notice: example}, ended: Unchanged},
		{name: "no longer wanted", desk: desk{notice: &unwanted, change: exampleChange}, ended: Unchanged},
		{name: "tried again", desk: desk{notice: example, change: exampleChange, broken: busy}, retried: 1, wait: firstWait},
		{name: "given up", desk: desk{notice: example, change: exampleChange, broken: busy}, after: patience + time.Second, ended: Failed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := test.desk
			w := &Notifier{
				Store: &d, Mailer: &d, Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return noon.Add(test.after) },
				Changes: func(context.Context, string, string) (*Change, error) { return d.change, nil },
			}
			wait, err := w.Notify(t.Context(), "run_2")
			if err != nil || wait != test.wait || d.ended != test.ended || len(d.sent) != test.sent || d.retried != test.retried {
				t.Errorf("%s %v %+v", wait, err, d)
			}
		})
	}
}

func TestSMTP(t *testing.T) {
	t.Parallel()
	server := smtpmock.New(smtpmock.ConfigurationAttr{HostAddress: "127.0.0.1", MultipleMessageReceiving: true})
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Stop() }()
	s, err := NewSMTP("smtp://127.0.0.1:"+strconv.Itoa(server.PortNumber())+"?tls=off", "Ballast <ballast@example.com>")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Compose(example, exampleChange, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	messages, err := server.WaitForMessages(1, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	text := messages[0].MsgRequest()
	for _, want := range []string{
		"Message-ID: <run_2@example.com>", "From: \"Ballast\" <ballast@example.com>", "To: <ann@example.com>", "multipart/alternative",
		"text/plain", "text/html", "Auto-Submitted: auto-generated",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the message has no %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\nBcc:") {
		t.Errorf("a model's name has made a header:\n%s", text)
	}
	if err := s.Send(t.Context(), &Message{ID: "x", To: "nobody"}); err == nil {
		t.Error("a message to no address was sent")
	}
}

func TestNewSMTPRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ address, from, says string }{
		{"mail.example.com", "a@example.com", "must have the form"},
		{"http://mail.example.com", "a@example.com", "must have the form"},
		{"smtp://me:hidden@", "a@example.com", "must have the form"},
		{"smtp://me:hidden@mail.example.com?tls=off", "a@example.com", "only sent over an encrypted connection"},
		{"smtp://mail.example.com", "Ballast", "the sender's address"},
	} {
		_, err := NewSMTP(test.address, test.from)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", test.address, err)
		}
	}
	for _, address := range []string{"smtp://mail.example.com", "smtp://me:p%40ss@mail.example.com:2525", "smtps://mail.example.com"} {
		if _, err := NewSMTP(address, "a@example.com"); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
