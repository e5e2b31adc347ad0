package bench

import (
	"context"
	"io"
	"math/rand/v2"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	allocator "github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/backtest"
	"ballast/internal/id"
	"ballast/program/result"
	"ballast/query/segments"
	"ballast/storage/columnar"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// distinctResults is the number of generated results. Further runs repeat them with
// other ids, which costs a query as much.
const distinctResults = 100

// syntheticRuns stores generated results of 20 years for n models, as runs store theirs:
// ten assets and cash, traded monthly.
func syntheticRuns(ctx context.Context, bucket columnar.Bucket, n int) ([]segments.Run, error) {
	runs := make([]segments.Run, n)
	for i := range runs {
		run := segments.Run{ID: id.New(id.Run), ModelID: id.New(id.Model)}
		if i >= distinctResults {
			run.Daily, run.Ledger = runs[i%distinctResults].Daily, runs[i%distinctResults].Ledger
			runs[i] = run
			continue
		}
		run.Daily, run.Ledger = result.Prefix+run.ID+".daily.parquet", result.Prefix+run.ID+".ledger.parquet"
		daily, ledger := syntheticResult(uint64(i))
		err := bucket.PutAll(ctx,
			columnar.Outgoing{Key: run.Daily, Write: func(w io.Writer) error {
				return columnar.WriteParquet(w, daily, columnar.WriteOptions{})
			}},
			columnar.Outgoing{Key: run.Ledger, Write: func(w io.Writer) error {
				return columnar.WriteParquet(w, ledger, columnar.WriteOptions{})
			}})
		if err != nil {
			return nil, err
		}
		runs[i] = run
	}
	return runs, nil
}

// syntheticResult generates the two tables of a run.
func syntheticResult(seed uint64) (daily, ledger arrow.RecordBatch) {
	rng := rand.New(rand.NewPCG(17, seed))
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(2004, time.January, 1))
	keys := append(marketSymbols(), backtest.CashKey)
	fields := []arrow.Field{{Name: "date", Type: arrow.FixedWidthTypes.Date32}, {Name: "return", Type: arrow.PrimitiveTypes.Float64, Nullable: true}}
	for _, name := range []string{"equity", "gross_exposure", "traded"} {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64})
	}
	for _, key := range keys {
		fields = append(fields, arrow.Field{Name: backtest.WeightPrefix + key, Type: arrow.PrimitiveTypes.Float64})
	}
	for _, key := range keys {
		fields = append(fields, arrow.Field{Name: backtest.ContributionPrefix + key, Type: arrow.PrimitiveTypes.Float64, Nullable: true})
	}
	b := array.NewRecordBuilder(allocator.DefaultAllocator, arrow.NewSchema(fields, nil))
	l := array.NewRecordBuilder(allocator.DefaultAllocator, backtest.LedgerSchema)
	weights, before := make([]float64, len(keys)), make([]float64, len(keys))
	equity, part := 10_000.0, b.Fields()[5:]
	numbers := func(at int, v float64) { b.Field(at).(*array.Float64Builder).Append(v) }
	for t := range marketSessions {
		date := arrow.Date32(cal.Session(first + t))
		b.Field(0).(*array.Date32Builder).Append(date)
		total := 0.0
		for k := range keys {
			r := 0.0
			if k < len(keys)-1 {
				r = 0.0003 + 0.01*rng.NormFloat64()
			}
			c := part[len(keys)+k].(*array.Float64Builder)
			if t == 0 {
				c.AppendNull()
				continue
			}
			c.Append(weights[k] * r)
			total += weights[k] * r
			weights[k] *= 1 + r
		}
		if t == 0 {
			b.Field(1).(*array.Float64Builder).AppendNull()
		} else {
			numbers(1, total)
		}
		equity *= 1 + total
		traded := 0.0
		for k := range weights {
			weights[k] /= 1 + total
		}
		if t%21 == 0 {
			copy(before, weights)
			draw(rng, weights)
			for k, key := range keys {
				traded += max(0, weights[k]-before[k])
				l.Field(0).(*array.Date32Builder).Append(date)
				l.Field(1).(*array.Date32Builder).Append(date)
				l.Field(2).(*array.StringBuilder).Append(string(backtest.ReasonSchedule))
				l.Field(3).(*array.Float64Builder).Append(0.5)
				l.Field(4).(*array.StringBuilder).Append(key)
				l.Field(5).(*array.Float64Builder).Append(before[k])
				l.Field(6).(*array.Float64Builder).Append(weights[k])
				l.Field(7).(*array.Float64Builder).Append(weights[k] - before[k])
			}
		}
		numbers(2, equity)
		numbers(3, 1-weights[len(keys)-1])
		numbers(4, traded)
		for k := range keys {
			part[k].(*array.Float64Builder).Append(weights[k])
		}
	}
	return b.NewRecordBatch(), l.NewRecordBatch()
}

// draw sets weights to random numbers that add up to one.
func draw(rng *rand.Rand, weights []float64) {
	sum := 0.0
	for k := range weights {
		weights[k] = rng.Float64()
		sum += weights[k]
	}
	for k := range weights {
		weights[k] /= sum
	}
}
