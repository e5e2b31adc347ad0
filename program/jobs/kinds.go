package jobs

import (
	"time"

	"github.com/riverqueue/river"
)

// workersOf returns the workers of all kinds of jobs, also of those whose queues this
// process does not work on: the process that leads the queue discards stuck jobs of
// kinds that it does not know.
func workersOf(c Config, lanes *lanes, releaser *releaser) *river.Workers {
	w := river.NewWorkers()
	river.AddWorker(w, &runWorker{executor: c.Executor, lanes: lanes, releaser: releaser})
	river.AddWorker(w, &sweepWorker{sweepers: c.Sweepers})
	river.AddWorker(w, &gatherWorker{gatherer: c.Gatherer})
	river.AddWorker(w, &figuresWorker{filler: c.Figures})
	river.AddWorker(w, &lakeWorker{publishing: c.Lake})
	river.AddWorker(w, &refreshWorker{refresher: c.Refresher})
	river.AddWorker(w, &deliverWorker{
		deliverer: c.Deliverer, shares: newShares(deliveriesAtOnce, deliveriesAccount, deliveriesWebhook), log: c.Logger,
	})
	river.AddWorker(w, &mailWorker{notifier: c.Notifier, shares: newShares(mailsAtOnce, mailsPerAccount, mailsPerAccount), log: c.Logger})
	return w
}

// queuesOf returns the queues that this process works on, with the most jobs at once.
func queuesOf(c Config) map[string]river.QueueConfig {
	queues := map[string]river.QueueConfig{
		GenerationQueue:            {MaxWorkers: generationsAtOnce},
		FirstLane(GenerationQueue): {MaxWorkers: firstsAtOnce},
	}
	if c.Workers > 0 {
		queues[RunQueue] = river.QueueConfig{MaxWorkers: c.Workers}
		queues[FirstLane(RunQueue)] = river.QueueConfig{MaxWorkers: firstsAtOnce}
	}
	for name, q := range map[string]struct {
		atOnce int
		here   bool
	}{
		figuresQueue: {1, c.Figures != nil},
		gatherQueue:  {1, true},
		lakeQueue:    {1, c.Lake != nil},
		refreshQueue: {1, c.Refresher != nil},
		eventsQueue:  {deliveriesAtOnce, true},
		mailQueue:    {mailsAtOnce, c.Notifier != nil},
	} {
		if q.here {
			queues[name] = river.QueueConfig{MaxWorkers: q.atOnce, FetchPollInterval: eventsPollInterval}
		}
	}
	return queues
}

// periodicOf returns the jobs that this process adds at times while it leads the queue.
func periodicOf(c Config) []*river.PeriodicJob {
	every := func(interval time.Duration, job river.JobArgs) *river.PeriodicJob {
		return river.NewPeriodicJob(river.PeriodicInterval(interval),
			func() (river.JobArgs, *river.InsertOpts) { return job, nil },
			&river.PeriodicJobOpts{RunOnStart: true})
	}
	jobs := []*river.PeriodicJob{every(sweepInterval, SweepArgs{}), every(gatherInterval, GatherArgs{})}
	if c.Figures != nil {
		jobs = append(jobs, every(sweepInterval, FiguresArgs{}))
	}
	if c.Lake != nil {
		jobs = append(jobs, every(c.Lake.Every, LakeArgs{}))
	}
	if c.Refresher != nil {
		jobs = append(jobs, nightly(c.Refresher))
	}
	return jobs
}

// elsewhere puts a job back that only a process with other settings can work on. Such
// jobs have queues of their own; earlier versions put some of them into others.
func elsewhere() error { return river.JobSnooze(elsewhereWait) }

const elsewhereWait = time.Minute
