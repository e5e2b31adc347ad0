package web

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/program/history"
	"ballast/timeseries"
)

// daysTable is the name of the table with what a model did on each day.
const daysTable = "days"

// downloads are the files of a model's result.
type downloads struct {
	tableLinks
	Script string // address of the script, for those who may read it
}

func downloadsOf(page, script string) *downloads {
	at := page + "/" + daysTable
	return &downloads{tableLinks{daysTable, at + ".csv", at + ".parquet", at + ".arrow"}, script}
}

// dayFiles write the table of days, by how the file's name ends.
var dayFiles = map[string]func(*history.DayTable, io.Writer) error{
	".csv": (*history.DayTable).WriteCSV, ".parquet": (*history.DayTable).WriteParquet, ".arrow": (*history.DayTable).WriteArrow,
}

func (s *Site) modelTableOf() Page {
	return Page{
		Method: http.MethodGet, Path: "/model/{slug}/{file}", ID: "get-model-table", Summary: "Table of a model",
		Description: "Returns what a model did on each day of its default view, as CSV, Parquet or Arrow: its return, the weight of each holding and what each member added. Anybody may read it of a public model; its owner, when signed in, of any.",
		Parameters: []*huma.Param{
			{Name: "slug", In: "path", Required: true, Description: "The model's slug", Schema: &huma.Schema{Type: huma.TypeString}},
			{Name: "file", In: "path", Required: true, Description: "days.csv, days.parquet or days.arrow", Schema: &huma.Schema{Type: huma.TypeString}},
		},
		Answers: map[int]string{http.StatusOK: "The table"},
		Media:   []string{"text/csv", "application/vnd.apache.parquet", "application/vnd.apache.arrow.stream"},
		Faults:  []fault.Type{fault.NotFound, fault.Internal, fault.Unavailable},
		Handler: func(w http.ResponseWriter, r *http.Request) {
			slug := mux.Vars(r)["slug"]
			err := s.writeDays(w, r, slug, func(ctx context.Context, readerID string, q history.Query) (*history.History, error) {
				m, err := s.Models.Sheet(ctx, readerID, slug)
				if err != nil {
					return nil, err
				}
				if m.Slug != slug {
					return nil, fault.Missing("model", slug)
				}
				return s.Histories.History(ctx, readerID, slug, q)
			})
			if err != nil {
				s.Refusals.Refuse(w, r, err)
			}
		},
	}
}

// writeDays writes the table of days of a history.
func (s *Site) writeDays(w http.ResponseWriter, r *http.Request, name string, read func(ctx context.Context, readerID string, q history.Query) (*history.History, error)) error {
	file := mux.Vars(r)["file"]
	table, ending, _ := strings.Cut(file, ".")
	write, known := dayFiles["."+ending]
	if table != daysTable || !known {
		return fault.Missing("table", file)
	}
	readerID, err := s.reader(r)
	if err != nil {
		return err
	}
	h, err := read(r.Context(), readerID, history.Query{Returns: true, Allocation: true, Contribution: true, Start: timeseries.NoDate, End: timeseries.NoDate})
	if err != nil {
		return err
	}
	fileHeaders(w.Header(), files["."+ending].media, name+"-"+file)
	_ = write(h.Table(), w) // only a reader who has left makes it fail, and the headers are sent
	return nil
}

// fileHeaders are those of a table that no cache keeps.
func fileHeaders(h http.Header, media, name string) {
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", `attachment; filename="`+url.PathEscape(name)+`"`)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex")
}
