package jobs

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"ballast/program"
)

// A process without a refresh, a mail server or a lake knows their jobs all the same, and
// leaves them to others.
func TestEveryProcessKnowsAllKindsOfJobs(t *testing.T) {
	t.Parallel()
	bare := Config{Logger: slog.New(slog.DiscardHandler)}
	full := bare
	full.Lake, full.Refresher, full.Notifier = &Publishing{Every: time.Hour}, &program.Refresher{}, notifier{}
	for name, c := range map[string]Config{"bare": bare, "full": full} {
		workers := workersOf(c, newLanes(nil, c.Logger), nil)
		for kind, add := range map[string]func() error{
			"figures": func() error { return river.AddWorkerSafely(workers, &figuresWorker{}) },
			"lake":    func() error { return river.AddWorkerSafely(workers, &lakeWorker{}) },
			"refresh": func() error { return river.AddWorkerSafely(workers, &refreshWorker{}) },
			"letter":  func() error { return river.AddWorkerSafely(workers, &mailWorker{}) },
		} {
			if add() == nil {
				t.Errorf("%s: %s was not registered", name, kind)
			}
		}
	}
	for _, queue := range []string{lakeQueue, refreshQueue, mailQueue} {
		if _, ok := queuesOf(bare)[queue]; ok {
			t.Errorf("a process without the settings works on %s", queue)
		}
		if _, ok := queuesOf(full)[queue]; !ok {
			t.Errorf("nobody works on %s", queue)
		}
	}
}

func TestJobsForOthersArePutBack(t *testing.T) {
	t.Parallel()
	for kind, err := range map[string]error{
		"figures": (&figuresWorker{}).Work(t.Context(), nil),
		"lake":    (&lakeWorker{}).Work(t.Context(), nil),
		"refresh": (&refreshWorker{}).Work(t.Context(), nil),
		"letter":  (&mailWorker{}).Work(t.Context(), nil),
	} {
		var snooze *rivertype.JobSnoozeError
		if !errors.As(err, &snooze) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

type notifier struct{ Notifier }
