package query

import (
	"context"
	"fmt"
	"strings"

	"ballast/program"
	"ballast/query/engine"
	"ballast/script/harness"
)

// AnswerRun is a complete run of a simulation or of an analysis.
type AnswerRun struct {
	ID, ProgramID string
	Kind          string
	Replays       bool // whether its paths are past starts, which its outcomes then name
	Tables        program.Tables
}

// simulationKind is the kind of programs whose results have the tables of simulations.
const simulationKind = harness.Simulation

// answers adds a table of the results of simulations. Each file has the rows of one run.
func (p *plan) answers(ctx context.Context, t *Table) error {
	if err := p.readAnswers(ctx); err != nil {
		return err
	}
	if t.family != "" {
		return p.freeAnswers(ctx, t)
	}
	runs := newTexts("simulation_id", "run_id", "file")
	defer runs.Release()
	var plain, dated []string // files without and with the column start
	for _, r := range p.answered {
		object, ok := r.Tables[t.answer]
		if !ok || r.Kind != simulationKind {
			continue
		}
		path, err := p.service.c.Objects.Path(ctx, object.Key)
		if err != nil {
			return err
		}
		runs.add(r.ProgramID, r.ID, path)
		if t == SimulationOutcomes && r.Replays {
			dated = append(dated, path)
		} else {
			plain = append(plain, path)
		}
	}
	var parts []string
	for _, of := range []struct {
		suffix string
		files  []string
	}{{"", plain}, {"_dated", dated}} {
		suffix, files := of.suffix, of.files
		if len(files) == 0 {
			continue
		}
		scan := "_" + t.Name + "_files" + suffix
		p.order.Scans = append(p.order.Scans, engine.Scan{Name: scan, Files: files, Origin: true})
		parts = append(parts, "SELECT "+answerColumns(t, suffix == "")+" FROM "+scan+" f JOIN _"+t.Name+" r ON r.file = f.filename")
	}
	if len(parts) == 0 {
		p.addSetup("CREATE VIEW " + t.Name + " AS " + empty(t))
		return nil
	}
	if err := p.addRecord("_"+t.Name, runs.NewRecordBatch()); err != nil {
		return err
	}
	p.addSetup("CREATE VIEW " + t.Name + " AS " + strings.Join(parts, " UNION ALL "))
	return nil
}

// freeAnswers adds a table of results whose scripts may have written a table of the same
// name with other columns. A column that a file lacks, or has with another type, is null.
func (p *plan) freeAnswers(ctx context.Context, t *Table) error {
	of := t.Columns[0].Name
	runs := newTexts(of, "run_id", "file")
	defer runs.Release()
	var files []string
	for _, r := range p.answered {
		object, ok := r.Tables[t.answer]
		if !ok || r.Kind != t.family {
			continue
		}
		path, err := p.service.c.Objects.Path(ctx, object.Key)
		if err != nil {
			return err
		}
		runs.add(r.ProgramID, r.ID, path)
		files = append(files, path)
	}
	if len(files) == 0 {
		p.addSetup("CREATE VIEW " + t.Name + " AS " + empty(t))
		return nil
	}
	scan := "_" + t.Name + "_files"
	p.order.Scans = append(p.order.Scans, engine.Scan{Name: scan, Files: files, Origin: true, Mixed: true})
	if err := p.addRecord("_"+t.Name, runs.NewRecordBatch()); err != nil {
		return err
	}
	own := &Table{Columns: t.Columns[2:]} // without the ids
	columns := []string{"r." + of, "r.run_id"}
	for _, c := range own.Columns {
		v := fmt.Sprintf(`TRY_CAST(f."%s" AS %s)`, c.Name, c.Type)
		if c.Type == Integer || c.Type == Number {
			v = fmt.Sprintf(`TRY_CAST(CASE WHEN isnan(TRY_CAST(f."%[1]s" AS DOUBLE)) THEN NULL ELSE f."%[1]s" END AS %[2]s)`, c.Name, c.Type)
		}
		columns = append(columns, fmt.Sprintf(`%s AS "%s"`, v, c.Name))
	}
	p.addSetup("CREATE VIEW " + t.Name + " AS SELECT " + strings.Join(columns, ", ") +
		" FROM (" + empty(own) + " UNION ALL BY NAME SELECT * FROM " + scan + ") f JOIN _" + t.Name + " r ON r.file = f." + engine.OriginColumn)
	return nil
}

// answerColumns selects a table's columns from the rows f and their run r. Numbers that
// there are none of are NaN in the file, and null in SQL.
func answerColumns(t *Table, undated bool) string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		switch {
		case c.Name == columnSimulation.Name || c.Name == columnRun.Name:
			columns[i] = "r." + c.Name
		case c.Type == Date && undated:
			columns[i] = "CAST(NULL AS DATE) AS " + c.Name
		case c.Type == Integer || c.Type == Number:
			columns[i] = fmt.Sprintf("CAST(CASE WHEN isnan(f.%[1]s) THEN NULL ELSE f.%[1]s END AS %s) AS %[1]s", c.Name, c.Type)
		default:
			columns[i] = "f." + c.Name
		}
	}
	return strings.Join(columns, ", ")
}

// readAnswers reads, once, which runs of simulations and analyses the statement covers.
func (p *plan) readAnswers(ctx context.Context) (err error) {
	if p.answersRead {
		return nil
	}
	p.answered, err = p.service.c.Store.QueryAnswers(ctx, p.scope, p.runIDs)
	p.answersRead = err == nil
	return err
}
